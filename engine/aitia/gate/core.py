"""The gate itself: from a patch to an admitted patch, or to all that is wrong with it."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, islice
from typing import Final

from pyoxigraph import NamedNode, Quad, Store as Oxigraph

from aitia import resources
from aitia.errors import ShapeViolation
from aitia.gate import origin, rules
from aitia.gate.graphs import is_ours, is_user
from aitia.gate.index import Index, Node, Term, text_of
from aitia.gate.neighbourhood import Focus, concerned, fetch, subjects_of
from aitia.gate.overlay import Overlay, Quads
from aitia.gate.report import turtle
from aitia.gate.result import Result
from aitia.gate.rulebook import RULES
from aitia.gate.shapes import MODEL_FILE, Ontology, Shapes, version_of
from aitia.gate.words import Words, line
from aitia.model import Admitted, Origin, Patch, Violation
from aitia.vocab import RDF

BATCH: Final = 2000
"""How many focus nodes are judged at once; more are judged one batch after another."""

TOLD: Final = 12
"""How many violations an error message lists; the error itself holds all."""

_LOG = logging.getLogger(__name__)


@cache
def ontology() -> Ontology:
    """Return what the gate needs of the ontology, read once."""
    return Ontology()


@cache
def own_shapes() -> Shapes:
    """Return aitia's own shapes, read once."""
    return Shapes(_texts(model=False), ontology())


@cache
def model_shapes() -> Shapes:
    """Return the closed shapes for what models propose, read once."""
    return Shapes(_texts(model=True), ontology())


def _texts(*, model: bool) -> dict[str, str]:
    found = resources.turtle("shapes")
    return {name: text for name, text in found.items() if (name == MODEL_FILE) == model}


class Verdict:
    """What one set of shapes, or several, say about a change."""

    def __init__(self) -> None:
        self.results: list[Result] = []
        self.checked: Counter[str] = Counter()
        self.nodes: set[Term] = set()

    def count(self, shapes: Shapes, focus: Focus) -> None:
        """Note which nodes were checked by which shape."""
        for shape, nodes in focus.items():
            self.checked[name_of(shapes, shape)] += len(nodes)
            self.nodes |= nodes


def name_of(shapes: Shapes, shape: Node) -> str:
    """Return a shape's IRI; for one without, its file and a number."""
    if isinstance(shape, NamedNode):
        return shape.value
    return f"{shapes.names[0]}#{text_of(shape).rsplit('n', 1)[-1]}"


def net_effect(store: Quads, patch: Patch) -> Patch:
    """Return a patch as the store will hold it: what is really added and deleted.

    The terms pass through a scratch store first, which rewrites literals as the real
    one will, so that what is judged and hashed is what will be kept.
    """
    adds, deletes = _scratch(patch.adds), _scratch(patch.deletes)
    deletes = {quad for quad in deletes - adds if quad in store}
    fresh = frozenset(_absent(store, adds))
    return Patch(fresh, frozenset(deletes), patch.agent, patch.cause, patch.origin)


def _scratch(quads: frozenset[Quad]) -> set[Quad]:
    if not quads:
        return set()
    store = Oxigraph()
    store.bulk_extend(quads)
    return set(store)


def _absent(store: Quads, quads: set[Quad]) -> Iterator[Quad]:
    """Yield the quads that the store lacks; new graphs and subjects cost one look."""
    by_place: dict[object, dict[object, list[Quad]]] = {}
    for quad in quads:
        place = by_place.setdefault(quad.graph_name, {})
        place.setdefault(quad.subject, []).append(quad)
    for graph, subjects in by_place.items():
        if next(store.quads(None, None, None, graph), None) is None:  # type: ignore[arg-type]
            yield from chain.from_iterable(subjects.values())
            continue
        for subject, found in subjects.items():
            if next(store.quads(subject, None, None, graph), None) is None:  # type: ignore[arg-type]
                yield from found
            else:
                yield from (quad for quad in found if quad not in store)


class Judgement:
    """One patch before the shapes and rules."""

    def __init__(
        self, store: Quads, net: Patch, sets: Iterable[Shapes], version: str
    ) -> None:
        self.net, self.sets, self.version = net, tuple(sets), version
        self.overlay = Overlay(store, net.adds, net.deletes, ontology().types)
        self.verdict = Verdict()

    def admitted(self) -> Admitted:
        """Return the patch, admitted.

        Raises:
            ShapeViolation: Something is wrong with it; everything is told at once.
        """
        for shapes in self.sets:
            self._by_shapes(shapes)
        if self.net.origin is Origin.MODEL:
            self._by_model_shapes()
        self.verdict.results += self._by_rules()
        blocking = [result for result in self.verdict.results if result.blocks]
        warnings = [result for result in self.verdict.results if not result.blocks]
        if blocking:
            raise refusal(self, self.verdict.results)
        return Admitted(
            self.net,
            self.version,
            dict(sorted(self.verdict.checked.items())),
            self._unchecked(),
            tuple(self.words(warnings)),
        )

    def _by_shapes(self, shapes: Shapes) -> None:
        quads = (*self.net.adds, *self.net.deletes)
        focus = concerned(shapes.reads, self.overlay, quads)
        self.verdict.count(shapes, focus)
        for part in batches(focus):
            facts = fetch(shapes.reads, self.overlay, part)
            found = shapes.judge.judge(facts, part)
            self.verdict.results += self._new(shapes, found)

    def _new(self, shapes: Shapes, found: list[Result]) -> list[Result]:
        """Leave out what was already so: a patch is not blamed for what it found."""
        if not any(result.blocks for result in found):
            return found
        suspects: Focus = {}
        for result in found:
            shape, node = result.top, result.focus
            target = shapes.reads.targets.get(shape)  # type: ignore[arg-type]
            if target and target.is_hit(self.overlay, node, after=False):
                suspects.setdefault(shape, set()).add(node)  # type: ignore[arg-type]
        facts = fetch(shapes.reads, self.overlay, suspects, after=False)
        before = {r.key() for r in shapes.judge.judge(facts, suspects)}
        return [result for result in found if result.key() not in before]

    def _by_model_shapes(self) -> None:
        """Judge a model's proposal by itself: what no closed shape lists is denied."""
        shapes = model_shapes()
        facts = {(q.subject, q.predicate, q.object) for q in self.net.adds}
        focus: Focus = {}
        for node in subjects_of(self.net.adds):
            kinds = self.overlay.types(node)
            facts |= {(node, RDF.type, kind) for kind in kinds}
            for shape, target in shapes.reads.targets.items():
                if not target.classes.isdisjoint(kinds):
                    focus.setdefault(shape, set()).add(node)
        self.verdict.results += shapes.judge.judge(facts, focus)
        permitted = set().union(*focus.values()) if focus else set()
        self.verdict.results += origin.of_model(self.net, permitted)

    def _by_rules(self) -> list[Result]:
        net, overlay = self.net, self.overlay
        found = list(rules.in_our_graphs(net, overlay, ontology()))
        ours = [q for q in (*net.adds, *net.deletes) if is_ours(q.graph_name)]
        found += rules.covered(subjects_of(ours), overlay, own_shapes().reads)
        if net.origin is Origin.USER:
            found += origin.of_user(net, overlay)
        elif net.origin is Origin.ENGINE:
            found += origin.mixed(net, overlay)
        return found

    def _unchecked(self) -> int:
        subjects = subjects_of(q for q in self.net.adds if is_user(q.graph_name))
        return len(subjects - self.verdict.nodes)

    def words(self, results: Iterable[Result]) -> list[Violation]:
        """Put results into words."""
        words = Words(self._index(), self.overlay, ontology().labels, rule_labels())
        return [v for result in results for v in words.violations(result)]

    def _index(self) -> Index:
        if len(self.sets) == 1 and self.net.origin is not Origin.MODEL:
            return self.sets[0].index
        sets = [*self.sets, model_shapes()]
        return Index(chain.from_iterable(shapes.index for shapes in sets))

    def report(self, results: Iterable[Result]) -> str:
        """Return the results as sh:ValidationReport."""
        return turtle(results, self._index(), conforms=False)


@cache
def rule_labels() -> dict[NamedNode, str]:
    """Return rule IRI → its name for people."""
    return {iri: rule.label for iri, rule in RULES.items()}


def refusal(judgement: Judgement, results: list[Result]) -> ShapeViolation:
    """Return the error that tells all that is wrong with a patch."""
    violations = judgement.words(sorted(results, key=lambda r: not r.blocks))
    told = [line(violation) for violation in violations[:TOLD]]
    if len(violations) > TOLD:
        told.append(f"… and {len(violations) - TOLD} more.")
    return ShapeViolation(
        "Refused by the gate: " + "\n  ".join(told),
        violations,
        judgement.report(results),
    )


def batches(focus: Focus) -> Iterator[Focus]:
    """Cut a focus set into parts of at most `BATCH` nodes."""
    nodes = dict.fromkeys(node for found in focus.values() for node in found)
    if len(nodes) <= BATCH:
        if nodes:
            yield focus
        return
    _LOG.info("judging %d nodes in batches of %d", len(nodes), BATCH)
    rest = iter(nodes)
    while chosen := set(islice(rest, BATCH)):
        cut = {shape: found & chosen for shape, found in focus.items()}
        yield {shape: found for shape, found in cut.items() if found}


def version(user_shapes: Mapping[str, str]) -> str:
    """Return the version of all shapes together, the users' included."""
    texts = {**_texts(model=False), **_texts(model=True)}
    texts |= {f"user/{name}": text for name, text in user_shapes.items()}
    return version_of({**texts, **resources.turtle("ontology")})


@cache
def _user_set(name: str, text: str) -> Shapes:
    return Shapes({name: text}, ontology())


def sets_of(user_shapes: Mapping[str, str]) -> list[Shapes]:
    """Return our own shapes and the users', each file of theirs by itself."""
    theirs = [_user_set(name, text) for name, text in sorted(user_shapes.items())]
    return [own_shapes(), *theirs]


def admit(store: Quads, patch: Patch, user_shapes: Mapping[str, str]) -> Admitted:
    """Return the net effect of `patch`, admitted.

    Raises:
        ShapeViolation: Something is wrong with it; it tells everything at once.
    """
    sets, named = sets_of(user_shapes), version(user_shapes)
    unfit = list(rules.storable(patch.adds))
    if unfit:
        empty = Patch(frozenset(), frozenset(), patch.agent, patch.cause, patch.origin)
        raise refusal(Judgement(store, empty, sets, named), unfit)
    return Judgement(store, net_effect(store, patch), sets, named).admitted()
