"""Consent to tools that change something outside: who gave it, when and how."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from aitia import terms
from aitia.errors import UsageError
from aitia.tools.kinds import Tool

Ask = Callable[[Tool, Mapping[str, Any]], bool]
"""Asks a person whether a tool may be called with these arguments."""


@dataclass(frozen=True)
class Consent:
    """Permission for one call.

    Attributes:
        tool: Name of the tool.
        time: When it was given.
        how: In which way, in words.
    """

    tool: str
    time: datetime
    how: str


class Consents:
    """Says whether a call may change something outside. Safe from several threads."""

    def __init__(self, allowed: Iterable[str] = (), ask: Ask | None = None) -> None:
        """Take what was permitted beforehand, and whom to ask.

        Args:
            allowed: Names of the tools that were permitted for the whole run.
            ask: Asks a person for one call; None where nobody can be asked.
        """
        self._allowed, self._ask = frozenset(allowed), ask
        self._time = terms.now()
        self._lock = threading.Lock()

    @property
    def allowed(self) -> tuple[str, ...]:
        """Names of the tools that were permitted for the whole run, sorted."""
        return tuple(sorted(self._allowed))

    def check(self, tools: Mapping[str, Tool]) -> None:
        """Refuse permission for what is no tool.

        Raises:
            UsageError: A name is none, or its tool needs no permission.
        """
        for name in sorted(self._allowed):
            if name not in tools:
                raise UsageError(
                    f"There is no tool {name!r} to allow.",
                    hint=f"Tools: {', '.join(tools) or 'none'}.",
                )

    def given(self, tool: Tool, arguments: Mapping[str, Any]) -> Consent | None:
        """Return the permission for a call, or None where there is none."""
        if tool.name in self._allowed:
            return Consent(tool.name, self._time, "allowed for the run, by name")
        if self._ask is None:
            return None
        with self._lock:
            if not self._ask(tool, arguments):
                return None
        return Consent(tool.name, terms.now(), "a yes to this call, when asked")


NOBODY = Consents()
"""Permits nothing."""
