"""What a tool returned that disagrees with what is on record, made proposals.

A result in JSON is read object by object: the first of its keys whose value tells one
thing on record from all others says what it is about, and its other keys are held
against the properties of that thing which are called so. A result in words is held
against the texts by the contradiction check. What a tool says is newer than what is on
record, and goes before it unless the source on record weighs more; the weight of a tool
is set in `[sources]` by its IRI, as in `"urn:aitia:method:order_details" = "official"`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.conflicts import Validity, Weigher, check_text, values, worldtime
from aitia.errors import AitiaError
from aitia.methods.facts import Fact, local_name
from aitia.methods.schema import Schema, read_schema
from aitia.settings.sources import Weight
from aitia.store import Term
from aitia.vocab import AITIA, RDF
from aitia.writeback import naming
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Base, Change, Cited, Draft, Words
from aitia.writeback.evidence import told
from aitia.writeback.impact import speaking_of
from aitia.writeback.propose import Proposed, against_now, propose
from aitia.writeback.triggers import ENGINE
from aitia.writeback.words import value as in_words

MOST: Final = 200
"""Objects of one result that are read."""
LONGEST: Final = 500
"""Characters of a result in words that is held against the texts."""


@dataclass(frozen=True)
class Result:
    """What one call of a tool returned.

    Attributes:
        tool: IRI of the tool.
        node: The observation.
        text: What it returned, in words or as JSON.
        weight: How far the tool is trusted.
    """

    tool: NamedNode
    node: NamedNode
    text: str
    weight: Weight

    def cited(self, words: str) -> Cited:
        """Return it as evidence, with the words of it that count."""
        return Cited(words, self.node, address=self.tool.value)

    def reason(self, how: str) -> str:
        """Return why something is proposed because of it."""
        return f"{local_name(self.tool)} ({self.weight.told()}) says otherwise: {how}"


def disagreeing(desk: Desk, run: NamedNode) -> list[Proposed]:
    """Propose what follows where a tool of a run says otherwise than the record.

    Args:
        desk: What to work with.
        run: The run that called the tools.
    """
    if not desk.settings.conflict:
        return []
    drafts = [
        draft
        for result in _results(desk, run)
        for draft in (*_of_facts(desk, result, run), *_of_texts(desk, result, run))
    ]
    return [
        propose(desk, against_now(desk, draft))
        for draft in {_asked(draft): draft for draft in drafts}.values()
        if not _is_known(desk, draft)
    ]


def _results(desk: Desk, run: NamedNode) -> Iterator[Result]:
    weigher, graph = Weigher(desk.reads), terms.run_graph(run)
    calls = desk.store.quads(None, RDF.type, AITIA.ToolCall, graph)
    for call in sorted((quad.subject for quad in calls), key=str):
        tool = _one(desk, call, AITIA.method, graph)
        seen = _one(desk, call, AITIA.produced, graph)
        if tool is not None and seen is not None:
            weight = weigher.sources.weigh("", [tool.value])
            yield Result(tool, seen, told(desk, seen), weight)


def _one(
    desk: Desk, node: object, predicate: NamedNode, graph: NamedNode
) -> NamedNode | None:
    if not isinstance(node, NamedNode):
        return None
    found = (q.object for q in desk.store.quads(node, predicate, None, graph))
    return next((value for value in found if isinstance(value, NamedNode)), None)


# Results in JSON


def _of_facts(desk: Desk, result: Result, run: NamedNode) -> Iterator[Draft]:
    try:
        value = json.loads(result.text)
    except ValueError:
        return
    schema = read_schema(desk.store)
    for number, given in enumerate(_objects(value)):
        if number == MOST:
            return
        subject = _subject(schema, desk, given)
        if subject is None:
            continue
        for name, said in given.items():
            draft = _against(desk, schema, result, run, subject, name, said)
            if draft is not None:
                yield draft


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a result, whatever they are nested in."""
    ahead = [value]
    while ahead:
        item = ahead.pop()
        if isinstance(item, dict):
            yield item
            ahead.extend(item.values())
        elif isinstance(item, list):
            ahead.extend(item)


def _subject(schema: Schema, desk: Desk, given: Mapping[str, Any]) -> NamedNode | None:
    """Return the one thing that an object is about, by the first key that tells it."""
    for name, said in given.items():
        wanted, found = naming.plain_name(name), set[NamedNode]()
        for value in _identifiers(said):
            for quad in desk.store.quads(None, None, value):
                if _tells(schema, quad, wanted) and isinstance(quad.subject, NamedNode):
                    found.add(quad.subject)
        if len(found) == 1:
            return found.pop()
    return None


def _identifiers(said: object) -> Iterator[Literal]:
    if isinstance(said, str) and said:
        yield terms.string(said)
    elif isinstance(said, int) and not isinstance(said, bool):
        yield terms.integer(said)
        yield terms.string(str(said))


def _tells(schema: Schema, quad: Quad, wanted: str) -> bool:
    """Tell whether a fact names its subject by a property of this name."""
    subject = quad.subject
    if not isinstance(subject, NamedNode) or not terms.is_current(quad.graph_name):
        return False
    if naming.plain_name(local_name(quad.predicate)) != wanted:
        return False
    kind = next(iter(schema.classes_of(subject)), None)
    return schema.tells_apart(quad.predicate, kind)


def _against(
    desk: Desk,
    schema: Schema,
    result: Result,
    run: NamedNode,
    subject: NamedNode,
    name: str,
    said: object,
) -> Draft | None:
    """Return a draft that revises one value; None where nothing disagrees."""
    facts = _standing(desk, schema, subject, name)
    if not facts or not isinstance(said, str | int | float) or said == "":
        return None
    new = _value(desk, said, facts[0])
    if new is None or not values.differ(desk.store, facts[0].object, new):
        return None
    weigher = Weigher(desk.reads)
    heaviest = max((weigher.weigh(f.graph) for f in facts), key=lambda w: w.value)
    if heaviest.value > result.weight.value:
        return None
    predicate = facts[0].predicate
    how = (
        f"{schema.label(predicate)} of {schema.label(subject)} is"
        f" {in_words(schema, new)}, on record {in_words(schema, facts[0].object)}"
        f" ({heaviest.told()})."
    )
    return Draft(
        "revise",
        result.reason(how),
        ENGINE,
        Base(0, ""),
        adds=(Change(subject, predicate, new, rank=AITIA.preferred),),
        withdraws=tuple(
            Change(subject, predicate, fact.object, fact.graph) for fact in facts
        ),
        evidence=(result.cited(f"{name}: {said}"),),
        trigger="conflict",
        run=run,
    )


def _standing(desk: Desk, schema: Schema, subject: NamedNode, name: str) -> list[Fact]:
    """Return the facts of the one property of that name, where all give one value."""
    wanted = naming.plain_name(name)
    own = dict.fromkeys(fact.predicate for fact in schema.facts(subject))
    called = [
        node
        for node in own
        if wanted
        in {naming.plain_name(x) for x in (local_name(node), *schema.labels(node))}
    ]
    if len(called) != 1:
        return []
    now = Validity(start=terms.now())
    found = [
        fact
        for fact in schema.facts(subject, called[0])
        if worldtime.of_fact(desk.store, fact).overlaps(now)
    ]
    return found if len({fact.object for fact in found}) == 1 else []


def _value(desk: Desk, said: str | int | float, fact: Fact) -> Term | None:
    """Return what a tool says as a value; None for words where things stand."""
    text = json.dumps(said) if isinstance(said, bool) else str(said)
    try:
        new = naming.value(desk.store, text, fact.predicate)
    except AitiaError:
        return None
    return (
        new
        if isinstance(new, NamedNode) == isinstance(fact.object, NamedNode)
        else None
    )


# Results in words


def _of_texts(desk: Desk, result: Result, run: NamedNode) -> Iterator[Draft]:
    if result.text[:1] in "[{" or len(result.text) > LONGEST:
        return
    weigher = Weigher(desk.reads)
    for found in check_text(desk.reads, result.text, ask=False):
        document = NamedNode(found.piece.passage.document)
        heavier = weigher.weigh(document).value > result.weight.value
        if not found.judged.contradicts or heavier:
            continue
        piece = found.piece
        yield Draft(
            "deprecate",
            result.reason(found.judged.reason),
            ENGINE,
            Base(0, ""),
            words=(Words(document, piece.text, piece.start, piece.end),),
            evidence=(result.cited(result.text),),
            trigger="conflict",
            run=run,
        )


# What was proposed before


def _asked(draft: Draft) -> tuple[object, ...]:
    return (*(change.quad() for change in draft.adds), *draft.words)


def _is_known(desk: Desk, draft: Draft) -> bool:
    """Tell whether the same was proposed before and was not undone or let expire."""
    return any(
        desk.node(proposal, AITIA.proposalState) not in (AITIA.undone, AITIA.expired)
        for proposal in _alike(desk, draft)
    )


def _alike(desk: Desk, draft: Draft) -> Iterator[NamedNode]:
    for change in draft.adds:
        for node in speaking_of(desk.store, change.subject, change.predicate):
            if any(desk.store.quads(node, RDF.object, change.object)):
                yield from desk.subjects(AITIA.proposes, node)
    for words in draft.words:
        for proposal in desk.subjects(AITIA.about, words.document):
            for span in desk.nodes(proposal, AITIA.withdraws):
                if desk.text(span, AITIA.text) == words.text:
                    yield proposal
