"""Rules over long paths and whole graphs, asked of the store with the patch laid over.

They are no shapes because SHACL would have to read without end or see which graph a
triple stands in. Each starts from what the patch touches, so its cost is the patch's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.gate.change import Change
from aitia.gate.cycles import closed
from aitia.gate.graphs import is_ours
from aitia.gate.index import Node, Term, text_of
from aitia.gate.literals import is_ill_typed, moment
from aitia.gate.overlay import Overlay
from aitia.gate.readsets import ReadSets
from aitia.gate.result import Result
from aitia.gate.rulebook import (
    COVERED,
    DEFINED_TERM,
    LEDGER_ALONE,
    LINK_STATED,
    MIRRORED,
    NO_CYCLE,
    NO_DANGLING,
    NO_LOOP,
    QUOTE_INSIDE,
    TIME_ORDER,
    WELL_TYPED,
)
from aitia.gate.shapes import Ontology, local_name
from aitia.gate.steps import of_proposals
from aitia.model.links import LINKS
from aitia.vocab import AITIA, DCTERMS, PROV, RDF, XSD

_TREES: Final = (AITIA.subgoalOf, AITIA.dependsOn, AITIA.partOf, AITIA.replaces)
_LINK_PARTS: Final = (AITIA.linkFrom, AITIA.linkKind, AITIA.linkTo)


def in_our_graphs(
    change: Change, overlay: Overlay, ontology: Ontology
) -> Iterator[Result]:
    """Check everything that a change does to our own graphs."""
    adds, deletes, both = change.our_adds, change.our_deletes, change.ours
    if terms.GRAPH_LEDGER in change.graphs:
        yield LEDGER_ALONE.broken(terms.GRAPH_LEDGER, "would be changed by a patch")
    yield from _literals(adds)
    yield from _terms(adds, ontology)
    yield from _dangling(overlay, adds, deletes)
    yield from _mirrors(overlay, both)
    yield from _cycles(overlay, adds)
    yield from _links(overlay, adds, deletes)
    yield from _quotes(overlay, both)
    yield from _times(overlay, adds)
    yield from of_proposals(overlay, adds, deletes)


def _literals(adds: list[Quad]) -> Iterator[Result]:
    for quad in adds:
        value = quad.object
        if isinstance(value, Literal) and is_ill_typed(value):
            kind = local_name(value.datatype)
            name = local_name(quad.predicate)
            found = f'has "{value.value}" as {name}, which is no xsd:{kind}'
            yield WELL_TYPED.broken(quad.subject, found, value)


def _terms(adds: list[Quad], ontology: Ontology) -> Iterator[Result]:
    """Find terms of our namespace that nothing defines: slips of the pen."""
    for quad in adds:
        for term in (quad.subject, quad.predicate, quad.object):
            if (
                isinstance(term, NamedNode)
                and term.value.startswith(AITIA.NS)
                and term not in ontology.defined
            ):
                found = f"is described with {term.value}, which is not defined"
                yield DEFINED_TERM.broken(quad.subject, found, term)


def covered(
    subjects: Iterable[Term], overlay: Overlay, reads: ReadSets
) -> Iterator[Result]:
    """Find subjects in our graphs that no shape speaks of."""
    for subject in subjects:
        if reads.speak_of(overlay, subject):
            continue
        if not any(is_ours(q.graph_name) for q in overlay.quads_of(subject)):
            continue
        kinds = sorted(local_name(kind) for kind in overlay.types(subject))
        found = f"is of type {', '.join(kinds)}" if kinds else "has no type"
        yield COVERED.broken(subject, f"{found}, and no shape speaks of it")


def _dangling(
    overlay: Overlay, adds: list[Quad], deletes: list[Quad]
) -> Iterator[Result]:
    for quad in adds:
        value = quad.object
        if _is_own_node(value) and not overlay.exists(value):
            found = f"points to {_id(value)} by {local_name(quad.predicate)}, which is"
            yield NO_DANGLING.broken(quad.subject, f"{found} not on record", value)
    for subject in dict.fromkeys(quad.subject for quad in deletes):
        if not _is_own_node(subject) or overlay.exists(subject):
            continue
        for quad in overlay.quads_to(subject):
            if is_ours(quad.graph_name):
                found = f"would go while {_id(quad.subject)} points to it"
                yield NO_DANGLING.broken(subject, found, quad.subject)


def _is_own_node(term: Term) -> bool:
    """Tell whether a term names something that must be on record: not a graph."""
    return (
        isinstance(term, NamedNode)
        and term.value.startswith(terms.BASE)
        and not term.value.startswith(terms.BASE + "graph:")
    )


def _id(term: Term) -> str:
    return text_of(term).removeprefix(terms.BASE)


def _mirrors(overlay: Overlay, quads: list[Quad]) -> Iterator[Result]:
    """Find causal links without hasCause beside them, and the other way round."""
    pairs: dict[tuple[Node, Term], None] = {}
    for quad in quads:
        kind = LINKS.get(quad.predicate)
        if quad.predicate == AITIA.hasCause or (kind and kind.effect_is_subject):
            pairs[quad.subject, quad.object] = None
        elif kind and not isinstance(quad.object, Literal):
            pairs[quad.object, quad.subject] = None
    for effect, cause in pairs:
        mirrored = overlay.states(effect, AITIA.hasCause, cause)
        linked = any(_linked(overlay, kind, effect, cause) for kind in LINKS)
        if linked and not mirrored:
            found = f"has a causal link from {_id(cause)} without hasCause beside it"
            yield MIRRORED.broken(effect, found, cause)
        elif mirrored and not linked:
            found = f"has the cause {_id(cause)} without a causal link that says which"
            yield MIRRORED.broken(effect, found, cause)


def _linked(overlay: Overlay, kind: NamedNode, effect: Term, cause: Term) -> bool:
    if LINKS[kind].effect_is_subject:
        return overlay.states(effect, kind, cause)
    return overlay.states(cause, kind, effect)


def _cycles(overlay: Overlay, adds: list[Quad]) -> Iterator[Result]:
    """Find cycles that a new cause, or a new place in a tree, closes."""
    for predicate in (AITIA.hasCause, *_TREES):
        rule = NO_CYCLE if predicate == AITIA.hasCause else NO_LOOP
        for path in closed(overlay, predicate, adds):
            names = " ← … ← ".join(_id(node) for node in path[:4])
            found = f"comes back to itself by {local_name(predicate)}: {names}"
            yield rule.broken(path[0], found)


def _links(overlay: Overlay, adds: list[Quad], deletes: list[Quad]) -> Iterator[Result]:
    """Find link nodes that describe a triple which does not stand."""
    touched = (quad for quad in (*adds, *deletes) if quad.predicate in _LINK_PARTS)
    nodes: dict[Term, None] = {quad.subject: None for quad in touched}
    for quad in deletes:
        link = LINKS.get(quad.predicate)
        if link and link.effect_is_subject:
            nodes |= dict.fromkeys(overlay.subjects(quad.subject, AITIA.linkFrom))
        elif link:
            nodes |= dict.fromkeys(overlay.subjects(quad.object, AITIA.linkTo))
    for node in nodes:
        for start, kind, end in product(
            *(overlay.values(node, part) for part in _LINK_PARTS)
        ):
            if isinstance(kind, NamedNode) and overlay.states(start, kind, end):
                continue
            found = f"describes {_id(start)} {local_name(kind)} {_id(end)}"
            yield LINK_STATED.broken(node, f"{found}, which is not stated")


def _quotes(overlay: Overlay, quads: list[Quad]) -> Iterator[Result]:
    """Find quotes that reach beyond their passage."""
    nodes: dict[Term, None] = {}
    for quad in quads:
        if quad.predicate not in (AITIA.start, AITIA.end, DCTERMS.isPartOf, RDF.type):
            continue
        nodes[quad.subject] = None
        if AITIA.Passage in overlay.types(quad.subject):
            nodes |= dict.fromkeys(overlay.subjects(quad.subject, DCTERMS.isPartOf))
    for quote in nodes:
        if AITIA.Quote not in overlay.types(quote):
            continue
        for passage in overlay.values(quote, DCTERMS.isPartOf):
            starts = _numbers(overlay, quote, AITIA.start)
            ends = _numbers(overlay, quote, AITIA.end)
            low = _numbers(overlay, passage, AITIA.start)
            high = _numbers(overlay, passage, AITIA.end)
            before = starts and low and min(starts) < min(low)
            beyond = ends and high and max(ends) > max(high)
            if before or beyond:
                found = f"reaches beyond its passage {_id(passage)}"
                yield QUOTE_INSIDE.broken(quote, found, passage)


def _numbers(overlay: Overlay, node: Term, predicate: NamedNode) -> list[int]:
    found = overlay.values(node, predicate)
    return [
        int(value.value)
        for value in found
        if isinstance(value, Literal)
        and value.datatype == XSD.integer
        and not is_ill_typed(value)
    ]


def _times(overlay: Overlay, adds: list[Quad]) -> Iterator[Result]:
    """Find effects that were over before their cause began."""
    timed = (PROV.startedAtTime, PROV.endedAtTime, PROV.generatedAtTime)
    links: dict[tuple[Node, Term], None] = {}
    for quad in adds:
        node = quad.subject
        if quad.predicate == AITIA.hasCause:
            links[node, quad.object] = None
        elif quad.predicate in timed:
            for cause in overlay.values(node, AITIA.hasCause):
                links[node, cause] = None
            for effect in overlay.subjects(node, AITIA.hasCause):
                links[effect, node] = None
    for effect, cause in links:
        ends = [m for t in timed for v in overlay.values(effect, t) if (m := moment(v))]
        begins = [
            m for t in timed for v in overlay.values(cause, t) if (m := moment(v))
        ]
        if ends and begins and max(ends) < min(begins):
            found = f"was over before its cause {_id(cause)} began"
            yield TIME_ORDER.broken(effect, found, cause)
