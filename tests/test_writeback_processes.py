"""Two reviewers, an ingest during a review, a kill during acceptance: one outcome."""

import random
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from aitia.vocab import AITIA
from aitia.workspace import Workspace
from aitia.writeback.queue import Wanted
from aitia.writeback.refusals import Refused
from aitia.writeback.review import Decision
from aitia.writeback.reviewers import Identity
from tests.starting import aitia, finished, held, killed
from tests.writeback_desk import Yard, lifts_now, lifts_then, state, yard

SHORT, FULL = 2, 30


def test_of_two_reviewers_at_once_one_decides(tmp_path: Path) -> None:
    with yard(tmp_path, 6) as made:
        for number in range(3):
            found = made.propose(number).proposal.id
            second = ("approve", "reject")[number % 2]
            done = at_once(made, found, [("bob", "approve"), ("carol", second)])
            [refused] = [one for one in done if isinstance(one, Refused)]
            assert "does not wait for a review" in str(refused)
            assert len(made.workspace.writeback.show(found).reviews) == 1
        assert made.workspace.verify().findings == ()


def at_once(
    made: Yard, found: str, people: list[tuple[str, str]]
) -> list[Decision | Refused]:
    """Let each decide at the same time; return what became of it."""
    done: list[Decision | Refused] = []
    start = threading.Barrier(len(people))

    def decide(name: str, verdict: str) -> None:
        start.wait()
        write = made.workspace.writeback
        try:
            done.append(write.decide(found, verdict, "so", Identity(name)))
        except Refused as error:
            done.append(error)

    threads = [threading.Thread(target=decide, args=one) for one in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def test_of_two_processes_one_decides(tmp_path: Path) -> None:
    with yard(tmp_path, 6) as made:
        found = made.propose(4).proposal.id
    words = ("review", "approve", found, "--reason", "right")
    both = [aitia(tmp_path / "ws", *words, "--as", name) for name in ("bob", "carol")]
    told = [process.communicate(timeout=300) for process in both]
    assert sorted(process.returncode for process in both) == [0, 1], told
    assert "does not wait for a review" in "".join(err for _, err in told)
    assert outcome(tmp_path) == "approved"


def outcome(folder: Path) -> str:
    """See that everything is whole, and one of two outcomes; return which."""
    with Workspace.open(folder / "ws", mode="read", fresh=True) as workspace:
        files = Yard(folder, folder, workspace)
        assert workspace.verify().findings == ()
        [found] = workspace.writeback.proposals(Wanted(state="all"))
        given = workspace.writeback.show(found.id).reviews
        lifted = files.lifted(4)
        if found.state == AITIA.needsReview:
            assert (lifted, len(given)) == ({str(lifts_then(4))}, 0)
        else:
            assert (lifted, len(given)) == ({str(lifts_now(4))}, 1)
        assert workspace.validate().conforms
        return state(found)


def accepted_with_kills(folder: Path, times: int) -> None:
    with yard(folder, 6) as made:
        found = made.propose(4).proposal.id
    words = ("review", "approve", found, "--as", "bob", "--reason", "right")
    seconds = held(_copy(folder, "whole"), *words)
    rng, kills, ends = random.Random(times), 0, set[str]()
    while kills < times:
        work = _copy(folder, f"killed{kills}")
        if killed(work, rng.random() * seconds, *words):
            ends.add(end := outcome(work.parent))
            if end == "needsReview":
                finished(work, *words)
            assert outcome(work.parent) == "approved"
            with Workspace.open(work, flags={"agent": "ann"}) as workspace:
                answer = workspace.ask("How much does k4 lift?")
                assert str(lifts_now(4)) in answer.text
        kills += 1
    assert ends <= {"needsReview", "approved"}


def _copy(folder: Path, name: str) -> Path:
    target = folder / name / "ws"
    shutil.copytree(folder / "ws", target)
    return target


def test_a_kill_during_acceptance_leaves_one_outcome(tmp_path: Path) -> None:
    accepted_with_kills(tmp_path, SHORT)


@pytest.mark.full
def test_many_kills_during_acceptance_leave_one_outcome(tmp_path: Path) -> None:
    accepted_with_kills(tmp_path, FULL)


def test_an_ingest_between_showing_and_approving_is_seen(tmp_path: Path) -> None:
    with yard(tmp_path, 6) as made:
        write, workspace = made.workspace.writeback, made.workspace
        found = made.propose(4).proposal.id
        other = made.propose(2).proposal.id
        table = tmp_path / "more.csv"
        table.write_text("key,name,lifts,site\nk9,Crane 9,5,yard 1\n")
        workspace.ingest([table])
        digest = write.show(other).digest
        write.decide(other, "approve", "right", Identity("bob"), digest=digest)
        facts = tmp_path / "facts.nt"
        [lifts] = made.draft(4).withdraws
        facts.write_text(
            f"{lifts.subject} {lifts.predicate}"
            ' "3"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
        )
        workspace.ingest([facts])
        with pytest.raises(Refused, match="has changed since commit"):
            write.decide(found, "approve", "right", Identity("bob"))
        assert workspace.verify().findings == ()
        assert made.lifted(2) == {str(lifts_now(2))}


def test_an_ingest_during_a_review_loses_nothing(tmp_path: Path) -> None:
    with yard(tmp_path, 6) as made:
        found = made.propose(4).proposal.id
    more = tmp_path / "more"
    more.mkdir()
    for number in range(12):
        (more / f"{number}.txt").write_text(f"Pump {number} is old. " * 20)
    work = tmp_path / "ws"
    taking = aitia(work, "ingest", str(more))
    deciding = aitia(
        work, "review", "approve", found, "--as", "bob", "--reason", "right"
    )
    for process in (taking, deciding):
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
    assert outcome(tmp_path) == "approved"
    with Workspace.open(work, mode="read", fresh=True) as workspace:
        pumps = [hit.passage.path for hit in workspace.search("old pump", 20)]
    assert sum("more" in path for path in pumps) == 12


def test_the_asker_of_the_same_twice_is_told(tmp_path: Path) -> None:
    with yard(tmp_path, 6) as made:
        write = made.workspace.writeback
        first = write.propose(made.asked(4))
        again = write.propose(replace(made.asked(4), reason="once more"))
        assert state(first.proposal) == "needsReview"
        assert state(again.proposal) == "rejected"
