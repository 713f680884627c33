"""Verify: what was changed behind the ledger's back is found, and told in words."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pyoxigraph import Literal, Quad

from aitia import terms
from aitia.errors import ShapeViolation, UsageError
from aitia.ledger import chain, records
from aitia.ledger.verify import SHOWN, VerifyReport
from aitia.vocab import AITIA, XSD
from aitia.workspace import Workspace
from tests.making import Tamperer, ex, fact, patch

COMMITS = 6
REPORT = "[] a <http://www.w3.org/ns/shacl#ValidationReport> ."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with six commits, the fourth of which names two blobs."""
    folder = tmp_path_factory.mktemp("made") / "workspace"
    with Workspace.open(folder) as workspace:
        ledger = workspace.ledger
        ledger.commit(patch([fact("a", "one"), fact("b", "two")]))
        ledger.commit(patch([fact("a", "three")], [fact("a", "one")]))
        ledger.commit(patch([fact("c", "text 3")]))
        error = ShapeViolation("Refused.", (), REPORT)
        ledger.refusal(error, patch([fact("d", "bad")]), terms.GRAPH_CATALOG)
        for number in range(5, COMMITS + 1):
            ledger.commit(patch([fact("c", f"text {number}")]))
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "workspace"))


def verify(folder: Path, expect_head: str = "", signed_by: str = "") -> VerifyReport:
    with Workspace.open(folder, mode="read", fresh=True) as workspace:
        return workspace.ledger.verify(expect_head=expect_head, signed_by=signed_by)


def kinds(report: VerifyReport) -> set[str]:
    return {finding.kind for finding in report.findings}


def texts(report: VerifyReport) -> str:
    return "\n".join(finding.text for finding in report.findings)


def record_of(store: Tamperer, number: int) -> list[Quad]:
    return store.quads(terms.commit_iri(number), terms.GRAPH_LEDGER)


def test_what_nobody_touched_is_intact(folder: Path) -> None:
    report = verify(folder)
    assert report.findings == ()
    assert report.notes == ()
    assert (report.number, report.commits, report.blobs) == (COMMITS, COMMITS, 2)
    assert verify(folder, expect_head=report.head).intact


# The store.


def test_an_added_quad_is_found(folder: Path) -> None:
    with Tamperer(folder) as store:
        store.add(fact("a", "forged"))
    report = verify(folder)
    assert kinds(report) == {"added quad"}
    assert "forged" in texts(report)


def test_a_removed_quad_is_found_with_its_commit(folder: Path) -> None:
    with Tamperer(folder) as store:
        store.remove(fact("b", "two"))
    report = verify(folder)
    assert kinds(report) == {"removed quad"}
    assert "commit 1" in texts(report)


def test_an_edited_quad_is_found_with_before_and_after(folder: Path) -> None:
    with Tamperer(folder) as store:
        store.remove(fact("a", "three"))
        store.add(fact("a", "four"))
    report = verify(folder)
    assert kinds(report) == {"edited quad"}
    assert '"three"' in texts(report)
    assert '"four"' in texts(report)
    assert "commit 2" in texts(report)


def test_a_quad_that_came_back_is_found(folder: Path) -> None:
    with Tamperer(folder) as store:
        store.add(fact("a", "one"))
    assert kinds(verify(folder)) == {"added quad"}


def test_a_quad_moved_to_another_graph_is_found(folder: Path) -> None:
    with Tamperer(folder) as store:
        store.remove(fact("b", "two"))
        store.add(fact("b", "two", ex("elsewhere")))
    assert kinds(verify(folder)) == {"removed quad", "added quad"}


def test_of_very_many_differences_some_are_told_and_the_rest_counted(
    folder: Path,
) -> None:
    with Tamperer(folder) as store:
        store.add(*(fact("x", f"forged {n}") for n in range(SHOWN + 5)))
    report = verify(folder)
    assert len(report.findings) == SHOWN + 1
    assert "5 more" in texts(report)


# The records.

FORGED = [
    (AITIA.committedBy, terms.agent_iri("someone else")),
    (AITIA.committedAt, Literal("2020-01-01T00:00:00Z", datatype=XSD.dateTime)),
    (AITIA.shapesVersion, terms.string("other")),
    (AITIA.focusCount, terms.integer(99)),
    (AITIA.focusDigest, terms.string("0" * 64)),
    (AITIA.number, terms.integer(9)),
    (AITIA.hash, terms.string("0" * 64)),
    (AITIA.previousHash, terms.string("0" * 64)),
]


@pytest.mark.parametrize(("predicate", "value"), FORGED, ids=lambda v: str(v)[:60])
def test_an_edited_record_is_found(
    folder: Path, predicate: object, value: object
) -> None:
    with Tamperer(folder) as store:
        for quad in record_of(store, 3):
            if quad.predicate == predicate:
                store.remove(quad)
                store.add(Quad(quad.subject, quad.predicate, value, quad.graph_name))  # type: ignore[arg-type]
    report = verify(folder)
    assert kinds(report) & {"record", "chain"}
    assert "ommit 3" in texts(report)


def test_a_record_with_a_field_taken_out_is_found(folder: Path) -> None:
    with Tamperer(folder) as store:
        for quad in record_of(store, 3):
            if quad.predicate == AITIA.root:
                store.remove(quad)
    assert "record of commit 3 is damaged" in texts(verify(folder))


def test_a_cause_given_to_a_commit_that_had_none_is_found(folder: Path) -> None:
    with Tamperer(folder) as store:
        node = terms.commit_iri(3)
        run = terms.run_iri("forged")
        store.add(Quad(node, AITIA.committedFor, run, terms.GRAPH_LEDGER))
    assert "commit 3 was edited" in texts(verify(folder))


def test_an_edited_record_with_its_hash_made_to_fit_is_found(folder: Path) -> None:
    """The next commit does not follow it any more."""
    with Tamperer(folder) as store:
        rewrite(store, 3)
    report = verify(folder)
    assert kinds(report) == {"chain"}
    assert "Commit 4 does not follow commit 3" in texts(report)


def rewrite(store: Tamperer, number: int) -> None:
    """Give a commit another author and a hash that fits."""
    quads = record_of(store, number)
    forged = replace(records.from_quads(quads), agent=terms.agent_iri("x").value)
    forged = replace(forged, hash=chain.commit_hash(records.fields(forged)))
    store.remove(*quads)
    store.add(*records.to_quads(forged))


def test_a_removed_commit_is_found(folder: Path) -> None:
    with Tamperer(folder) as store:
        store.remove(*record_of(store, 3))
    report = verify(folder)
    assert "Commit 3 is missing" in texts(report)


def placed_at(number: int, quad: Quad) -> Quad:
    """Return a quad of a record as if it were that of another number."""
    value = terms.integer(number) if quad.predicate == AITIA.number else quad.object
    return Quad(terms.commit_iri(number), quad.predicate, value, quad.graph_name)


def test_reordered_commits_are_found(folder: Path) -> None:
    with Tamperer(folder) as store:
        third, fourth = record_of(store, 3), record_of(store, 4)
        store.remove(*third, *fourth)
        store.add(*(placed_at(4, quad) for quad in third))
        store.add(*(placed_at(3, quad) for quad in fourth))
    report = verify(folder)
    assert {"record", "chain"} <= kinds(report)


@pytest.mark.parametrize(
    "quad",
    [
        Quad(ex("evil"), ex("note"), Literal("foreign"), terms.GRAPH_LEDGER),
        Quad(terms.commit_iri(3), ex("note"), Literal("more"), terms.GRAPH_LEDGER),
        Quad(
            terms.commit_iri(3),
            AITIA.committedBy,
            terms.agent_iri("a second author"),
            terms.GRAPH_LEDGER,
        ),
    ],
    ids=["foreign node", "more said of a commit", "second author"],
)
def test_anything_foreign_in_the_ledger_graph_is_found(
    folder: Path, quad: Quad
) -> None:
    with Tamperer(folder) as store:
        store.add(quad)
    report = verify(folder)
    assert not report.intact
    assert kinds(report) <= {"foreign", "record"}


# The tail.


def cut_tail(folder: Path, keep: int) -> None:
    """Undo the last commits as if they had never been."""
    with Tamperer(folder) as store:
        for number in range(keep + 1, COMMITS + 1):
            store.remove(*record_of(store, number), fact("c", f"text {number}"))


def test_a_cut_tail_shows_only_against_a_head_kept_elsewhere(folder: Path) -> None:
    head = verify(folder).head
    cut_tail(folder, keep=4)
    # What is published of it is a head kept elsewhere.
    with Workspace.open(folder, mode="read", fresh=True) as workspace:
        assert "ends at commit 4, but a publication" in workspace.trouble
    shutil.rmtree(folder / "published")
    assert verify(folder).intact
    for expected in (head, head.partition(":")[2]):
        report = verify(folder, expect_head=expected)
        assert kinds(report) == {"tail"}
        assert "ends at commit 4" in texts(report)


def test_a_chain_that_went_on_still_contains_the_head_seen_earlier(
    folder: Path,
) -> None:
    head = verify(folder).head
    with Workspace.open(folder) as workspace:
        workspace.ledger.commit(patch([fact("c", "more")]))
    assert verify(folder, expect_head=head).intact


@pytest.mark.parametrize("text", ["abc", "x:" + "0" * 64, "0" * 63 + "g"])
def test_what_is_no_head_is_refused(folder: Path, text: str) -> None:
    with pytest.raises(UsageError):
        verify(folder, expect_head=text)


def test_a_head_signed_by_nobody_is_found(folder: Path) -> None:
    assert kinds(verify(folder, signed_by="ab" * 32)) == {"signature"}


# The blobs.


def root_of(folder: Path, number: int) -> str:
    with Workspace.open(folder, mode="read") as workspace:
        return workspace.ledger.at(number).root


def blob(folder: Path, name: str) -> Path:
    return folder / "blobs" / name[:2] / name


def test_a_missing_patch_is_found(folder: Path) -> None:
    blob(folder, root_of(folder, 2)).unlink()
    assert "patch of commit 2 is missing" in texts(verify(folder))


def test_a_damaged_patch_is_found(folder: Path) -> None:
    path = blob(folder, root_of(folder, 2))
    path.write_bytes(path.read_bytes()[:-4])
    assert "patch of commit 2 is damaged" in texts(verify(folder))


def test_an_altered_patch_is_found(folder: Path) -> None:
    with Workspace.open(folder, mode="read") as workspace:
        name = workspace.ledger.at(2).root
        entries = chain.unpack(workspace.blobs.get(name))
        blob(folder, name).unlink()
        forged = [
            (entry.op, entry.line.replace(b"three", b"four")) for entry in entries
        ]
        workspace.blobs.put(chain.pack(b"k" * 32, forged), name=name)
    assert "patch of commit 2 was altered" in texts(verify(folder))


def test_erased_lines_leave_the_chain_whole(folder: Path) -> None:
    """The erase command comes later; its format holds already."""
    with Workspace.open(folder, mode="read") as workspace:
        name = workspace.ledger.at(1).root
        entries = chain.unpack(workspace.blobs.get(name))
        place = next(i for i, e in enumerate(entries) if b'"two"' in e.line)
        blob(folder, name).unlink()
        erased = chain.pack_erased(entries, frozenset({place}))
        workspace.blobs.put(erased, name=name)
    with Tamperer(folder) as store:
        store.remove(fact("b", "two"))
    report = verify(folder)
    assert (report.intact, report.erased) == (True, 1)


def text_blob(folder: Path) -> Path:
    with Workspace.open(folder, mode="read") as workspace:
        quad = next(workspace.store.quads(None, AITIA.reportBlob))
    assert isinstance(quad.object, Literal)
    return blob(folder, quad.object.value)


def test_a_missing_text_is_found(folder: Path) -> None:
    text_blob(folder).unlink()
    report = verify(folder)
    assert kinds(report) == {"blob"}
    assert "missing" in texts(report)


def test_an_altered_text_is_found(folder: Path) -> None:
    path = text_blob(folder)
    path.unlink()
    with Workspace.open(folder, mode="read") as workspace:
        workspace.blobs.put(b"Another text.", name=path.name)
    assert "was altered" in texts(verify(folder))


def test_a_damaged_text_is_found(folder: Path) -> None:
    text_blob(folder).write_bytes(b"")
    assert "is damaged" in texts(verify(folder))


def test_a_blob_that_nothing_names_is_told_and_does_no_harm(folder: Path) -> None:
    with Workspace.open(folder, mode="read") as workspace:
        workspace.blobs.put(b"left by a process that was killed")
    report = verify(folder)
    assert report.intact
    assert "1 blob is named by nothing" in report.notes[0]


# Further checks.


def test_what_other_checks_find_counts(folder: Path) -> None:
    with Workspace.open(folder, mode="read") as workspace:
        report = workspace.ledger.verify(checks=[lambda: ["The index lags behind."]])
    assert kinds(report) == {"index"}
