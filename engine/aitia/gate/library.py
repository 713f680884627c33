"""The users' shapes on record: which there are, and how one is added."""

from __future__ import annotations

from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, Quad

from aitia import resources, terms
from aitia.blobs import Blobs
from aitia.errors import ShapeViolation, UsageError
from aitia.gate.index import Index
from aitia.gate.lint import is_shape, lint
from aitia.gate.report import Report
from aitia.gate.rulebook import SHAPES_NS
from aitia.gate.shapes import read
from aitia.model import Patch
from aitia.store import OxigraphStore, Reader
from aitia.vocab import AITIA, PROV, RDF, RDFS

GRAPH = terms.GRAPH_SHAPES


@dataclass(frozen=True)
class ShapeFile:
    """One version of a file of shapes.

    Attributes:
        iri: Its IRI.
        name: Its name; a file added under the same name takes its place.
        blob: The name of the blob that holds its text.
        since: When it was added, as xsd:dateTime.
        until: When another took its place, or "".
        agent: The IRI of who added it.
        location: Where it was read from, or "".
    """

    iri: str
    name: str
    blob: str
    since: str
    until: str = ""
    agent: str = ""
    location: str = ""

    @property
    def in_use(self) -> bool:
        """Whether the gate judges by it."""
        return not self.until


def files(store: Reader) -> list[ShapeFile]:
    """Return every version of every shape file on record, by name and age."""
    rows = store.select(resources.query("gate", "shape_files"))
    return [
        ShapeFile(
            iri=row["file"].value,
            name=row["name"].value,
            blob=row["blob"].value,
            since=row["since"].value,
            until=row["until"].value if "until" in row else "",
            agent=row["agent"].value,
            location=row["location"].value if "location" in row else "",
        )
        for row in rows
    ]


def texts(store: Reader, blobs: Blobs) -> dict[str, str]:
    """Return name → Turtle of the users' shapes in use.

    Raises:
        NotFound: The blob of one is gone; `aitia verify` tells more.
    """
    return {file.name: blobs.text(file.blob) for file in files(store) if file.in_use}


def check(name: str, text: str) -> None:
    """Refuse shapes that must not judge every change.

    Raises:
        UsageError: The text is not Turtle, would check nothing, holds what pySHACL
            passes over, costs too much, or speaks for aitia; the message says what.
    """
    from aitia.gate.whole import refuse

    index = Index(read(text, name))
    refuse([*lint(index, for_gate=True), *_own(index)], name)


def impact(
    store: OxigraphStore, name: str, text: str, *, strict: bool = False
) -> Report:
    """Return what shapes find on record, before they are made part of the gate.

    Args:
        store: What is on record.
        name: The name of the shapes.
        text: The shapes, as Turtle.
        strict: Raise where something blocks.

    Raises:
        UsageError: They must not judge every change; the message says why.
        ShapeViolation: `strict`, and something on record breaks them.
    """
    from aitia.gate import sets
    from aitia.gate.whole import validate_store

    check(name, text)
    report = validate_store(store, [sets.of_user(name, text)], with_rules=False)
    if strict and not report.conforms:
        raise ShapeViolation(
            f"Something on record breaks the shapes {name!r} already.",
            report.violations,
            report.turtle,
        )
    return report


def _own(index: Index) -> list[str]:
    """Find what would speak for aitia itself."""
    found = []
    for node in index.all_subjects():
        if isinstance(node, NamedNode) and node.value.startswith((SHAPES_NS, AITIA.NS)):
            found.append(f"<{node.value}> is aitia's own; give the shape another IRI.")
    for lower in index.subjects(RDFS.subClassOf):
        for upper in index.nodes(lower, RDFS.subClassOf):
            if isinstance(upper, NamedNode) and upper.value.startswith(AITIA.NS):
                found.append(f"A class axiom may not speak of <{upper.value}>.")
    return found


def addition(
    store: Reader,
    blobs: Blobs,
    name: str,
    text: str,
    agent: str,
    location: str = "",
) -> Patch:
    """Return the patch that adds a shape file, in place of one of the same name.

    The text is kept as a blob. A file whose text is in use under that name already
    gives an empty patch.

    Args:
        store: What is on record.
        blobs: Where the text is kept.
        name: What to call the file.
        text: The shapes, as Turtle.
        agent: Who adds it, by name.
        location: Where it was read from, as an IRI.

    Raises:
        UsageError: The shapes must not judge every change, or clash with another file.
    """
    check(name, text)
    who = terms.agent_iri(agent)
    known = [file for file in files(store) if file.in_use]
    _refuse_clash(name, text, [file for file in known if file.name != name], blobs)
    blob = blobs.put(text.encode("utf-8"))
    before = [file for file in known if file.name == name]
    if any(file.blob == blob for file in before):
        return Patch(frozenset(), agent=who)
    when = terms.time(terms.now())
    node = NamedNode(f"{terms.BASE}shapes:{terms.short_hash(name, blob, when.value)}")
    quads = [
        Quad(node, RDF.type, AITIA.ShapeFile, GRAPH),
        Quad(node, RDFS.label, terms.string(name), GRAPH),
        Quad(node, AITIA.shapesBlob, terms.string(blob), GRAPH),
        Quad(node, PROV.generatedAtTime, when, GRAPH),
        Quad(node, PROV.wasAttributedTo, who, GRAPH),
    ]
    if location:
        quads.append(Quad(node, AITIA.location, terms.any_uri(location), GRAPH))
    for old in before:
        quads += _replaced(node, NamedNode(old.iri), when)
    if next(store.quads(who, RDF.type), None) is None:
        quads += _agent(who, agent)
    return Patch(frozenset(quads), agent=who)


def _replaced(new: NamedNode, old: NamedNode, when: Literal) -> list[Quad]:
    return [
        Quad(new, PROV.wasRevisionOf, old, GRAPH),
        Quad(old, PROV.invalidatedAtTime, when, GRAPH),
    ]


def _agent(agent: NamedNode, name: str) -> list[Quad]:
    catalog = terms.GRAPH_CATALOG
    return [
        Quad(agent, RDF.type, AITIA.Person, catalog),
        Quad(agent, RDFS.label, terms.string(name), catalog),
    ]


def _refuse_clash(name: str, text: str, others: list[ShapeFile], blobs: Blobs) -> None:
    """Refuse a shape that another file has as well: which of the two would hold?"""
    mine = _shapes_in(text, name)
    for other in others:
        for iri in sorted(mine & _shapes_in(blobs.text(other.blob), other.name)):
            raise UsageError(
                f"The shape <{iri}> is in the shape file {other.name!r} already.",
                hint=f"Give it another IRI, or add the file with --name {other.name!r}"
                " to take that one's place.",
            )


def _shapes_in(text: str, name: str) -> set[str]:
    index = Index(read(text, name))
    return {
        node.value
        for node in index.all_subjects()
        if isinstance(node, NamedNode) and is_shape(index, node)
    }
