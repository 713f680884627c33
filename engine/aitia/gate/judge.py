"""The one place that runs pySHACL.

pySHACL is the authority on what a constraint means. It is told the focus nodes of each
shape (never by its own `focus_nodes` option, which filters nested shapes too), and the
constraint objects that it would build anew for every node are built once.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pyoxigraph import Literal, NamedNode
from pyshacl.constraints import CONSTRAINT_PARAMETERS_MAP
from pyshacl.constraints.core.shape_based_constraints import (
    PropertyConstraintComponent,
)
from pyshacl.errors import ConstraintLoadWarning, ReportableRuntimeError
from pyshacl.pytypes import SHACLExecutor
from pyshacl.rdfutil.stringify import stringify_blank_node
from pyshacl.shape import Shape
from pyshacl.shapes_graph import ShapesGraph
from rdflib.term import Node as RdfNode

from aitia.gate.index import Index, Term
from aitia.gate.lint import has_target, shape_name
from aitia.gate.neighbourhood import Fact, Focus
from aitia.gate.rdf import Facts, RdfTriple, Terms, quiet
from aitia.gate.result import Result
from aitia.gate.shacl import terms as listed
from aitia.vocab import SH

UNJUDGED: Final = "https://w3id.org/aitia/shapes#CouldNotBeJudged"
"""Stands for the constraint component where pySHACL raised."""

_LOGGER = logging.getLogger("pyshacl.aitia")
_LOGGER.disabled = True
_PARTS = {
    term.value: term.value.removeprefix(SH.NS)
    for term in listed(
        "focusNode value resultPath sourceShape sourceConstraintComponent"
        " resultSeverity resultMessage detail"
    )
}


class KeptShape(Shape):
    """A pySHACL shape that keeps its constraint objects between judgements."""

    __slots__ = ("_kept",)

    def components(self) -> list[Any]:
        """Return the shape's constraints, built on first use.

        Raises:
            ReportableRuntimeError: A constraint is not well formed.
        """
        kept: list[Any] | None = getattr(self, "_kept", None)
        if kept is None:
            kept = self._kept = self._build()
        return kept

    def _build(self) -> list[Any]:
        predicates = (p for p, _ in self.sg.graph.predicate_objects(self.node))
        kinds = dict.fromkeys(
            CONSTRAINT_PARAMETERS_MAP[p]
            for p in predicates
            if p in CONSTRAINT_PARAMETERS_MAP
        )
        found = []
        for kind in kinds:
            try:
                component = kind(self)
            except ConstraintLoadWarning:
                continue
            component.make_v_result_description = _untold  # type: ignore[method-assign]
            found.append(component)
        custom: Any = self.find_custom_constraints()  # type: ignore[no-untyped-call]
        return found + [one.make_validator_for_shape(self) for one in custom]

    def validate(
        self,
        executor: SHACLExecutor,
        target_graph: Any,
        focus: Any = None,
        _evaluation_path: list[Any] | None = None,
    ) -> tuple[bool, list[Any]]:
        """Check focus nodes as pySHACL's own method does, with kept constraints."""
        if self.deactivated or focus is None:
            return True, []
        nodes = [focus] if isinstance(focus, RdfNode) else list(focus)
        path = [] if _evaluation_path is None else _evaluation_path
        if len(path) // 2 >= executor.max_validation_depth:
            raise ReportableRuntimeError("The shapes are nested too deep.")
        path.append(self)
        values = self.value_nodes(target_graph, nodes)
        conforms, reports = True, []
        for component in self.components():
            good, found = self._evaluate(
                component, executor, target_graph, values, [*path, component]
            )
            conforms = conforms and good
            reports += found
        return conforms, reports

    def _evaluate(
        self,
        component: Any,
        executor: SHACLExecutor,
        graph: Any,
        values: Mapping[Any, set[Any]],
        path: list[Any],
    ) -> tuple[bool, list[Any]]:
        """Evaluate one constraint; property shapes get all nodes in one call."""
        alike = isinstance(component, PropertyConstraintComponent)
        if not alike or self.is_property_shape or component.recursion_triggers(path):
            found: tuple[bool, list[Any]] = component.evaluate(
                executor, graph, values, path
            )
            return found
        conforms, reports = True, []
        for name in component.property_shapes:
            shape: Any = self.get_other_shape(name)  # type: ignore[no-untyped-call]
            if shape is None or not shape.is_property_shape:
                raise ReportableRuntimeError(f"There is no property shape {name}.")
            good, found_here = shape.validate(
                executor, graph, focus=list(values), _evaluation_path=path[:]
            )
            conforms = conforms and good
            reports += found_here
        return conforms, reports


def _untold(*_: Any, **__: Any) -> str:
    """Stand in for the prose that pySHACL writes for each result, and that we drop.

    It writes it for every alternative of an `sh:or` that does not hold, too. Verdict
    and report, which are made beside it, are the same.
    """
    return ""


@dataclass
class Judge:
    """A shapes graph made ready for pySHACL, kept from one judgement to the next."""

    index: Index
    terms: Terms
    axioms: tuple[RdfTriple, ...] = ()
    shapes: dict[Term, KeptShape] = field(default_factory=dict)

    def __post_init__(self) -> None:
        with quiet():
            graph = Facts(_shape_triples(self.index, self.terms))
            shapes = ShapesGraph(graph, False, _LOGGER)
            shapes.shapes  # noqa: B018 - finds the shapes, which the next line keeps
            kept: dict[Any, Any] = shapes._node_shape_cache
            for node, shape in list(kept.items()):
                path = shape._path if shape.is_property_shape else None
                kept[node] = KeptShape(
                    shapes, node, shape.is_property_shape, path, _LOGGER
                )
            for node, shape in kept.items():
                shape.components()
                self.shapes[self.terms.back(node)] = shape

    def judge(self, facts: Iterable[Fact], focus: Focus) -> list[Result]:
        """Return what pySHACL finds wrong with the focus nodes in a graph.

        Args:
            facts: Every triple that the shapes read from the focus nodes.
            focus: Shape → its focus nodes.

        Where pySHACL raises, as it does on values that it cannot compare, the node is
        taken not to conform.
        """
        terms = Terms(self.terms.renamed)
        with quiet():
            there, name = terms.there, terms.predicate
            graph = Facts(self.axioms)
            for subject, predicate, value in facts:
                graph.put(there(subject), name(predicate), there(value))
            found: list[Result] = []
            for shape, nodes in focus.items():
                raw = [there(node) for node in nodes]
                found += self._safely(self.shapes[shape], graph, raw)
            return found

    def _safely(self, shape: KeptShape, graph: Facts, nodes: list[Any]) -> list[Result]:
        """Check one shape; where pySHACL raises, that is a result like any other."""
        try:
            return self.run(shape, graph, nodes)
        except Exception as error:
            if len(nodes) > 1:
                each = (self._safely(shape, graph, [node]) for node in nodes)
                return [result for results in each for result in results]
            top = self.terms.back(shape.node)
            said = " ".join(str(error).split()) or type(error).__name__
            found = f"cannot be judged, and so is not let in: {said}"
            node = self.terms.back(nodes[0])
            return [Result(node, top, UNJUDGED, top, found=found)]

    def judge_all(self, graph: Facts) -> tuple[list[Result], dict[str, int]]:
        """Return what is wrong in a whole graph, and shape → nodes checked.

        Here pySHACL finds the targets itself, with the class axioms of the data.
        """
        found: list[Result] = []
        checked: dict[str, int] = {}
        with quiet():
            for node, shape in self.shapes.items():
                if not isinstance(node, Literal) and has_target(self.index, node):
                    targets: Any = shape.focus_nodes(graph)  # type: ignore[no-untyped-call]
                    focus = list(targets)
                    checked[shape_name(self.index, node)] = len(focus)
                    found += self.run(shape, graph, focus) if focus else []
        return found, checked

    def run(self, shape: KeptShape, graph: Facts, nodes: list[Any]) -> list[Result]:
        """Check one shape at some nodes of a graph."""
        _, reports = shape.validate(SHACLExecutor(), graph, focus=nodes)
        stringify_blank_node.dict_cache.clear()
        top = self.terms.back(shape.node)
        return [self._result(report, top, graph) for report in reports]

    def _result(
        self, report: tuple[str, Any, list[Any]], top: Term, graph: Facts
    ) -> Result:
        _, node, triples = report
        by_node: dict[Any, dict[str, list[Any]]] = {}
        for subject, predicate, value in triples:
            part = _PARTS.get(str(predicate))
            if part:
                plain = value[1] if isinstance(value, tuple) else value
                by_node.setdefault(subject, {}).setdefault(part, []).append(plain)
        return self._unfold(by_node, node, top, graph)

    def _unfold(
        self,
        by_node: dict[Any, dict[str, list[Any]]],
        node: Any,
        top: Term,
        graph: Facts,
    ) -> Result:
        parts = by_node[node]
        back = self.terms.back
        source = parts["sourceShape"][0]
        focus = parts["focusNode"][0]
        value, path = parts.get("value"), parts.get("resultPath")
        shape = self.shapes.get(back(source))
        count = -1
        if shape is not None and shape.is_property_shape and value is None:
            count = len(shape.value_nodes(graph, [focus])[focus])
        return Result(
            focus=back(focus),
            shape=back(source),
            component=str(parts["sourceConstraintComponent"][0]).removeprefix(SH.NS),
            top=top,
            path=back(path[0]) if path else None,
            value=back(value[0]) if value else None,
            severity=str(parts["resultSeverity"][0]).removeprefix(SH.NS),
            messages=tuple(sorted(str(m) for m in parts.get("resultMessage", []))),
            count=count,
            details=tuple(
                self._unfold(by_node, inner, top, graph)
                for inner in parts.get("detail", [])
            ),
        )


def _shape_triples(index: Index, terms: Terms) -> Iterator[RdfTriple]:
    """Yield the shapes graph; a renamed predicate is renamed where a shape names it."""
    for triple in index:
        value = triple.object
        yield (
            terms.there(triple.subject),
            terms.there(triple.predicate),
            terms.predicate(value)
            if isinstance(value, NamedNode)
            else terms.there(value),
        )
