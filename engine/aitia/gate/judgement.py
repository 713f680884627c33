"""One change before the shapes and the rules."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Final

from aitia.errors import ShapeViolation
from aitia.gate import origin, rules, sets
from aitia.gate.change import Change, net_effect, rested, unfit
from aitia.gate.decided import of_decisions
from aitia.gate.index import Index, Term
from aitia.gate.lint import shape_name
from aitia.gate.neighbourhood import Fact, Focus, concerned, fetch, subjects_of
from aitia.gate.overlay import Overlay, Quads
from aitia.gate.report import turtle
from aitia.gate.result import Result, ordered
from aitia.gate.shapes import Shapes
from aitia.gate.words import View, Words, line
from aitia.model import Admitted, Origin, Patch, Violation
from aitia.vocab import RDF

BATCH: Final = 2_000
"""How many focus nodes are judged at once; more are judged one batch after another."""

TOLD: Final = 12
"""How many violations an error message lists; the error itself holds all."""

_LOG = logging.getLogger(__name__)


def admit(store: Quads, patch: Patch, user_shapes: Mapping[str, str]) -> Admitted:
    """Return the net effect of `patch`, admitted.

    Raises:
        ShapeViolation: Something is wrong with it; it tells everything at once.
    """
    with rested(len(patch.adds) + len(patch.deletes)):
        version = sets.version(user_shapes)
        bad = unfit(patch.adds)
        if bad:
            raise refusal(bad, Index(), Overlay(store, (), (), {}))
        change = Change(net_effect(store, patch))
        judgement = Judgement(store, change, sets.all_of(user_shapes))
        judgement.run()
        if any(result.blocks for result in judgement.results):
            raise refusal(
                ordered(judgement.results), judgement.index, judgement.overlay
            )
        return Admitted(
            change.patch,
            version,
            dict(sorted(judgement.checked.items())),
            judgement.unchecked(),
            tuple(
                in_words(ordered(judgement.results), judgement.index, judgement.overlay)
            ),
        )


class Judgement:
    """What shapes and rules say about a change.

    Attributes:
        results: What was found.
        checked: Shape → focus nodes checked.
        nodes: Every node that was checked.
    """

    def __init__(self, store: Quads, change: Change, judges: Iterable[Shapes]) -> None:
        self.change, self.judges = change, tuple(judges)
        self._store = store
        self.results: list[Result] = []
        self.checked: Counter[str] = Counter()
        self.nodes: set[Term] = set()

    @cached_property
    def overlay(self) -> Overlay:
        """Everything that is judged, with the change laid over it."""
        return self._laid(users_only=False)

    @cached_property
    def users_data(self) -> Overlay:
        """Users' data alone, which is all that their shapes see."""
        return self._laid(users_only=True)

    def _laid(self, *, users_only: bool) -> Overlay:
        patch, types = self.change.patch, sets.ontology().types
        return Overlay(
            self._store, patch.adds, patch.deletes, types, users_only=users_only
        )

    def run(self) -> None:
        """Ask every shape and every rule."""
        for shapes in self.judges:
            self.by_shapes(shapes)
        if self.change.patch.origin is Origin.MODEL:
            self._by_model_shapes()
        self._by_rules()

    def by_shapes(self, shapes: Shapes) -> None:
        """Ask one set of shapes."""
        patch = self.change.patch
        overlay = self.users_data if shapes.users_only else self.overlay
        focus = concerned(shapes.reads, overlay, (*patch.adds, *patch.deletes))
        self._count(shapes, focus)
        for part in batches(focus):
            facts = fetch(shapes.reads, overlay, part)
            found = shapes.judge.judge(facts, part)
            self.results += _new(shapes, overlay, part, found)

    def _count(self, shapes: Shapes, focus: Focus) -> None:
        for shape, nodes in focus.items():
            self.checked[shape_name(shapes.index, shape)] += len(nodes)
            self.nodes |= nodes

    def _by_model_shapes(self) -> None:
        """Judge a model's proposal by itself: what no closed shape lists is denied."""
        shapes, adds = sets.for_models(), self.change.patch.adds
        facts: set[Fact] = {(q.subject, q.predicate, q.object) for q in adds}
        focus: Focus = {}
        for node in subjects_of(adds):
            kinds = self.overlay.types(node)
            facts |= {(node, RDF.type, kind) for kind in kinds}
            for shape, target in shapes.reads.targets.items():
                if not target.classes.isdisjoint(kinds):
                    focus.setdefault(shape, set()).add(node)
        self.results += shapes.judge.judge(facts, focus)
        permitted = {node for nodes in focus.values() for node in nodes}
        self.results += origin.of_model(self.change.patch, permitted)

    def _by_rules(self) -> None:
        change, overlay = self.change, self.overlay
        self.results += rules.in_our_graphs(change, overlay, sets.ontology())
        self.results += of_decisions(change, overlay)
        self.results += rules.covered(
            subjects_of(change.ours), overlay, sets.own().reads
        )
        if change.patch.origin is Origin.USER:
            self.results += origin.of_user(change)
        elif change.patch.origin is Origin.ENGINE:
            self.results += origin.mixed(change, overlay)

    def unchecked(self) -> int:
        """Count the subjects of users' data that no shape spoke of."""
        return len(subjects_of(self.change.user_adds) - self.nodes)

    @property
    def index(self) -> Index:
        """All shapes that were asked, for words; empty where there is nothing to say."""
        if not self.results:
            return Index()
        asked = list(self.judges)
        if self.change.patch.origin is Origin.MODEL:
            asked.append(sets.for_models())
        return index_of(asked)


def _new(
    shapes: Shapes, overlay: Overlay, focus: Focus, found: list[Result]
) -> list[Result]:
    """Leave out what was already so: a patch is not blamed for what it found."""
    suspects: Focus = {}
    for shape in {result.top for result in found if result.blocks}:
        target = shapes.reads.targets[shape]
        nodes = {n for n in focus[shape] if target.is_hit(overlay, n, after=False)}
        if nodes:
            suspects[shape] = nodes
    if not suspects:
        return found
    facts = fetch(shapes.reads, overlay, suspects, after=False)
    before = {result.key() for result in shapes.judge.judge(facts, suspects)}
    return [result for result in found if result.key() not in before]


def index_of(judges: list[Shapes]) -> Index:
    """Return several sets of shapes as one graph."""
    if len(judges) == 1:
        return judges[0].index
    return Index(triple for shapes in judges for triple in shapes.index)


def in_words(results: Iterable[Result], index: Index, view: View) -> list[Violation]:
    """Put results into words, one after the other."""
    words = Words(index, view, sets.ontology().labels, sets.rule_labels())
    return [violation for r in results for violation in words.violations(r)]


def refusal(results: list[Result], index: Index, view: View) -> ShapeViolation:
    """Return the error that tells all that is wrong with a patch."""
    violations = in_words(results, index, view)
    told = [line(violation) for violation in violations[:TOLD]]
    if len(violations) > TOLD:
        told.append(f"… and {len(violations) - TOLD:,} more.")
    return ShapeViolation(
        "Refused by the gate: " + "\n  ".join(told),
        violations,
        turtle(results, index, conforms=False),
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
