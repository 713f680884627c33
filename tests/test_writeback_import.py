"""What was written back travels in an export; who decided elsewhere proves nothing here."""

from decimal import Decimal
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.vocab import AITIA
from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from aitia.writeback.queue import Wanted
from aitia.writeback.reviewers import Identity
from tests.writeback_desk import Yard, lifts_now, yard


def exported(folder: Path, *, enclose: bool = True, settings: str = "") -> Path:
    """Write an export with an accepted proposal and one that rests on a run."""
    target = folder / "all.nq"
    with yard(folder, 6, settings) as made:
        write = made.workspace.writeback
        bob = Identity("bob", write.new_token("bob")[1])
        write.decide(made.propose(4).proposal.id, "approve", "right", bob)
        run = made.workspace.ask("How much does k4 lift?").run
        write.propose(Asked("add", "seen", text="It is so.", evidence=[run], run=run))
        with target.open("wb") as out:
            made.workspace.export(out, form="nquads", enclose=enclose)
    return target


def proofs(workspace: Workspace) -> set[object]:
    return {q.object for q in workspace.store.quads(None, AITIA.authentication)}


def test_a_restored_workspace_is_as_it_was(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "other", flags={"agent": "eve"}) as workspace:
        workspace.import_(exported(tmp_path))
        assert proofs(workspace) == {AITIA.byToken}
        assert Yard(tmp_path, tmp_path, workspace).lifted(4) == {str(lifts_now(4))}
        assert workspace.verify().findings == ()


def test_merged_decisions_count_as_asserted(tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text("Something else altogether.\n")
    with Workspace.open(tmp_path / "other", flags={"agent": "eve"}) as workspace:
        workspace.ingest([tmp_path / "more.txt"])
        workspace.import_(exported(tmp_path))
        assert proofs(workspace) == {AITIA.assertedOnly}
        assert not any(item.reviewed for item in workspace.writeback.calibration())
        states = {p.kind for p in workspace.writeback.proposals(Wanted(state="all"))}
        assert states == {"revise", "add"}
        assert Yard(tmp_path, tmp_path, workspace).lifted(4) == {str(lifts_now(4))}
        assert workspace.validate().conforms
        assert workspace.verify().findings == ()


def accepted(workspace: Workspace) -> list[Quad]:
    found = workspace.store.quads(None, None, None, terms.GRAPH_CURRENT)
    return list(found)


def weights(workspace: Workspace) -> set[Decimal]:
    found = workspace.store.quads(None, AITIA.reviewWeight)
    return {Decimal(q.object.value) for q in found if isinstance(q.object, Literal)}


@pytest.mark.parametrize("known", ["", "Something else altogether.\n"])
def test_nothing_stands_or_counts_by_what_was_decided_elsewhere(
    tmp_path: Path, known: str
) -> None:
    """Neither in an empty workspace nor in one that has a history."""
    file = exported(tmp_path, enclose=False, settings="[reviewers.bob]\nweight = 7\n")
    with Workspace.open(tmp_path / "other", flags={"agent": "eve"}) as workspace:
        if known:
            (tmp_path / "more.txt").write_text(known)
            workspace.ingest([tmp_path / "more.txt"])
        done = workspace.import_(file)
        assert (done.how, done.loose) == ("merged" if known else "put back", 1)
        assert done.refused == []
        assert proofs(workspace) == {AITIA.assertedOnly}
        assert weights(workspace) == {Decimal(0)}
        assert accepted(workspace) == []
        assert Yard(tmp_path, tmp_path, workspace).lifted(4) == {str(lifts_now(4))}
        assert workspace.validate().conforms
        # Texts that were not enclosed; nothing else is amiss.
        assert {one.kind for one in workspace.verify().findings} <= {"blob"}


def test_who_approved_elsewhere_completes_nothing(tmp_path: Path) -> None:
    two = "[writeback]\napprovals = 2\n"
    with yard(tmp_path, 6, two) as made:
        write = made.workspace.writeback
        asked = made.propose(4).proposal.id
        bob = Identity("bob", write.new_token("bob")[1])
        assert write.decide(asked, "approve", "right", bob).missing == 1
        with (tmp_path / "all.nq").open("wb") as out:
            made.workspace.export(out, form="nquads", what="knowledge")
    other = tmp_path / "other"
    other.mkdir()
    (other / "aitia.toml").write_text(two)
    with Workspace.open(other, flags={"agent": "eve"}) as workspace:
        workspace.import_(tmp_path / "all.nq")
        shown = workspace.writeback.show(asked)
        assert (shown.counted, shown.needed) == (0, 2)
        assert accepted(workspace) == []


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("graph", ["current", "inferred"])
def test_a_file_that_names_a_graph_of_ours_accepts_nothing(
    tmp_path: Path, graph: str, known: bool
) -> None:
    file = tmp_path / "plain.trig"
    file.write_text(
        f"<urn:aitia:graph:{graph}> {{ <http://e/c4> <http://e/lifts> 666 . }}\n"
    )
    with Workspace.open(tmp_path / "ws", flags={"agent": "eve"}) as workspace:
        if known:
            (tmp_path / "more.txt").write_text("Something else altogether.\n")
            workspace.ingest([tmp_path / "more.txt"])
        done = workspace.import_(file)
        assert accepted(workspace) == []
        assert not any(workspace.store.quads(None, None, None, terms.GRAPH_INFERRED))
        stated = list(workspace.store.quads(NamedNode("http://e/c4")))
        assert (len(stated), done.loose) == ((1, 1) if graph == "current" else (0, 0))


def test_a_file_says_nothing_more_for_a_document_that_is_here(tmp_path: Path) -> None:
    """Neither new facts in its graph nor facts that were taken out of it here."""
    with yard(tmp_path, 6) as made:
        with (tmp_path / "before.nq").open("wb") as out:
            made.workspace.export(out, form="nquads", what="knowledge")
        graph = next(
            quad.graph_name
            for quad in made.workspace.store.quads(made.crane(4))
            if quad.predicate.value.endswith("lifts")
        )
        with (tmp_path / "before.nq").open("a") as out:
            out.write(f'<http://e/x> <http://e/lifts> "666" {graph} .\n')
        made.workspace.writeback.decide(
            made.propose(4).proposal.id, "approve", "right", Identity("bob")
        )
        done = made.workspace.import_(tmp_path / "before.nq")
        assert made.lifted(4) == {str(lifts_now(4))}
        assert done.loose == 1
        found = made.workspace.store.quads(NamedNode("http://e/x"))
        assert graph not in {quad.graph_name for quad in found}
