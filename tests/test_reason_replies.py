"""Whatever a model replies, the store stays valid and the command ends as documented."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings, strategies as st

from aitia import Workspace
from aitia.errors import AitiaError
from aitia.model.trace import Answer
from aitia.tools import tool
from aitia_cli.main import cli
from tests.llm_server import ModelServer, Says
from tests.reason_random import JSON, SESSIONS, TEXTS

CODES = {0, 1, 2, 3, 4, 5}
QUESTION = "What does pump A feed?"
PUMPS = "Pump A feeds tank B. Tank B holds 400 litres."


@tool
def find(query: str) -> str:
    """Find what stands in the shop's list."""
    if not query.strip():
        raise ValueError("an empty query")
    return f"Nothing is called {query}."


@tool
def cancel(order: str) -> str:
    """Cancel an order."""
    return f"Order {order} is cancelled."


def ends(label: str) -> dict[str, Any]:
    """Return a batch that concludes with one sentence, citing a label."""
    sentence = {"text": "Pump A feeds tank B.", "cites": [label]}
    operation = {"op": "conclude", "sentences": [sentence]}
    return {"addresses": ["G1"], "rationale": "It is there.", "operations": [operation]}


SEARCH: dict[str, Any] = {
    "op": "runMethod",
    "goal": "G1",
    "method": "lexical_search",
    "arguments": {"query": "pump A"},
}
LOOK = {"addresses": ["G1"], "rationale": "look", "operations": [SEARCH]}
GARBAGE = st.one_of(
    st.binary(max_size=60).map(lambda data: data.decode("latin-1")),
    TEXTS,
    JSON.map(json.dumps),
    SESSIONS.map(lambda session: json.dumps(session[0])[:-3]),
)
BATCHES = st.one_of(
    SESSIONS.map(lambda session: session[0]),
    SESSIONS.map(lambda session: {**session[0], "addresses": ["G1"]}),
    st.just(LOOK),
    st.sampled_from(["O1", "P1", "H2", "Q1"]).map(ends),
).map(json.dumps)
PLANS = st.lists(
    st.one_of(BATCHES, BATCHES, BATCHES, BATCHES, GARBAGE), min_size=1, max_size=6
)
CHECKS = st.one_of(
    GARBAGE,
    st.just(json.dumps({"relation": "entails", "quote": "Pump A", "reason": "so"})),
    st.just(json.dumps({"relation": "contradicts", "quote": "B", "reason": "no"})),
    st.just(json.dumps({"intent": "factLookup", "asks": "x", "entities": []})),
)


class Playing:
    """A server whose replies are set anew for each run: batches, and all else."""

    def __init__(self) -> None:
        self.plans, self.other = [""], ""

    def __call__(self, body: Any) -> Any:
        if not body["messages"][0]["content"].startswith("You plan and decide"):
            return self.other
        return self.plans.pop(0) if len(self.plans) > 1 else self.plans[0]


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[tuple[Playing, Workspace]]:
    (tmp_path / "pumps.txt").write_text(PUMPS, "utf-8")
    script = Playing()
    with ModelServer(script) as server:
        flags = {"model.url": server.url, "model.name": "m", "budget.calls": 7}
        with Workspace.open(tmp_path / "ws", flags=flags) as workspace:
            workspace.ingest([tmp_path / "pumps.txt"])
            yield script, workspace


def test_whatever_a_model_replies_the_store_stays_valid(
    playing: tuple[Playing, Workspace], request: pytest.FixtureRequest
) -> None:
    script, workspace = playing
    ended: Counter[str] = Counter()
    examples = 60 if request.config.getoption("--full") else 10

    @settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(plans=PLANS, other=CHECKS)
    @example(plans=[json.dumps(LOOK), json.dumps(ends("P1"))], other="no")
    def run(plans: list[str], other: str) -> None:
        script.plans, script.other = list(plans), other
        with suppress(AitiaError):
            ended[told(workspace.ask(QUESTION, tools=[find, cancel]))] += 1

    run()
    assert ended["generative"], ended
    report = workspace.validate()
    assert report.conforms, report.violations[:3]
    assert workspace.verify().intact
    for found in workspace.runs():
        assert found.status in ("succeeded", "failed"), found


def told(answer: Answer) -> str:
    """Return how a run ended, in a word."""
    assert answer.text
    if answer.aborted:
        return "aborted"
    return "abstained" if answer.abstained else answer.mode


HOSTILE: dict[str, str | Says] = {
    "random bytes": bytes(range(256)).decode("latin-1"),
    "nothing": "",
    "a list": "[1, 2, 3]",
    "a schema": json.dumps({"type": "object", "properties": {"operations": {}}}),
    "NaN": '{"addresses": ["G1"], "rationale": NaN, "operations": []}',
    "a batch cut off": json.dumps(ends("Q1"))[:-9],
    "an unknown label": json.dumps(ends("O99")),
    "one operation for ever": json.dumps(
        {
            "addresses": ["G1"],
            "rationale": "again",
            "operations": [{"op": "setGoalStatus", "goal": "G1", "status": "failed"}],
        }
    ),
    "half a character": '{"addresses": ["G1"], "rationale": "\\ud800", "operations": 1}',
    "an error": Says("no", status=500),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_the_command_ends_with_a_documented_code(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AITIA_MODEL_RETRIES", "0")
    Path("pumps.txt").write_text(PUMPS, "utf-8")
    with ModelServer(HOSTILE[what]) as server:
        asked = ["ask", "--llm-url", server.url, "--model", "m", QUESTION]
        for command in (["ingest", "--no-llm", "pumps.txt"], asked, ["verify"]):
            done = CliRunner().invoke(cli, ["--workspace", "ws", *command])
            assert done.exception is None or isinstance(done.exception, SystemExit)
            assert done.exit_code in CODES
            assert "Traceback" not in done.output
    assert done.exit_code == 0, done.output
