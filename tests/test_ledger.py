"""The ledger: what is committed, chained, kept, signed, refused and read back."""

import hashlib
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import NotFound, NotIntact, ShapeViolation, UsageError
from aitia.gate import Gate
from aitia.ledger import Ledger, chain, head_number, records
from aitia.ledger.sign import Signer, holds
from aitia.model import Origin, Patch
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, RDF, RDFS, XSD
from tests import making
from tests.making import ex, fact, patch


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return making.ledger(tmp_path)


# What a commit is.


def test_a_commit_writes_the_patch_and_its_record(ledger: Ledger) -> None:
    run = terms.run_iri("abc")
    record = ledger.commit(patch([fact("a", "one")], cause=run))
    assert fact("a", "one") in ledger._store
    assert (record.number, record.previous) == (1, chain.START)
    assert (record.added, record.deleted) == (1, 0)
    assert record.agent == terms.agent_iri("tester").value
    assert record.cause == run.value
    assert ledger.head() == ledger.at(1)
    stated = set(records.of_commit(ledger._store, 1))
    assert stated == set(records.to_quads(record))
    assert ex("other") not in {quad.predicate for quad in stated}


def test_commits_are_chained(ledger: Ledger) -> None:
    made = [ledger.commit(patch([fact("a", str(n))])) for n in range(5)]
    assert [record.number for record in made] == [1, 2, 3, 4, 5]
    for before, after in pairwise(made):
        assert after.previous == before.hash
    assert len({record.hash for record in made}) == 5


def test_the_hash_is_over_the_fields_that_are_documented(ledger: Ledger) -> None:
    record = ledger.commit(patch([fact("a", "one")], cause=ex("reading")))
    fields = [
        "1",
        "0" * 64,
        record.agent,
        terms.time(record.time).value,
        EXPECTED_CAUSE,
        record.shapes_version,
        str(record.focus_count),
        record.focus_digest,
        record.root,
    ]
    digest = hashlib.sha256()
    for field in ["commit", *fields]:
        digest.update(len(field.encode()).to_bytes(8, "big") + field.encode())
    assert record.hash == digest.hexdigest()


EXPECTED_CAUSE = "http://example.org/reading"


def test_the_kept_patch_is_named_by_its_root(ledger: Ledger) -> None:
    ledger.commit(patch([fact("a", "one"), fact("b", "two")]))
    record = ledger.commit(patch([fact("a", "three")], [fact("a", "one")]))
    entries = chain.unpack(ledger._blobs.get(record.root))
    assert chain.root(entries) == record.root
    assert [(entry.op, entry.line.decode()) for entry in entries] == [
        (b"-", terms.nquad(fact("a", "one"))),
        (b"+", terms.nquad(fact("a", "three"))),
    ]


def test_the_same_patch_never_has_the_same_root(tmp_path: Path) -> None:
    roots = {
        making.ledger(tmp_path / name).commit(patch([fact("a", "one")])).root
        for name in "xyz"
    }
    assert len(roots) == 3


def test_nothing_is_written_where_nothing_changes(ledger: Ledger) -> None:
    ledger.commit(patch([fact("a", "one")]))
    again = ledger.commit(patch([fact("a", "one")], [fact("b", "never there")]))
    assert (again.number, again.hash, again.root) == (0, "", "")
    assert ledger.commit(patch()).number == 0
    head = ledger.head()
    assert head is not None
    assert head.number == 1
    assert len(list(ledger._blobs)) == 1


def test_only_the_net_effect_is_kept(ledger: Ledger) -> None:
    ledger.commit(patch([fact("a", "one")]))
    record = ledger.commit(
        patch([fact("a", "one"), fact("a", "two")], [fact("b", "three")])
    )
    assert (record.added, record.deleted) == (1, 0)


def test_what_is_hashed_is_what_the_store_holds(ledger: Ledger) -> None:
    """The store rewrites literals; the ledger must keep what it made of them."""
    odd = [
        Literal("007", datatype=XSD.integer),
        Literal("0.90", datatype=XSD.decimal),
        Literal("2024-01-01T10:00:00.500+00:00", datatype=XSD.dateTime),
        Literal("colour", language="en-GB"),
        Literal('quote " back \\ line\nend\t'),
        Literal("1", datatype=XSD.boolean),
        Literal("5", datatype=NamedNode(XSD.NS + "nonNegativeInteger")),
    ]
    record = ledger.commit(patch(fact("a", value) for value in odd))
    held = {
        terms.nquad(quad)
        for quad in ledger._store.quads()
        if quad.graph_name == making.GRAPH
    }
    assert {entry.line.decode() for entry in ledger.patch(record)} == held
    assert ledger.verify().intact


@pytest.mark.parametrize("text", ["x" * (16 * 1024 * 1024), "\n" * (9 * 1024 * 1024)])
def test_a_literal_that_no_dump_could_carry_is_refused(
    ledger: Ledger, text: str
) -> None:
    with pytest.raises(UsageError, match="too long to be kept as a triple"):
        ledger.commit(patch([fact("a", text)]))
    assert ledger.head() is None
    assert list(ledger._blobs) == []


def test_the_longest_literal_that_is_kept_can_be_loaded_from_a_dump(
    ledger: Ledger,
) -> None:
    ledger.commit(patch([fact("a", "x" * (16 * 1024 * 1024 - 8192))]))
    for record, adds, _ in ledger.changes(0):
        dump = "".join(terms.nquad(quad) + "\n" for quad in adds)
        assert record.number == 1
        assert len(list(parse(dump.encode(), format=RdfFormat.N_QUADS))) == 1


def test_a_large_patch_that_only_adds_is_one_commit(ledger: Ledger) -> None:
    quads = [fact("a", str(number)) for number in range(10_500)]
    record = ledger.commit(patch(quads))
    assert (record.number, record.added) == (1, 10_500)
    assert all(quad in ledger._store for quad in quads)
    assert ledger.verify().intact


def test_a_ledger_that_was_opened_for_reading_commits_nothing(tmp_path: Path) -> None:
    reading = Ledger(OxigraphStore(), Blobs(tmp_path), None)
    with pytest.raises(UsageError, match="reading only"):
        reading.commit(patch([fact("a", "one")]))


def test_threads_lose_no_commit(ledger: Ledger) -> None:
    def work(name: str) -> None:
        for number in range(10):
            ledger.commit(patch([fact(name, str(number))]))

    threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    head = ledger.head()
    assert head is not None
    assert head.number == 40
    assert ledger.verify().intact


def test_an_interrupt_after_the_write_does_not_break_the_chain(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object, **more: object) -> None:
        apply(*arguments, **more)
        raise KeyboardInterrupt

    apply: Callable[..., None] = ledger._store.apply
    monkeypatch.setattr(ledger._store, "apply", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ledger.commit(patch([fact("a", "one")]))
    monkeypatch.undo()
    assert ledger.commit(patch([fact("a", "two")])).number == 2
    assert ledger.verify().intact


def test_whoever_wants_to_know_is_told_after_each_commit(ledger: Ledger) -> None:
    told: list[tuple[int, bool]] = []
    ledger.after_commit = lambda record, durable: told.append((record.number, durable))
    ledger.commit(patch([fact("a", "one")]))
    ledger.commit(patch([fact("a", "one")]))
    ledger.commit(patch([fact("a", "two")]), durable=True)
    assert told == [(1, False), (2, True)]


def test_records_conform_to_the_shapes_of_the_ledger(
    tmp_path: Path, signer: Signer
) -> None:
    ledger = Ledger(OxigraphStore(), Blobs(tmp_path / "b"), Gate(), signer=signer)
    who = terms.agent_iri("tester")
    kind = Quad(who, RDF.type, AITIA.Person, terms.GRAPH_CATALOG)
    name = Quad(who, RDFS.label, terms.string("tester"), terms.GRAPH_CATALOG)
    ledger.commit(Patch(frozenset({kind, name}), agent=who))
    ledger.commit(patch([fact("a", "one")], cause=ex("reading")))
    report = Gate().validate_store(ledger._store)
    assert report.conforms, report.violations
    assert report.checked["https://w3id.org/aitia/shapes#Commit"] == 2


# Reading it.


def test_changes_give_back_what_was_done(ledger: Ledger) -> None:
    ledger.commit(patch([fact("a", "one")]))
    ledger.commit(patch([fact("b", "two")], [fact("a", "one")]))
    changes = list(ledger.changes(1))
    assert [(r.number, adds, deletes) for r, adds, deletes in changes] == [
        (2, [fact("b", "two")], [fact("a", "one")])
    ]
    assert list(ledger.changes(2)) == []


def test_records_either_way(ledger: Ledger) -> None:
    made = [ledger.commit(patch([fact("a", str(n))])).number for n in range(4)]
    assert [r.number for r in ledger.records()] == made
    assert [r.number for r in ledger.records(since=2)] == [3, 4]
    assert [r.number for r in ledger.records(newest_first=True)] == made[::-1]


def test_there_is_no_commit_of_that_number(ledger: Ledger) -> None:
    with pytest.raises(NotFound, match="no commit 7"):
        ledger.at(7)


def test_a_missing_patch_is_said_when_it_is_needed(ledger: Ledger) -> None:
    record = ledger.commit(patch([fact("a", "one")]))
    (ledger._blobs.folder / record.root[:2] / record.root).unlink()
    with pytest.raises(NotIntact, match="patch of commit 1"):
        list(ledger.changes(0))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8, 9, 20])
def test_the_head_is_found_from_any_hint(tmp_path: Path, count: int) -> None:
    ledger = making.ledger(tmp_path)
    for number in range(count):
        ledger.commit(patch([fact("a", str(number))]))
    for hint in range(count + 3):
        assert head_number(ledger._store, hint) == count


def test_a_new_ledger_goes_on_where_the_store_is(ledger: Ledger) -> None:
    first = ledger.commit(patch([fact("a", "one")]))
    again = Ledger(ledger._store, ledger._blobs, Gate())
    second = again.commit(patch([fact("a", "two")]))
    assert (second.number, second.previous) == (2, first.hash)


# Refusals.

BAD = Quad(terms.run_iri("r1"), RDF.type, AITIA.Run, terms.GRAPH_CATALOG)


def test_a_refused_patch_leaves_no_trace_but_its_refusal(ledger: Ledger) -> None:
    proposal = Patch(frozenset({BAD}))
    with pytest.raises(ShapeViolation) as caught:
        ledger.commit(proposal)
    assert BAD not in ledger._store
    assert ledger.head() is None

    record = ledger.refusal(caught.value, proposal, terms.GRAPH_CATALOG)

    assert record.number > 0
    assert BAD not in ledger._store
    node = next(ledger._store.quads(None, RDF.type, AITIA.RefusedOperation)).subject
    assert isinstance(node, NamedNode)
    stated = {q.predicate: q.object for q in ledger._store.quads(node)}
    assert stated[AITIA.proposedBy] == proposal.agent
    patch_blob, report_blob = stated[AITIA.patchBlob], stated[AITIA.reportBlob]
    assert isinstance(patch_blob, Literal)
    assert isinstance(report_blob, Literal)
    assert ledger._blobs.text(patch_blob.value) == f"+ {terms.nquad(BAD)}\n"
    assert "ValidationReport" in ledger._blobs.text(report_blob.value)
    assert ledger.verify().intact


@pytest.mark.parametrize("origin", list(Origin))
def test_a_refusal_can_always_be_recorded(ledger: Ledger, origin: Origin) -> None:
    """Whoever proposed it, and though the run that it names is not on record."""
    run = terms.run_iri("r1")
    proposal = Patch(
        frozenset({BAD}), agent=terms.agent_iri("a new one"), cause=run, origin=origin
    )
    with pytest.raises(ShapeViolation) as caught:
        ledger.commit(proposal)
    record = ledger.refusal(caught.value, proposal, terms.run_graph(run), run)
    assert record.number == 1
    found = ledger._store.quads(None, AITIA.proposedBy, proposal.agent)
    assert [quad.graph_name for quad in found] == [terms.GRAPH_CATALOG]


def test_what_a_run_proposed_in_vain_is_shown_in_the_run(ledger: Ledger) -> None:
    run = terms.run_iri("r1")
    proposal = Patch(frozenset({BAD}), cause=run)
    with pytest.raises(ShapeViolation):
        ledger.commit_or_record(proposal)
    found = list(ledger._store.quads(None, RDF.type, AITIA.RefusedOperation))
    assert len(found) == 1
    assert ledger.commit_or_record(patch([fact("a", "one")])).added == 1


# Signatures.


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    key = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    path = tmp_path / "key.pem"
    path.write_bytes(key)
    return Signer.load(path)


def test_signed_commits_carry_a_signature_that_holds(
    tmp_path: Path, signer: Signer
) -> None:
    ledger = Ledger(OxigraphStore(), Blobs(tmp_path / "b"), Gate(), signer=signer)
    record = ledger.commit(patch([fact("a", "one")]))
    assert record.signed_by == signer.public_key
    assert holds(ledger.at(1))
    report = ledger.verify(signed_by=signer.public_key)
    assert (report.intact, report.signed) == (True, 1)


facts = st.builds(
    fact,
    st.sampled_from("abc"),
    st.one_of(
        st.text('ab\n"\\é😀\x07', max_size=4),
        st.integers(-9, 9).map(lambda n: Literal(f"{n:+03}", datatype=XSD.integer)),
        st.sampled_from(["en-GB", "zh"]).map(lambda t: Literal("x", language=t)),
    ),
    st.sampled_from([making.GRAPH, ex("other")]),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.frozensets(facts), st.frozensets(facts)), max_size=6))
def test_the_commits_replayed_are_what_the_store_holds(
    patches: list[tuple[frozenset[Quad], frozenset[Quad]]],
) -> None:
    with TemporaryDirectory() as folder:
        ledger = making.ledger(Path(folder))
        for adds, deletes in patches:
            ledger.commit(patch(adds, deletes))
        standing: set[Quad] = set()
        for _, added, deleted in ledger.changes(0):
            assert not standing & set(added)
            assert standing >= set(deleted)
            standing = (standing | set(added)) - set(deleted)
        held = {q for q in ledger._store.quads() if q.graph_name != terms.GRAPH_LEDGER}
        assert held == standing
        report = ledger.verify()
        assert (report.intact, report.quads) == (True, len(held))
