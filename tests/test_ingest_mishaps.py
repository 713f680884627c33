"""What goes wrong with one file, or at the end, is told and ends nothing else."""

import errno
import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from docx import Document

from aitia import settings
from aitia.errors import AitiaError, ReadError, SettingsError, UsageError
from aitia.ingest import Options, entities, sources
from aitia.ingest.watch import Silent
from aitia.workspace import Workspace
from aitia_cli.main import cli
from tests.ingest_desk import Desk, desk

LONG = 17_000_000
"""Longer than a literal may be."""
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as found:
        yield found


def _reason(found: Desk, name: str, content: str | bytes) -> str:
    found.write(name, content)
    [report] = found.ingest(name).files
    assert report.outcome in ("failed", "skipped"), report
    return report.reason


def test_a_literal_that_is_too_long_fails_its_own_file_only(open_desk: Desk) -> None:
    open_desk.write("a.txt", "Alpha.")
    open_desk.write("b.ttl", f'<http://e/a> <http://e/p> "{"x" * LONG}" .')
    open_desk.write("c.txt", "Gamma.")
    report = open_desk.ingest(".")
    assert [file.outcome for file in report.files] == ["added", "failed", "added"]
    assert "16 MiB" in report.files[1].reason
    assert report.files[1].commit
    assert report.exit_code == 3


@pytest.mark.parametrize(
    "error", [MemoryError(), FULL, UsageError("A literal is too long.")]
)
def test_what_a_commit_raises_fails_its_own_file_only(
    open_desk: Desk, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    ledger = open_desk.workspace.ledger
    commit = ledger.commit_or_record

    def fails_once(*arguments: object) -> object:
        monkeypatch.setattr(ledger, "commit_or_record", commit)
        raise error

    monkeypatch.setattr(ledger, "commit_or_record", fails_once)
    open_desk.write("a.txt", "Alpha.")
    open_desk.write("b.txt", "Beta.")
    bad, good = open_desk.ingest(".").files
    assert (bad.outcome, good.outcome) == ("failed", "added")
    assert bad.reason
    assert bad.commit


@pytest.mark.parametrize("as_json", [False, True])
def test_a_full_disk_is_told_file_by_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt"):
        Path(name).write_text(name)

    def full(*arguments: object, **more: object) -> None:
        raise FULL

    def end(self: Workspace) -> None:
        close(self)
        raise AitiaError("What was committed could not be published.")

    close = Workspace.close
    monkeypatch.setattr(Workspace, "close", end)
    monkeypatch.setattr("aitia.blobs.Blobs.put", full)
    flags = ["--json"] if as_json else []
    done = CliRunner().invoke(cli, ["ingest", "a.txt", "b.txt", *flags])
    assert done.exit_code == 1, done.output
    assert "could not be published" in done.stderr
    if as_json:
        found = json.loads(done.stdout)
        assert [file["outcome"] for file in found["files"]] == ["failed", "failed"]
        assert "published" in found["unfinished"]
    else:
        assert done.stdout.count("No space left on device") == 2
        assert "b.txt: failed" in done.stdout


def _laughs(count: int) -> str:
    lines = ['<!ENTITY e0 "' + "x" * 100 + '">']
    for number in range(1, count):
        lines.append(f'<!ENTITY e{number} "{f"&e{number - 1};" * 10}">')
    return f"<!DOCTYPE r [{''.join(lines)}]><r>&e{count - 1};</r>"


def test_entities_may_expand_only_so_far() -> None:
    entities.check(_laughs(4))
    with pytest.raises(ReadError, match="expand to more than 20 times"):
        entities.check(_laughs(7))
    with pytest.raises(ReadError, match="stands for itself"):
        entities.check('<!DOCTYPE r [<!ENTITY a "&#38;a;">]><r>&a;</r>')


def test_a_workspace_is_not_taken_in(tmp_path: Path) -> None:
    for name in ("one", "two"):
        with Workspace.open(tmp_path / name):
            pass
    (tmp_path / "a.txt").write_text("Alpha.")
    avoid = tmp_path / "one"
    for name in ("one", "two", "one/store", "two/published"):
        found = sources.find([str(tmp_path / name)], avoid=avoid)
        assert not found.sources
        [(_, error)] = found.failures
        assert "workspace of aitia" in str(error)
    found = sources.find([str(tmp_path)], avoid=avoid)
    assert [source.name for source in found.sources] == ["a.txt"]
    [notice] = found.passed_over()
    assert str(tmp_path / "one") in notice
    assert str(tmp_path / "two") in notice


def test_links_that_are_not_followed_are_told(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Alpha.")
    (tmp_path / "in" / "b.txt").symlink_to("a.txt")
    (tmp_path / "in" / "more").symlink_to(tmp_path / "out")
    found = sources.find([str(tmp_path / "in")])
    assert [source.name for source in found.sources] == ["a.txt"]
    [notice] = found.passed_over()
    assert "more" in notice
    assert "b.txt (the same file as" in notice


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('id,name,age\n1,Ann,3\n2,"unclosed, 5\n3,Dee,6\n4,Eve,7', "lines 3 to 5"),
        ('id,name\n1,"a\nb"\n2,"c', "at line 4"),
        ('id,name\n1,"he said ""no""\n2,x\n', "lines 2 to 3"),
    ],
)
def test_a_quote_that_is_never_closed_is_told(
    open_desk: Desk, text: str, told: str
) -> None:
    assert told in _reason(open_desk, "u.csv", text)


def test_a_quote_that_a_later_cell_closes_is_told(open_desk: Desk) -> None:
    text = 'id,name\n1,"Ann\n2,"Dee"\n3,Eve\n4,"a\nb"\n'
    report = open_desk.take("q.csv", text)
    assert "lines 2 to 3 were read as one row" in report.warnings[0]
    assert "more places" not in report.warnings[0]


@pytest.mark.parametrize(
    "text", ['id,n\n1,"a\nb"', 'id,n\n1,"say ""x"""\n', 'id,n\n1,5" pipe\n', '"id","n"']
)
def test_quotes_that_are_closed_are_no_fault(open_desk: Desk, text: str) -> None:
    open_desk.take("c.csv", text)


@pytest.mark.parametrize("text", ["<html><!-- hello --></html>", "<html><script>x = 1"])
def test_a_page_without_text_is_told(open_desk: Desk, text: str) -> None:
    [warning] = open_desk.take("p.html", text).warnings
    assert "no text" in warning


@pytest.mark.parametrize(
    ("name", "text"),
    [("k.csv", "id,n\na,1\nb,2\n"), ("k.json", '[{"id": "a"}, {"id": "b"}]')],
)
def test_a_key_that_no_record_has_is_told(
    open_desk: Desk, name: str, text: str
) -> None:
    report = open_desk.take(name, text, Options(key="nope"))
    assert any("no record has the field 'nope'" in item for item in report.warnings)
    assert not open_desk.take(name, text, Options(key="id")).warnings


def test_variables_that_are_no_settings_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AITIA_AGENT", "Ann")
    monkeypatch.setenv("AITIA_EXPECT", "1")
    monkeypatch.setenv("AITIA_PASAGE_CHARS", "9")
    assert settings.unknown_variables() == ["AITIA_PASAGE_CHARS"]
    done = CliRunner().invoke(cli, ["--workspace", str(tmp_path / "ws"), "config"])
    assert done.stderr.count("AITIA_PASAGE_CHARS") == 1


def test_a_settings_file_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / settings.FILE).mkdir()
    with pytest.raises(SettingsError, match="is no file"):
        settings.load(tmp_path)


def test_huge_numbers_in_json_are_taken_in(open_desk: Desk) -> None:
    digits = "9" * 5000
    report = open_desk.take("n.json", f'[{{"id": "a", "n": {digits}}}]')
    assert open_desk.field("urn:data:n/a", "n") == [digits]
    assert not report.warnings


def _docx() -> bytes:
    made, data = Document(), io.BytesIO()
    made.add_paragraph("y" * 11_000_000)
    made.save(data)
    return data.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("s.json", lambda: '[{"id": "a",\n "t": "\\ud800"}]', "at line 2 column 8"),
        ("s.jsonld", lambda: '{"@id": "e:x", "e:n": "\\udc00"}', "line 1 column 24"),
        ("k.json", lambda: '[{"\\udfff": 1}]', "half a character"),
        ("l.jsonl", lambda: '{"a":1}\n{"a":2,\n{"a":3}\n', "at line 2 column 8"),
        ("n.txt", lambda: b"one \0 nul", "NUL, the first at byte 4"),
        ("h.docx", _docx, "a text in it is too long to be read"),
    ],
)
def test_why_a_file_fails_is_told_plainly(
    open_desk: Desk, name: str, content: Callable[[], str | bytes], told: str
) -> None:
    assert told in _reason(open_desk, name, content())


def test_whole_characters_written_in_halves_are_no_fault(open_desk: Desk) -> None:
    open_desk.take("w.json", '[{"id": "a", "t": "\\ud83d\\ude00 \\\\ud800"}]')


def test_a_bell_makes_no_text_binary(open_desk: Desk) -> None:
    assert open_desk.text(open_desk.take("b.txt", b"one \x07 bell")) == "one \x07 bell"


def test_numbers_of_one_are_told_in_the_singular(open_desk: Desk) -> None:
    report = open_desk.take("k.csv", "id,n,m\na,1,2\nb,2,3,4\nc,5\n")
    assert {"1 row has more", "1 row has fewer"} <= {
        " ".join(item.split()[:4]) for item in report.warnings
    }


def test_an_interrupted_ingest_tells_what_was_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt"):
        Path(name).write_text(name)

    def begin(self: Silent, path: str) -> None:
        if path == "b.txt":
            raise KeyboardInterrupt

    monkeypatch.setattr(Silent, "begin", begin)
    done = CliRunner().invoke(cli, ["ingest", "a.txt", "b.txt"])
    assert done.exit_code == 130, done.output
    assert "a.txt: added" in done.stdout
    assert "stopped after 1 file;" in done.stderr
