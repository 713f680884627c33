"""A new version of a document does not bring back unseen what was withdrawn."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import Literal

from aitia import terms
from aitia.ingest import IngestReport
from aitia.vocab import XSD
from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from aitia.writeback.queue import Wanted
from aitia.writeback.read import Proposal
from aitia.writeback.reviewers import Identity

BOB = Identity("bob")
ROWS = "key,name,lifts\nk4,Crane 4,12\nk5,Crane 5,8\n"
RULES = "The yard opens at 7. The deposit for a crane is 50 euro.\n"


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[tuple[Workspace, Path]]:
    """A yard in which a fact and a sentence were withdrawn by accepted proposals."""
    (tmp_path / "cranes.csv").write_text(ROWS)
    (tmp_path / "rules.txt").write_text(RULES)
    (tmp_path / "notice.txt").write_text("Notice: k4 lifts 9 tonnes.\n")
    with Workspace.open(tmp_path / "ws", flags={"agent": "ann"}) as workspace:
        workspace.ingest([tmp_path / name for name in ("cranes.csv", "rules.txt")])
        notice = [str(tmp_path / "notice.txt")]
        for asked in (
            Asked("revise", "read", "k4", "lifts", "9", evidence=notice),
            Asked(
                "retract",
                "no deposit",
                words="The deposit for a crane is 50 euro.",
                document="rules.txt",
            ),
        ):
            made = workspace.writeback.propose(asked).proposal
            workspace.writeback.decide(made.id, "approve", "right", BOB)
        yield workspace, tmp_path


def again(yard: tuple[Workspace, Path], name: str, text: str) -> IngestReport:
    workspace, folder = yard
    (folder / name).write_text(text)
    return workspace.ingest([folder / name])


def waiting(yard: tuple[Workspace, Path]) -> list[Proposal]:
    return list(yard[0].writeback.proposals())


def test_a_fact_that_is_stated_again_is_proposed_to_go(
    yard: tuple[Workspace, Path],
) -> None:
    report = again(yard, "cranes.csv", ROWS + "k6,Crane 6,7\n")
    [found] = waiting(yard)
    assert any(found.id in text for text in report.notices)
    assert (found.kind, found.trigger) == ("deprecate", "conflict")
    assert "states again" in found.reason
    [old] = found.withdraws
    assert old.object.value == "12"
    assert found.evidence
    yard[0].writeback.decide(found.id, "approve", "still wrong", BOB)
    again(yard, "other.csv", "key,name,lifts\nk7,Crane 7,3\n")
    assert waiting(yard) == []
    assert yard[0].validate().conforms


def test_words_that_are_said_again_are_proposed_to_go(
    yard: tuple[Workspace, Path],
) -> None:
    report = again(yard, "rules.txt", "The yard is big. " + RULES)
    [found] = waiting(yard)
    assert any(found.id in text for text in report.notices)
    assert found.words[0].text == "The deposit for a crane is 50 euro."
    yard[0].writeback.decide(found.id, "approve", "still wrong", BOB)
    assert yard[0].verify().findings == ()


def test_what_was_undone_may_be_stated(yard: tuple[Workspace, Path]) -> None:
    for made in list(yard[0].writeback.proposals(Wanted(state="approved"))):
        yard[0].writeback.undo(made.id, "it was right", BOB)
    again(yard, "cranes.csv", ROWS + "k6,Crane 6,7\n")
    again(yard, "rules.txt", "The yard is big. " + RULES)
    assert waiting(yard) == []


def test_what_was_taken_in_before_is_no_way_around(
    yard: tuple[Workspace, Path],
) -> None:
    again(yard, "cranes.csv", ROWS + "k6,Crane 6,7\n")
    [found] = waiting(yard)
    yard[0].writeback.decide(found.id, "approve", "still wrong", BOB)
    report = again(yard, "cranes.csv", ROWS)
    stands = [
        quad
        for quad in yard[0].store.quads()
        if terms.is_current(quad.graph_name)
        and quad.predicate.value.endswith("lifts")
        and quad.object == Literal("12", datatype=XSD.integer)
    ]
    assert not stands or len(waiting(yard)) == 1
    assert not stands or any("states again" in text for text in report.notices)


def test_no_setting_lets_what_was_withdrawn_come_back_untold(tmp_path: Path) -> None:
    work = tmp_path / "ws"
    work.mkdir()
    (work / "aitia.toml").write_text(
        "[conflicts]\nat_ingest = false\n[writeback]\nconflict = false\n"
    )
    (tmp_path / "cranes.csv").write_text(ROWS)
    with Workspace.open(work, flags={"agent": "ann"}) as workspace:
        workspace.ingest([tmp_path / "cranes.csv"])
        made = workspace.writeback.propose(Asked("retract", "wrong", "k4", "lifts"))
        workspace.writeback.decide(made.proposal.id, "approve", "right", BOB)
        report = again((workspace, tmp_path), "cranes.csv", ROWS + "k6,Crane 6,7\n")
        [found] = waiting((workspace, tmp_path))
        assert any(found.id in text for text in report.notices)
