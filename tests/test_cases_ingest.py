"""Cases of documents from CASES.md that ingest alone concerns, by the real command.

What a question answers in them is in test_cases_ask.py or test_cases.py.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from aitia.vocab import AITIA, DCTERMS, PROV
from aitia.workspace import Workspace
from aitia_cli.main import cli
from tests.ingest_cases import Run, Seen, aitia, told, write

__all__ = ["aitia"]


def test_c01_each_encoding_is_found_and_guesses_are_flagged(aitia: Run) -> None:
    write("b1/cp1252.txt", "Café Zoë approved the loan – rate 4 %.".encode("cp1252"))
    write("b1/utf16.txt", "Rule R7 replaced rule R3.".encode("utf-16"))
    write("b1/gbk.txt", "规则七取代了规则三。".encode("gbk"))
    write("b1/bom.md", b"\xef\xbb\xbf# Title\nBody.")
    shown = aitia("ingest", "b1").stdout
    assert "cp1252 (guessed)" in shown
    files = told(aitia, "b1")
    seen = Seen()
    texts = {path: seen.passages(file["document"]) for path, file in files.items()}
    assert texts == {
        "b1/cp1252.txt": ["Café Zoë approved the loan – rate 4 %."],
        "b1/utf16.txt": ["Rule R7 replaced rule R3."],
        "b1/gbk.txt": ["规则七取代了规则三。"],
        "b1/bom.md": ["# Title\nBody."],
    }
    guessed = {
        path: seen.said(file["document"], AITIA.encodingGuessed)
        for path, file in files.items()
    }
    assert guessed["b1/gbk.txt"] == guessed["b1/cp1252.txt"] == ["true"]
    assert guessed["b1/bom.md"] == guessed["b1/utf16.txt"] == ["false"]
    assert seen.said(files["b1/bom.md"]["document"], DCTERMS.title) == ["Title"]


def test_c02_files_that_hold_nothing_are_skipped_and_not_tried_for_ever(
    aitia: Run,
) -> None:
    write("b2/empty.txt", "")
    write("b2/blank.md", " \n\t\n\xa0\n")
    write("b2/noentity.txt", ".... 0101 ....\n")
    write("b2/empty.pdf", "")
    shown = aitia("ingest", "b2").stdout
    assert "b2/noentity.txt: added, text, utf-8, 1 passage, 0 facts" in shown
    assert "b2/empty.pdf: skipped: it is empty" in shown
    assert "b2/blank.md: skipped: it holds only white space" in shown
    again = told(aitia, "b2")
    assert {file["outcome"] for file in again.values()} == {"skipped", "unchanged"}
    Path("b2/noentity.txt").unlink()
    Path("only").mkdir()
    for name in ("empty.txt", "blank.md", "empty.pdf"):
        Path("b2", name).rename(Path("only", name))
    shown = aitia("ingest", "only", code=1).stdout
    assert "Nothing was taken in: 3 files, 3 skipped." in shown


def big(lines: int, words: int) -> None:
    write(
        "b4/long.txt",
        "".join(f"Valve {i} was checked on day {i % 365}.\n" for i in range(lines)),
    )
    write("b4/oneline.txt", "abc " * words)


def test_c04_one_endless_line_is_cut(aitia: Run) -> None:
    big(500, 3_000)
    files = told(aitia, "b4")
    assert files["b4/oneline.txt"]["passages"] == 15
    assert files["b4/long.txt"]["passages"] > 20
    write("ws/aitia.toml", "max_file_mb = 1\n")
    write("b4/more.txt", "x" * 1_000_001)
    shown = aitia("ingest", "b4/more.txt", code=1).stdout
    assert "more than 1 MB, the limit" in shown
    assert "max_file_mb" in shown


def peak_mb(*words: str) -> int:
    """Peak resident memory of an ingest in a process of its own."""
    code = (
        "import resource, sys; from aitia.workspace import Workspace\n"
        "from aitia.ingest import Ingest\n"
        "with Workspace.open(sys.argv[1]) as w:\n"
        "    Ingest(w.store, w.blobs, w.ledger, w.settings).run(sys.argv[2:])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    return int(done.stdout)


@pytest.mark.full
def test_c04_memory_grows_by_less_than_300_mb(aitia: Run) -> None:
    write("small.txt", "Hello.")
    base = peak_mb("ws1", "small.txt")
    big(400_000, 2_000_000)
    assert peak_mb("ws2", "b4") - base < 300


SCAN = (
    b"<</Type/Catalog/Pages 2 0 R>>",
    b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>",
    b"<</Length 22>>stream\n0 0 0 rg 20 20 99 9 re f\nendstream",
)


def scan() -> bytes:
    """A PDF of one page without text."""
    data, places = b"%PDF-1.4\n", []
    for number, part in enumerate(SCAN, 1):
        places.append(len(data))
        data += b"%d 0 obj" % number + part + b"endobj\n"
    start = len(data)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"xref\n0 5\n0000000000 65535 f \n" + table
    return data + b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % start


def test_c05_a_scan_is_told_and_a_cut_file_fails(aitia: Run) -> None:
    write("b5/scan.pdf", scan())
    write("b5/cut.pdf", scan()[:120])
    shown = aitia("ingest", "b5", code=3).stdout
    assert "1 page, 0 characters: no text layer" in shown
    assert "b5/cut.pdf: failed: it is a damaged PDF" in shown
    seen = Seen()
    assert not any(quad.predicate == DCTERMS.isPartOf for quad in seen.quads)


def test_c07_text_without_spaces_is_cut_between_sentences(aitia: Run) -> None:
    write("b7/zh.txt", "甲泵向乙罐供水。乙罐由丙阀控制。" * 400 + "丁阀在三月被更换。")
    write("b7/emoji.txt", "👩‍🔧 replaced the 🔩 on line 4. " * 300)
    write("b7/ar.txt", "المضخة أ تغذي الخزان ب.")
    files = told(aitia, "b7")
    seen = Seen()
    for path, file in files.items():
        found = seen.passages(file["document"])
        joined = "".join("".join(found).split())
        assert joined == "".join(Path(path).read_text(encoding="utf-8").split())
        assert "\ufffd" not in joined
    chinese = seen.passages(files["b7/zh.txt"]["document"])
    assert all(words.endswith("。") for words in chinese)
    hits = aitia("search", "丁阀", "--json").stdout
    assert "丁阀在三月被更换。" in hits


NAMES = (
    "x#1.txt", '50% "final".txt', "it's.txt", "résumé.txt", "two\nlines.txt", "-rf.txt",
    "{brace}<lt>.txt",
)  # fmt: skip


def test_c08_file_names_are_data(aitia: Run) -> None:
    write("b8/a/report.txt", "Limit is 10.\n")
    write("b8/b/report.txt", "Limit is 20.\n")
    for name in NAMES:
        write(f"b8/{name}", "From file.\n")
    os.close(os.open(b"b8/bad\xff.txt", os.O_CREAT))
    Path(os.fsdecode(b"b8/bad\xff.txt")).write_text("Bytes.", encoding="utf-8")
    shown = aitia("ingest", "b8").stdout
    assert "b8/two lines.txt: added" in shown
    assert "b8/bad\\xff.txt: added" in shown
    files = told(aitia, "b8")
    documents = {file["document"] for file in files.values()}
    assert len(documents) == 10
    seen = Seen()
    paths = {path for document in documents for path in seen.said(document, AITIA.path)}
    assert paths == {f"b8/{name}" for name in NAMES} | {
        "b8/a/report.txt", "b8/b/report.txt", "b8/bad\\xff.txt",
    }  # fmt: skip
    places = [seen.said(document, AITIA.location)[0] for document in documents]
    assert all(place.startswith("file:///") and place.isascii() for place in places)
    aitia("delete", "b8/two\nlines.txt")


def test_c09_versions_copies_and_removals_are_told(aitia: Run) -> None:
    write("b9/fee.txt", "The fee is 5 euro.\n")
    write("b9/copy.txt", "The fee is 5 euro.\n")
    first = told(aitia, "b9")
    before = Seen().quads
    second = told(aitia, "b9")
    assert {file["outcome"] for file in second.values()} == {"unchanged"}
    assert set(Seen().quads) == set(before)
    write("b9/fee.txt", "The fee is 7 euro.\n")
    shown = aitia("ingest", "b9").stdout
    assert "b9/fee.txt: new version" in shown
    assert "b9/copy.txt still has the bytes that this version replaces" in shown
    seen = Seen()
    old, copy = first["b9/fee.txt"]["document"], first["b9/copy.txt"]["document"]
    assert seen.said(old, AITIA.sameContentAs) == [copy]
    assert seen.said(old, AITIA.documentState) == [AITIA.superseded.value]
    new = told(aitia, "b9")["b9/fee.txt"]["document"]
    assert seen.said(new, PROV.wasRevisionOf) == [old]
    assert seen.passages(old) == ["The fee is 5 euro."]
    hits = json.loads(aitia("search", "fee euro", "--json").stdout)["hits"]
    assert {hit["document"] for hit in hits} == {new, copy}
    Path("b9/copy.txt").unlink()
    assert "b9/copy.txt" in aitia("ingest", "b9").stdout
    aitia("delete", "b9/copy.txt")
    hits = json.loads(aitia("search", "fee euro", "--json").stdout)["hits"]
    assert {hit["document"] for hit in hits} == {new}


def taken(folder: str) -> set[tuple[str, ...]]:
    """What is on record, without what differs from run to run."""
    with Workspace.open(folder, mode="read", fresh=True) as workspace:
        return {
            (str(quad.subject), str(quad.predicate), str(quad.object))
            for quad in workspace.store.quads()
            if "reading:" not in f"{quad.subject}{quad.object}"
            and "commit:" not in str(quad.subject)
            and quad.predicate != PROV.generatedAtTime
        }


def test_c10_a_killed_ingest_goes_on_and_ends_the_same(
    aitia: Run, tmp_path: Path
) -> None:
    for number in range(24):
        words = "Padding sentence. " * 40
        write(f"b10/{number}.txt", f"Unit {number} is in group {number % 9}. {words}")
    command = [sys.executable, "-m", "aitia_cli", "--workspace", "ws", "ingest", "b10"]
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:
            time.sleep(random.Random().uniform(0.6, 1.6))
            running.send_signal(signal.SIGKILL)
    files = told(aitia, "b10")
    assert {file["outcome"] for file in files.values()} <= {"added", "unchanged"}
    CliRunner().invoke(cli, ["--workspace", "undisturbed", "ingest", "b10"])
    assert taken("ws") == taken("undisturbed")
    aitia("verify")


def test_c25_quotes_and_backslashes_are_data(aitia: Run) -> None:
    write("b25/q.txt", 'Pat O"Brien\\ approved plan 9.\n')
    files = told(aitia, "b25")
    assert Seen().passages(files["b25/q.txt"]["document"]) == [
        'Pat O"Brien\\ approved plan 9.'
    ]
    hits = aitia("search", 'O"Brien\\', "--json").stdout
    assert json.loads(hits)["hits"][0]["document"] == files["b25/q.txt"]["document"]


def test_escapes_of_a_terminal_do_not_reach_it(aitia: Run) -> None:
    write("x/\x1b[31mred.txt", "Hello.")
    write("x/bad\x1b]0;t.json", '{"\x1b[2J": }')
    shown = aitia("ingest", "x", code=3).stdout
    assert "\x1b" not in shown


def test_standard_input_and_json_layout(aitia: Run, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        cli,
        [
            "--workspace",
            "ws",
            "ingest",
            "-",
            "--name",
            "n.csv",
            "--format",
            "csv",
            "--json",
        ],
        input="id,n\na,1\nb,1\n",
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert set(found) == {
        "files", "counts", "notices", "conflicts", "interrupted", "unindexed", "unfinished",
    }  # fmt: skip
    [file] = found["files"]
    assert set(file) == {
        "path", "outcome", "document", "format", "encoding", "encoding_guessed", "characters",
        "pages", "passages", "records", "facts", "links", "redactions", "rewritten",
        "warnings", "reason", "hint", "commit", "statements", "statements_refused",
        "extraction", "run",
    }  # fmt: skip
    assert (file["records"], file["outcome"]) == (2, "added")
    assert aitia("ingest", "nowhere", code=1).stdout.startswith(
        "nowhere: failed: there is no"
    )
    context = tmp_path / "c.json"
    context.write_text("[1]", encoding="utf-8")
    aitia("ingest", "nowhere", "--context", "c.json", code=2)
