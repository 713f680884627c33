"""Is a shapes graph one that can be trusted to check what it says?

pySHACL conforms in silence when nothing was targeted, when a term is misspelt and
when the shapes graph is empty. What this module finds is refused before it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.gate.index import Index, Node, Term, text_of
from aitia.gate.shacl import (
    ADVANCED,
    KNOWN,
    PARAMETERS,
    RDF_FIRST,
    SHACL_1_2,
    SPARQL_TERMS,
    sh,
    terms,
)
from aitia.vocab import OWL, RDF, RDFS, SH, XSD

TARGETS: Final = (
    sh("targetClass"),
    sh("targetNode"),
    sh("targetSubjectsOf"),
    sh("targetObjectsOf"),
)
SHAPE_VALUES: Final = (sh("property"), sh("node"), sh("not"), sh("qualifiedValueShape"))
SHAPE_LISTS: Final = (sh("and"), sh("or"), sh("xone"))
REPEATED: Final = (sh("zeroOrMorePath"), sh("oneOrMorePath"))
_INTEGERS: Final = terms(
    "minCount maxCount minLength maxLength qualifiedMinCount qualifiedMaxCount"
)
_BOOLEANS: Final = terms("closed uniqueLang deactivated qualifiedValueShapesDisjoint")
_IRIS: Final = terms(
    "class datatype nodeKind equals disjoint lessThan lessThanOrEquals "
    "targetClass targetSubjectsOf targetObjectsOf severity"
)
_LISTS: Final = (*SHAPE_LISTS, sh("in"), sh("ignoredProperties"), sh("languageIn"))
_ACTING: Final = (RDF.type, sh("nodeKind"), sh("severity"))
_ONLY_ON_PATHS: Final = terms("minCount maxCount lessThan lessThanOrEquals uniqueLang")
_IGNORED_WITHOUT_PATH: Final = terms(
    "qualifiedValueShape qualifiedMinCount qualifiedMaxCount"
)


def is_shape(index: Index, node: Node) -> bool:
    """Tell whether `node` is a shape: by type, target, path or constraint."""
    types = index.objects(node, RDF.type)
    if SH.NodeShape in types or SH.PropertyShape in types:
        return True
    names = {p.value.removeprefix(SH.NS) for p in index.predicates(node)}
    return bool(names & (PARAMETERS | {"path"})) or any(
        index.objects(node, target) for target in TARGETS
    )


def is_class(index: Index, node: Node) -> bool:
    """Tell whether `node` is a class as well, and so its own target."""
    return any(
        kind in (RDFS.Class, OWL.Class) for kind in index.objects(node, RDF.type)
    )


def has_target(index: Index, node: Node) -> bool:
    """Tell whether a shape says what it is for."""
    return any(index.objects(node, target) for target in TARGETS) or (
        is_shape(index, node) and is_class(index, node)
    )


def name_of(node: Term) -> str:
    """Return a short name of a shape for a message."""
    if isinstance(node, NamedNode):
        return f"<{node.value}>"
    return "a shape without a name"


def shape_name(index: Index, node: Term) -> str:
    """Return a shape's IRI; for one without, what it is for."""
    if isinstance(node, NamedNode):
        return node.value
    for target in TARGETS:
        for value in index.objects(node, target):
            return f"shape for {_curie(target)} {value}"
    return "a shape without a name"


def lint(index: Index, *, for_gate: bool) -> list[str]:
    """Return what is wrong with a shapes graph, one sentence each; empty when nothing.

    Args:
        index: The shapes graph.
        for_gate: The shapes shall judge every change, so nothing in them may cost
            more than the neighbourhood of a change: no SPARQL, no path or shape that
            repeats without end.
    """
    shapes = [node for node in index.all_subjects() if is_shape(index, node)]
    if not shapes:
        return ["There is no shape in it."]
    checks: list[Callable[[Index, Node], Iterator[str]]] = [_parts, _values, _path]
    found = [*_terms(index)]
    if not any(has_target(index, shape) for shape in shapes):
        found.append("No shape in it has a target, so nothing would ever be checked.")
    for shape in shapes:
        for check in checks:
            found += check(index, shape)
    if for_gate:
        found += _costly(index, shapes)
    return list(dict.fromkeys(found))


def _terms(index: Index) -> Iterator[str]:
    """Find SHACL names outside the closed list."""
    for name in sorted(_names(index) - KNOWN):
        if name in SHACL_1_2:
            yield f"sh:{name} is a term of SHACL 1.2, which would be passed over."
        elif name in ADVANCED:
            yield f"sh:{name} belongs to a part of SHACL that is not run here."
        else:
            near = get_close_matches(name, KNOWN, n=1)
            hint = f" Is sh:{near[0]} meant?" if near else ""
            yield f"sh:{name} is not a SHACL term.{hint}"


def _names(index: Index) -> set[str]:
    """Return the SHACL names that act: predicates of shapes, classes, kinds, severities.

    Elsewhere a SHACL name is data, as in shapes that check shapes.
    """
    found: set[str] = set()
    for triple in index:
        acting: list[Term] = []
        if not _is_plain_data(index, triple.subject):
            acting.append(triple.predicate)
        if triple.predicate in _ACTING:
            acting.append(triple.object)
        for term in acting:
            if isinstance(term, NamedNode) and term.value.startswith(SH.NS):
                found.add(term.value.removeprefix(SH.NS))
    return found - {""}


def _is_plain_data(index: Index, node: Node) -> bool:
    """Tell whether a node is an instance of something and no part of a shape."""
    types = index.nodes(node, RDF.type)
    ours = (SH.NS, RDFS.NS, OWL.NS)
    foreign = [t for t in types if not text_of(t).startswith(ours)]
    return bool(foreign) and not is_shape(index, node)


def _parts(index: Index, shape: Node) -> Iterator[str]:
    """Find references to shapes that are not there, and constraints out of place."""
    own_path = index.objects(shape, sh("path"))
    types = index.objects(shape, RDF.type)
    if SH.PropertyShape in types and not own_path:
        yield f"{name_of(shape)} is a property shape without sh:path."
    if SH.NodeShape in types and own_path:
        yield f"{name_of(shape)} is a node shape and has sh:path."
    if not own_path:
        for predicate in _ONLY_ON_PATHS:
            if index.objects(shape, predicate):
                yield f"{name_of(shape)} has {_curie(predicate)} but no sh:path."
    for predicate in SHAPE_VALUES:
        for value in index.objects(shape, predicate):
            yield from _reference(index, shape, predicate, value)
    for predicate in SHAPE_LISTS:
        for head in index.objects(shape, predicate):
            for value in index.items(head):
                yield from _reference(index, shape, predicate, value)


def _reference(
    index: Index, shape: Node, predicate: NamedNode, value: Term
) -> Iterator[str]:
    known = not isinstance(value, Literal) and value in index
    if not known:
        yield (
            f"{name_of(shape)} names {value} by {_curie(predicate)}, and there is no"
            " such shape."
        )
    has_path = bool(index.objects(value, sh("path")))
    if known and predicate == sh("property") and not has_path:
        yield f"{name_of(shape)} has an sh:property without sh:path."
    if known and predicate == sh("node") and has_path:
        yield f"{name_of(shape)} has an sh:node that is a property shape."


def _values(index: Index, shape: Node) -> Iterator[str]:
    """Find parameters whose value is of the wrong kind."""
    for predicate in _INTEGERS:
        for value in index.objects(shape, predicate):
            if not (isinstance(value, Literal) and value.datatype == XSD.integer):
                yield f"{_curie(predicate)} of {name_of(shape)} must be an integer."
    for predicate in _BOOLEANS:
        for value in index.objects(shape, predicate):
            if not (isinstance(value, Literal) and value.datatype == XSD.boolean):
                yield f"{_curie(predicate)} of {name_of(shape)} must be true or false."
    for predicate in _IRIS:
        for value in index.objects(shape, predicate):
            if not isinstance(value, NamedNode):
                yield f"{_curie(predicate)} of {name_of(shape)} must be an IRI."
    for predicate in _LISTS:
        for value in index.objects(shape, predicate):
            if not index.is_list(value):
                yield f"{_curie(predicate)} of {name_of(shape)} must be a list."


def _path(index: Index, shape: Node) -> Iterator[str]:
    paths = index.objects(shape, sh("path"))
    if len(paths) > 1:
        yield f"{name_of(shape)} has more than one sh:path."
    for path in paths:
        if isinstance(path, Literal) or not _well_formed(index, path, 0):
            yield f"The sh:path of {name_of(shape)} is not a path."


def _well_formed(index: Index, path: Term, depth: int) -> bool:
    if isinstance(path, NamedNode):
        return True
    if isinstance(path, Literal) or depth > 9:
        return False
    if index.objects(path, RDF_FIRST):
        steps = index.items(path)
        return len(steps) > 1 and all(_well_formed(index, s, depth + 1) for s in steps)
    kinds = (sh("inversePath"), *REPEATED, sh("zeroOrOnePath"))
    inner = [value for kind in kinds for value in index.objects(path, kind)]
    for head in index.objects(path, sh("alternativePath")):
        inner += index.items(head)
    return bool(inner) and all(_well_formed(index, s, depth + 1) for s in inner)


def _costly(index: Index, shapes: list[Node]) -> Iterator[str]:
    """Find what may not judge every change: SPARQL, endless paths, recursion."""
    for name in sorted(_names(index) & SPARQL_TERMS):
        yield (
            f"sh:{name}: SPARQL constraints read the whole store for every change;"
            " run them with `aitia validate --shapes` instead."
        )
    for predicate in REPEATED:
        if index.subjects(predicate):
            yield (
                f"{_curie(predicate)} follows a path without end; run it with"
                " `aitia validate --shapes` instead."
            )
    for shape in shapes:
        for predicate in _IGNORED_WITHOUT_PATH:
            if index.objects(shape, predicate) and not index.objects(shape, sh("path")):
                yield f"{name_of(shape)} has {_curie(predicate)} but no sh:path."
        if _reaches_itself(index, shape):
            yield f"{name_of(shape)} refers back to itself; recursion is not defined."


def _reaches_itself(index: Index, shape: Node) -> bool:
    todo, seen = list(parts(index, shape)), set[Node]()
    while todo:
        node = todo.pop()
        if node == shape:
            return True
        if node not in seen:
            seen.add(node)
            todo += parts(index, node)
    return False


def parts(index: Index, shape: Node) -> Iterator[Node]:
    """Return the shapes that `shape` refers to directly."""
    for predicate in SHAPE_VALUES:
        yield from index.nodes(shape, predicate)
    for predicate in SHAPE_LISTS:
        for head in index.objects(shape, predicate):
            for value in index.items(head):
                if not isinstance(value, Literal):
                    yield value


def _curie(term: NamedNode) -> str:
    return "sh:" + term.value.removeprefix(SH.NS)
