"""Says what each node and link of a walk is: kind, words, basis, confidence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia import resources, terms
from aitia.lookup import imported
from aitia.model.graph import CausalLink
from aitia.model.links import LINKS
from aitia.store import Reader
from aitia.vocab import AITIA, DCTERMS, RDF, RDFS
from aitia.why.walk import Walk

Term = NamedNode | Literal
Facts = Mapping[NamedNode, list[Term]]

DESCRIBED: Final = resources.query("why", "described")
LINK_NODES: Final = resources.query("why", "link_nodes")

WORDS: Final = (
    AITIA.text,
    AITIA.exact,
    AITIA.description,
    AITIA.mention,
    AITIA.reason,
    RDFS.label,
    DCTERMS.title,
    AITIA.path,
    AITIA.heading,
)
"""Where a node's words are looked for, in this order."""
STATES: Final = (
    AITIA.supportState,
    AITIA.hypothesisState,
    AITIA.status,
    AITIA.documentState,
)


def local(term: Term | None) -> str:
    """Return the local name of an IRI, or "" for none."""
    if not isinstance(term, NamedNode):
        return ""
    return term.value.rpartition("#")[2].rpartition("/")[2].rpartition(":")[2]


class Descriptions:
    """What is on record about nodes.

    Attributes:
        facts: Node IRI → property → values.
    """

    def __init__(self, facts: Mapping[str, Facts] | None = None) -> None:
        self.facts: Mapping[str, Facts] = facts or {}

    def values(self, node: str, prop: NamedNode) -> Sequence[Term]:
        """Return the values of a property of a node."""
        return self.facts.get(node, {}).get(prop, ())

    def one(self, node: str, prop: NamedNode) -> Term | None:
        """Return one value, the smallest where there are several, or None."""
        found = self.values(node, prop)
        return min(found, key=str) if found else None

    def text(self, node: str, prop: NamedNode) -> str:
        """Return one value as text, or ""."""
        found = self.one(node, prop)
        return found.value if found is not None else ""

    def number(self, node: str, prop: NamedNode) -> int | None:
        """Return one value as a whole number, or None."""
        try:
            return int(self.text(node, prop))
        except ValueError:
            return None

    def real(self, node: str, prop: NamedNode) -> float | None:
        """Return one value as a number, or None."""
        try:
            return float(self.text(node, prop))
        except ValueError:
            return None

    def kind(self, node: str) -> str:
        """Return the local name of the node's class, our own classes first."""
        found = sorted(
            (term.value for term in self.values(node, RDF.type)),
            key=lambda iri: (not iri.startswith(AITIA.NS), iri),
        )
        return local(NamedNode(found[0])) if found else ""

    def words(self, node: str) -> str:
        """Return what the node says, or ""."""
        for prop in WORDS:
            if found := self.text(node, prop):
                return found
        if method := self.one(node, AITIA.method):
            return local(method)
        subject, obj = self.one(node, RDF.subject), self.one(node, RDF.object)
        if subject is not None and obj is not None:
            predicate = self.one(node, RDF.predicate)
            return f"{local(subject)} {local(predicate)} {local(obj) or obj.value}"
        return ""

    def state(self, node: str) -> str:
        """Return the local name of the node's status or state, or ""."""
        return next((x for p in STATES if (x := local(self.one(node, p)))), "")


def describe(reader: Reader, nodes: Iterable[str]) -> Descriptions:
    """Return what is on record about each of `nodes`."""
    facts: dict[str, dict[NamedNode, list[Term]]] = {node: {} for node in nodes}
    if facts:
        asked = [NamedNode(node) for node in facts]
        for row in reader.select(DESCRIBED, {"node": asked}):
            prop = row["property"]
            if isinstance(prop, NamedNode):
                facts[row["node"].value].setdefault(prop, []).append(row["value"])
    return Descriptions(facts)


def links(reader: Reader, walk: Walk, shown: Descriptions) -> list[CausalLink]:
    """Return the links between the nodes that `shown` describes, each once.

    A link that no property beside hasCause names has the kind `hasCause`.
    """
    known = _link_nodes(reader, list(shown.facts))
    inferred = _inferred(reader)
    claimed = imported.graphs(reader)
    found: list[CausalLink] = []
    for pair in walk.edges():
        if pair[0] not in shown.facts or pair[1] not in shown.facts:
            continue
        if pair in walk.told:
            found.append(walk.told[pair])
            continue
        made = [
            _link(*pair, kind, known, pair in inferred) for kind in _kinds(shown, *pair)
        ]
        if claimed and _is_claimed(reader, pair, claimed):
            made = [replace(link, basis="claimed") for link in made]
        found.extend(made)
    return found


def _is_claimed(reader: Reader, pair: tuple[str, str], graphs: Collection[str]) -> bool:
    """Return whether only imported runs state a link, whatever basis they claim."""
    effect, cause = map(NamedNode, pair)
    stated = {
        getattr(quad.graph_name, "value", "")
        for quad in reader.quads(effect, AITIA.hasCause, cause)
    }
    stated.discard(terms.GRAPH_INFERRED.value)
    return bool(stated) and stated <= set(graphs)


def _kinds(shown: Descriptions, effect: str, cause: str) -> list[NamedNode]:
    """Return the properties that link the two, as stated at either end."""
    forward, back = NamedNode(cause), NamedNode(effect)
    found = [
        kind
        for kind, how in LINKS.items()
        if (how.effect_is_subject and forward in shown.values(effect, kind))
        or (not how.effect_is_subject and back in shown.values(cause, kind))
    ]
    return found or [AITIA.hasCause]


def _link(
    effect: str,
    cause: str,
    kind: NamedNode,
    known: Mapping[tuple[str, str, str], tuple[str, Descriptions]],
    inferred: bool,
) -> CausalLink:
    how = LINKS.get(kind)
    ends = (effect, cause) if how and how.effect_is_subject else (cause, effect)
    node, facts = known.get((*ends, kind.value), ("", Descriptions()))
    basis = local(facts.one(node, AITIA.basis)) or (local(how.basis) if how else "")
    return CausalLink(
        effect=effect,
        cause=cause,
        kind=local(kind),
        basis="inferred" if inferred else basis,
        sign=how.sign if how else 0,
        confidence=facts.real(node, AITIA.confidence),
        confidence_rule=facts.text(node, AITIA.confidenceRule),
        reason=facts.text(node, AITIA.reason),
        inferred=inferred,
        node=node,
    )


def _link_nodes(
    reader: Reader, nodes: Sequence[str]
) -> dict[tuple[str, str, str], tuple[str, Descriptions]]:
    """Return (from, to, kind) → link node and what is on record about it."""
    facts: dict[str, dict[NamedNode, list[Term]]] = {}
    if nodes:
        bound = {"node": [NamedNode(node) for node in nodes]}
        for row in reader.select(LINK_NODES, bound):
            prop = row["property"]
            if isinstance(prop, NamedNode):
                of_link = facts.setdefault(row["link"].value, {})
                of_link.setdefault(prop, []).append(row["value"])
    told = Descriptions(facts)
    ends = (AITIA.linkFrom, AITIA.linkTo, AITIA.linkKind)
    found = {}
    for node in sorted(facts):
        start, end, kind = (told.text(node, prop) for prop in ends)
        found[start, end, kind] = node, told
    return found


def _inferred(reader: Reader) -> set[tuple[str, str]]:
    """Return the (effect, cause) pairs that stand in the inferred graph."""
    return {
        (quad.subject.value, quad.object.value)
        for quad in reader.quads(None, AITIA.hasCause, None, terms.GRAPH_INFERRED)
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode)
    }
