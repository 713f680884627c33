"""Inference step: whether a conclusion follows from premises, by a strategy.

Whatever the strategy, a conclusion brings in no number, date or name that no premise
has. Then, by rules:

- deduction: a premise bears it out; or a premise is a rule ("… if …") whose condition
  another premise meets and whose other part is the conclusion, the case's name aside;
- induction: two premises of different sources or more bear it out, names aside, and none
  clashes with it;
- analogy: one premise bears it out, the case's name aside, and another speaks of the
  case in the words of that one;
- abduction: a premise is a rule whose condition is the conclusion, and another premise
  is what the rule then leads to.

With a model, it judges by the same measure; what it says counts only with words of a
premise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal

from aitia.methods.arguments import NodeRef
from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.asserted import Asserted, asserted, bears_out, clash, share
from aitia.methods.base import Reads, method
from aitia.methods.claim_check import missing
from aitia.methods.entailment_check import Entailed, Place, by_rules, quoted
from aitia.methods.quote_check import Checked

if TYPE_CHECKING:
    from aitia.methods.replies import Judgement

Strategy = Literal["deduction", "induction", "analogy", "abduction"]
VERSION: Final = "1"
MEETS: Final = 0.6
"""Share of words from which a fact meets a condition or is what a rule leads to."""
ALIKE: Final = 0.4
"""Share of what is said of a case that must be said of another for them to be alike."""
SHOWN: Final = 6000  # characters of premises that a model is shown
_IF_THEN: Final = re.compile(
    r"^\W*(?:if|when|whenever|where)\s+(?P<when>[^,]+),\s*(?:then\s+)?(?P<then>.+)$",
    re.I,
)
_THEN_IF: Final = re.compile(
    r"^(?P<then>.+?)\s+(?:only if|if|when|whenever|because|provided that)\s+(?P<when>.+)$",
    re.I,
)
_HOW: Final[Mapping[Strategy, str]] = {
    "deduction": "it must hold where the premises hold",
    "induction": "several independent premises are cases of it and none speaks against it",
    "analogy": "a premise shows the same of a case that is alike in what matters",
    "abduction": "it is the best explanation of what a premise observes",
}
_SYSTEM: Final = (
    "You check one step of reasoning. Answer with JSON: `relation` is `entails` where "
    "the conclusion follows in the way named, `contradicts` where a premise says that it "
    "is not so, `unrelated` or `cannot tell` otherwise; `quote` is the exact words of "
    f"the premise that matters most; `reason` is one short sentence. {DATA}"
)


@dataclass(frozen=True)
class ToInfer:
    """A step of reasoning.

    Attributes:
        conclusion: What is concluded, as one sentence.
        premises: What it is concluded from.
        strategy: How.
    """

    conclusion: str
    premises: tuple[NodeRef, ...]
    strategy: Strategy = "deduction"


@dataclass(frozen=True)
class Inferred(Checked):
    """Whether the conclusion follows.

    Attributes:
        strategy: How it was concluded.
        reason: Why it follows, or why not.
        by: `rules` or `model`.
        used: Labels, or IRIs where there is none, of the premises that carry it.
        places: The words that it goes by.
    """

    strategy: Strategy = "deduction"
    reason: str = ""
    by: str = "rules"
    used: tuple[str, ...] = field(default=())
    places: tuple[Place, ...] = field(default=())


@method(
    "inference_step",
    "Tells whether a conclusion follows from premises by a named strategy.",
    offered=True,
)
def inference_step(reads: Reads, given: ToInfer) -> Inferred:
    """Return whether a conclusion follows from its premises."""
    if not given.premises:
        return _told(given, False, "It has no premise.")
    said = asserted(given.conclusion)
    if new := missing(said, given.premises):
        return _told(given, False, f"No premise has {', '.join(new)}.")
    against = by_rules(Entailed(given.conclusion, given.premises))
    if against.relation == "contradicts":
        return _told(given, False, against.reason, places=against.places)
    ruled = _WAYS[given.strategy](given, said)
    asked = _asked(reads, given)
    judged = _judged(given, asked.value) if asked.value else ruled
    return replace(judged, notices=asked.notices)


@dataclass(frozen=True)
class _Rule:
    """A premise that is a rule, cut into its condition and what it leads to."""

    premise: NodeRef
    when: Asserted
    then: Asserted


def _rules(premises: Sequence[NodeRef]) -> Iterator[_Rule]:
    for item in premises:
        line = " ".join(item.text.split()).rstrip(".")
        found = _IF_THEN.match(line) or _THEN_IF.match(line)
        if found:
            yield _Rule(item, asserted(found["when"]), asserted(found["then"]))


def _deduced(given: ToInfer, said: Asserted) -> Inferred:
    direct = by_rules(Entailed(given.conclusion, given.premises))
    if direct.relation == "entails":
        used = [i for i in given.premises if i.node in {p.node for p in direct.places}]
        return _told(given, True, direct.reason, used, direct.places)
    for rule, fact in _pairs(given.premises):
        there = asserted(fact.text)
        if _like(said, rule.then) >= MEETS and _like(rule.when, there) >= MEETS:
            if clash(_nameless(rule.when), _nameless(there)):
                return _told(
                    given,
                    False,
                    "The rule's condition is not met.",
                    [rule.premise, fact],
                )
            return _told(
                given, True, "A rule's condition is met.", [rule.premise, fact]
            )
    return _told(given, False, "No premise says it, and no rule leads to it.")


def _induced(given: ToInfer, said: Asserted) -> Inferred:
    cases = [i for i in given.premises if _like(said, asserted(i.text)) >= MEETS]
    sources = {item.document or item.node for item in cases}
    if len(sources) < 2:
        return _told(given, False, "Fewer than two sources bear it out.", cases)
    return _told(given, True, f"{len(sources)} sources bear it out.", cases)


def _by_analogy(given: ToInfer, said: Asserted) -> Inferred:
    for one in given.premises:
        shown = asserted(one.text)
        if _like(said, shown) < MEETS:
            continue
        for other in given.premises:
            case = asserted(other.text)
            is_case = (
                said.names <= case.names and said.stems - shown.stems <= case.stems
            )
            if other is not one and is_case and share(case.stems, shown.stems) >= ALIKE:
                return _told(
                    given, True, "A case that is alike shows it.", [one, other]
                )
    return _told(given, False, "No premise shows it of a case that is alike.")


def _abduced(given: ToInfer, said: Asserted) -> Inferred:
    for rule, fact in _pairs(given.premises):
        if (
            _like(said, rule.when) >= MEETS
            and _like(rule.then, asserted(fact.text)) >= MEETS
        ):
            return _told(
                given, True, "It would explain what is observed.", [rule.premise, fact]
            )
    return _told(
        given, False, "No premise says that it would lead to what is observed."
    )


def _pairs(premises: Sequence[NodeRef]) -> Iterator[tuple[_Rule, NodeRef]]:
    for rule in _rules(premises):
        for fact in premises:
            if fact is not rule.premise:
                yield rule, fact


def _like(one: Asserted, other: Asserted) -> float:
    """Return how far a text bears another out, the names of things aside."""
    return bears_out(_nameless(one), _nameless(other))


def _nameless(said: Asserted) -> Asserted:
    return replace(said, names=frozenset())


_WAYS: Final[Mapping[Strategy, Callable[[ToInfer, Asserted], Inferred]]] = {
    "deduction": _deduced,
    "induction": _induced,
    "analogy": _by_analogy,
    "abduction": _abduced,
}


def _judged(given: ToInfer, verdict: Judgement) -> Inferred:
    """Return a model's verdict; without words of a premise it does not follow."""
    places = tuple(quoted(verdict.quote, given.premises))
    follows = verdict.relation == "entails" and bool(places)
    reason = verdict.reason or verdict.relation
    if verdict.relation == "entails" and not places:
        reason = "What the model quotes stands in no premise."
    used = [i for i in given.premises if i.node in {p.node for p in places}]
    return _told(given, follows, reason, used, places, by="model")


def _asked(reads: Reads, given: ToInfer) -> Asked[Judgement]:
    if reads.models is None:
        return Asked()
    from aitia.methods.replies import Judgement

    texts = "\n\n".join(item.text for item in given.premises)[:SHOWN]
    way = f"Way: {given.strategy}: {_HOW[given.strategy]}."
    return ask_model(
        reads,
        Judgement,
        purpose="inference_step",
        version=VERSION,
        system=_SYSTEM,
        text=f"{way}\n\nConclusion:\n{data(given.conclusion)}\n\nPremises:\n{data(texts)}",
    )


def _told(
    given: ToInfer,
    passed: bool,
    reason: str,
    used: Sequence[NodeRef] = (),
    places: Sequence[Place] = (),
    *,
    by: str = "rules",
) -> Inferred:
    return Inferred(
        passed=passed,
        found=given.conclusion[:200],
        strategy=given.strategy,
        reason=reason,
        by=by,
        used=tuple(item.label or item.node for item in used),
        places=tuple(places),
        summary=reason,
        failure="" if passed else reason,
    )
