"""Planning: from what was perceived to goals, each with why it is set.

Strategies of decomposition:
- several parts: a goal for each;
- a comparison: a goal for each side, and one that compares what they found;
- a bridge: a goal that finds the thing in between, and one that goes on from it;
- a question whether something may be done to a thing: a goal for the rules that texts
  state, one for the facts those rules turn on, and one that holds them together;
- what came first: the same where texts tell the dates, and of the one property that
  tells a time of both things where none is named;
- an amount ("free for an order of 900 euro"): a goal that holds it to a rule's limit;
- why something happened to a thing: a goal for the reason on record, then texts;
- a chain ("in the end"): a goal for its last link, and one that follows it back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from pyoxigraph import NamedNode

from aitia.ask.dates import sides
from aitia.ask.perceive import Part, Perception
from aitia.ask.session import Session
from aitia.methods.cues import EXISTS_FORM, REASON, VALUE_FORM
from aitia.methods.implied import shared_measure
from aitia.methods.interpretation import BESIDE
from aitia.methods.limit_check import amount
from aitia.methods.mentions import CLASS, ENTITY, PROPERTY, Mention
from aitia.methods.readings import Reading
from aitia.methods.words import content
from aitia.model.trace import Goal, Plan

EXPLAINED: Final = 0.95
"""Share of a part above which the facts alone answer it."""
AGED: Final = frozenset(["older", "oldest", "younger", "youngest", "newer", "newest"])
GRAPH_FIRST: Final = 0.6
"""Share of a part that a reading must explain for the facts to be asked first."""


def make_plan(session: Session, seen: Perception) -> Plan:
    """Return the goals that the question asks for, put on record."""
    goals: list[Goal] = []
    for part in seen.parts:
        goals.extend(_goals(session, part, seen))
    return Plan(root=seen.root, goals=tuple(goals))


def _goals(session: Session, part: Part, seen: Perception) -> list[Goal]:
    several = len(seen.parts) > 1
    why = "It is one part of the question." if several else "It is what was asked."
    best = part.readings[0] if part.readings else None
    sets = part.cues.compares or bool(part.cues.ordered)
    if sets and len(part.of(ENTITY)) > 1 and _sides(part):
        return _comparison(session, _timed(session, part))
    unbounded = part.cues.ordered and part.cues.bound is None
    if unbounded and (parts := sides(part.text)):
        return _dates(session, part, parts)
    if part.cues.wants == REASON:
        return _reason(session, part, why)
    if _is_limited(part):
        return [_set(session, part, "amounts", f"Hold to limits: {part.text}", why)]
    if _is_rule(part, best):
        return _rule(session, part)
    if best is None or best.covered < GRAPH_FIRST:
        goals = [_set(session, part, "text", f"Find what texts say: {part.text}", why)]
        return [*goals, *_chain(session, part, goals[0])]
    if best.of_class and best.asked and best.entities:
        return _bridge(session, part, best)
    return _lookups(session, part, best, why)


def _lookups(session: Session, part: Part, best: Reading, why: str) -> list[Goal]:
    """Return one goal per property asked for, or one for the whole part."""
    goals = [_set(session, part, "graph", f"Look up: {best.words()}", why)]
    also = [
        item for item in best.hints if item.kind == PROPERTY and item.quality == 1.0
    ]
    for item in also:
        if best.asked is None or not _joined(part.text, best.asked, item):
            continue
        goals.append(
            _set(
                session,
                part,
                "graph",
                f"Look up: value of the property {item.text!r}",
                "The question names this property beside the other.",
                asked=item.text,
            )
        )
    return goals


def _joined(text: str, one: Mention, other: Mention) -> bool:
    """Tell whether two properties are asked for side by side, whatever their order."""
    first, second = sorted((one, other), key=lambda item: item.start)
    between = text[first.end : second.start]
    return " and " in between or "," in between


def _comparison(session: Session, part: Part) -> list[Goal]:
    found = [
        _set(
            session,
            _alone(part, item),
            "graph",
            f"Find the value to compare for {item.text!r}",
            "A comparison needs the value of each side.",
            side=item.text,
        )
        for item in part.of(ENTITY)
    ]
    return [*found, _compare(session, part, found)]


def _compare(session: Session, part: Part, found: Iterable[Goal]) -> Goal:
    return _set(
        session,
        part,
        "compare",
        f"Compare what was found: {part.text}",
        "The question sets its sides against each other.",
        depends=[goal.node for goal in found],
    )


def _timed(session: Session, part: Part) -> Part:
    """Return a part with the property that tells a time of its things, unless it names one."""
    if not part.cues.ordered or part.of(PROPERTY) or _open(part):
        return part
    words = {part.text[start:end].lower() for start, end in part.cues.ordered}
    found = shared_measure(
        session.reads.schema, part.of(ENTITY), len(part.text), aged=bool(words & AGED)
    )
    return replace(part, mentions=(*part.mentions, found)) if found else part


def _open(part: Part) -> bool:
    """Tell whether a part speaks of more than its things and what was earlier or later."""
    taken = [*part.cues.ordered, *part.cues.spans]
    taken += [(m.start, m.end) for m in part.mentions if m.kind in (ENTITY, CLASS)]
    return any(
        not any(start <= word.start < end for start, end in taken)
        for word in content(part.text)
    )


def _dates(session: Session, part: Part, wanted: Iterable[str]) -> list[Goal]:
    found = [
        _set(
            session,
            part,
            "dates",
            f"Find when: {words}",
            "What came first is told by both dates.",
            side=words,
        )
        for words in wanted
    ]
    return [*found, _compare(session, part, found)]


def _reason(session: Session, part: Part, why: str) -> list[Goal]:
    if part.of(ENTITY):
        return [_set(session, part, "reasons", f"Find the reason: {part.text}", why)]
    goals = [_set(session, part, "text", f"Find what texts say: {part.text}", why)]
    return [*goals, *_chain(session, part, goals[0])]


def _is_limited(part: Part) -> bool:
    """Tell whether a part asks if something is so for an amount, of nothing by name."""
    asks = part.cues.allowed or part.cues.form == EXISTS_FORM
    return asks and not part.of(ENTITY) and amount(part.text) is not None


def _alone(part: Part, side: Mention) -> Part:
    """Return a part as it asks about one side: the others are blanked out."""
    text = part.text
    entities = [item for item in part.of(ENTITY) if item.text != side.text]
    kinds = [
        kind
        for kind in part.of(CLASS)
        if any(0 <= item.start - kind.end <= BESIDE for item in entities)
    ]
    others = [*entities, *kinds]
    for item in others:
        text = text[: item.start] + " " * (item.end - item.start) + text[item.end :]
    for start, end in part.cues.ordered:
        text = text[:start] + " " * (end - start) + text[end:]
    mentions = tuple(item for item in part.mentions if item not in others)
    cues = replace(part.cues, form=VALUE_FORM, wants="")
    return replace(part, text=text, mentions=mentions, cues=cues)


def _sides(part: Part) -> bool:
    """Tell whether the two things stand side by side in the question."""
    first, second = part.of(ENTITY)[:2]
    between = part.text[first.end : second.start].lower()
    return any(
        f" {word} " in between
        for word in ("or", "and", "than", "with", "to", "before", "after")
    ) or ("," in between or "和" in between or "还是" in between or "比" in between)


def _bridge(session: Session, part: Part, best: Reading) -> list[Goal]:
    assert best.of_class is not None
    assert best.asked is not None
    first = _set(
        session,
        part,
        "graph",
        f"Find {best.of_class.text!r} for {best.entities[0].text!r}",
        "What is asked for is a property of something that is only described.",
        bridge=True,
    )
    then = _set(
        session,
        part,
        "graph",
        f"Look up {best.asked.text!r} of what was found",
        "It is what was asked about the thing in between.",
        depends=[first.node],
        onward=True,
    )
    return [first, then]


def _is_rule(part: Part, best: Reading | None) -> bool:
    """Tell whether a part asks if something may be done to a thing on record."""
    explained = best is not None and best.covered >= EXPLAINED
    asks = part.cues.allowed or (part.cues.form == EXISTS_FORM and not explained)
    return asks and bool(part.of(ENTITY))


def _rule(session: Session, part: Part) -> list[Goal]:
    rules = _set(
        session,
        part,
        "rules",
        f"Find the rules that texts state for: {part.text}",
        "Whether something may be done is for rules to say.",
    )
    facts = _set(
        session,
        part,
        "conditions",
        f"Look up what those rules turn on for {part.of(ENTITY)[0].text!r}",
        "A rule applies by the facts of the case.",
        depends=[rules.node],
    )
    return [rules, facts]


def _chain(session: Session, part: Part, last: Goal) -> list[Goal]:
    if not part.cues.chain:
        return []
    return [
        _set(
            session,
            part,
            "chain",
            "Follow what was found back to where it starts",
            "The question asks for the far end of a chain.",
            depends=[last.node],
        )
    ]


def _set(
    session: Session,
    part: Part,
    way: str,
    description: str,
    why: str,
    depends: Iterable[NamedNode] = (),
    **parameters: Any,
) -> Goal:
    root = session.goals[0]
    node, order = session.new_goal()
    goal = Goal(
        node=node,
        order=order,
        description=description,
        why=why,
        question=part.text,
        way=way,
        parameters=parameters,
        parent=root.node,
        depends=tuple(depends),
    )
    session.parts[node] = part
    return session.set_goal(goal, [root.node])
