"""Several processes on one workspace: one writes, the others wait or read."""

import os
import signal
import threading
from pathlib import Path

import pytest
from pyoxigraph import Literal

from aitia.access import Publications
from aitia.errors import AitiaError, Locked, NotFound
from aitia.workspace import Workspace
from tests.making import Tamperer, ex, fact, patch
from tests.starting import child, line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


# Readers.


def test_reading_what_is_not_there_makes_nothing(folder: Path) -> None:
    with pytest.raises(NotFound, match="no workspace"):
        Workspace.open(folder, mode="read")
    assert not folder.exists()


def test_a_reader_sees_what_a_closed_writer_wrote(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        workspace.ledger.commit(patch([fact("a", "one")]))
    with Workspace.open(folder, mode="read") as workspace:
        assert fact("a", "one") in workspace.store
        assert (workspace.position, workspace.notice) == (1, "")


def test_readers_beside_a_writer_never_see_half_a_commit(folder: Path) -> None:
    seen: list[int] = []
    with child("pairs", folder, "200", "durable") as writer:
        line(writer)
        while writer.poll() is None:
            with Workspace.open(folder, mode="read") as workspace:
                left, right = (
                    [q.object for q in workspace.store.quads(ex(side))]
                    for side in ("left", "right")
                )
                assert left == right == [Literal(str(workspace.position - 1))]
                if workspace.notice:
                    assert f"as of commit {workspace.position}" in workspace.notice
                    assert f"process {writer.pid} is writing" in workspace.notice
                seen.append(workspace.position)
        assert writer.wait() == 0
    assert seen == sorted(seen)
    assert len(set(seen)) > 3
    with Workspace.open(folder, mode="read") as workspace:
        assert (workspace.position, workspace.notice) == (200, "")


def test_a_reader_keeps_what_it_opened(folder: Path) -> None:
    published = folder / "published"
    with Workspace.open(folder) as writer:
        writer.ledger.commit(patch([fact("a", "one")]), durable=True)
        with Workspace.open(folder, mode="read") as reader:
            for number in range(3):
                adds = [fact("b", str(number))]
                writer.ledger.commit(patch(adds), durable=True)
            assert reader.position == 1
            assert list(reader.store.quads(ex("b"))) == []
            assert len(Publications(published).left_over()) == 1
        writer.ledger.commit(patch([fact("c", "one")]), durable=True)
        assert Publications(published).left_over() == []


def test_beside_a_writer_a_reader_says_as_of_which_commit(folder: Path) -> None:
    with Workspace.open(folder) as writer:
        writer.ledger.commit(patch([fact("a", "one")]), durable=True)
        writer.ledger.commit(patch([fact("a", "two")]))
        with Workspace.open(folder, mode="read") as reader:
            assert reader.position == 1
            assert reader.notice == f"as of commit 1 (process {os.getpid()} is writing)"
            assert fact("a", "two") not in reader.store
        writer.publish()
        with Workspace.open(folder, mode="read") as reader:
            assert reader.position == 2


def test_a_reader_opens_what_a_killed_writer_left(folder: Path) -> None:
    with child("pairs", folder, "1000000") as writer:
        for _ in range(20):
            last = line(writer)
        writer.kill()
        writer.wait()
    with Workspace.open(folder, mode="read") as workspace:
        assert workspace.position >= int(last.split()[0])
        assert workspace.notice == ""
        assert workspace.ledger.verify().intact


def test_readers_at_once_all_see_what_a_killed_writer_left(folder: Path) -> None:
    """One of them publishes; the others wait for it instead of reading old data."""
    with child("pairs", folder, "1000000") as writer:
        for _ in range(20):
            last = line(writer)
        writer.kill()
        writer.wait()
    readers = [child("read", folder) for _ in range(4)]
    processes = [reader.__enter__() for reader in readers]
    told = [process.communicate(timeout=60) for process in processes]
    for reader in readers:
        reader.__exit__(None, None, None)
    positions = {out.split()[0] for out, _ in told}
    assert len(positions) == 1, told
    assert int(positions.pop()) >= int(last.split()[0])
    assert all(len(out.split()) == 1 for out, _ in told), told


def test_a_lost_publication_is_made_again(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        workspace.ledger.commit(patch([fact("a", "one")]))
    (folder / "published" / "current").unlink()
    with Workspace.open(folder, mode="read") as workspace:
        assert workspace.position == 1
    assert len(list((folder / "published").iterdir())) == 2


def test_a_fresh_reader_sees_what_was_done_behind_the_back(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        workspace.ledger.commit(patch([fact("a", "one")]))
    with Tamperer(folder) as store:
        store.add(fact("a", "forged"))
    with Workspace.open(folder, mode="read") as workspace:
        assert fact("a", "forged") not in workspace.store
    with Workspace.open(folder, mode="read", fresh=True) as workspace:
        assert fact("a", "forged") in workspace.store


def test_readers_leave_nothing_behind(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        workspace.ledger.commit(patch([fact("a", "one")]))
    before = sorted(path.name for path in folder.rglob("*"))
    for _ in range(3):
        Workspace.open(folder, mode="read").close()
    assert sorted(path.name for path in folder.rglob("*")) == before


# Writers.


def test_a_second_writer_is_told_who_holds_the_workspace(folder: Path) -> None:
    flags = {"agent": "Ada", "lock_timeout": 0.5}
    told: list[str] = []
    with child("hold", folder) as holder:
        assert line(holder) == "open"
        with pytest.raises(Locked) as caught:
            Workspace.open(
                folder, flags=flags, waiting=lambda who: told.append(str(who))
            )
    for text in (str(caught.value), *told):
        assert f"process {holder.pid}" in text
        assert "children.py hold" in text
        assert "writing since 20" in text
    assert len(told) == 1


def test_a_second_writer_waits_and_then_goes_on(folder: Path) -> None:
    with Workspace.open(folder) as first:
        first.ledger.commit(patch([fact("a", "one")]))
        with child("pairs", folder, "3") as second:
            assert second.stderr is not None
            assert f"waiting for process {os.getpid()}" in second.stderr.readline()
            first.ledger.commit(patch([fact("a", "two")]))
            first.close()
            numbers = [int(line(second).split()[0]) for _ in range(3)]
            assert second.wait(timeout=60) == 0
    assert numbers == [3, 4, 5]


def test_no_update_is_lost_between_processes(folder: Path) -> None:
    writers = [child("increment", folder, "5") for _ in range(3)]
    processes = [writer.__enter__() for writer in writers]
    told = [process.communicate(timeout=120) for process in processes]
    for writer in writers:
        writer.__exit__(None, None, None)
    assert [process.returncode for process in processes] == [0, 0, 0], told
    counts = sorted(int(word) for out, _ in told for word in out.split())
    assert counts == list(range(1, 16))
    with Workspace.open(folder, mode="read") as workspace:
        assert workspace.position == 15
        assert workspace.ledger.verify().intact


def test_a_killed_writer_leaves_the_lock_free(folder: Path) -> None:
    with child("hold", folder) as holder:
        line(holder)
        holder.kill()
        holder.wait()
    with Workspace.open(folder, flags={"lock_timeout": 0.0}) as workspace:
        assert workspace.ledger.commit(patch([fact("a", "one")])).number == 1


def test_a_forked_child_does_not_hold_the_workspace_shut(folder: Path) -> None:
    with child("fork", folder) as parent:
        forked = int(line(parent))
        try:
            parent.kill()
            parent.wait()
            with Workspace.open(folder, flags={"lock_timeout": 5.0}) as workspace:
                assert workspace.position == 1
        finally:
            os.kill(forked, signal.SIGKILL)


def test_threads_of_one_process_may_read_and_write(folder: Path) -> None:
    with Workspace.open(folder) as writer:
        positions: list[int] = []

        def read() -> None:
            with Workspace.open(folder, mode="read") as reader:
                positions.append(reader.position)

        for number in range(3):
            writer.ledger.commit(patch([fact("a", str(number))]), durable=True)
            thread = threading.Thread(target=read)
            thread.start()
            thread.join()
    assert positions == [1, 2, 3]


# Closing.


def test_a_closed_workspace_can_be_moved_and_opened_again(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        workspace.ledger.commit(patch([fact("a", "one")]))
    moved = folder.rename(folder.with_name("moved"))
    with Workspace.open(moved) as workspace:
        assert workspace.ledger.commit(patch([fact("a", "two")])).number == 2
    with Workspace.open(moved, mode="read") as workspace:
        assert workspace.position == 2


def fail_inside(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        workspace.ledger.commit(patch([fact("a", "one")]))
        raise ZeroDivisionError


def test_a_workspace_is_given_free_when_something_fails_inside(folder: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        fail_inside(folder)
    with Workspace.open(folder, flags={"lock_timeout": 0.0}) as workspace:
        assert workspace.position == 1


def test_what_cannot_be_published_is_kept_and_told(folder: Path) -> None:
    workspace = Workspace.open(folder)
    workspace.ledger.commit(patch([fact("a", "one")]))
    (folder / "published").rename(folder / "aside")
    (folder / "published").touch()
    with pytest.raises(AitiaError, match="readers cannot see it yet"):
        workspace.close()
    workspace.close()
    (folder / "published").unlink()
    with Workspace.open(folder, mode="read") as reader:
        assert fact("a", "one") in reader.store


def test_a_commit_counts_though_it_cannot_be_published(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        (folder / "published").rename(folder / "aside")
        (folder / "published").touch()
        record = workspace.ledger.commit(patch([fact("a", "one")]), durable=True)
        assert record.number == 1
        (folder / "published").unlink()
    with Workspace.open(folder, mode="read") as reader:
        assert (reader.position, reader.notice) == (1, "")
