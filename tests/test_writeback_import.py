"""What was written back travels in an export; who decided elsewhere proves nothing here."""

from pathlib import Path

from aitia.vocab import AITIA
from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from aitia.writeback.queue import Wanted
from aitia.writeback.reviewers import Identity
from tests.writeback_desk import Yard, lifts_now, yard


def exported(folder: Path) -> Path:
    """Write an export with an accepted proposal and one that rests on a run."""
    target = folder / "all.nq"
    with yard(folder, 6) as made:
        write = made.workspace.writeback
        bob = Identity("bob", write.new_token("bob")[1])
        write.decide(made.propose(4).proposal.id, "approve", "right", bob)
        run = made.workspace.ask("How much does k4 lift?").run
        write.propose(Asked("add", "seen", text="It is so.", evidence=[run], run=run))
        with target.open("wb") as out:
            made.workspace.export(out, form="nquads")
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
