"""A store that was lost, cut back or broken: nothing that is left of it is destroyed."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aitia.access.publication import Publications
from aitia.errors import AitiaError, NotIntact
from aitia.trace import RunTrace
from aitia.vocab import AITIA
from aitia.workspace import Workspace
from aitia_cli.main import cli
from tests.making import fact, patch


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with three commits, of which the second takes out what the first made."""
    made = tmp_path / "workspace"
    with Workspace.open(made) as workspace:
        workspace.ledger.commit(patch([fact("a", "one")]))
        workspace.ledger.commit(patch([fact("a", "two")], [fact("a", "one")]))
        workspace.ledger.commit(patch([fact("b", "x")]))
    return made


def run(folder: Path, *words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["--workspace", str(folder), *words])
    assert result.exit_code == code, result.output
    return result


def files(folder: Path) -> list[str]:
    """Name the blobs and publications."""
    found = [*(folder / "blobs").rglob("*"), *(folder / "published").glob("*-*")]
    return sorted(path.name for path in found)


def age(folder: Path) -> None:
    """Make every blob an old one."""
    for path in (folder / "blobs").glob("??/*"):
        os.utime(path, (0, 0))


def lose(folder: Path) -> None:
    shutil.rmtree(folder / "store")
    (folder / "store").mkdir()


def damage(folder: Path) -> None:
    (folder / "store" / "CURRENT").write_text("garbage\n")


def damage_its_list(folder: Path) -> None:
    next((folder / "store").glob("MANIFEST-*")).write_bytes(b"garbage" * 100)


@pytest.mark.parametrize(
    "harm", [lose, damage, damage_its_list, lambda f: shutil.rmtree(f / "store")]
)
def test_what_is_left_of_a_store_is_kept_and_can_be_put_back(
    folder: Path, harm: Callable[[Path], None]
) -> None:
    age(folder)
    harm(folder)
    before = files(folder)
    for _ in range(2):
        told = run(folder, "verify", code=4)
        assert "publication of commit 3" in told.stdout
        told = run(folder, "doctor", code=1)
        assert "publication of commit 3" in told.stdout
        told = run(folder, "doctor", "--fix", code=1)
        assert "Nothing was cleared away" in told.stdout
        with pytest.raises(AitiaError) as refused:
            Workspace.open(folder)
        assert "cp -a" in refused.value.hint
        assert files(folder) == before
    lease = Publications(folder / "published").newest()
    assert lease is not None
    shutil.rmtree(folder / "store", ignore_errors=True)
    shutil.copytree(lease.path, folder / "store")
    lease.release()
    assert run(folder, "verify").stdout.startswith("Intact: 3 commits")


def test_an_older_store_is_not_published_over_a_later_one(folder: Path) -> None:
    shutil.copytree(folder / "store", folder.parent / "older")
    with Workspace.open(folder) as workspace:
        workspace.ledger.commit(patch([fact("c", "y")]))
    shutil.rmtree(folder / "store")
    shutil.move(folder.parent / "older", folder / "store")
    before = files(folder)
    told = run(folder, "verify", code=4).stdout
    assert "ends at commit 3, but a publication of commit 4 exists" in told
    with pytest.raises(NotIntact):
        Workspace.open(folder)
    assert files(folder) == before


def test_patches_alone_tell_that_a_store_was_lost(folder: Path) -> None:
    age(folder)
    shutil.rmtree(folder / "published")
    lose(folder)
    before = [name for name in files(folder) if "-" not in name]
    told = run(folder, "verify", code=4).stdout
    assert "take out what no commit put in" in told
    assert "harmless" not in told
    run(folder, "doctor", "--fix", code=1)
    with pytest.raises(NotIntact, match="no commit put in"):
        Workspace.open(folder)
    assert [name for name in files(folder) if "-" not in name] == before


def test_a_patch_after_the_newest_commit_is_not_swept(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        kept = workspace.blobs.get(workspace.ledger.at(3).root)
        young = workspace.blobs.put(b"young")
    from aitia.ledger import chain

    pairs = [(b"+", b'<http://example.org/n> <http://example.org/p> "z" .')]
    packed = chain.pack(b"k" * 32, pairs)
    root = chain.root(chain.unpack(packed))
    with Workspace.open(folder, mode="read") as workspace:
        workspace.blobs.put(packed, name=root)
    told = json.loads(run(folder, "doctor", "--fix", "--json").stdout)
    about = {item["about"]: item for item in told}
    assert about["new unnamed blobs"]["text"].startswith("2 that are new")
    assert {root, young} <= set(files(folder))
    age(folder)
    run(folder, "doctor", "--fix")
    assert not {root, young} & set(files(folder))
    assert kept


def test_an_error_is_not_hidden_by_one_of_closing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def break_off() -> None:
        with Workspace.open(folder) as opened:
            opened.ledger.commit(patch([fact("c", "y")]))
            monkeypatch.setattr(Publications, "publish", full)
            raise ValueError("first")

    with pytest.raises(ValueError, match="first") as told:
        break_off()
    assert "What was committed is kept" in told.value.__notes__[0]
    # A reader that cannot publish either reads what was published last, and says so.
    with Workspace.open(folder, mode="read") as reader:
        assert reader.position == 3
        assert "No space left" in reader.notice
        assert not reader.trouble


def test_a_run_whose_process_ended_is_ended_on_record(folder: Path) -> None:
    with Workspace.open(folder) as opened:
        trace = RunTrace(opened.ledger.commit, opened.store, opened.blobs)
        trace.begin("Who?", "Ada", 3)
        trace.step()
    assert "interrupted" in run(folder, "runs").stdout
    told = json.loads(run(folder, "doctor", "--json").stdout)
    states = {item["about"]: item["state"] for item in told}
    assert states["interrupted runs"] == "note"
    run(folder, "doctor", "--fix")
    (ended,) = json.loads(run(folder, "runs", "--json").stdout)
    assert (ended["status"], ended["conclusion"]) == ("failed", "Abort")
    assert ended["ended"]
    assert run(folder, "verify").stdout.startswith("Intact")


def test_a_damaged_text_is_named_and_the_rest_is_searched(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("The fee is 20 dollars.")
    (tmp_path / "b.txt").write_text("The fee for guests is 30 dollars.")
    run(folder, "ingest", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))
    with Workspace.open(folder, mode="read") as opened:
        (name,) = {
            quad.object.value  # type: ignore[union-attr]
            for quad in opened.store.quads(None, AITIA.textHash)
            if opened.blobs.text(quad.object.value).startswith("The fee is")  # type: ignore[union-attr]
        }
    (folder / "blobs" / name[:2] / name).write_bytes(b"x")
    told = run(folder, "search", "fee")
    assert "guests" in told.stdout
    assert "a.txt is damaged" in told.stderr
    assert "aitia delete" in told.stderr
    told = run(folder, "verify", "--json", code=4)
    assert "is damaged" in json.loads(told.stdout)["findings"][0]["text"]


def test_a_folder_that_cannot_be_written_is_searched_and_verified(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("The fee is 20 dollars.")
    run(folder, "ingest", str(tmp_path / "a.txt"))
    aitia = f"{sys.executable} -m aitia_cli --workspace '{folder}'"
    mount = f"mount --bind '{folder}' '{folder}' && mount -o remount,ro,bind '{folder}'"
    if subprocess.run(["unshare", "-rm", "sh", "-c", mount], check=False).returncode:
        pytest.skip("Nothing can be mounted read-only here.")
    words = f"{mount} && {aitia} search fee && {aitia} verify && {aitia} ingest x"
    told = subprocess.run(
        ["unshare", "-rm", "sh", "-c", words],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "20 dollars" in told.stdout
    assert "Intact" in told.stdout
    assert "cannot be written: Read-only file system" in told.stderr
