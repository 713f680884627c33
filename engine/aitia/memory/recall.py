"""What of earlier runs is told to a new one, within a budget of characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pyoxigraph import NamedNode

from aitia import resources, terms
from aitia.memory.likeness import likeness
from aitia.store import Row, Term
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.methods.base import Reads
    from aitia.trace import RunTrace

LINE: Final = 300
"""Characters of one line of what is recalled."""
LINES: Final = 12
"""Lines that one run may take."""

NOT_SHOWN: Final = "not established"
"""Of what a check did not let pass: a low score does not make a sentence false."""
_LABELS: Final = {
    (AITIA.Claim, AITIA.supported): "decided",
    (AITIA.Claim, AITIA.unsupported): "said without support",
    (AITIA.Hypothesis, AITIA.verified): "found to hold",
    (AITIA.Hypothesis, AITIA.refuted): NOT_SHOWN,
    (AITIA.Goal, AITIA.failed): "not reached",
    (AITIA.ToolCall, AITIA.failed): "failed",
    (AITIA.Observation, None): "returned",
    (AITIA.Abstention, None): "abstained",
    (AITIA.Abort, None): "broke off",
}
_FIRST: Final = ("decided", "abstained", "broke off", "found to hold")
"""Lines that come before the others where there is no room for all."""


@dataclass(frozen=True)
class Earlier:
    """A run that ended.

    Attributes:
        run: Its IRI.
        asked: What was asked.
        started: When, ISO 8601 in UTC.
        likeness: How much it resembles the new question, from 0 to 1; 0 unmeasured.
    """

    run: NamedNode
    asked: str
    started: str
    likeness: float = 0.0


@dataclass(frozen=True)
class Recalled:
    """What of earlier runs is told to a new one. Context, never evidence.

    Attributes:
        text: In words, a paragraph a run; "" where there is nothing.
        runs: The runs that it is of, in the order of the text.
        left_out: Runs that belong here and that there was no room for.
    """

    text: str = ""
    runs: tuple[NamedNode, ...] = ()
    left_out: int = 0


def recall(reads: Reads, question: str, session: str = "") -> Recalled:
    """Return what earlier runs of the session, and those like the question, left.

    The newest run of the session comes first, then those that resemble the question,
    then the rest of the session; only runs that ended count. Runs like the question
    are looked for among the newest thousand.

    Args:
        reads: What may be read; `settings.memory` bounds characters and runs.
        question: The new question.
        session: Name of the session that the new run belongs to, or "".
    """
    settings = reads.settings.memory
    if not settings.chars:
        return Recalled()
    return _told(reads, _chosen(reads, question, session), settings.chars)


def relate(trace: RunTrace, recalled: Recalled) -> None:
    """State in the record of a run which earlier ones it was told of."""
    for run in recalled.runs:
        trace.say(trace.run, AITIA.relatedTo, run)


def _chosen(reads: Reads, question: str, session: str) -> list[Earlier]:
    """Return the runs to tell of, those that matter most first."""
    own: list[Earlier] = []
    if session:
        bound = {"session": terms.session_iri(session)}
        own = _earlier(reads.store.select(_query("of_session"), bound))
    like = _like(reads, question, {item.run for item in own})
    return [*own[:1], *like, *own[1:]]


def _like(reads: Reads, question: str, besides: set[NamedNode]) -> list[Earlier]:
    """Return runs that resemble the question, those most like it first."""
    settings = reads.settings.memory
    if not settings.similar:
        return []
    newest = _earlier(reads.store.select(_query("newest")))
    others = [item for item in newest if item.run not in besides]
    measured = likeness(question, [item.asked for item in others], reads.indexes)
    rated = [
        replace(item, likeness=how)
        for item, how in zip(others, measured, strict=True)
        if how >= settings.resemblance
    ]
    return sorted(rated, key=lambda item: -item.likeness)[: settings.similar]


def _earlier(rows: Iterable[Row]) -> list[Earlier]:
    """Return the runs of rows, each once, in order."""
    found: dict[Term, Earlier] = {}
    for row in rows:
        run = row["run"]
        if isinstance(run, NamedNode):
            made = Earlier(run, row["asked"].value, row["started"].value)
            found.setdefault(run, made)
    return list(found.values())


def _query(question: str) -> str:
    return resources.query("memory", question)


def _told(reads: Reads, chosen: list[Earlier], chars: int) -> Recalled:
    """Return as many of the runs in words as there is room for."""
    if not chosen:
        return Recalled()
    bound = {"run": [item.run for item in chosen]}
    lines: dict[str, list[str]] = {}
    for row in reads.store.select(_query("left"), bound):
        if line := _line(row):
            lines.setdefault(row["run"].value, []).append(line)
    texts: list[str] = []
    runs: list[NamedNode] = []
    for item in chosen:
        text = _paragraph(item, lines.get(item.run.value, []))
        if sum(map(len, texts)) + 2 * len(texts) + len(text) <= chars:
            texts.append(text)
            runs.append(item.run)
    return Recalled("\n\n".join(texts), tuple(runs), len(chosen) - len(runs))


def _line(row: Row) -> str:
    """Return what a node of an earlier run says, or "" where it is not told."""
    kind, state = row["kind"], row.get("state")
    assert isinstance(kind, NamedNode)
    label = _LABELS.get((kind, state if isinstance(state, NamedNode) else None))
    text = " ".join(row["text"].value.split()) if "text" in row else ""
    of = row["of"].value
    if not label or not text or (kind == AITIA.Observation and not of):
        return ""
    if label == NOT_SHOWN:
        label = _unshown(row)
    named = f"{of} {label}" if of else label
    return _short(f"{named}: {text}")


def _unshown(row: Row) -> str:
    """Return how a candidate fell: by what contradicts it, or by a score alone."""
    if row["denied"].value == "true":
        return "found not to hold"
    sure = f" (scored {float(row['sure'].value):.2f})" if "sure" in row else ""
    return f"{NOT_SHOWN}{sure}"


def _paragraph(item: Earlier, lines: Iterable[str]) -> str:
    """Return a run in words."""
    like = f", resembles by {item.likeness:.2f}" if item.likeness else ""
    run = item.run.value.rpartition(":")[2]
    head = (
        f"Run {run} of {item.started[:10]}{like}, asked: {' '.join(item.asked.split())}"
    )
    return "\n".join([_short(head), *(f"- {line}" for line in _most(lines))])


def _most(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that a run may take: conclusions first, the rest in order."""
    told = list(dict.fromkeys(lines))
    first = [line for line in told if line.startswith(_FIRST)]
    rest = [line for line in told if line not in first]
    yield from [*first, *rest][:LINES]


def _short(text: str) -> str:
    return text if len(text) <= LINE else f"{text[: LINE - 1]}…"
