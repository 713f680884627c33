"""All tools of a run: from modules, installed packages, MCP servers and programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final, Self

from aitia.errors import SettingsError, UsageError
from aitia.settings import Settings
from aitia.tools.hosted import Hosted
from aitia.tools.kinds import NAME, Source, Tool, ToolFailed, checked
from aitia.tools.program import Program
from aitia.trace.reserved import is_reserved

GROUP: Final = "aitia.tools"
"""Entry point group whose modules hold tools."""

Given = str | Callable[..., Any]


class Toolbox:
    """The tools that operations may call.

    Attributes:
        tools: Name → tool, sorted by name.
        notes: What is missing and why: servers that are down, names that are none.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings.tools
        self._of: dict[str, Source] = {}
        self._sources: list[Source] = []
        self._notes: list[str] = []
        self._found: dict[str, Tool] = {}

    @classmethod
    def load(
        cls,
        settings: Settings,
        extra: Iterable[Given] = (),
        folder: Path | None = None,
    ) -> Self:
        """Return every tool that is configured, installed or handed over.

        Args:
            settings: The settings in force.
            extra: Further modules and files by name, or functions of the program.
            folder: Where modules are looked for besides; the current folder for None.

        Raises:
            ToolFailed: A module that was named cannot be loaded.
            UsageError: Two tools have the same name, one has that of a method, or one
                cannot be described.
            SettingsError: An MCP server is named in a way that has no meaning.
        """
        made = cls(settings)
        given = list(extra)
        place = (folder or Path()).resolve()
        modules = [*settings.tools.modules, *(x for x in given if isinstance(x, str))]
        try:
            for named in dict.fromkeys(modules):
                made._add(Hosted(named, place, settings.tools.seconds))
            made._add_program([item for item in given if not isinstance(item, str)])
            made._add_installed(place)
            made._add_servers()
        except BaseException:
            made.close()
            raise
        return made

    @classmethod
    def of(cls, functions: Iterable[Callable[..., Any]], settings: Settings) -> Self:
        """Return a program's own functions as the only tools.

        Raises:
            UsageError: One is no tool, or two have the same name.
        """
        made = cls(settings)
        made._add_program(list(functions))
        return made

    @property
    def tools(self) -> Mapping[str, Tool]:
        """Name → tool, sorted by name."""
        return MappingProxyType(dict(sorted(self._found.items())))

    @property
    def notes(self) -> tuple[str, ...]:
        """What is missing, and why."""
        return tuple(self._notes)

    def call(self, tool: Tool, arguments: Mapping[str, Any]) -> Any:
        """Return what a tool returns, as JSON values. Safe from several threads.

        Raises:
            ToolFailed: It failed, took too long, or returned too much.
        """
        seconds = self._settings.seconds if tool.seconds is None else tool.seconds
        source = self._of[tool.name]
        return source.call(tool, arguments, seconds, self._settings.output_chars)

    def close(self) -> None:
        """End the processes and connections. Safe to call twice."""
        for source in self._sources:
            source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _add(self, source: Source) -> None:
        """Add what a source offers.

        Raises:
            ToolFailed: It cannot be told.
            UsageError: A name is taken or cannot be used.
        """
        self._sources.append(source)
        for item in source.tools():
            self._take(checked(item), source)

    def _take(self, item: Tool, source: Source) -> None:
        if is_reserved(item.name):
            raise UsageError(
                f"{item.name!r} is the name of a method; no tool of {item.source} can"
                " have it.",
                hint='`@tool(name="…")` calls a function otherwise.',
            )
        if other := self._found.get(item.name):
            raise UsageError(
                f"Two tools are called {item.name!r}: one of {other.source}, one of"
                f" {item.source}."
            )
        self._found[item.name] = item
        self._of[item.name] = source

    def _add_program(self, functions: list[Callable[..., Any]]) -> None:
        if functions:
            self._add(Program(functions))

    def _add_installed(self, folder: Path) -> None:
        """Add the tools of installed packages; one that is broken is only noted."""
        for entry in entry_points(group=GROUP):
            try:
                self._add(Hosted(entry.value, folder, self._settings.seconds))
            except (ToolFailed, UsageError) as error:
                self._notes.append(f"{entry.name} offers no tools: {error}")

    def _add_servers(self) -> None:
        """Add the tools of MCP servers; one that is down is only noted."""
        for name, source in self._servers():
            self._sources.append(source)
            try:
                for item in source.tools():
                    self._add_remote(item, source)
            except ToolFailed as error:
                self._notes.append(f"{error} Its tools are missing.")
                continue
            if not any(found is source for found in self._of.values()):
                self._notes.append(f"The MCP server {name!r} offers no tools.")

    def _add_remote(self, item: Tool, source: Source) -> None:
        try:
            self._take(checked(item), source)
        except UsageError as error:
            self._notes.append(str(error))

    def _servers(self) -> Iterator[tuple[str, Source]]:
        if not self._settings.mcp:
            return
        try:
            from aitia.tools.mcp_servers import Server, named
        except ModuleNotFoundError as error:
            raise SettingsError(
                f"MCP servers need the package mcp: {error}.",
                hint='pip install "aitia[mcp]"',
            ) from error
        for name, table in self._settings.mcp.items():
            if NAME.fullmatch(name) is None:
                raise SettingsError(f"tools.mcp: {name!r} is no name for a server.")
            yield name, Server(name, named(name, table), self._settings.seconds)
