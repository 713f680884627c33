"""Validation results in plain words: which node, which rule, what was found, what mends.

A shape that refers to another reports only that something inside failed; here the
inside is told, one line for each problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Protocol

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from aitia import terms
from aitia.gate.index import Index, Term, text_of
from aitia.gate.phrases import CLAUSES, MENDS, SENTENCES
from aitia.gate.result import Result
from aitia.gate.shacl import KNOWN, RDF_FIRST, sh
from aitia.gate.shapes import local_name
from aitia.model import Violation
from aitia.vocab import AITIA, DCTERMS, RDF, RDFS, SKOS, XSD

_NAMES: Final = (
    RDFS.label,
    DCTERMS.title,
    SKOS.prefLabel,
    AITIA.text,
    AITIA.description,
    AITIA.mention,
    AITIA.exact,
)
_HOMES: Final = (AITIA.inRun, DCTERMS.isPartOf)
_LONGEST: Final = 60
_GENID: Final = terms.DATA + "genid/"


class View(Protocol):
    """What words need to know about the data."""

    def values(self, node: Term, predicate: NamedNode) -> Iterable[Term]:
        """Return the objects of a node by a predicate."""
        ...

    def around(self, node: Term) -> Iterable[tuple[NamedNode, Term]]:
        """Return every predicate and object of a node."""
        ...


class Words:
    """Puts results into words, with the shapes and the data at hand."""

    def __init__(
        self,
        shapes: Index,
        view: View,
        labels: Mapping[NamedNode, str],
        rules: Mapping[NamedNode, str],
    ) -> None:
        self._shapes, self._view = shapes, view
        self._labels, self._rules = labels, rules

    def violations(self, result: Result) -> list[Violation]:
        """Return one violation for each problem that a result holds."""
        return [
            self._violation(result, leaf, trail) for leaf, trail in self._leaves(result)
        ]

    def _leaves(
        self, result: Result, trail: tuple[Result, ...] = ()
    ) -> Iterator[tuple[Result, tuple[Result, ...]]]:
        if not result.details:
            yield result, trail
        for detail in result.details:
            yield from self._leaves(detail, (*trail, result))

    def _violation(
        self, outer: Result, leaf: Result, trail: tuple[Result, ...]
    ) -> Violation:
        steps = [self.path(r.path) for r in (*trail, leaf) if r.path is not None]
        found = self.found(leaf)
        if trail and trail[-1].path is not None:
            found = f"has {self.value(leaf.focus)} as {steps[0]}, which {found}"
        shape = leaf.shape
        return Violation(
            focus=id_text(outer.focus),
            focus_label=self.label(outer.focus),
            rule=self.rule(leaf.shape)
            or self.rule(outer.shape)
            or self.rule(outer.top),
            shape=shape.value if isinstance(shape, NamedNode) else "",
            path=" → ".join(steps),
            component=leaf.component,
            found=found,
            mend=self.mend(leaf) or self.mend(outer),
            severity=outer.severity,
            document=self.home(outer.focus),
        )

    def rule(self, shape: Term) -> str:
        """Return the name of a shape or rule for people."""
        if isinstance(shape, NamedNode) and shape in self._rules:
            return self._rules[shape]
        for predicate in (RDFS.label, sh("name")):
            for value in self._shapes.objects(shape, predicate):
                if isinstance(value, Literal):
                    return value.value
        if isinstance(shape, NamedNode):
            return local_name(shape)
        return ""

    def label(self, node: Term) -> str:
        """Return what a node is called, or its kind and short id."""
        for predicate in _NAMES:
            for value in sorted(self._view.values(node, predicate), key=str):
                if isinstance(value, Literal) and value.value.strip():
                    return _short(value.value)
        kinds = sorted(local_name(k) for k in self._view.values(node, RDF.type))
        if _is_nameless(node):
            return self._nameless(node)
        if isinstance(node, NamedNode):
            return " ".join([*kinds[:1], local_name(node)])
        return ""

    def _nameless(self, node: Term) -> str:
        """Describe a node by what is said of it: it has no name that means anything."""
        facts = [
            f"{local_name(p)} {self.value(v)}"
            for p, v in sorted(self._view.around(node), key=str)
            if not _is_nameless(v) and p != RDF.type
        ]
        kinds = sorted(local_name(k) for k in self._view.values(node, RDF.type))
        kind = f"{kinds[0]} " if kinds else ""
        return f"{kind}[{', '.join(facts[:3])}]" if facts else f"{kind}[]"

    def home(self, node: Term) -> str:
        """Return the run or document that a node stands in, or ""."""
        for predicate in _HOMES:
            for value in self._view.values(node, predicate):
                if isinstance(value, NamedNode):
                    return value.value
        return ""

    def value(self, term: Term) -> str:
        """Return a term as people write it."""
        if isinstance(term, BlankNode) or _is_nameless(term):
            return self._nameless(term)
        if isinstance(term, NamedNode):
            return self._labels.get(term) or _iri(term)
        if isinstance(term, Triple):
            return str(term)
        text = f'"{_short(term.value)}"'
        if term.language:
            return f"{text} ({term.language})"
        return text if term.datatype == XSD.string else f"{text} ({_kind(term)})"

    def path(self, path: Term | None) -> str:
        """Return a path as people write it."""
        if path is None:
            return ""
        if isinstance(path, NamedNode):
            return local_name(path)
        if self._shapes.objects(path, RDF_FIRST):
            return " / ".join(self.path(step) for step in self._shapes.items(path))
        for predicate, form in _PATH_FORMS.items():
            for inner in self._shapes.objects(path, predicate):
                return form.format(self.path(inner))
        for head in self._shapes.objects(path, sh("alternativePath")):
            return " or ".join(self.path(step) for step in self._shapes.items(head))
        return "a path"

    def found(self, result: Result) -> str:
        """Return what was found, as the rest of a sentence about the node."""
        if result.found:
            return result.found
        kind = result.component.removesuffix("ConstraintComponent")
        if kind in SENTENCES and result.path is not None:
            return self._filled(SENTENCES[kind], result)
        if kind in CLAUSES:
            clause = self._filled(CLAUSES[kind], result)
            if result.path is None or result.value is None:
                return clause
            value = self.value(result.value)
            return f"has {value} as {self.path(result.path)}, which {clause}"
        said = "; ".join(result.messages)
        return f"breaks the rule: {said}" if said else "breaks the rule"

    def mend(self, result: Result) -> str:
        """Return what the shape says must hold, or what would make it hold."""
        if result.shape in self._rules:
            return "; ".join(result.messages)
        said = self._shapes.objects(result.shape, sh("message"))
        texts = sorted(v.value for v in said if isinstance(v, Literal))
        if texts:
            return "; ".join(texts)
        kind = result.component.removesuffix("ConstraintComponent")
        return self._filled(MENDS.get(kind, ""), result)

    def _filled(self, template: str, result: Result) -> str:
        return template.format_map(_Fields(self, result))

    def parameter(self, result: Result, name: str) -> str:
        """Return a parameter of the failing constraint in words."""
        if name not in KNOWN:
            return ""
        found = self._shapes.objects(result.shape, sh(name))
        return " and ".join(map(self._named, found))

    def _named(self, term: Term) -> str:
        if isinstance(term, NamedNode):
            return self._labels.get(term) or local_name(term)
        return text_of(term)

    def members(self, result: Result, name: str) -> str:
        """Return the members of a list parameter in words."""
        heads = self._shapes.objects(result.shape, sh(name))
        items = [item for head in heads for item in self._shapes.items(head)]
        names = [self._member(item) for item in items]
        more = f" and {len(names) - 8} more" if len(names) > 8 else ""
        return ", ".join(names[:8]) + more

    def _member(self, item: Term) -> str:
        shape = isinstance(item, Literal) or item not in self._shapes
        return (
            self.value(item) if shape else self.rule(item) or "a shape without a name"
        )


class _Fields(dict[str, str]):
    """What a template can name: the parts of a result, and parameters by name."""

    def __init__(self, words: Words, result: Result) -> None:
        super().__init__(
            path=words.path(result.path) or "value",
            count="no" if result.count == 0 else str(result.count),
        )
        self._words, self._result = words, result

    def __missing__(self, name: str) -> str:
        if name.endswith("_list"):
            return self._words.members(self._result, name.removesuffix("_list"))
        return self._words.parameter(self._result, name)


_PATH_FORMS: Final = {
    sh("inversePath"): "what points to it by {}",
    sh("zeroOrMorePath"): "{}, repeated",
    sh("oneOrMorePath"): "{}, repeated",
    sh("zeroOrOnePath"): "{} or itself",
}


def line(violation: Violation) -> str:
    """Return a violation as one line of plain words."""
    label, focus = violation.focus_label, violation.focus
    short = focus.removeprefix(terms.BASE)
    name = f"{label} ({short})" if label and label != short else short
    where = ""
    if violation.document and not focus.startswith(violation.document):
        where = f" In {violation.document.removeprefix(terms.BASE)}."
    mend = f" {violation.mend}" if violation.mend else ""
    severity = "" if violation.severity == "Violation" else f"{violation.severity}: "
    rule = f" [{violation.rule}]" if violation.rule else ""
    return " ".join(f"{severity}{name} {violation.found}.{mend}{rule}{where}".split())


def _is_nameless(term: Term) -> bool:
    """Tell whether a node is blank, or was when it was read."""
    return isinstance(term, BlankNode) or (
        isinstance(term, NamedNode) and term.value.startswith(_GENID)
    )


def _kind(literal: Literal) -> str:
    return local_name(literal.datatype)


def id_text(term: Term) -> str:
    """Return a node's IRI or label, or a literal's text, as a violation names it."""
    return f"_:{term.value}" if isinstance(term, BlankNode) else text_of(term)


def _iri(node: NamedNode) -> str:
    return node.value.removeprefix(terms.BASE)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"
