"""The sides of a conflict as lines: what each says, where, and how far it is trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from aitia_cli.render import clean, quoted

if TYPE_CHECKING:
    from aitia.conflicts.side import Side


def sides(found: Sequence[Side]) -> Iterator[str]:
    """Yield the sides of a conflict, each with its source and weight."""
    for side in found:
        words = clean(side.text) if side.fact is not None else quoted(side.text)
        place = f", characters {side.start}–{side.end}" if side.end else ""
        source = clean(side.path or side.document)
        yield f"    {words} — {source}{place} ({clean(side.weight.told())})"
