"""Conflicts of kinds: disjoint classes, ranges, and what is or is not the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pyoxigraph import Literal, NamedNode, Triple

from aitia.conflicts import values
from aitia.conflicts.checked import Checked
from aitia.conflicts.found import Found
from aitia.methods.facts import Fact
from aitia.store import Term
from aitia.vocab import OWL, RDF, RDFS, XSD

Because = Mapping[NamedNode, tuple[Triple, ...]]


def disjoint(checked: Checked) -> Iterator[Found]:
    """Yield where the statement puts a resource into classes that share no member."""
    fact = checked.fact
    if fact.predicate == RDF.type and isinstance(fact.object, NamedNode):
        yield from _apart(checked, fact.subject, checked.axioms.classes(fact.object))
        return
    for end, link in ((fact.subject, RDFS.domain), (fact.object, RDFS.range)):
        if isinstance(end, NamedNode):
            yield from _apart(checked, end, _implied(checked, link))


def ranges(checked: Checked) -> Iterator[Found]:
    """Yield where a value is no such value as the property has."""
    value = checked.fact.object
    for property_, steps in checked.axioms.above(checked.fact.predicate).items():
        for wanted in checked.axioms.resources(property_, RDFS.range):
            if _fits(value, wanted):
                continue
            reason = (
                f"{checked.called(property_)} has values of the kind "
                f"{checked.called(wanted)}, and {checked.called(value)} is none"
            )
            axiom = Triple(property_, RDFS.range, wanted)
            yield checked.found("prp-rng", reason, [], (*steps, axiom))
        for kind, fits in (
            (OWL.ObjectProperty, isinstance(value, NamedNode)),
            (OWL.DatatypeProperty, isinstance(value, Literal)),
        ):
            if not fits and checked.axioms.is_a(property_, kind):
                what = "things" if kind == OWL.ObjectProperty else "plain values"
                reason = (
                    f"{checked.called(property_)} has {what} as values, and "
                    f"{checked.called(value)} is none"
                )
                axiom = Triple(property_, RDF.type, kind)
                yield checked.found("prp-rng", reason, [], (*steps, axiom))


def identity(checked: Checked) -> Iterator[Found]:
    """Yield where two things are said to be the same and to be different."""
    fact = checked.fact
    one, other = fact.subject, fact.object
    if not isinstance(other, NamedNode):
        return
    against = {OWL.sameAs: OWL.differentFrom, OWL.differentFrom: OWL.sameAs}
    opposite = against.get(fact.predicate)
    if opposite is None:
        return
    reason = (
        f"{checked.called(one)} and {checked.called(other)} are said to be the same "
        "and to be different"
    )
    for found in (
        *checked.axioms.facts(one, opposite, other),
        *checked.axioms.facts(other, opposite, one),
    ):
        yield checked.found("eq-diff1", reason, [found], ())
    if fact.predicate == OWL.sameAs:
        for cell in checked.axioms.cells(one):
            for holder, members in checked.axioms.listed(cell):
                if other in members and checked.axioms.is_a(holder, OWL.AllDifferent):
                    axiom = Triple(holder, RDF.type, OWL.AllDifferent)
                    yield checked.found("eq-diff2", reason, [], (axiom,))


def relations(checked: Checked) -> Iterator[Found]:
    """Yield where a property holds as it never does: to itself, both ways, beside another."""
    fact, axioms = checked.fact, checked.axioms
    one, other = fact.subject, fact.object
    if not isinstance(other, NamedNode):
        return
    for property_, steps in axioms.above(fact.predicate).items():
        name = checked.called(property_)
        if one == other and axioms.is_a(property_, OWL.IrreflexiveProperty):
            axiom = Triple(property_, RDF.type, OWL.IrreflexiveProperty)
            reason = f"nothing has {name} to itself, and {checked.called(one)} does"
            yield checked.found("prp-irp", reason, [], (*steps, axiom))
        if one != other and axioms.is_a(property_, OWL.AsymmetricProperty):
            axiom = Triple(property_, RDF.type, OWL.AsymmetricProperty)
            reason = (
                f"{name} never holds both ways, and it does between "
                f"{checked.called(one)} and {checked.called(other)}"
            )
            for found in axioms.facts(other, property_, one):
                if checked.meets(found):
                    yield checked.found("prp-asyp", reason, [found], (*steps, axiom))
        yield from _beside(checked, property_, steps)


def _beside(
    checked: Checked, property_: NamedNode, steps: tuple[Triple, ...]
) -> Iterator[Found]:
    """Yield facts of a property that never holds beside this one."""
    fact, axioms = checked.fact, checked.axioms
    link = OWL.propertyDisjointWith
    others = [
        *((x, Triple(property_, link, x)) for x in axioms.resources(property_, link)),
        *((x.subject, x.quad().triple) for x in axioms.facts(None, link, property_)),
    ]
    for other, axiom in others:
        reason = (
            f"{checked.called(property_)} and {checked.called(other)} never hold "
            f"between the same things, and they do between "
            f"{checked.called(fact.subject)} and {checked.called(fact.object)}"
        )
        for found in axioms.facts(fact.subject, other, fact.object):
            if checked.meets(found):
                yield checked.found("prp-pdw", reason, [found], (*steps, axiom))


def _implied(checked: Checked, link: NamedNode) -> Because:
    """Return the classes that the property puts its subject or value into."""
    found: dict[NamedNode, tuple[Triple, ...]] = {}
    for property_, steps in checked.axioms.above(checked.fact.predicate).items():
        for kind in checked.axioms.resources(property_, link):
            axiom = Triple(property_, link, kind)
            for node, more in checked.axioms.classes(kind).items():
                found.setdefault(node, (*steps, axiom, *more))
    return found


def _apart(checked: Checked, node: NamedNode, put: Because) -> Iterator[Found]:
    """Yield the classes of a resource that have no member in common with others.

    Only asserted types are sides; a class that the statement itself implies is not.
    """
    types = {
        kind: because
        for kind, because in checked.types(node).items()
        if because[0] != checked.triple
    }
    for kind, steps in put.items():
        for other, axioms in checked.axioms.disjoint(kind).items():
            if other not in types:
                continue
            stated, *more = types[other]
            reason = (
                f"{checked.called(node)} would be of {checked.called(kind)} and of "
                f"{checked.called(other)}, which have no member in common"
            )
            sides = [x for x in _facts(checked, stated) if checked.meets(x)]
            if sides:
                used = (*steps, *axioms, *more)
                yield checked.found("cax-dw", reason, sides[:1], used)


def _facts(checked: Checked, triple: Triple) -> Iterator[Fact]:
    subject, value = triple.subject, triple.object
    if isinstance(subject, NamedNode) and isinstance(value, NamedNode):
        yield from checked.axioms.facts(subject, triple.predicate, value)


def _fits(value: Term, wanted: NamedNode) -> bool:
    """Tell whether a value is of a range, as far as its own form tells."""
    datatype = wanted.value.startswith(XSD.NS)
    if isinstance(value, NamedNode):
        return not datatype
    if not datatype:
        return wanted in (RDFS.Resource, OWL.Thing) or _is_literal_class(wanted)
    if value.datatype == wanted or wanted == XSD.decimal:
        return value.datatype == wanted or value.datatype in values.NUMBERS
    if value.language:
        return False
    # The store keeps every whole number as xsd:integer, every text range as string.
    kept = {XSD.integer, XSD.string, XSD.dateTime}
    return (
        value.datatype in kept
        and wanted.value.removeprefix(XSD.NS) in _DERIVED[value.datatype]
    )


_DERIVED = {
    XSD.integer: frozenset(
        [
            "int",
            "long",
            "short",
            "byte",
            "nonNegativeInteger",
            "positiveInteger",
            "nonPositiveInteger",
            "negativeInteger",
            "unsignedInt",
            "unsignedLong",
            "unsignedShort",
            "unsignedByte",
        ]
    ),
    XSD.string: frozenset(
        ["normalizedString", "token", "language", "Name", "NCName", "NMTOKEN"]
    ),
    XSD.dateTime: frozenset({"dateTimeStamp"}),
}
"""Datatype → those derived from it, which the store writes as it."""


def _is_literal_class(wanted: NamedNode) -> bool:
    return wanted.value in (RDFS.NS + "Literal", RDF.NS + "langString")
