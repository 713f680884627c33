"""Bounds what the entities that an XML file declares for itself expand to."""

from __future__ import annotations

import re
from collections import Counter

from aitia.errors import ReadError

_DECLARED = re.compile(r"<!ENTITY\s+([^\s%\"'>]+)\s+(?:\"([^\"]*)\"|'([^']*)')")
_REFERENCE = re.compile(r"&([^\s&;#]+);")
_AMPERSAND = re.compile(r"&#(?:38|x26);", re.IGNORECASE)
_TIMES = 20
"""A file that expands to more than so many times its length, and more than `_CHARS`,
is refused: it is made to exhaust memory. Names of namespaces, for which entities are
used in OWL files, are some ten times as long as their entities."""
_CHARS = 4_000_000


def check(text: str) -> None:
    """Refuse a file whose entities expand to far more than it holds.

    Args:
        text: An XML file.

    Raises:
        ReadError: They do.
    """
    values = {
        name: _AMPERSAND.sub("&", double or single)
        for name, double, single in _DECLARED.findall(text)
    }
    if not values:
        return
    sizes = _Sizes(values)
    used = Counter(name for name in _REFERENCE.findall(text) if name in values)
    total = sum(sizes.of(name) * count for name, count in used.items())
    if total > _CHARS and total > _TIMES * len(text):
        raise ReadError(
            f"its entities expand to more than {_TIMES} times its length"
            f" ({len(text):,} characters), which is not taken in"
        )


class _Sizes:
    """How many characters entities expand to."""

    def __init__(self, values: dict[str, str]) -> None:
        self._values, self._known = values, dict[str, int]()

    def of(self, name: str, within: frozenset[str] = frozenset()) -> int:
        """Return how many characters an entity expands to, with those in it."""
        if name in within:
            raise ReadError(f"its entity {name!r} stands for itself")
        if name not in self._known:
            value, inside = self._values[name], within | {name}
            found = Counter(_REFERENCE.findall(value))
            self._known[name] = len(value) + sum(
                self.of(inner, inside) * count
                for inner, count in found.items()
                if inner in self._values
            )
        return self._known[name]
