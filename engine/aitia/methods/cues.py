"""What the function words of a question ask for: the form of its answer.

Grammar of English and Chinese only; nothing here names a class, property or value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from aitia.methods.limits import Bound, read_bound

VALUE_FORM: Final = "value"
LIST_FORM: Final = "list"
COUNT_FORM: Final = "count"
EXISTS_FORM: Final = "exists"
LARGEST_FORM: Final = "largest"
SMALLEST_FORM: Final = "smallest"
TOTAL_FORM: Final = "total"
AVERAGE_FORM: Final = "average"
DESCRIBE_FORM: Final = "describe"
RANKED: Final = frozenset({LARGEST_FORM, SMALLEST_FORM, TOTAL_FORM, AVERAGE_FORM})
"""The forms that are reckoned from all values of a property."""

DATE: Final = "date"
QUANTITY: Final = "quantity"
PERSON: Final = "person"
PLACE: Final = "place"
REASON: Final = "reason"

_COUNT: Final = re.compile(
    r"\bhow many\b|(?:^|\b(?:the|total|what) )number of\b|\bcount\b|多少个|有多少|几个",
    re.I,
)
_TOTAL: Final = re.compile(
    r"\b(?:total|sum(?: of)?|altogether|combined)\b|总共|一共", re.I
)
_AVERAGE: Final = re.compile(r"\b(?:average|mean)\b|平均", re.I)
_SMALLEST: Final = re.compile(
    r"\b(?:least|fewest|lowest|cheapest|smallest|shortest|earliest|lightest|minimum|"
    r"slowest|first|nearest|narrowest|weakest|soonest|oldest)\b"
    r"|最少|最低|最便宜|最小|最早|最短",
    re.I,
)
_LARGEST: Final = re.compile(
    r"\b(?:most|maximum|last|latest|best|(?!(?:arrest|chest|contest|digest|forest|guest|"
    r"harvest|honest|interest|invest|modest|protest|quest|request|suggest)\b)"
    r"[a-z]{3,}est)\b|最多|最高|最贵|最大|最晚|最长",
    re.I,
)
_EXISTS: Final = re.compile(
    r"^\W*(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|might|must|shall|"
    r"should|will|would|isn't|aren't|doesn't|don't|didn't|can't|won't)\b|吗\W*$|是否|有没有",
    re.I,
)
_ALLOWED: Final = re.compile(
    r"(?!\b(?:can|could|would|will) you\b)\b(?:can|could|may|must|should|shall|allowed|able|possible|eligible|permitted|"
    r"entitled|have to|need to)\b|可以|能不能|能否|允许|必须|应该",
    re.I,
)
_LOWER: Final = re.compile(
    r"\b(?:less|fewer|lower|cheaper|smaller|shorter|earlier|lighter|slower|nearer|"
    r"sooner|older|before|first)\b|更少|更低|更便宜|更小|更早|更短",
    re.I,
)
_COMPARES: Final = re.compile(
    r"\b(?:than|compared?|comparison|difference|differ|versus|vs|more|less|fewer|or|"
    r"both|same)\b|更|比|还是",
    re.I,
)
_DATE: Final = re.compile(
    r"\b(?:when|what day|(?:what|which)\b.{0,40}\b(?P<last>date))\b"
    r"|什么时候|何时|哪天|几点|几号|几月",
    re.I,
)
_REASON: Final = re.compile(
    r"\bwhy\b|\bfor (?:what|which) reason\b|\bhow come\b|为什么|为何|为啥", re.I
)
_ORDERED: Final = re.compile(
    r"\b(?:before|after|first|last|earlier|later|sooner|older|oldest|younger|youngest|"
    r"newer|newest|more recent(?:ly)?|most recent(?:ly)?)\b",
    re.I,
)
_QUANTITY: Final = re.compile(
    r"\bhow (?:much|many|long|often|far|soon)\b|\bhow (?=(?:big|cold|deep|fast|heavy|high|"
    r"hot|large|late|loud|old|small|tall|thick|warm|wide)\b)|\bwhat time\b"
    r"|多少|多久|多[长高重大远宽深快]|几",
    re.I,
)
_PERSON: Final = re.compile(r"\b(?:who|whom|whose)\b|谁|哪位", re.I)
_PLACE: Final = re.compile(r"\bwhere\b|哪里|哪儿|何处", re.I)
_WANTS: Final = (
    (REASON, _REASON),
    (DATE, _DATE),
    (QUANTITY, _QUANTITY),
    (PERSON, _PERSON),
    (PLACE, _PLACE),
)
_CHAIN: Final = re.compile(
    r"\b(?:in the end|ultimately|eventually|at the (?:very )?(?:start|beginning|source)|"
    r"originally|indirectly|in turn)\b|最终|最后|最初",
    re.I,
)
_DESCRIBE: Final = re.compile(
    r"^\W*(?:tell me (?:about|of)|describe|who (?:is|are|was)|what (?:is|are|do you know "
    r"about)|show(?: me)?|give me|information (?:on|about)|details (?:of|on|about))\b"
    r"|介绍|是谁|是什么",
    re.I,
)


_DENIES: Final = re.compile(
    r"\b(?:no|not|never|without|except|none of|(?:is|are|was|were|do|does|did|has|have|"
    r"can)n['’]t|cannot)\b|[不没未非]",
    re.I,
)


@dataclass(frozen=True)
class Cues:
    """The form that a question asks its answer in.

    Attributes:
        form: `value`, `count`, `exists`, `largest`, `smallest`, `total`, `average`.
        formed: Place of the words that say so, or (0, 0).
        spans: Places of all words of form, which name nothing.
        wants: `date`, `quantity`, `person`, `place`, `reason` or "": what it asks for.
        wanted: Place of the words that say so, or (0, 0).
        compares: True where it sets things side by side.
        ordered: Places of the words that ask what was earlier or later.
        graded: True where it asks for more or most of something.
        lower: For a comparison, True where the smaller value is asked for.
        allowed: True where it asks whether something may or must be done.
        chain: True where it asks for the far end of a chain.
        describe: True where it asks for all about something.
        denials: Places of words that deny.
        bound: A limit that it sets to values, or None.
        limited: Place of the words that set it, or (0, 0).
    """

    form: str
    formed: tuple[int, int]
    spans: tuple[tuple[int, int], ...]
    wants: str = ""
    wanted: tuple[int, int] = (0, 0)
    compares: bool = False
    ordered: tuple[tuple[int, int], ...] = ()
    graded: bool = False
    lower: bool = False
    allowed: bool = False
    chain: bool = False
    describe: bool = False
    denials: tuple[tuple[int, int], ...] = ()
    bound: Bound | None = None
    limited: tuple[int, int] = (0, 0)


def read_cues(text: str) -> Cues:
    """Return the form that a question asks its answer in."""
    form, formed = VALUE_FORM, (0, 0)
    for candidate, pattern in (
        (COUNT_FORM, _COUNT),
        (SMALLEST_FORM, _SMALLEST),
        (LARGEST_FORM, _LARGEST),
        (AVERAGE_FORM, _AVERAGE),
        (TOTAL_FORM, _TOTAL),
        (EXISTS_FORM, _EXISTS),
    ):
        found = pattern.search(text)
        if found:
            form, formed = candidate, found.span()
            break
    wants, wanted = next(
        (
            (kind, found.span())
            for kind, pattern in _WANTS
            if (found := pattern.search(text))
        ),
        ("", (0, 0)),
    )
    compares = bool(_COMPARES.search(text))
    marks = (_REASON, _DATE, _QUANTITY, _CHAIN)
    spans = [_place(found) for mark in marks if (found := mark.search(text))]
    bound, limited = read_bound(text)
    if bound:
        spans.append(limited)
    return Cues(
        form=form,
        formed=formed,
        spans=(*spans, formed) if formed[1] else tuple(spans),
        wants=wants,
        wanted=wanted,
        compares=compares,
        ordered=tuple(found.span() for found in _ORDERED.finditer(text)),
        graded=compares or form in (LARGEST_FORM, SMALLEST_FORM),
        lower=bool(_LOWER.search(text)),
        allowed=bool(_ALLOWED.search(text)),
        chain=bool(_CHAIN.search(text)),
        describe=bool(_DESCRIBE.search(text)),
        denials=tuple(found.span() for found in _DENIES.finditer(text)),
        bound=bound,
        limited=limited,
    )


def _place(found: re.Match[str]) -> tuple[int, int]:
    """Return the place of words of form, without what stands between them."""
    last = found.groupdict().get("last")
    return found.span("last") if last else found.span()
