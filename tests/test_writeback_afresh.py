"""A proposal is judged by how its checks come out when it is approved."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aitia.vocab import AITIA
from aitia.writeback.asking import Asked
from aitia.writeback.refusals import Refused
from aitia.writeback.reviewers import Identity
from tests.writeback_desk import Yard, yard

BOB = Identity("bob")
NOTICE = "Notice: k1 lifts 31 tonnes now.\n"


@contextmanager
def opened(folder: Path, settings: str = "") -> Iterator[Yard]:
    with yard(folder, 6, settings) as made:
        (folder / "own.txt").write_text(NOTICE)
        made.workspace.ingest([folder / "own.txt"])
        yield made


@pytest.fixture
def cranes(tmp_path: Path) -> Iterator[Yard]:
    with opened(tmp_path) as made:
        yield made


def proposed(cranes: Yard) -> str:
    asked = Asked("revise", "read", "k1", "lifts", "31", evidence=["own.txt"])
    return cranes.workspace.writeback.propose(asked).proposal.id


def superseded(cranes: Yard) -> None:
    (cranes.folder / "own.txt").write_text("The earlier notice was wrong.\n")
    cranes.workspace.ingest([cranes.folder / "own.txt"])


def deleted(cranes: Yard) -> None:
    cranes.workspace.delete(str(cranes.folder / "own.txt"))


@pytest.mark.parametrize("lost", [superseded, deleted])
def test_evidence_that_is_gone_is_told_before_it_is_approved(
    cranes: Yard, lost: Callable[[Yard], None]
) -> None:
    write = cranes.workspace.writeback
    made = proposed(cranes)
    before = write.show(made)
    assert write.show(made).digest == before.digest
    lost(cranes)
    now = write.show(made)
    assert now.digest != before.digest
    assert "no longer in use" in cranes.why(now.proposal, AITIA.evidenceCheck)
    with pytest.raises(Refused, match="has changed since it was shown"):
        write.decide(made, "approve", "ok", BOB, digest=before.digest)
    with pytest.raises(Refused, match="no longer in use"):
        write.decide(made, "approve", "ok", BOB)
    assert cranes.lifted(1) == {"11"}
    # Who knows of it may still approve it, and the record tells what was known.
    write.decide(made, "approve", "I asked", BOB, digest=now.digest)
    assert cranes.lifted(1) == {"31"}
    kept = write.show(made).proposal
    assert "no longer in use" in cranes.why(kept, AITIA.evidenceCheck)
    assert cranes.workspace.validate().conforms


def test_what_has_come_to_say_otherwise_is_told(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    text = "The gate code is 5512."
    made = write.propose(Asked("add", "heard", text=text)).proposal.id
    (cranes.folder / "gate.txt").write_text("The gate code is not 5512.\n")
    cranes.workspace.ingest([cranes.folder / "gate.txt"])
    with pytest.raises(Refused, match=r"come out otherwise now: .*gate\.txt"):
        write.decide(made, "approve", "ok", BOB)
    assert write.decide(made, "reject", "no", BOB).commit


def test_an_approval_of_what_was_shown_before_counts_no_more(tmp_path: Path) -> None:
    with opened(tmp_path, "[writeback]\napprovals = 2\n") as cranes:
        write = cranes.workspace.writeback
        tokens = {name: write.new_token(name)[1] for name in ("bob", "eve")}
        bob, eve = (Identity(name, token=token) for name, token in tokens.items())
        made = proposed(cranes)
        assert write.decide(made, "approve", "ok", bob).missing == 1
        deleted(cranes)
        now = write.show(made)
        assert now.counted == 0
        assert "otherwise" in now.uncounted[0]
        known = {"digest": now.digest}
        assert write.decide(made, "approve", "ok", eve, **known).missing == 1
        assert not write.decide(made, "approve", "so be it", bob, **known).missing
        assert cranes.lifted(1) == {"31"}
