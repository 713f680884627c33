"""What else is told of a node: which model, with what, who proposed, permitted, judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.lookup import short as short_id
from aitia.lookup.imported import run_of
from aitia.model.graph import Detail
from aitia.plain import quoted, short
from aitia.store import Reader
from aitia.vocab import AITIA, EARL, PROV, RDF, RDFS
from aitia.why.describe import WORDS, Descriptions, local

_WIDE: Final = 200
"""Characters of arguments or a rationale that are told; `aitia show` has all."""
_AGAINST: Final = {AITIA.refutes: "refuted", AITIA.contradicts: "contradicted"}
_REASONING: Final = "rationale, a model's reasoning and no evidence"


class Details:
    """Finds what else is on record about nodes; one read per node and property."""

    def __init__(self, reader: Reader, shown: Descriptions) -> None:
        self._reader, self._shown = reader, shown
        self._by_kind: Mapping[str, Callable[[NamedNode], Iterator[Detail]]] = {
            "ToolCall": self._tool_call,
            "Batch": self._batch,
            "Decision": self._decision,
            "Hypothesis": self._hypothesis,
            "Proposal": self._proposal,
            "RefusedOperation": self._refused,
        }

    def of(self, node: str) -> tuple[Detail, ...]:
        """Return what else is to be told of a node, in order."""
        named = NamedNode(node)
        found = [*self._call(named)]
        special = self._by_kind.get(self._shown.kind(node))
        return tuple([*found, *special(named)] if special else found)

    def label(self, node: str) -> str:
        """Return the words of an operation, which has none of its own; "" for others."""
        if self._shown.kind(node) != "Operation":
            return ""
        named = NamedNode(node)
        calls = local(self._one(named, AITIA.calls))
        told = _object(self._text(named, AITIA.arguments))
        given = told.get("arguments", {}) if calls else told
        kind = local(self._one(named, AITIA.operationKind))
        return " ".join(filter(None, [kind, calls, _json(given)]))

    def agent(self, node: str) -> str:
        """Return the IRI of the agent that did or said it, or ""."""
        named = NamedNode(node)
        for prop in (PROV.wasAttributedTo, PROV.wasAssociatedWith, AITIA.model):
            if said := self._shown.text(node, prop):
                return said
        kind = self._shown.kind(node)
        if kind == "Operation":
            batch = self._one(named, AITIA.inBatch)
            return self._author(batch) if isinstance(batch, NamedNode) else ""
        if kind in ("Proposal", "RefusedOperation"):
            return self._text(named, AITIA.proposedBy)
        return self._author(named) if kind in ("Batch", "Observation") else ""

    # What each kind of node has to tell

    def _call(self, node: NamedNode) -> Iterator[Detail]:
        model = self._shown.text(node.value, AITIA.model)
        if model:
            yield Detail("model", self._name(model))
        if cached := self._shown.text(node.value, AITIA.cachedFrom):
            yield Detail("cached from", short_id(cached))
        for name, prop in (("tokens", AITIA.tokens), ("cost", AITIA.cost)):
            if model and (told := self._text(node, prop)):
                yield Detail(name, told)

    def _tool_call(self, node: NamedNode) -> Iterator[Detail]:
        if given := self._text(node, AITIA.input):
            yield Detail("arguments", short(given, _WIDE))
        consent = self._one(node, AITIA.permittedBy)
        if isinstance(consent, NamedNode):
            who = self._name(self._text(consent, PROV.wasAttributedTo))
            how = self._text(consent, AITIA.reason)
            yield Detail("permitted by", f"{who}, {how}" if how else who)

    def _batch(self, node: NamedNode) -> Iterator[Detail]:
        if author := self._author(node):
            yield Detail("proposed by", self._name(author))
        if rationale := self._text(node, AITIA.rationale):
            yield Detail(_REASONING, quoted(rationale, _WIDE))

    def _decision(self, node: NamedNode) -> Iterator[Detail]:
        # What it accepts is among its causes, and says so itself.
        for found in self._nodes(node, AITIA.rejects):
            yield Detail("rejects", self._told(found))
            yield from self._counter(found)

    def _counter(self, hypothesis: NamedNode) -> Iterator[Detail]:
        for prop, verb in _AGAINST.items():
            for quad in sorted(self._reader.quads(None, prop, hypothesis), key=str):
                if isinstance(quad.subject, NamedNode):
                    yield Detail(
                        f"against {short_id(hypothesis.value)}",
                        f"{verb} by {self._told(quad.subject)}",
                    )

    def _hypothesis(self, node: NamedNode) -> Iterator[Detail]:
        for name, prop in (
            ("accepted by", AITIA.accepts),
            ("rejected by", AITIA.rejects),
        ):
            for quad in self._reader.quads(None, prop, node):
                if isinstance(quad.subject, NamedNode):
                    yield Detail(name, short_id(quad.subject.value))

    def _refused(self, node: NamedNode) -> Iterator[Detail]:
        yield Detail("proposed by", self._name(self._text(node, AITIA.proposedBy)))

    def _proposal(self, node: NamedNode) -> Iterator[Detail]:
        yield Detail("proposed by", self._name(self._text(node, AITIA.proposedBy)))
        yield Detail("state", local(self._one(node, AITIA.proposalState)))
        for time, name, told in sorted([*self._reviews(node), *self._revisions(node)]):
            yield Detail(name, f"{told}, {time[:19]}")

    def _reviews(self, node: NamedNode) -> Iterator[tuple[str, str, str]]:
        for review in self._subjects(AITIA.reviews, node):
            verdict = self._one(review, AITIA.hasVerdict)
            if not isinstance(verdict, NamedNode):
                continue  # a reservation: nothing was judged
            who = self._name(self._text(review, PROV.wasAssociatedWith))
            outcome = local(self._one(verdict, EARL.outcome))
            why = quoted(self._text(verdict, AITIA.reason), _WIDE)
            when = self._text(review, PROV.endedAtTime)
            yield when, "review", f"{outcome} by {who}: {why}"

    def _revisions(self, node: NamedNode) -> Iterator[tuple[str, str, str]]:
        for revision in self._subjects(AITIA.carriesOut, node):
            undone = self._one(revision, AITIA.undoes) is not None
            agents = self._nodes(revision, PROV.wasAssociatedWith)
            who = ", ".join(self._name(agent.value) for agent in agents)
            why = quoted(self._text(revision, AITIA.reason), _WIDE)
            told = ": ".join(filter(None, [f"by {who}" if who else "", why]))
            when = self._text(revision, PROV.endedAtTime)
            name = "undone" if undone else "carried out"
            yield when, name, told or short_id(revision.value)

    # Reading

    def _author(self, made: NamedNode) -> str:
        """Return the agent of the execution that brought something forth, or ""."""
        for call in self._subjects(AITIA.produced, made):
            for prop in (PROV.wasAssociatedWith, AITIA.model):
                if found := self._text(call, prop):
                    return found
        return ""

    def _told(self, node: NamedNode) -> str:
        words = next((x for prop in WORDS if (x := self._text(node, prop))), "")
        state = local(self._one(node, AITIA.hypothesisState))
        what = words or local(self._one(node, AITIA.method))
        told = [quoted(what, _WIDE), f"({state})" if state else ""]
        return " ".join(filter(None, [*told, short_id(node.value)]))

    def _name(self, agent: str) -> str:
        if not agent:
            return "somebody"
        label = self._text(NamedNode(agent), RDFS.label)
        return label or unquote(agent.rpartition(":")[2])

    def _subjects(self, prop: NamedNode, node: NamedNode) -> list[NamedNode]:
        found = {quad.subject for quad in self._reader.quads(None, prop, node)}
        nodes = (item for item in found if isinstance(item, NamedNode))
        return sorted(nodes, key=lambda item: item.value)

    def _nodes(self, node: NamedNode, prop: NamedNode) -> list[NamedNode]:
        found = {quad.object for quad in self._reader.quads(node, prop)}
        nodes = (item for item in found if isinstance(item, NamedNode))
        return sorted(nodes, key=lambda item: item.value)

    def _one(self, node: NamedNode, prop: NamedNode) -> NamedNode | Literal | None:
        values = (quad.object for quad in self._reader.quads(node, prop))
        found = [item for item in values if isinstance(item, NamedNode | Literal)]
        return min(found, key=str) if found else None

    def _text(self, node: NamedNode, prop: NamedNode) -> str:
        found = self._one(node, prop)
        return found.value if found is not None else ""


def refusals(reader: Reader, start: str) -> tuple[str, ...]:
    """Return what was refused in the run that a node is of: IRIs of the refusals."""
    run = run_of(start)
    if not run:
        return ()
    graph = terms.run_graph(NamedNode(run))
    found = reader.quads(None, RDF.type, AITIA.RefusedOperation, graph)
    nodes: Iterable[object] = (quad.subject for quad in found)
    return tuple(sorted(x.value for x in nodes if isinstance(x, NamedNode)))


def asker(reader: Reader, start: str) -> str:
    """Return the agent that the run of a node is of: IRI, or ""."""
    run = run_of(start)
    quads = reader.quads(NamedNode(run), PROV.wasAssociatedWith) if run else ()
    found = (quad.object for quad in quads)
    return min((x.value for x in found if isinstance(x, NamedNode)), default="")


def _object(text: str) -> dict[str, Any]:
    try:
        told = json.loads(text)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _json(value: Any) -> str:
    return short(json.dumps(value, ensure_ascii=False), _WIDE) if value else ""
