"""Two sentences held against each other by rules: what each rule needs is said in it.

They must say the same of the same: nearly the same terms (`SAME`) outside values and
denials, and the same names. Then they contradict where they

- give one value that cannot be both (numbers with units, dates, times of day),
- deny and do not deny,
- have one word each that are opposites, and deny alike, or
- fill one slot ("The chair of the board is …") with different names.

Sentences that differ in two values, in a name outside the slot or in the time of which
they speak are about different things, and agree or disagree about none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from aitia.methods.contradiction.sentences import Said
from aitia.methods.contradiction.values import Value

CONTRADICTS: Final = "contradicts"
AGREES: Final = "agrees"
UNRELATED: Final = "unrelated"
CANNOT_TELL: Final = "cannot tell"

SAME: Final = 0.75
"""Share of terms from which two sentences say the same of the same."""
_DEFINITE: Final = re.compile(r"\s*(?:the|our|its?|their)\s|.*[’']s\s|.*的", re.I)


@dataclass(frozen=True)
class Ruling:
    """What a rule says of two sentences.

    Attributes:
        verdict: `contradicts`, `agrees` or `unrelated`.
        rule: The rule's name.
        reason: Why, in words.
    """

    verdict: str
    rule: str
    reason: str


def judge(one: Said, other: Said) -> Ruling | None:
    """Return what the rules say of two sentences, or None where none applies."""
    if _plain(one) == _plain(other):
        return Ruling(AGREES, "same-words", "they say the same words")
    if one.points_back or other.points_back:
        return None
    return _slots(one, other) or _frames(one, other)


def _slots(one: Said, other: Said) -> Ruling | None:
    """Hold against each other what two sentences say of one and the same thing."""
    if one.slot is None or other.slot is None or one.denied or other.denied:
        return None
    (subject, said), (same, against) = one.slot, other.slot
    if subject.frame != same.frame or subject.names != same.names:
        return None
    if _differing(subject, same):
        if said.frame == against.frame and not _differing(said, against):
            return None  # they may differ in that value alone
        return Ruling(UNRELATED, "other-things", "they speak of different things")
    values = _single(said, against)
    if values is not None:
        return _values(*values) if not said.frame ^ against.frame else None
    names = said.names and against.names and not said.values and not against.values
    if names and _DEFINITE.match(subject.text):
        if said.names & against.names:
            return None
        reason = f"{subject.text.strip()}: {said.text} against {against.text}"
        return Ruling(CONTRADICTS, "slot", reason)
    return None


def _frames(one: Said, other: Said) -> Ruling | None:
    """Hold two sentences against each other as a whole."""
    opposed = one.opposed(other)
    allowed = 2 if opposed else 0  # the two opposites are no other thing
    like = _likeness(one.frame, other.frame, allowed)
    mine, theirs = one.names - other.names, other.names - one.names
    if mine or theirs:
        alike = _likeness(one.bare, other.bare, allowed) >= SAME
        return _other_names(mine, theirs) if mine and theirs and alike else None
    return _same_things(one, other, opposed) if like >= SAME else None


def _other_names(mine: frozenset[str], theirs: frozenset[str]) -> Ruling:
    things = " and ".join(", ".join(sorted(names)) for names in (mine, theirs))
    return Ruling(UNRELATED, "other-names", f"they name different things: {things}")


def _same_things(
    one: Said, other: Said, opposed: tuple[str, str] | None
) -> Ruling | None:
    differing = _differing(one, other)
    if len(one.values) != len(other.values) or differing is None:
        return None
    if len(differing) > 1:
        return Ruling(UNRELATED, "other-things", "they differ in more than one value")
    flips = (one.denied != other.denied) != bool(opposed)
    if differing:
        return _one_value(one, other, *differing[0], flips=flips)
    if opposed and not flips:
        return None  # "not open" and "closed" may agree; "not closed" says too little
    if opposed:
        return Ruling(CONTRADICTS, "opposites", f"{opposed[0]} against {opposed[1]}")
    if flips:
        return Ruling(CONTRADICTS, "denial", "one denies what the other says")
    if one.frame == other.frame:
        return Ruling(AGREES, "same-terms", "they say the same in other words")
    return None


def _one_value(
    one: Said, other: Said, mine: Value, theirs: Value, *, flips: bool
) -> Ruling | None:
    """Judge sentences that differ in one value alone."""
    times = mine.kind == "date" and not (one.happens_once and other.happens_once)
    if times and not _is_said(one, mine):
        return Ruling(UNRELATED, "other-times", "they speak of different times")
    return None if flips else _values(mine, theirs)


def _is_said(sentence: Said, value: Value) -> bool:
    """Tell whether a date is what a sentence says, as in "The deadline is 5 May"."""
    slot = sentence.slot
    return slot is not None and any(v.text == value.text for v in slot[1].values)


def _values(mine: Value, theirs: Value) -> Ruling | None:
    agree = mine.agrees(theirs)
    if agree is None:
        return None
    rule = "date" if mine.kind == "date" else "number"
    if agree:
        return Ruling(AGREES, rule, f"{mine.text} and {theirs.text} fit together")
    return Ruling(CONTRADICTS, rule, mine.against(theirs))


def _differing(one: Said, other: Said) -> list[tuple[Value, Value]] | None:
    """Return the values in the same places that do not agree; None for no telling."""
    found = []
    for mine, theirs in zip(one.values, other.values, strict=False):
        agree = mine.agrees(theirs)
        if agree is None:
            return None
        if not agree:
            found.append((mine, theirs))
    return found


def _single(said: Said, against: Said) -> tuple[Value, Value] | None:
    """Return the one value of each, where each has one and names nothing besides."""
    if len(said.values) == len(against.values) == 1 and said.names == against.names:
        return said.values[0], against.values[0]
    return None


def _likeness(one: frozenset[str], other: frozenset[str], allowed: int) -> float:
    both, shared = one | other, one & other
    size = max(len(both) - allowed, len(shared), 1)
    return len(shared) / size


def _plain(said: Said) -> str:
    return " ".join(said.text.casefold().split()).rstrip(" .!;。；")
