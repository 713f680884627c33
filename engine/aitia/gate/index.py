"""A small index over the triples of shapes and ontology, in the store's own terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from aitia.gate.shacl import RDF_FIRST, RDF_NIL, RDF_REST

Node = NamedNode | BlankNode | Triple
Term = NamedNode | BlankNode | Literal | Triple
"""Terms as the store's package has them. Triple terms are refused at the door, so in
what is judged there are none."""


def text_of(term: Term) -> str:
    """Return an IRI, a blank node's label or a literal's text."""
    return str(term) if isinstance(term, Triple) else term.value


class Index:
    """Triples by subject and predicate, and by predicate and object."""

    def __init__(self, triples: Iterable[Triple] = ()) -> None:
        self._out: dict[Term, dict[NamedNode, dict[Term, None]]] = {}
        self._in: dict[NamedNode, dict[Term, dict[Node, None]]] = {}
        for triple in triples:
            self.add(triple)

    def add(self, triple: Triple) -> None:
        """Add a triple; one that is already there stays one."""
        subject, predicate, value = triple.subject, triple.predicate, triple.object
        self._out.setdefault(subject, {}).setdefault(predicate, {})[value] = None
        self._in.setdefault(predicate, {}).setdefault(value, {})[subject] = None

    def __iter__(self) -> Iterator[Triple]:
        for subject, predicates in self._out.items():
            if isinstance(subject, Literal):
                continue
            for predicate, values in predicates.items():
                for value in values:
                    yield Triple(subject, predicate, value)

    def __len__(self) -> int:
        return sum(len(v) for ps in self._out.values() for v in ps.values())

    def __contains__(self, node: Term) -> bool:
        return node in self._out

    def objects(self, subject: Term, predicate: NamedNode) -> list[Term]:
        """Return the values of `predicate` at `subject`, in order of appearance."""
        return list(self._out.get(subject, {}).get(predicate, ()))

    def nodes(self, subject: Term, predicate: NamedNode) -> list[Node]:
        """Return the values that are no literals."""
        found = self.objects(subject, predicate)
        return [value for value in found if not isinstance(value, Literal)]

    def value(self, subject: Term, predicate: NamedNode) -> Term | None:
        """Return one value of `predicate` at `subject`, or None."""
        return next(iter(self.objects(subject, predicate)), None)

    def subjects(self, predicate: NamedNode, value: Term | None = None) -> list[Node]:
        """Return the subjects that have `predicate`, with `value` where given."""
        by_value = self._in.get(predicate, {})
        if value is not None:
            return list(by_value.get(value, ()))
        return list(dict.fromkeys(s for found in by_value.values() for s in found))

    def all_subjects(self) -> list[Node]:
        """Return every subject, in order of appearance."""
        return [node for node in self._out if not isinstance(node, Literal)]

    def predicates(self, subject: Term) -> list[NamedNode]:
        """Return the predicates that `subject` has."""
        return list(self._out.get(subject, ()))

    def is_list(self, head: Term) -> bool:
        """Tell whether a node is the head of a whole RDF list."""
        seen: set[Term] = set()
        node = head
        while node != RDF_NIL:
            rest = self.objects(node, RDF_REST)
            if (
                node in seen
                or len(rest) != 1
                or len(self.objects(node, RDF_FIRST)) != 1
            ):
                return False
            seen.add(node)
            node = rest[0]
        return True

    def items(self, head: Term) -> list[Term]:
        """Return the members of an RDF list; stops where the list is broken."""
        found: list[Term] = []
        seen: set[Term] = set()
        node: Term | None = head
        while node is not None and node != RDF_NIL and node not in seen:
            seen.add(node)
            found += self.objects(node, RDF_FIRST)[:1]
            node = self.value(node, RDF_REST)
        return found
