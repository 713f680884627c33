"""How far sources are trusted, by patterns of paths and IRIs; and how conflicts are sought.

`[sources]` in aitia.toml maps a pattern to a kind, or to a kind and a weight:

    [sources]
    "policies/*" = "official"
    "notices/*.md" = { kind = "user", weight = 0.4 }
    "https://example.org/*" = "web"

A pattern is a glob over the path of a document, or over the last parts of it, or over
an IRI: of the document, or of the named graph that a statement stands in. The first
pattern that fits counts. `[source_kinds]` sets the weights of kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from aitia.errors import SettingsError
from aitia.settings.kinds import number

KINDS: Final[Mapping[str, float]] = {
    "official": 1.0,
    "reviewed": 0.8,
    "user": 0.5,
    "web": 0.3,
}
"""Kinds of sources that are known, and their weights where `[source_kinds]` sets none.
They only order: official before reviewed before what users say before the web."""
REVIEWED: Final = "reviewed"
"""The kind of what somebody reviewed and accepted."""
UNKNOWN: Final = 0.5
"""Weight of a source that no pattern fits: as what a user says."""


@dataclass(frozen=True)
class ConflictSettings:
    """How conflicts are looked for.

    Attributes:
        at_ingest: Whether what was taken in is checked against what was there.
        sentences: Sentences that one ingest checks at most; what is left over is told,
            and `aitia conflicts check` checks it.
        facts: Facts that one ingest checks at most, likewise.
        one_value: Whether facts disagree where documents give one record several
            values of a property of which every other record has one.
        owl: Triples that OWL 2 RL may read in one check; 0 leaves it out.
        nli: A folder, or the name in the local cache, of a sentence-transformers
            cross-encoder for NLI that judges sentences, or "".
        asked: Pairs of sentences that `aitia conflicts check` asks a model about at
            most, where one is configured.
    """

    at_ingest: bool = True
    sentences: int = number(400, 0)
    facts: int = number(5000, 0)
    one_value: bool = True
    owl: int = number(600, 0)
    nli: str = ""
    asked: int = number(50, 0)


@dataclass(frozen=True)
class Weight:
    """How far a source is trusted, and why.

    Attributes:
        value: From 0 to 1.
        kind: Its kind, or "" where no pattern fits.
        pattern: The pattern that fits, or "".
    """

    value: float = UNKNOWN
    kind: str = ""
    pattern: str = ""

    def told(self) -> str:
        """Return it in words: "official, weight 1.00"."""
        kind = f"{self.kind}, " if self.kind else ""
        return f"{kind}weight {self.value:.2f}"


class Sources:
    """Weighs sources by the patterns of `[sources]`."""

    def __init__(self, patterns: Mapping[str, Any], kinds: Mapping[str, Any]) -> None:
        """Read the two tables.

        Raises:
            SettingsError: A kind has no weight, or a weight is not from 0 to 1.
        """
        set_ = {name: _weight(name, value) for name, value in kinds.items()}
        self._weights = {**KINDS, **set_}
        self._known = [
            _known(pattern, told, self._weights) for pattern, told in patterns.items()
        ]

    def __bool__(self) -> bool:
        return bool(self._known)

    def of_kind(self, kind: str) -> Weight:
        """Return the weight of a known kind of source."""
        return Weight(self._weights[kind], kind)

    def weigh(self, path: str, iris: Iterable[str] = ()) -> Weight:
        """Return how far a source is trusted.

        Args:
            path: Path of its document as given, or "".
            iris: What IRIs it has.
        """
        places = [*_tails(path), *iris]
        for weight in self._known:
            if any(fnmatchcase(place, weight.pattern) for place in places):
                return weight
        return Weight()


def _tails(path: str) -> list[str]:
    """Return a path and its last parts: `a/b/c`, `b/c`, `c`."""
    parts = path.replace("\\", "/").split("/")
    return ["/".join(parts[at:]) for at in range(len(parts))] if path else []


def _known(pattern: str, told: Any, weights: Mapping[str, float]) -> Weight:
    named = {"kind": told} if isinstance(told, str) else told
    if not isinstance(named, Mapping) or set(named) - {"kind", "weight"} or not named:
        raise SettingsError(
            f"sources: {pattern!r} must be a kind or have `kind` and `weight`, "
            f"not {told!r}."
        )
    kind = str(named.get("kind", ""))
    if "weight" in named:
        return Weight(_weight(pattern, named["weight"]), kind, pattern)
    if kind not in weights:
        raise SettingsError(
            f"sources: {pattern!r} is of the kind {kind!r}, which has no weight.",
            hint=f"Known are {', '.join(weights)}; [source_kinds] sets others.",
        )
    return Weight(weights[kind], kind, pattern)


def _weight(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SettingsError(f"The weight of {name!r} must be a number, not {value!r}.")
    if not 0 <= value <= 1:
        raise SettingsError(f"The weight of {name!r} must be from 0 to 1, not {value}.")
    return float(value)
