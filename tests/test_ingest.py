"""Files, versions, copies, retirement, secrets: what ingest does with documents."""

import hashlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import docx
import pytest
from pyoxigraph import NamedNode

from aitia.errors import AmbiguousId, IndexMismatch, NotFound, UsageError
from aitia.ingest import Ingest, Options
from aitia.ingest.report import FileReport, IngestReport
from aitia.ingest.watch import Silent
from aitia.vocab import AITIA, DCTERMS, PROV, RDF
from tests.ingest_desk import Desk, desk

SECRET = "sk-abcdefghij0123456789ABCDEFGHIJ"


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as found:
        yield found


def test_a_document_says_what_it_is_and_how_it_was_read(open_desk: Desk) -> None:
    report = open_desk.take("fee.md", b"\xef\xbb\xbf# Fees\r\nFive euro.\r\n")
    node = NamedNode(report.document)
    assert open_desk.text(report) == "# Fees\nFive euro.\n"
    assert open_desk.said(node, DCTERMS.title) == ["Fees"]
    assert open_desk.said(node, DCTERMS.format) == ["text/markdown"]
    assert open_desk.said(node, AITIA.encoding) == ["utf-8"]
    assert open_desk.said(node, AITIA.encodingGuessed) == ["false"]
    [reading] = open_desk.said(node, PROV.wasGeneratedBy)
    assert open_desk.said(NamedNode(reading), AITIA.reader) == ["markdown"]
    assert open_desk.said(NamedNode(reading), AITIA.readerVersion)
    assert open_desk.said(NamedNode(reading), PROV.wasAssociatedWith) == [
        "urn:aitia:agent:tester"
    ]
    [name] = open_desk.said(node, AITIA.contentHash)
    assert open_desk.blobs.get(name).startswith(b"\xef\xbb\xbf# Fees\r\n")


def test_one_file_is_one_commit_and_the_same_bytes_again_are_none(
    open_desk: Desk,
) -> None:
    report = open_desk.take("a.csv", "id,n\n1,2\n2,2\n")
    head = open_desk.workspace.ledger.head()
    assert head is not None
    assert head.number == report.commit
    [again] = open_desk.ingest("a.csv").files
    assert again.outcome == "unchanged"
    assert again.document == report.document
    assert open_desk.workspace.ledger.head() == head


def test_new_bytes_are_a_new_version_and_the_old_one_stays_on_record(
    open_desk: Desk,
) -> None:
    first = open_desk.take("a.csv", "id,n\nx1,2\nx2,2\n")
    passages = open_desk.passages(first)
    second = open_desk.take("a.csv", "id,n\nx1,3\nx2,3\n")
    assert second.outcome == "new version"
    assert open_desk.state(first) == "superseded"
    assert open_desk.state(second) == "live"
    old, new = NamedNode(first.document), NamedNode(second.document)
    assert open_desk.said(new, PROV.wasRevisionOf) == [first.document]
    assert open_desk.said(old, PROV.invalidatedAtTime)
    assert open_desk.said(old, PROV.wasInvalidatedBy) == open_desk.said(
        new, PROV.wasGeneratedBy
    )
    assert open_desk.facts(first) == 0
    assert open_desk.field("urn:data:a/x1", "n") == ["3"]
    assert open_desk.passages(first) == passages


def test_bytes_that_come_back_are_a_version_of_their_own(open_desk: Desk) -> None:
    first = open_desk.take("a.txt", "One.")
    second = open_desk.take("a.txt", "Two.")
    third = open_desk.take("a.txt", "One.")
    assert len({first.document, second.document, third.document}) == 3
    assert open_desk.said(NamedNode(third.document), PROV.wasRevisionOf) == [
        second.document
    ]
    assert [open_desk.state(item) for item in (first, second, third)] == [
        "superseded",
        "superseded",
        "live",
    ]


def test_a_named_key_reads_the_same_bytes_anew(open_desk: Desk) -> None:
    text = '[{"id": 1, "sku": "s1"}, {"id": 2, "sku": "s2"}]'
    open_desk.take("g.json", text)
    again = open_desk.take("g.json", text, Options(key="sku"))
    assert again.outcome == "new version"
    assert open_desk.field("urn:data:g/s1", "id") == ["1"]
    assert open_desk.field("urn:data:g/1", "id") == []
    [report] = open_desk.ingest("g.json", options=Options(key="sku")).files
    assert report.outcome == "unchanged"


def test_copies_are_noted_and_two_files_of_one_name_stay_two(open_desk: Desk) -> None:
    first = open_desk.take("a/report.txt", "Limit is 10.")
    copy = open_desk.take("copy.txt", "Limit is 10.")
    other = open_desk.take("b/report.txt", "Limit is 20.")
    assert open_desk.said(NamedNode(copy.document), AITIA.sameContentAs) == [
        first.document
    ]
    assert any("same bytes as" in text for text in copy.warnings)
    assert len({first.document, copy.document, other.document}) == 3
    changed = open_desk.take("a/report.txt", "Limit is 11.")
    assert any("copy.txt still has the bytes" in text for text in changed.warnings)


def test_a_missing_file_is_noticed_and_pruned_when_asked(open_desk: Desk) -> None:
    for name in ("d/a.txt", "d/b.txt"):
        open_desk.write(name, name)
    reports = open_desk.ingest("d").files
    (open_desk.folder / "d/b.txt").unlink()
    [notice] = open_desk.ingest("d").notices
    assert "1 document has no file any more" in notice
    assert "d/b.txt" in notice
    assert open_desk.state(reports[1]) == "live"
    [notice] = open_desk.ingest("d", prune=True).notices
    assert notice.startswith("retired, because its file is no longer there:")
    assert open_desk.state(reports[1]) == "retired"
    assert open_desk.ingest("d").notices == []


def test_hidden_files_and_the_workspace_are_passed_over(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        found.write(".git/config", "x")
        found.write(".hidden.txt", "x")
        found.write("a.txt", "Hello.")
        task = Ingest(
            found.store, found.blobs, found.workspace.ledger, found.workspace.settings
        )
        task.avoid = found.workspace.folder
        report = task.run([str(tmp_path)])
    assert [Path(file.path).name for file in report.files] == ["a.txt"]
    hidden, workspaces = report.notices
    assert hidden == "2 hidden files or folders were passed over"
    assert workspaces.startswith("workspaces of aitia were passed over: ")


def test_folders_are_sorted_and_patterns_find_files(open_desk: Desk) -> None:
    for name in ("d/b.txt", "d/a.txt", "d/sub/c.txt", "d/x.md"):
        open_desk.write(name, name)
    names = [Path(file.path).name for file in open_desk.ingest("d").files]
    assert names == ["a.txt", "b.txt", "x.md", "c.txt"]
    names = [Path(file.path).name for file in open_desk.ingest("d/**/*.txt").files]
    assert names == ["a.txt", "b.txt", "c.txt"]
    missing, there = open_desk.ingest("d/*.pdf", "d/x.md").files
    assert missing.reason == "there is no such file or folder"
    assert there.outcome == "unchanged"


def test_standard_input_is_a_document_by_its_name_or_its_bytes(
    open_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def piped(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))

    def ingest(name: str, form: str) -> FileReport:
        task = Ingest(
            open_desk.store,
            open_desk.blobs,
            open_desk.workspace.ledger,
            open_desk.workspace.settings,
            options=Options(format=form, name=name),
        )
        [report] = task.run(["-"]).files
        return report

    piped(b"# T\nBody.")
    assert ingest("notes", "markdown").format == "markdown"
    piped(b"# T\nOther.")
    assert ingest("notes", "markdown").outcome == "new version"
    for data in (b"First.", b"Second."):
        piped(data)
        assert ingest("", "").outcome == "added"
    piped(b"First.")
    assert ingest("", "").outcome == "unchanged"
    piped(b"x")
    with pytest.raises(UsageError, match="no format 'word'"):
        ingest("notes", "word")


def test_a_file_that_cannot_be_read_is_a_failed_reading_and_others_go_on(
    open_desk: Desk,
) -> None:
    open_desk.write("bad.json", '{"a": [1,}')
    open_desk.write("good.txt", "Hello.")
    report = open_desk.ingest("bad.json", "good.txt")
    assert [file.outcome for file in report.files] == ["failed", "added"]
    assert report.exit_code == 3
    [quad] = open_desk.store.quads(None, AITIA.status, AITIA.failed)
    assert isinstance(quad.subject, NamedNode)
    assert open_desk.said(quad.subject, RDF.type) == [AITIA.Reading.value]
    [error] = open_desk.said(quad.subject, AITIA.error)
    assert "line 1 column 10" in error


def test_pictures_in_a_folder_are_skipped_and_named_ones_fail(open_desk: Desk) -> None:
    open_desk.write("d/p.png", b"\x89PNG\r\n\x1a\n")
    open_desk.write("d/a.txt", "Hello.")
    report = open_desk.ingest("d")
    assert [file.outcome for file in report.files] == ["added", "skipped"]
    assert report.exit_code == 0
    assert open_desk.ingest("d/p.png").exit_code == 1


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        (["added", "unchanged"], 0),
        (["skipped"], 1),
        ([], 1),
        (["failed"], 1),
        (["refused"], 4),
        (["refused", "failed"], 1),
        (["added", "refused"], 3),
        (["unchanged", "skipped"], 0),
    ],
)
def test_exit_codes(outcomes: list[str], code: int) -> None:
    files = [FileReport("x", outcome) for outcome in outcomes]  # type: ignore[arg-type]
    assert IngestReport(files).exit_code == code


def test_too_large_a_file_names_the_setting(tmp_path: Path) -> None:
    with desk(tmp_path, max_file_mb=1) as found:
        found.write("big.txt", "x" * 1_000_001)
        [report] = found.ingest("big.txt").files
    assert report.outcome == "failed"
    assert "more than 1 MB" in report.reason
    assert "max_file_mb" in report.hint


def test_secrets_are_masked_in_text_facts_and_original(open_desk: Desk) -> None:
    text = f'[{{"id": "a", "token": "{SECRET}"}}, {{"id": "b", "token": "none"}}]'
    report = open_desk.take("keys.json", text)
    assert report.redactions == 1
    assert len(open_desk.text(report)) == len(text)
    everything = "".join(str(quad) for quad in open_desk.store.quads())
    blobs = b"".join(open_desk.blobs.get(name) for name in open_desk.blobs)
    assert SECRET not in everything
    assert SECRET.encode() not in blobs
    assert open_desk.said(NamedNode(report.document), AITIA.redactions) == ["1"]
    [again] = open_desk.ingest("keys.json").files
    assert again.outcome == "unchanged"


def test_the_original_of_a_binary_file_with_secrets_is_not_kept(
    open_desk: Desk,
) -> None:
    made, out = docx.Document(), io.BytesIO()
    made.add_paragraph(f"The key is {SECRET} today.")
    made.save(out)
    report = open_desk.take("k.docx", out.getvalue())
    assert SECRET not in open_desk.text(report)
    assert any("original is not kept" in text for text in report.warnings)
    assert hashlib.sha256(out.getvalue()).hexdigest() not in set(open_desk.blobs)
    assert open_desk.said(NamedNode(report.document), AITIA.originalKept) == ["false"]


def test_delete_retires_by_path_id_or_start_of_id(open_desk: Desk) -> None:
    reports = [
        open_desk.take(f"{n}.csv", f"id,n\na{n},{n}\nb{n},{n}\n") for n in range(3)
    ]
    workspace = open_desk.workspace
    done = workspace.delete(open_desk.folder / "0.csv", reason="wrong")
    assert (done.facts, done.passages) == (reports[0].facts, 3)
    assert open_desk.state(reports[0]) == "retired"
    assert open_desk.field("urn:data:0/a0", "n") == []
    [activity] = open_desk.said(NamedNode(reports[0].document), PROV.wasInvalidatedBy)
    assert open_desk.said(NamedNode(activity), AITIA.reason) == ["wrong"]
    workspace.delete(reports[1].document)
    workspace.delete(reports[2].document.rpartition(":")[2][:6])
    assert {open_desk.state(report) for report in reports} == {"retired"}
    with pytest.raises(NotFound, match="No document in use"):
        workspace.delete(reports[0].document)


def test_a_retired_document_that_comes_back_is_told(open_desk: Desk) -> None:
    open_desk.take("back.txt", "Pump A feeds tank B.")
    open_desk.workspace.delete(open_desk.folder / "back.txt")
    [again] = open_desk.ingest("back.txt").files
    assert again.outcome == "added"
    assert "it was retired earlier and is in use again" in again.warnings
    [unchanged] = open_desk.ingest("back.txt").files
    assert unchanged.outcome == "unchanged"


def test_delete_asks_back_when_several_are_meant(open_desk: Desk) -> None:
    for number in range(40):
        open_desk.write(f"{number}.txt", str(number))
    reports = open_desk.ingest(".").files
    ids = [report.document.rpartition(":")[2] for report in reports]
    start = next(a[:1] for a in ids if sum(b.startswith(a[:1]) for b in ids) > 1)
    with pytest.raises((AmbiguousId, NotFound)):
        open_desk.workspace.delete(start)


def test_a_stopped_ingest_keeps_what_is_done(open_desk: Desk) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        open_desk.write(name, name)

    class Stops(Silent):
        def begin(self, path: str) -> None:
            if path.endswith("b.txt"):
                raise KeyboardInterrupt

    workspace = open_desk.workspace
    task = Ingest(
        open_desk.store, open_desk.blobs, workspace.ledger, workspace.settings
    )
    task.watch = Stops()
    report = task.run([str(open_desk.folder)])
    assert report.interrupted
    assert [file.outcome for file in report.files] == ["added"]
    assert report.exit_code == 130
    assert [file.outcome for file in open_desk.ingest(".").files] == [
        "unchanged",
        "added",
        "added",
    ]


def test_what_cannot_be_indexed_is_taken_in_and_told(open_desk: Desk) -> None:
    def fails() -> None:
        raise IndexMismatch("The indexes are of another model.", hint="Rebuild them.")

    open_desk.write("a.txt", "Hello.")
    workspace = open_desk.workspace
    task = Ingest(
        open_desk.store, open_desk.blobs, workspace.ledger, workspace.settings
    )
    task.settle = fails
    report = task.run([str(open_desk.folder)])
    assert [file.outcome for file in report.files] == ["added"]
    assert report.exit_code == 3
    assert report.unindexed == "The indexes are of another model. Rebuild them."


def test_a_text_corpus_kept_in_json_is_cut_as_prose(open_desk: Desk) -> None:
    long = "A sentence about rivers. " * 100
    text = (
        '[{"title": "Rh\\u00eain", "text": "It flows.\\nFar away it ends in the wide sea, as'
        ' rivers do in the end, which everyone knows who has been there."},'
        f'{{"title": "Elbe", "text": "{long}"}}]'
    )
    report = open_desk.take("rivers.json", text)
    found = open_desk.passages(report)
    assert found[0][0] == "Rh\u00eain"
    assert found[0][1].startswith("It flows.")
    assert {heading for heading, _ in found[1:]} == {"Elbe"}
    assert all(len(words) <= 800 for _, words in found[1:])


def test_the_heading_of_prose_is_its_title_and_not_its_number(open_desk: Desk) -> None:
    words = "It flows for a very long way, past towns, hills, mills and many fields. "
    rows = [{"id": n, "title": f"River {n}", "text": words * 2} for n in range(3)]
    report = open_desk.take("rivers.json", json.dumps(rows))
    assert [heading for heading, _ in open_desk.passages(report)] == [
        "River 0",
        "River 1",
        "River 2",
    ]


def test_a_long_record_is_cut_at_the_records_in_it(open_desk: Desk) -> None:
    variants = ",".join(
        f'"v{n}": {{"item_id": "v{n}", "note": "{"word " * 40}"}}' for n in range(30)
    )
    report = open_desk.take(
        "p.json", f'{{"p1": {{"id": "p1", "name": "Box", "variants": {{{variants}}}}}}}'
    )
    found = open_desk.passages(report)
    assert found[0][0] == "p1"
    assert '"name": "Box"' in found[0][1]
    assert found[1][0] == "p1 > variants > v0"
    assert len(found) == 31
