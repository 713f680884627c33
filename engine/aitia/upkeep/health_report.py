"""An inspection as RDF, in the terms of the Data Quality Vocabulary (DQV)."""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import NamedNode, Quad, RdfFormat, Triple, serialize

from aitia import terms
from aitia.prefixes import used
from aitia.upkeep.health import Health, Item, Measured
from aitia.vocab import AITIA, DCTERMS, DQV, OA, PROV, RDF, RDFS


def turtle(health: Health) -> str:
    """Return an inspection as Turtle.

    A `dqv:QualityMeasurementDataset` with a `dqv:QualityMeasurement` for each metric,
    and a `dqv:QualityAnnotation` for each thing that is listed.
    """
    triples = list(_triples(health))
    text = "".join(f"{triple} .\n" for triple in triples)
    made = serialize(triples, format=RdfFormat.TURTLE, prefixes=used(text))
    assert made is not None  # without an output it returns bytes
    return made.decode("utf-8")


def _triples(health: Health) -> Iterator[Triple]:
    whole = NamedNode(f"{terms.BASE}inspection:{terms.new_id()}")
    yield Triple(whole, RDF.type, DQV.QualityMeasurementDataset)
    yield Triple(whole, PROV.generatedAtTime, terms.time(health.when))
    for item in health.measured:
        yield from _measurement(whole, item)


def _measurement(whole: NamedNode, measured: Measured) -> Iterator[Triple]:
    name = measured.metric.value.removeprefix(AITIA.NS)
    node = terms.part(whole, name)
    yield Triple(node, RDF.type, DQV.QualityMeasurement)
    yield Triple(node, DCTERMS.isPartOf, whole)
    yield Triple(node, DQV.isMeasurementOf, measured.metric)
    yield Triple(node, DQV.computedOn, terms.GRAPH_CURRENT)
    yield Triple(node, DQV.value, terms.integer(measured.count))
    for number, item in enumerate(measured.items, 1):
        yield from _annotation(terms.part(node, "item", number), node, item)


def _annotation(node: NamedNode, measured: NamedNode, item: Item) -> Iterator[Triple]:
    yield Triple(node, RDF.type, DQV.QualityAnnotation)
    yield Triple(node, DCTERMS.isPartOf, measured)
    yield Triple(node, RDFS.comment, terms.string(item.text))
    if item.fact is None:
        yield Triple(node, OA.hasTarget, NamedNode(item.iri))
        return
    target = terms.part(node, "fact")
    yield Triple(node, OA.hasTarget, target)
    yield from _reified(target, item.fact)


def _reified(node: NamedNode, fact: Quad) -> Iterator[Triple]:
    yield Triple(node, RDF.type, RDF.Statement)
    yield Triple(node, RDF.subject, fact.subject)
    yield Triple(node, RDF.predicate, fact.predicate)
    yield Triple(node, RDF.object, fact.object)
