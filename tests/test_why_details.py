"""Why tells which model, with what, who proposed, permitted, rejected and judged."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from aitia.model.graph import CausalGraph, CausalNode
from aitia.tools.consent import Consents
from aitia.why.render import render
from aitia.workspace import Workspace
from aitia_cli.main import cli
from tests.model_desk import (
    Graph,
    Player,
    batch,
    call,
    conclude,
    contradicts,
    entails,
    hypothesis,
    label,
    opened,
)
from tests.model_pumps import FEEDS, SEARCH, copy, made, pressure, stop, told

STOPPED = "Pump A is stopped."
BAD = batch(call("G9", "stop", pump="A"))
WISH = "Pump A has 9 bar."


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("ready"))


def cites(prompt: str) -> Any:
    return batch(conclude((STOPPED, [label(prompt, STOPPED)]), rejects=["H1"]))


@pytest.fixture(scope="module")
def folder(ready: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a refusal, a rejected hypothesis and a side effect, and one cached."""
    place = copy(ready, tmp_path_factory.mktemp("told") / "ws")
    start = batch(
        hypothesis("H1", WISH),
        call("G1", "pressure", tests="H1", pump="A"),
        call("G1", "stop", pump="A"),
    )
    player = Player([BAD, start, cites], entailment=contradicts('"bar": 3'))
    with opened(place, player) as (workspace, _):
        allowed = Consents(["stop"])
        tools = [pressure, stop]
        workspace.ask("Stop pump A.", tools=tools, consents=allowed, session="first")
    return place


def of_kind(graph: CausalGraph, kind: str) -> list[CausalNode]:
    return [node for node in graph.nodes.values() if node.kind == kind]


def details(node: CausalNode) -> dict[str, str]:
    return {detail.name: detail.text for detail in node.details}


def test_why_names_model_proposer_arguments_and_permission(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        graph = workspace.why()
    calls = [x for x in of_kind(graph, "MethodExecution") if x.label == "model_call"]
    assert calls
    assert all(details(node)["model"] == "m" for node in calls)
    assert all(node.agent.endswith("agent:m") for node in calls)
    for made_by in of_kind(graph, "Batch"):
        assert details(made_by)["proposed by"] == "m"
        (name,) = [x for x in details(made_by) if x.startswith("rationale")]
        assert "no evidence" in name
        assert details(made_by)[name] == "“G1 is the most uncertain.”"
        assert made_by.agent.endswith("agent:m")
    labels = [node.label for node in of_kind(graph, "Operation")]
    assert 'callTool stop {"pump": "A"}' in labels
    stopped = next(x for x in of_kind(graph, "ToolCall") if x.label == "stop")
    assert details(stopped)["arguments"] == '{"pump": "A"}'
    assert details(stopped)["permitted by"].endswith("allowed for the run, by name")


def test_a_decision_tells_what_it_rejects_and_what_speaks_against(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        (decision,) = of_kind(workspace.why(), "Decision")
    assert details(decision)["rejects"].startswith(f"“{WISH}” (refuted) run:")
    against = [x.text for x in decision.details if x.name.startswith("against")]
    assert against[0].startswith("refuted by “entailment_check”")
    assert against[1].startswith('contradicted by “{"bar": 3')


@pytest.mark.parametrize("form", ["tree", "html", "json"])
def test_what_was_refused_is_counted_and_can_be_read(folder: Path, form: str) -> None:
    with Workspace.open(folder) as workspace:
        graph = workspace.why()
        (refused,) = graph.refused
        out = render(graph, form)
    short = refused.removeprefix("urn:aitia:")
    if form == "json":
        assert json.loads(out)["refused"] == [refused]
    else:
        assert "1 proposal of the run was refused" in out
        assert short in out
    shown = CliRunner().invoke(
        cli, ["--workspace", str(folder), "show", short, "--texts"]
    )
    assert shown.exit_code == 0
    assert "G9" in shown.stdout


def test_a_cached_call_names_where_it_is_from(ready: Path, tmp_path: Path) -> None:
    place = copy(ready, tmp_path / "ws")
    with opened(place, Player([batch(SEARCH), told], entailment=entails(FEEDS))) as (
        workspace,
        _,
    ):
        first = workspace.ask("What does pump A feed?").run.removeprefix("urn:aitia:")
        run = workspace.ask("What does pump A feed?").run
        cached = [
            details(node)["cached from"]
            for node in workspace.why(run).nodes.values()
            if "cached from" in details(node)
        ]
        assert cached
        assert all(source.startswith(f"{first}/exec/") for source in cached)
        assert Graph(workspace, run).conclusions() == ["Decision"]
        used = {x.iri.rpartition(":")[2]: x.spent for x in workspace.runs()}
        spent = used[run.rpartition(":")[2]]
        assert (spent.calls, spent.tokens, spent.cost) == (0, 0, "0")
        assert spent.cached
        before = used[first.rpartition(":")[2]]
        assert before.calls
        assert before.tokens
        assert (before.cost, before.unpriced) == (None, before.calls)


def test_a_recorded_run_names_who_joined_and_what_was_accepted(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "ws") as workspace:
        with workspace.record("Which offer is taken?", agent="desk") as desk:
            seen = desk.observe("Offer A costs 3.")
            with desk.run.join("appraiser") as other:
                guess = other.hypothesize("Offer A is fair.", because=[seen])
                known = other.call("look", given=seen)
                with known as look:
                    look.returns("It is cheap.")
            desk.decide("Offer A is taken.", because=[seen], accepts=[guess])
        run = desk.run.iri.value
        out = render(workspace.why(run), "tree")
        assert "“Offer A is fair.” (accepted, and no test has decided it)" in out
        assert "by agent:appraiser" in out
        assert "by agent:appraiser" in render(workspace.why(guess.id), "html")
        (accepted,) = of_kind(workspace.why(run), "Hypothesis")
        assert details(accepted)["accepted by"].endswith("/decision")
        with workspace.record("Another.", agent="desk") as desk:
            seen = desk.observe("Offer B costs 4.")
            desk.decide("Offer B is taken.", because=[seen])
        assert "by agent:desk" not in render(workspace.why(desk.run.iri.value), "tree")


@pytest.mark.parametrize("level", ["full", "decisions"])
def test_a_recorded_run_that_breaks_off_leads_to_its_last_call(
    tmp_path: Path, level: str
) -> None:
    with Workspace.open(tmp_path / "ws") as workspace:

        def break_off() -> None:
            with workspace.record("Which offer?", agent="desk", level=level) as desk:
                with desk.call("look", given=desk.observe("Offer A.")) as look:
                    look.returns("It is cheap.")
                raise RuntimeError("no power")

        with pytest.raises(RuntimeError, match="no power"):
            break_off()
        graph = workspace.why()
        assert graph.nodes[graph.start].kind == "Abort"
        kinds = {node.kind for node in graph.nodes.values()}
        assert {"MethodExecution", "UserInput"} <= kinds or level == "decisions"
        assert not workspace.validate().results


def test_a_proposal_tells_its_reviews_and_that_it_was_undone(tmp_path: Path) -> None:
    folder = str(tmp_path / "ws")

    def run(*words: str) -> str:
        done = CliRunner().invoke(cli, ["--workspace", folder, *words])
        assert done.exit_code == 0, done.output
        return done.stdout

    with Workspace.open(tmp_path / "ws"):
        pass
    run("propose", "--text", "Pump Z feeds tank Y.", "--reason", "seen")
    (proposal,) = json.loads(run("review", "list", "--json"))
    known = proposal["id"]
    run("review", "approve", known, "--as", "bob", "--reason", "I saw it")
    run("review", "undo", known, "--as", "dave", "--reason", "a mistake")
    out = run("why", known)
    assert "passed by bob: “I saw it”" in out
    assert "undone: by dave: “a mistake”" in out
    assert "state: undone" in out
