"""Why a proposal was refused, told to the model that made it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.gate import line
from aitia.model import Violation

if TYPE_CHECKING:
    from aitia.reason.board import Board
    from aitia.reason.judge import Problem

MOST: Final = 12
"""So many reasons are told at once."""

_ID: Final = re.compile(
    rf"(?:{re.escape(terms.BASE)})?(run:[A-Za-z0-9]+/[a-z]+(?:/\d+)?|"
    r"(?:doc|statement):[0-9a-f]+(?:#char=\d+,\d+)?)"
)


def plain(
    problems: Sequence[Problem | Violation],
    board: Board | None = None,
    names: Mapping[NamedNode, str] | None = None,
) -> str:
    """Return reasons as lines, one each, with labels for the nodes a model knows.

    Args:
        problems: What the judge or the gate found.
        board: Where nodes have their labels; without one they keep their ids.
        names: What nodes are called that are not on the board.
    """
    lines = [_line(problem) for problem in problems[:MOST]]
    if len(problems) > MOST:
        lines.append(f"… and {len(problems) - MOST:,} more.")
    if board is not None:
        lines = [_labelled(text, board, names or {}) for text in lines]
    return "\n".join(f"- {text}" for text in lines)


def _line(problem: Problem | Violation) -> str:
    return line(problem) if isinstance(problem, Violation) else problem.line()


def _labelled(text: str, board: Board, names: Mapping[NamedNode, str]) -> str:
    def label(found: re.Match[str]) -> str:
        node = NamedNode(terms.BASE + found[1])
        return names.get(node) or board.label(node) or found[0]

    return _ID.sub(label, text)
