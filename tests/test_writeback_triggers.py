"""What runs and ingests find missing or wrong becomes gaps and proposals."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import NamedNode

from aitia.errors import UsageError
from aitia.vocab import AITIA, RDF
from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from aitia.writeback.reviewers import Identity
from tests.writeback_desk import state


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with opened(tmp_path, "") as made:
        yield made


def opened(folder: Path, settings: str) -> Workspace:
    work = folder / "ws"
    work.mkdir()
    sources = '[sources]\n"official*.txt" = "official"\n"forum*.txt" = "web"\n'
    (work / "aitia.toml").write_text(sources + settings)
    return Workspace.open(work, flags={"agent": "ann"})


def gaps(workspace: Workspace) -> list[NamedNode]:
    found = workspace.store.quads(None, RDF.type, AITIA.Gap)
    return [q.subject for q in found if isinstance(q.subject, NamedNode)]


def test_an_abstention_leaves_one_gap(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "official.txt").write_text("The fee is 5 euro.\n")
    workspace.ingest([tmp_path / "official.txt"])
    first = workspace.ask("Who wrote Hamlet?")
    assert first.abstained
    workspace.ask("Who wrote Hamlet?")
    [gap] = gaps(workspace)
    asked = Asked("add", "known", text="Shakespeare wrote Hamlet.", about=[gap.value])
    found = workspace.writeback.propose(asked).proposal
    workspace.writeback.decide(found.id, "approve", "right", Identity("bob"))
    answer = workspace.ask("Who wrote Hamlet?")
    assert "Shakespeare" in answer.text
    behind = workspace.why(answer.run)
    assert behind.nodes
    assert workspace.validate().conforms


def test_a_weightier_source_proposes_against_a_weaker(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "forum.txt").write_text("The deposit is 50 euro. Ask at the desk.\n")
    (tmp_path / "official.txt").write_text("The deposit is 80 euro.\n")
    workspace.ingest([tmp_path / "forum.txt"])
    workspace.ingest([tmp_path / "official.txt"])
    [found] = workspace.writeback.proposals()
    assert (found.kind, found.trigger, found.proposer_name) == (
        "deprecate",
        "conflict",
        "aitia",
    )
    [words] = found.words
    assert words.text == "The deposit is 50 euro."
    assert "official.txt (official, weight 1.00) says otherwise" in found.reason
    workspace.writeback.decide(found.id, "approve", "right", Identity("bob"))
    answer = workspace.ask("How much is the deposit?")
    assert "80" in answer.text
    assert "50" not in answer.text
    workspace.ingest([tmp_path / "official.txt"])
    assert workspace.writeback.proposals() == []


def test_a_newer_document_proposes_against_an_older_of_the_same_weight(
    workspace: Workspace, tmp_path: Path
) -> None:
    for name, amount in (("one.txt", 50), ("two.txt", 80)):
        (tmp_path / name).write_text(f"The deposit is {amount} euro.\n")
        workspace.ingest([tmp_path / name])
    [found] = workspace.writeback.proposals()
    assert found.words[0].text == "The deposit is 50 euro."


def test_two_of_the_same_weight_at_once_propose_nothing(
    workspace: Workspace, tmp_path: Path
) -> None:
    for name, amount in (("one.txt", 50), ("two.txt", 80)):
        (tmp_path / name).write_text(f"The deposit is {amount} euro.\n")
    report = workspace.ingest([tmp_path / "one.txt", tmp_path / "two.txt"])
    assert workspace.conflicts.standing()
    assert workspace.writeback.proposals() == []
    [why] = [told for told in report.notices if "proposed" in told]
    assert "1 conflict between sources that weigh the same" in why


def test_triggers_are_switched_off_by_settings(tmp_path: Path) -> None:
    with opened(tmp_path, "[writeback]\nmissing = false\nconflict = false\n") as made:
        (tmp_path / "forum.txt").write_text("The deposit is 50 euro.\n")
        (tmp_path / "official.txt").write_text("The deposit is 80 euro.\n")
        made.ingest([tmp_path / "forum.txt"])
        made.ingest([tmp_path / "official.txt"])
        made.ask("Who wrote Hamlet?")
        assert gaps(made) == []
        assert made.writeback.proposals() == []


def test_people_s_corrections_are_switched_off_by_a_setting(tmp_path: Path) -> None:
    asked = Asked("add", "known", text="The fee is 5 euro.")
    with opened(tmp_path, "[writeback]\ncorrection = false\n") as made:
        with pytest.raises(UsageError, match="switched off"):
            made.writeback.propose(asked)
        assert made.writeback.proposals() == []


def test_what_several_runs_derived_is_proposed_once(
    workspace: Workspace, tmp_path: Path
) -> None:
    table = "key,name,lifts\nk1,Crane 1,5\nk2,Crane 2,5\nk3,Crane 3,9\n"
    (tmp_path / "cranes.csv").write_text(table)
    workspace.ingest([tmp_path / "cranes.csv"])
    question = "Which crane lifts more, Crane 1 or Crane 3?"
    made = [workspace.ask(question) for _ in range(4)]
    derived = workspace.writeback.proposals()
    assert [state(item) for item in derived] == ["needsReview"] * len(derived)
    texts = {s.text for answer in made for s in answer.sentences}
    assert {item.proposed_text for item in derived} <= texts
    assert len(derived) == 1
    assert derived[0].trigger == "derived"
    assert len(derived[0].evidence) == 3
