"""Up to which commit the knowledge changed: runs add to the record, not to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, Protocol

from aitia import terms
from aitia.ask.aids import Keeps
from aitia.model import CommitRecord

KIND: Final = "position"
KEY: Final = "knowledge"


class Records(Protocol):
    """What is asked of the ledger."""

    def records(
        self, *, since: int = 0, newest_first: bool = False
    ) -> Iterator[CommitRecord]:
        """Return the commits after number `since`."""
        ...


def knowledge(ledger: Records, cache: Keeps) -> int:
    """Return the number of the newest commit that was not made for a run.

    How far it was looked for is kept, so that a long history is gone through once.

    Args:
        ledger: The ledger.
        cache: Where that is kept.
    """
    seen, newest = _known(cache)
    head = seen
    for record in ledger.records(since=seen, newest_first=True):
        head = max(head, record.number)
        if not record.cause.startswith(f"{terms.BASE}run:"):
            newest = record.number
            break
    cache.put(KIND, KEY, json.dumps({"seen": head, "newest": newest}))
    return newest


def _known(cache: Keeps) -> tuple[int, int]:
    text = cache.get(KIND, KEY)
    if text is None:
        return 0, 0
    told = json.loads(text)
    return int(told["seen"]), int(told["newest"])
