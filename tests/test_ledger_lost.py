"""A store that was lost, cut back or broken: nothing that is left of it is destroyed."""

import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aitia.access.publication import Publications
from aitia.errors import AitiaError, NotIntact
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
    folder: Path, harm
) -> None:  # type: ignore[no-untyped-def]
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
