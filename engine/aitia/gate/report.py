"""What a validation found: for a person, for a program, and as sh:ValidationReport."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from aitia import terms
from aitia.gate.index import Index, Term
from aitia.gate.result import Result
from aitia.gate.shacl import RDF_FIRST, RDF_REST, sh, terms as listed
from aitia.model import Violation
from aitia.vocab import AITIA, RDF, SH, XSD

_PREFIXES: Final = {
    "sh": SH.NS,
    "xsd": XSD.NS,
    "aitia": AITIA.NS,
    "shape": "https://w3id.org/aitia/shapes#",
}


_PATH_PARTS: Final = listed(
    "inversePath alternativePath zeroOrMorePath oneOrMorePath zeroOrOnePath"
)


@dataclass(frozen=True)
class Report:
    """The outcome of a validation.

    Attributes:
        violations: Everything found, warnings and remarks included, in plain words.
        checked: Shape IRI, or name where it has none → focus nodes checked.
        unchecked: How many subjects no shape spoke of; -1 where that was not counted.
        results: What was found, as SHACL has it.
        shapes: The shapes graph, for what the results name of it.
    """

    violations: tuple[Violation, ...]
    checked: Mapping[str, int]
    unchecked: int = -1
    results: tuple[Result, ...] = ()
    shapes: Index = field(default_factory=Index, repr=False, compare=False)

    @property
    def conforms(self) -> bool:
        """Whether nothing was found that blocks; warnings and remarks do not."""
        return not any(v.severity not in ("Warning", "Info") for v in self.violations)

    @property
    def focus_count(self) -> int:
        """How many times a node was checked by a shape; 0 means nothing was."""
        return sum(self.checked.values())

    @property
    def validated(self) -> bool:
        """Whether anything was checked at all; else `conforms` says nothing."""
        return self.focus_count > 0

    @cached_property
    def turtle(self) -> str:
        """The `sh:ValidationReport` as Turtle."""
        # The report keeps to SHACL, where a warning is enough not to conform.
        return turtle(self.results, self.shapes, conforms=not self.results)


def turtle(results: Iterable[Result], shapes: Index, *, conforms: bool) -> str:
    """Return the `sh:ValidationReport` of some results as Turtle."""
    triples = list(dict.fromkeys(_Writer(shapes).report(results, conforms)))
    data = serialize(triples, format=RdfFormat.TURTLE, prefixes=_PREFIXES)
    return (data or b"").decode()


class _Writer:
    """Writes results as triples, with blank nodes numbered in order."""

    def __init__(self, shapes: Index) -> None:
        self._shapes, self._count = shapes, 0

    def report(self, results: Iterable[Result], conforms: bool) -> list[Triple]:
        """Return the triples of a report."""
        node = BlankNode("report")
        found = [
            Triple(node, RDF.type, SH.ValidationReport),
            Triple(node, SH.conforms, terms.boolean(conforms)),
        ]
        for result in results:
            inner, triples = self._result(result)
            found += [Triple(node, SH.result, inner), *triples]
        return found

    def _result(self, result: Result) -> tuple[BlankNode, list[Triple]]:
        self._count += 1
        node = BlankNode(f"result{self._count}")
        found = [
            Triple(node, RDF.type, SH.ValidationResult),
            Triple(node, SH.focusNode, result.focus),
            Triple(node, SH.resultSeverity, _severity(result.severity)),
            Triple(node, SH.sourceShape, result.shape),
            Triple(
                node,
                SH.sourceConstraintComponent,
                NamedNode(_absolute(result.component)),
            ),
        ]
        if result.value is not None:
            found.append(Triple(node, SH.value, result.value))
        if result.path is not None:
            found.append(Triple(node, SH.resultPath, result.path))
            found += self._path(result.path)
        for message in (*result.messages, *filter(None, [result.found])):
            found.append(Triple(node, SH.resultMessage, Literal(message)))
        for detail in result.details:
            inner, triples = self._result(detail)
            found += [Triple(node, sh("detail"), inner), *triples]
        return node, found

    def _path(self, path: Term) -> Iterator[Triple]:
        """Yield what makes a path that is no IRI, as far as it means anything."""
        if not isinstance(path, BlankNode):
            return
        first = self._shapes.objects(path, RDF_FIRST)
        parts = (RDF_FIRST, RDF_REST) if first else _PATH_PARTS
        for predicate in parts:
            for value in self._shapes.objects(path, predicate):
                yield Triple(path, predicate, value)
                yield from self._path(value)


def _severity(name: str) -> Term:
    return NamedNode(_absolute(name))


def _absolute(name: str) -> str:
    return name if ":" in name else SH.NS + name
