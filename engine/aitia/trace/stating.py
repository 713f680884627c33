"""What is said of the nodes of a run, gathered for the next commit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.model import causal, link
from aitia.vocab import AITIA, RDF

Term = NamedNode | Literal


class Stating:
    """Gathers quads about one run.

    Attributes:
        run: The run's IRI.
        graph: The named graph of its record.
    """

    def __init__(self, run: NamedNode) -> None:
        self.run, self.graph = run, terms.run_graph(run)
        self._adds: set[Quad] = set()
        self._deletes: set[Quad] = set()
        self._numbers: Counter[str] = Counter()
        self._states: dict[NamedNode, NamedNode] = {}
        self._committed: dict[NamedNode, NamedNode] = {}

    def node(self, kind: NamedNode, name: str, *, numbered: bool = True) -> NamedNode:
        """Make a node of the run: typed, and linked to the run."""
        made = self.reserve(name) if numbered else terms.part(self.run, name)
        self.say(made, RDF.type, kind)
        self.say(made, AITIA.inRun, self.run)
        return made

    def reserve(self, name: str) -> NamedNode:
        """Return the next node of a name, of which nothing is said yet."""
        self._numbers[name] += 1
        return terms.part(self.run, name, self._numbers[name])

    def say(self, subject: NamedNode, predicate: NamedNode, value: Term) -> None:
        """State one triple in the run's graph."""
        self._adds.add(Quad(subject, predicate, value, self.graph))

    def text(self, subject: NamedNode, value: str) -> None:
        """State what a node says, in words."""
        self.say(subject, AITIA.text, terms.string(value))

    def sure(self, subject: NamedNode, confidence: float | None, rule: str) -> None:
        """State how sure a node is and how that was computed; nothing for None."""
        if confidence is not None:
            self.say(subject, AITIA.confidence, terms.double(confidence))
            self.say(subject, AITIA.confidenceRule, terms.string(rule))

    def state(
        self,
        subject: NamedNode,
        value: NamedNode,
        predicate: NamedNode = AITIA.status,
    ) -> None:
        """State the status of a node in place of the one it had."""
        before = self._states.get(subject)
        if before == value:
            return
        if before is not None:
            old = Quad(subject, predicate, before, self.graph)
            if old in self._adds:
                self._adds.remove(old)
            else:
                self._deletes.add(old)
        self._states[subject] = value
        self.say(subject, predicate, value)

    def status(self, subject: NamedNode) -> NamedNode | None:
        """Return the status that was stated last of a node."""
        return self._states.get(subject)

    def adopt(self, subject: NamedNode, value: NamedNode) -> None:
        """Take note of a status that another patch put on record, as a model's may."""
        self._states[subject] = self._committed[subject] = value

    def link(self, subject: NamedNode, kind: NamedNode, obj: NamedNode) -> None:
        """State a causal link."""
        self._adds.update(causal(subject, kind, obj, self.graph))

    def links(
        self, subjects: Iterable[NamedNode], kind: NamedNode, obj: NamedNode
    ) -> None:
        """State the same causal link from each of several nodes."""
        for subject in subjects:
            self.link(subject, kind, obj)

    def weighed(
        self,
        subject: NamedNode,
        kind: NamedNode,
        obj: NamedNode,
        *,
        basis: NamedNode,
        confidence: float | None = None,
        rule: str = "",
        reason: str = "",
        author: NamedNode | None = None,
    ) -> None:
        """State a causal link with a node that says on what ground it stands."""
        self._adds.update(
            link(
                subject,
                kind,
                obj,
                self.graph,
                basis=basis,
                confidence=confidence,
                rule=rule,
                reason=reason,
                author=author,
            )
        )
