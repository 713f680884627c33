"""What a model is shown of a run: never the whole, and what was left out is counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from pyoxigraph import NamedNode

from aitia.llm.tokens import estimate
from aitia.plain import clean
from aitia.reason.board import Board, Entry
from aitia.reason.judge import CLOSED
from aitia.vocab import AITIA

SHARE: Final = 4
"""One result takes at most one part in so many of the room there is for all."""
LEAST: Final = 120
"""Tokens that a result is not cut below, while there is room."""
BRIEF: Final = 40
"""Tokens of what is settled: it is named, not told again."""


@dataclass(frozen=True)
class Summary:
    """What of a run stands in a prompt.

    Attributes:
        text: The words.
        shown: The nodes that they tell of, in order.
        left_out: How many nodes of the board there was no room for.
    """

    text: str
    shown: tuple[NamedNode, ...]
    left_out: int


@dataclass
class _Room:
    """The room that a summary has, as it fills."""

    left: int
    lines: list[str] = field(default_factory=list)
    shown: dict[NamedNode, None] = field(default_factory=dict)

    def section(
        self, title: str, entries: Iterable[tuple[Entry, str]], most: int
    ) -> None:
        """Add a section with as many entries as there is room for."""
        head = estimate(title)
        for entry, before in entries:
            text = _line(entry, before, min(most, self.left - head))
            cost = estimate(text) + head
            if not text or cost > self.left:
                continue
            if head:
                self.lines.append(title)
            head = 0
            self.lines.append(text)
            self.left -= cost
            self.shown[entry.node] = None


def summary(board: Board, tokens: int) -> Summary:
    """Return what there is to know of a run, within a budget.

    The question, open goals and open hypotheses come first, then what contradicts,
    then results, the last ones first, then what is settled.

    Args:
        board: The nodes of the run.
        tokens: How many tokens it may have, as `aitia.llm.tokens.estimate` counts.
    """
    room = _Room(tokens)
    for title, entries, most in _sections(board, tokens):
        room.section(title, entries, most)
    left_out = len(board) - len(room.shown)
    if left_out:
        room.lines.append(f"({left_out} more nodes are not shown.)")
    return Summary("\n".join(room.lines), tuple(room.shown), left_out)


Sections = Iterator[tuple[str, list[tuple[Entry, str]], int]]


def _sections(board: Board, tokens: int) -> Sections:
    most = max(LEAST, tokens // SHARE)
    yield "Question:", _plain(board.entries(AITIA.UserInput, AITIA.Intent)), tokens
    goals = board.entries(AITIA.Goal)
    yield "Open goals:", _plain(g for g in goals if g.status not in CLOSED), most
    hypotheses = board.entries(AITIA.Hypothesis)
    yield "Unresolved hypotheses:", _weighed(board, hypotheses, settled=False), most
    yield "Contradictions:", list(_against(board)), most
    yield "Results, the last first:", _plain(reversed(_results(board))), most
    failed = [x for x in board.entries(AITIA.MethodExecution) if x.status == "failed"]
    yield "Steps that failed, the last first:", _plain(reversed(failed)), most
    yield "Named in the question:", _plain(board.entries(AITIA.Entity)), BRIEF
    yield "Earlier runs, which prove nothing:", _plain(board.entries(AITIA.Run)), most
    yield "Goals that are over:", _plain(g for g in goals if g.status in CLOSED), BRIEF
    yield "Settled hypotheses:", _weighed(board, hypotheses, settled=True), BRIEF


def _plain(entries: Iterable[Entry]) -> list[tuple[Entry, str]]:
    return [(entry, entry.detail) for entry in entries]


def _weighed(
    board: Board, entries: Iterable[Entry], *, settled: bool
) -> list[tuple[Entry, str]]:
    return [
        (entry, _evidence(board, entry))
        for entry in entries
        if (entry.status in ("verified", "refuted")) == settled
    ]


def _evidence(board: Board, entry: Entry) -> str:
    for_it, against = board.evidence(entry.node)
    told = [
        entry.detail,
        f"for it: {', '.join(for_it)}" if for_it else "",
        f"against it: {', '.join(against)}" if against else "",
    ]
    return "; ".join(filter(None, told))


def _against(board: Board) -> Iterator[tuple[Entry, str]]:
    """Yield conflicts, and claims that something speaks against."""
    yield from _plain(board.entries(AITIA.Conflict))
    for entry in board.entries(AITIA.Claim):
        if board.evidence(entry.node)[1]:
            yield entry, _evidence(board, entry)


def _results(board: Board) -> list[Entry]:
    """Return what later steps can rest on, in the order in which it came up."""
    against = {entry.node for entry, _ in _against(board)}
    kinds = (AITIA.Observation, AITIA.Passage, AITIA.Quote, AITIA.Statement)
    found = board.entries(*kinds, AITIA.Claim, AITIA.Document)
    return [entry for entry in found if entry.node not in against]


def _line(entry: Entry, before: str, most: int) -> str:
    """Return one line that tells of a node, in at most so many tokens; else "".

    It is one line whatever the text is: no text can look like the label of another.
    """
    status = f" [{entry.status}]" if entry.status else ""
    detail = f" ({clean(before)})" if before else ""
    head = f"{entry.label}{status}{detail}: "
    text = head + clean(" ".join(entry.text.split()))
    if estimate(text) <= most:
        return text
    size = f"… (cut; {len(entry.text):,} characters in all)"
    room = most - estimate(head) - estimate(size)
    if room <= 0:
        return ""
    return head + _cut(text[len(head) :], room) + size


def _cut(text: str, tokens: int) -> str:
    """Return the start of a text that has at most so many tokens."""
    low, high = 0, min(len(text), tokens * 16)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]
