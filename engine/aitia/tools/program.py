"""Tools that a program hands over: its own functions, called in its own process.

They see what the program keeps in memory, which is why they do not run elsewhere. A
call runs in a thread. One that hangs is given up at the limit and the run goes on; the
thread cannot be stopped and is left behind, to end with the program at the latest.
Tools that may hang or compute for long belong in a module (`aitia.tools.hosted`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from aitia.tools.declare import describe, run, said
from aitia.tools.kinds import Tool, ToolFailed, as_text, too_long, too_slow

SOURCE: Final = "program"


class Program:
    """A program's own functions as tools."""

    def __init__(self, functions: Iterable[Callable[..., Any]]) -> None:
        """Take functions that `@tool` marked.

        Raises:
            UsageError: One was not, or its types have no JSON schema.
        """
        found = [(describe(function, SOURCE), function) for function in functions]
        self._tools = [told for told, _ in found]
        self._functions = {told.name: function for told, function in found}

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return list(self._tools)

    def call(
        self, tool: Tool, arguments: Mapping[str, Any], seconds: float, chars: int
    ) -> Any:
        """Call one of the tools; see `aitia.tools.kinds.Source`."""
        call = _Call(self._functions[tool.name], arguments)
        threading.Thread(target=call.make, daemon=True).start()
        if not call.done.wait(seconds):
            raise too_slow(seconds)
        if call.error is not None:
            raise call.error
        if (length := len(as_text(call.value))) > chars:
            raise too_long(length, chars)
        return call.value

    def close(self) -> None:
        """Give free what is held: nothing."""


class _Call:
    """One call, made in a thread of its own."""

    def __init__(
        self, function: Callable[..., Any], arguments: Mapping[str, Any]
    ) -> None:
        self._function, self._arguments = function, arguments
        self.done = threading.Event()
        self.value: Any = None
        self.error: ToolFailed | None = None

    def make(self) -> None:
        try:
            self.value = run(self._function, self._arguments)
        except ToolFailed as error:
            self.error = error
        except BaseException as error:
            # Nobody above would see it: the call would count as one that went well.
            self.error = ToolFailed(said(error))
        finally:
            self.done.set()
