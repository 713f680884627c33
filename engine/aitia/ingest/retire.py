"""Taking a document out of use: its state, its facts, the links that hang on them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import AmbiguousId, NotFound
from aitia.ingest import document as catalog, look, versions
from aitia.ingest.content import Options
from aitia.ingest.document import CATALOG
from aitia.ingest.literals import stored
from aitia.ingest.reading import content_of, open_bytes
from aitia.ingest.records import PROPERTY, REFERENCE, TYPE
from aitia.ingest.report import RetireReport
from aitia.ingest.sniff import FORMATS
from aitia.ingest.sources import location
from aitia.ingest.versions import Known
from aitia.ledger import Ledger
from aitia.model import Patch
from aitia.store import OxigraphStore, Reader
from aitia.vocab import AITIA, DCTERMS, PROV, RDF


def find(reader: Reader, target: str) -> Known:
    """Return the live document that is meant: by path, IRI, id or start of an id.

    Raises:
        NotFound: There is none.
        AmbiguousId: There are several.
    """
    there = list(versions.live(reader))
    where = location(Path(target))
    tests = (
        lambda item: item.iri.value == target,
        lambda item: item.location == where,
        lambda item: item.path == target,
        lambda item: (
            len(target) > 2 and _id(item).startswith(target.removeprefix("doc:"))
        ),
    )
    for test in tests:
        found = [item for item in there if test(item)]
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousId(
                f"{target!r} fits {len(found)} documents.",
                [_id(item) for item in found],
            )
    raise NotFound(
        f"No document in use is called {target!r}.",
        hint="Give its path, or its id as `aitia ingest --json` tells it.",
    )


def retire(
    store: OxigraphStore,
    blobs: Blobs,
    ledger: Ledger,
    known: Known,
    agent: str,
    *,
    reason: str = "",
) -> RetireReport:
    """Take a document out of use; its history stays.

    Args:
        store: What is on record.
        blobs: The kept originals.
        ledger: What to commit to.
        known: The document.
        agent: Name of who asks for it.
        reason: Why, in words.
    """
    when = terms.now()
    who = terms.agent_iri(agent)
    activity = NamedNode(f"{terms.BASE}retirement:{terms.new_id()}")
    adds, deletes = catalog.out_of_use(known.iri, AITIA.retired, activity, when)
    adds += [
        *catalog.agent(who, agent),
        Quad(activity, RDF.type, AITIA.Retirement, CATALOG),
        Quad(activity, PROV.startedAtTime, terms.time(when), CATALOG),
        Quad(activity, PROV.endedAtTime, terms.time(when), CATALOG),
        Quad(activity, PROV.wasAssociatedWith, who, CATALOG),
    ]
    if reason:
        adds.append(Quad(activity, AITIA.reason, terms.string(reason), CATALOG))
    leaving = set(facts_leaving(store, blobs, known.iri, ()))
    patch = Patch(frozenset(adds), frozenset({*deletes, *leaving}), who, activity)
    record = ledger.commit(patch)
    count = sum(1 for _ in store.quads(None, DCTERMS.isPartOf, known.iri, CATALOG))
    return RetireReport(known.iri.value, known.path, count, len(leaving), record.number)


def facts_leaving(
    reader: Reader, blobs: Blobs, document: NamedNode, staying: Collection[NamedNode]
) -> Iterator[Quad]:
    """Yield the quads that are no longer stated once a document is out of use.

    These are the quads of its own graph; those of graphs that its file names, where no
    other live document states them; and links in other documents' graphs from and to
    records that are no longer described.

    Args:
        reader: What is on record.
        blobs: The kept originals.
        document: The document.
        staying: Records that its new version describes.
    """
    yield from reader.quads(None, None, None, document)
    graphs = _graphs(reader, document)
    if graphs:
        stated = _restated(reader, blobs, document, graphs)
        for other in _sharing(reader, document, graphs):
            stated -= _restated(reader, blobs, other, graphs)
        yield from stated
    for quad in look.quads(reader, None, RDF.type, None, document):
        if quad.object.value.startswith(TYPE):
            yield from _hanging(reader, quad.subject, document, staying)


def _hanging(
    reader: Reader,
    record: NamedNode,
    document: NamedNode,
    staying: Collection[NamedNode],
) -> Iterator[Quad]:
    for quad in reader.quads(record, None, None, None):
        name = quad.predicate.value
        if name.startswith(REFERENCE) and quad.graph_name != document:
            value = NamedNode(PROPERTY + name[len(REFERENCE) :])
            if not _elsewhere(reader, record, value, document):
                yield quad
    if record in staying or _elsewhere(reader, record, RDF.type, document):
        return
    for quad in reader.quads(None, None, record, None):
        if quad.predicate.value.startswith(REFERENCE):
            yield quad


def _elsewhere(
    reader: Reader, record: NamedNode, predicate: NamedNode, document: NamedNode
) -> bool:
    found = reader.quads(record, predicate, None, None)
    return any(quad.graph_name != document for quad in found)


def _graphs(reader: Reader, document: NamedNode) -> set[NamedNode]:
    return set(look.nodes(reader, document, AITIA.containsGraph, CATALOG))


def _sharing(
    reader: Reader, document: NamedNode, graphs: set[NamedNode]
) -> set[NamedNode]:
    """Return the other live documents that fill one of these graphs."""
    found = {
        iri
        for graph in graphs
        for iri in look.subjects(reader, AITIA.containsGraph, graph, CATALOG)
    }
    return {iri for iri in found - {document} if versions.is_live(reader, iri)}


def _restated(
    reader: Reader, blobs: Blobs, document: NamedNode, graphs: set[NamedNode]
) -> set[Quad]:
    """Return what a document's file states in some graphs, by reading it again."""
    known = versions.known(reader, document)
    media = _text(reader, document, DCTERMS.format)
    name = next(item.name for item in FORMATS.values() if item.media_type == media)
    options = Options(format=name)
    opened = open_bytes(blobs.get(known.content_hash), "", options, lambda t: (t, 0))
    content = content_of(opened, "", known.location, document, options, 800)
    assert content.facts is not None
    stated = {quad for quad in content.facts.quads if quad.graph_name in graphs}
    return {_as_stored(reader, quad) for quad in stated}


def _as_stored(reader: Reader, quad: Quad) -> Quad:
    if isinstance(quad.object, Literal):
        return Quad(quad.subject, quad.predicate, stored(quad.object), quad.graph_name)
    return quad


def _text(reader: Reader, subject: NamedNode, predicate: NamedNode) -> str:
    return look.text(reader, subject, predicate, CATALOG)


def _id(known: Known) -> str:
    return known.iri.value.rsplit(":", 1)[-1]
