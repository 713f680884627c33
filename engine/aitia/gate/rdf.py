"""Between the store's terms and rdflib's, and the graph that pySHACL is shown.

pySHACL must never be shown the store itself: Oxigraph types its plain strings, which
rdflib holds unequal to untyped ones, and rdflib rewrites literals unless it is told not
to. Here strings are plain and every other literal keeps its text.
"""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import rdflib
from pyoxigraph import BlankNode, Literal, NamedNode, Triple
from rdflib.term import BNode, Literal as RdfLiteral, Node as RdfNode, URIRef

from aitia.gate.index import Term
from aitia.vocab import XSD

RdfTriple = tuple[RdfNode, RdfNode, RdfNode]
_Values = dict[RdfNode, dict[RdfNode, dict[RdfNode, None]]]
_STRING = XSD.string


class Terms:
    """Turns terms into rdflib's, each only once, with predicates renamed on request.

    Attributes:
        renamed: Predicate → the predicate that it is called in rdflib's graphs.
    """

    def __init__(self, renamed: Mapping[NamedNode, NamedNode] | None = None) -> None:
        self._known: dict[Term, RdfNode] = {}
        self.renamed = dict(renamed or {})
        self._original = {new: old for old, new in self.renamed.items()}

    def there(self, term: Term) -> RdfNode:
        """Return the rdflib form of a term."""
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = _there(term)
        return found

    def predicate(self, term: NamedNode) -> RdfNode:
        """Return the rdflib form of a predicate, renamed where that was asked."""
        return self.there(self.renamed.get(term, term))

    def back(self, node: Any) -> Term:
        """Return the store's form of an rdflib term."""
        if isinstance(node, URIRef):
            named = NamedNode(str(node))
            return self._original.get(named, named)
        if isinstance(node, BNode):
            return BlankNode(str(node))
        return _literal(node)


def _there(term: Term) -> RdfNode:
    if isinstance(term, Triple):
        raise TypeError("pySHACL cannot judge triple terms")
    if isinstance(term, NamedNode):
        return URIRef(term.value)
    if isinstance(term, BlankNode):
        return BNode(term.value)
    if term.language:
        return RdfLiteral(term.value, lang=term.language)
    if term.datatype == _STRING:
        return RdfLiteral(term.value)
    return RdfLiteral(term.value, datatype=URIRef(term.datatype.value), normalize=False)


def _literal(node: Any) -> Literal:
    if node.language:
        return Literal(str(node), language=str(node.language))
    if node.datatype:
        return Literal(str(node), datatype=NamedNode(str(node.datatype)))
    return Literal(str(node))


class Facts(rdflib.Graph):
    """An rdflib graph that answers the look-ups of pySHACL from plain dictionaries.

    It holds what one judgement needs and is made anew for each, which rdflib's own
    store makes several times dearer. SPARQL and everything else work through `triples`.
    """

    def __init__(self, triples: Iterable[RdfTriple] = ()) -> None:
        super().__init__(bind_namespaces="none")
        self._out: _Values = {}
        self._in: _Values = {}
        for subject, predicate, value in triples:
            self.put(subject, predicate, value)

    def put(self, subject: RdfNode, predicate: RdfNode, value: RdfNode) -> None:
        """Add a triple by its parts."""
        self._out.setdefault(subject, {}).setdefault(predicate, {})[value] = None
        self._in.setdefault(value, {}).setdefault(predicate, {})[subject] = None

    def __bool__(self) -> bool:
        # pySHACL asks this for each result, and rdflib would count the whole graph.
        return True

    def __len__(self) -> int:
        return sum(len(v) for ps in self._out.values() for v in ps.values())

    def add(self, triple: Any) -> Facts:
        """Add a triple."""
        self.put(*triple)
        return self

    def objects(
        self, subject: Any = None, predicate: Any = None, unique: bool = False
    ) -> Any:
        """Yield the objects of a subject by a predicate."""
        if subject is None or predicate is None or not isinstance(predicate, RdfNode):
            return super().objects(subject, predicate, unique)
        return iter(tuple(self._out.get(subject, {}).get(predicate, ())))

    def subjects(
        self, predicate: Any = None, object: Any = None, unique: bool = False
    ) -> Any:
        """Yield the subjects that have an object by a predicate."""
        if object is None or not isinstance(predicate, RdfNode):
            return super().subjects(predicate, object, unique)
        return iter(tuple(self._in.get(object, {}).get(predicate, ())))

    def triples(self, triple: Any) -> Any:
        """Yield the triples that match; None matches everything."""
        subject, predicate, value = triple
        if not (predicate is None or isinstance(predicate, URIRef)):
            yield from super().triples(triple)
        elif subject is not None:
            for p, values in _matching(self._out.get(subject, {}), predicate):
                for o in _either(values, value):
                    yield subject, p, o
        elif value is not None:
            for p, values in _matching(self._in.get(value, {}), predicate):
                for s in values:
                    yield s, p, value
        else:
            for s, found in self._out.items():
                for p, values in _matching(found, predicate):
                    for o in values:
                        yield s, p, o


class FactsView:
    """A graph in rdflib's form, seen in the store's terms."""

    def __init__(self, graph: Facts, terms: Terms) -> None:
        self._graph, self._terms = graph, terms

    def values(self, node: Term, predicate: NamedNode) -> list[Term]:
        """Return the objects of a node by a predicate."""
        found = self._graph.objects(self._terms.there(node), URIRef(predicate.value))
        return [self._terms.back(value) for value in found]

    def around(self, node: Term) -> list[tuple[NamedNode, Term]]:
        """Return every predicate and object of a node."""
        found = self._graph.predicate_objects(self._terms.there(node))
        return [(NamedNode(str(p)), self._terms.back(value)) for p, value in found]


def _matching(
    found: dict[RdfNode, dict[RdfNode, None]], predicate: RdfNode | None
) -> Iterable[tuple[RdfNode, dict[RdfNode, None]]]:
    if predicate is None:
        return list(found.items())
    return [(predicate, found[predicate])] if predicate in found else []


def _either(values: dict[RdfNode, None], wanted: RdfNode | None) -> Iterable[RdfNode]:
    if wanted is None:
        return list(values)
    return [wanted] if wanted in values else []


class _Silence:
    """What rdflib and pySHACL would say, switched off while anybody asks for quiet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asking = 0
        self._undo = ExitStack()

    def begin(self) -> None:
        """Switch off, if nobody did."""
        with self._lock:
            self._asking += 1
            if self._asking == 1:
                self._switch_off()

    def end(self) -> None:
        """Switch on again, if nobody else asks for quiet."""
        with self._lock:
            self._asking -= 1
            if self._asking == 0:
                self._undo.close()

    def _switch_off(self) -> None:
        for name in ("rdflib.term", "rdflib", "pyshacl"):
            logger = logging.getLogger(name)
            self._undo.callback(setattr, logger, "disabled", logger.disabled)
            logger.disabled = True
        self._undo.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")


_SILENCE = _Silence()


@contextmanager
def quiet() -> Iterator[None]:
    """Keep rdflib and pySHACL from talking about bad literals: the report tells."""
    _SILENCE.begin()
    try:
        yield
    finally:
        _SILENCE.end()
