"""Settings of tools, of memory, of what is recorded, and of what raises an alarm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from string import Template
from typing import Any

from aitia.settings.kinds import LONGEST, choice, number, table


@dataclass(frozen=True)
class ToolSettings:
    """Which tools there are, and what bounds they keep to.

    Attributes:
        modules: Modules whose `@tool` functions are tools: dotted names, or paths of
            .py files; in aitia.toml relative to that file.
        seconds: How long one call may take.
        output_chars: Characters of a result above which the call fails.
        mcp: Server name → {"command", "args", "env", "folder"} or {"url", "headers"},
            and "reads": MCP servers whose tools are tools; `reads` names those that
            change nothing.
    """

    modules: tuple[str, ...] = ()
    seconds: float = number(30.0, 0.01, LONGEST)
    output_chars: int = number(100_000, 1)
    mcp: Mapping[str, Any] = table()

    @property
    def filled_variables(self) -> tuple[str, ...]:
        """Environment variables that are filled into `mcp` as `${NAME}`."""
        return tuple(sorted(set(_filled(self.mcp))))


def _filled(value: Any) -> Iterator[str]:
    """Yield the variables that stand in the texts of a table, however deep."""
    if isinstance(value, str):
        yield from Template(value).get_identifiers()
    elif isinstance(value, Mapping):
        yield from chain.from_iterable(map(_filled, value.values()))
    elif isinstance(value, list | tuple):
        yield from chain.from_iterable(map(_filled, value))


@dataclass(frozen=True)
class MemorySettings:
    """What of earlier runs is told to a new one.

    Attributes:
        session: The session that runs belong to, or "".
        chars: Characters of context that earlier runs may take; 0 recalls nothing.
        similar: How many earlier runs that resemble the question are told of.
        resemblance: How much they must resemble it, from 0 to 1; see
            `aitia.memory.likeness`.
    """

    session: str = ""
    chars: int = number(4000, 0)
    similar: int = number(3, 0, 100)
    resemblance: float = number(0.5, 0, 1)


@dataclass(frozen=True)
class RecordSettings:
    """What of a run is recorded.

    Attributes:
        level: `full`: every step. `decisions`: input, goals, what models proposed,
            evidence and conclusion, and how many steps were left out.
    """

    level: str = choice("full", "decisions")


@dataclass(frozen=True)
class AlertSettings:
    """What raises an alarm; 0 switches a threshold off.

    Attributes:
        failures: Runs that failed one after the other.
        slow_seconds: Seconds of one step.
        refusal_rate: Share of refused operations of a run.
        spending: Money of a day, in the currency of the prices.
    """

    failures: int = number(3, 0)
    slow_seconds: float = number(60.0, 0)
    refusal_rate: float = number(0.5, 0, 1)
    spending: float = number(0.0, 0)
