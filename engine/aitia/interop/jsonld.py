"""JSON-LD by our context, written node by node; nothing is fetched from anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pyoxigraph import Literal, NamedNode, Quad

from aitia import resources
from aitia.interop.select import graph_of
from aitia.vocab import RDF, XSD


@dataclass(frozen=True)
class Term:
    """A term of the context that stands for a property.

    Attributes:
        name: The key.
        kind: What its values are unless they say otherwise: `@id`, `@vocab`, the IRI of
            a datatype, or "".
        many: Whether its values stand in a list even where there is one.
    """

    name: str
    kind: str = ""
    many: bool = False


def lines(quads: Sequence[Quad]) -> Iterator[str]:
    """Yield quads as JSON-LD, compacted by `ontology/context.jsonld`.

    The context stands in the document itself, so that it can be read offline.

    Args:
        quads: Sorted by graph and subject.
    """
    context = Context.load(_schemes(quads))
    yield '{\n"@context": ' + _json(context.written) + ',\n"@graph": ['
    before = "\n"
    for graph, group in groupby(quads, key=graph_of):
        head, end = ("", "")
        if graph:
            head, end = f'{{"id": {_json(graph)}, "@graph": [\n', "\n]}"
        nodes = (_json(node) for node in _nodes(group, context))
        yield before + head + next(nodes)
        yield from (f",\n{node}" for node in nodes)
        yield end
        before = ",\n"
    yield "\n]\n}\n"


class Context:
    """The context, read once: how IRIs and values are shortened by it.

    Attributes:
        written: The context as it is written into the document.
    """

    def __init__(self, written: Mapping[str, Any]) -> None:
        self.written = written
        self._names: dict[str, str] = {}
        self._terms: dict[str, Term] = {}
        self._prefixes: dict[str, str] = {}
        for name, value in written.items():
            self._learn(name, value)

    @classmethod
    def load(cls, schemes: set[str]) -> Context:
        """Return our context, without the prefixes that `schemes` would be taken for.

        An IRI of somebody's own whose scheme is `prov` would otherwise be read by ours.
        """
        whole = json.loads(resources.text("ontology", "context.jsonld"))["@context"]
        prefixes = {k: v for k, v in whole.items() if _is_prefix(v)}
        full = {name: _full(value, prefixes) for name, value in whole.items()}
        return cls(
            {k: v for k, v in full.items() if k not in schemes or not _is_prefix(v)}
        )

    def name(self, iri: str) -> str:
        """Return a class or one of our values by its term, any other IRI by a prefix."""
        return self._names.get(iri) or self._prefixed(iri)

    def term(self, iri: str) -> Term:
        """Return the term of a property; one made of the IRI where there is none."""
        return self._terms.get(iri) or Term(self._prefixed(iri))

    def value(self, value: object, term: Term) -> Any:
        """Return a value as it stands under a term."""
        if isinstance(value, NamedNode):
            if term.kind == "@vocab":
                return self.name(value.value)
            return value.value if term.kind == "@id" else {"id": value.value}
        assert isinstance(value, Literal)
        if value.language:
            return {"@value": value.value, "@language": value.language}
        kind = value.datatype.value
        plain = kind == XSD.string.value
        if kind == term.kind or (plain and not term.kind):
            return value.value
        if plain:
            return {"@value": value.value}
        return {"@value": value.value, "type": self._prefixed(kind)}

    def _learn(self, name: str, value: Any) -> None:
        if isinstance(value, Mapping):
            many = value.get("@container") == "@set"
            term = Term(name, value.get("@type", ""), many)
            self._terms[value["@id"]] = term
        elif _is_prefix(value):
            self._prefixes[name] = value
        elif isinstance(value, str) and not value.startswith("@"):
            self._names[value] = name
            self._terms.setdefault(value, Term(name))

    def _prefixed(self, iri: str) -> str:
        for prefix, namespace in self._prefixes.items():
            if iri.startswith(namespace) and len(iri) > len(namespace):
                local = iri.removeprefix(namespace)
                return f"{prefix}:{local}" if not local.startswith("//") else iri
        return iri


def _nodes(quads: Iterable[Quad], context: Context) -> Iterator[dict[str, Any]]:
    for subject, group in groupby(quads, key=lambda quad: quad.subject):
        assert isinstance(subject, NamedNode)
        node: dict[str, Any] = {"id": subject.value}
        values: dict[str, list[Any]] = {}
        for quad in group:
            if quad.predicate == RDF.type and isinstance(quad.object, NamedNode):
                values.setdefault("type", []).append(context.name(quad.object.value))
                continue
            term = context.term(quad.predicate.value)
            found = values.setdefault(term.name, [])
            found.append(context.value(quad.object, term))
            if term.many:
                node[term.name] = found
        for name, found in values.items():
            if name not in node:
                node[name] = found if len(found) > 1 else found[0]
        yield node


def _schemes(quads: Iterable[Quad]) -> set[str]:
    """Return the schemes of all IRIs that a prefix could be mistaken for."""
    found = set()
    for quad in quads:
        for term in (quad.subject, quad.predicate, quad.object, quad.graph_name):
            if isinstance(term, NamedNode):
                scheme, _, rest = term.value.partition(":")
                if not rest.startswith("//"):
                    found.add(scheme)
    return found


def _is_prefix(value: object) -> bool:
    return isinstance(value, str) and value.startswith("http") and value[-1] in "#/"


def _full(value: Any, prefixes: Mapping[str, str]) -> Any:
    """Return a definition with its IRIs in full, so that each stands for itself."""
    if isinstance(value, Mapping):
        return {key: _full(item, prefixes) for key, item in value.items()}
    if isinstance(value, str):
        prefix, colon, local = value.partition(":")
        if colon and prefix in prefixes:
            return prefixes[prefix] + local
    return value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
