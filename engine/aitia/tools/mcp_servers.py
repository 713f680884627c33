"""Tools of servers of the Model Context Protocol, through the official package.

A server is named in aitia.toml: `[tools.mcp.NAME]` with `command` (and `args`, `env`,
`folder`), which is started and spoken to over its standard input and output, or with
`url` (and `headers`), which is reached over HTTP. In values, `${NAME}` stands for a
variable of the environment, so that no secret need be in the file.

A tool counts as changing something outside unless the server says `readOnlyHint`, or
`reads` in aitia.toml names it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, Final

import mcp
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CONNECTION_CLOSED
from pydantic import BaseModel, ConfigDict, ValidationError

from aitia.errors import SettingsError
from aitia.tools.kinds import Tool, ToolFailed, as_text, plain, too_long, too_slow

if TYPE_CHECKING:
    from mcp.types import CallToolResult

# What the package says of a broken server is told as the error of the call instead.
logging.getLogger("mcp").addHandler(logging.NullHandler())

MARGIN: Final = 1.0
"""Seconds after its limit at which a call is no longer waited for at all: a server that
floods its connection is told of late, and takes its time to end."""
ENDING: Final = 10.0
"""Seconds that a server has to end."""
MOST_PAGES: Final = 100
"""Pages of its list of tools that a server may have."""


class Named(BaseModel):
    """How aitia.toml names a server."""

    model_config = ConfigDict(extra="forbid")

    command: str = ""
    args: list[str] = []
    env: dict[str, str] = {}
    folder: str | None = None
    url: str = ""
    headers: dict[str, str] = {}
    reads: list[str] = []


def named(name: str, table: Any) -> Named:
    """Return how a server is named, its variables filled in.

    Raises:
        SettingsError: That has no meaning, or a variable is not set.
    """
    where = f"tools.mcp.{name}"
    try:
        found = Named.model_validate(table)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join([where, *map(str, first["loc"])])
        raise SettingsError(f"{place}: {first['msg']}.") from error
    if bool(found.command) == bool(found.url):
        raise SettingsError(f"{where} needs either a command or a url.")
    try:
        return found.model_copy(
            update={
                "url": _filled(found.url),
                "args": [_filled(text) for text in found.args],
                "env": {k: _filled(text) for k, text in found.env.items()},
                "headers": {k: _filled(text) for k, text in found.headers.items()},
            }
        )
    except (KeyError, ValueError) as error:
        raise SettingsError(
            f"{where}: the variable {error} is not set.",
            hint="`${NAME}` stands for a variable of the environment, `$$` for a $.",
        ) from error


def _filled(text: str) -> str:
    return Template(text).substitute(os.environ)


class Server:
    """One server, in a thread with the event loop that its connection belongs to."""

    def __init__(self, name: str, settings: Named, seconds: float) -> None:
        """Name a server; nothing is started yet.

        Args:
            name: What it is called.
            settings: Where it is.
            seconds: How long connecting may take.
        """
        self._name, self._settings, self._seconds = name, settings, seconds
        self._lock = threading.Lock()
        self._link: _Link | None = None

    def tools(self) -> list[Tool]:
        """Return the server's tools.

        Raises:
            ToolFailed: It cannot be reached.
        """
        return [self._tool(item) for item in self._linked().tools]

    def call(
        self, tool: Tool, arguments: Mapping[str, Any], seconds: float, chars: int
    ) -> Any:
        """Call one of the tools; see `aitia.tools.kinds.Source`."""
        link = self._linked()
        remote = tool.name.removeprefix(f"{self._name}.")
        try:
            found = link.call(remote, dict(arguments), seconds)
        except ToolFailed:
            if link.broken:
                # The next call starts it, or reaches it, anew.
                self.close()
            raise
        value, text = _value(found)
        if found.is_error:
            raise ToolFailed(text[:chars] or "The server says that the call failed.")
        if len(text) > chars:
            raise too_long(len(text), chars)
        return value

    def close(self) -> None:
        """End the connection, and the server where it was started here."""
        with self._lock:
            link, self._link = self._link, None
        if link is not None:
            link.close()

    def _linked(self) -> _Link:
        with self._lock:
            if self._link is None or self._link.broken:
                # Also one that fails is kept, to be ended in the end.
                self._link = _Link(self._name, self._settings, self._seconds)
                self._link.wait()
            return self._link

    def _tool(self, item: Any) -> Tool:
        hints = item.annotations
        reads = item.name in self._settings.reads or bool(
            hints and hints.read_only_hint
        )
        return Tool(
            name=f"{self._name}.{item.name}",
            description=item.description or item.title or item.name,
            schema=item.input_schema,
            side_effect=not reads,
            source=f"mcp:{self._name}",
        )


class _Link:
    """A connection to a server, held open by a thread of its own.

    Attributes:
        tools: What the server offers.
        broken: Whether the connection is gone, or a call hangs in it.
    """

    def __init__(self, name: str, settings: Named, seconds: float) -> None:
        """Begin to connect; `wait` waits for it."""
        self._name, self._settings, self._seconds = name, settings, seconds
        self.tools: list[Any] = []
        self.broken = False
        self._ready = threading.Event()
        self._failure = ""
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until it is connected.

        Raises:
            ToolFailed: The server cannot be reached in time.
        """
        if not self._ready.wait(self._seconds + MARGIN):
            self.broken, self._failure = True, "it did not answer in time"
        if self._failure:
            raise ToolFailed(
                f"The MCP server {self._name!r} cannot be reached: {self._failure}."
            )

    def call(
        self, name: str, arguments: dict[str, Any], seconds: float
    ) -> CallToolResult:
        """Call a tool.

        Raises:
            ToolFailed: It took too long, or the server does not answer as it should.
        """
        made = self._call(name, arguments, seconds)
        try:
            future = asyncio.run_coroutine_threadsafe(made, self._loop)
        except RuntimeError as error:
            made.close()
            raise ToolFailed("The server is gone.") from error
        try:
            return future.result(seconds + MARGIN)
        except TimeoutError as error:
            future.cancel()
            self.broken = True
            raise too_slow(seconds) from error
        except (Exception, CancelledError) as error:
            gone = getattr(error, "code", CONNECTION_CLOSED) == CONNECTION_CLOSED
            self.broken = self.broken or gone
            raise ToolFailed(f"The server failed: {_said(error)}.") from error

    def close(self) -> None:
        """End the connection."""
        # The loop is closed where the connection ended by itself.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(ENDING)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            try:
                runner.run(self._hold())
            except Exception as error:
                self._failure = self._failure or _said(error)
            finally:
                self.broken = True
                self._ready.set()

    async def _hold(self) -> None:
        """Connect, list the tools, and keep the connection until told to end it."""
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(self._seconds):
                transport = await self._transport(stack)
                self._client = await stack.enter_async_context(
                    mcp.Client(transport, cache=None)
                )
                self.tools = await self._listed()
            self._ready.set()
            await self._stop.wait()

    async def _transport(self, stack: AsyncExitStack) -> Any:
        if self._settings.url:
            import httpx2

            http = httpx2.AsyncClient(headers=self._settings.headers)
            await stack.enter_async_context(http)
            return streamable_http_client(self._settings.url, http_client=http)
        devnull = Path(os.devnull)
        nowhere = stack.enter_context(devnull.open("w", encoding="utf-8"))
        started = mcp.StdioServerParameters(
            command=self._settings.command,
            args=self._settings.args,
            env=self._settings.env,
            cwd=self._settings.folder,
        )
        return mcp.stdio_client(started, errlog=nowhere)

    async def _listed(self) -> list[Any]:
        found: list[Any] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            found += page.tools
            cursor = page.next_cursor
            if cursor is None:
                break
        return found

    async def _call(
        self, name: str, arguments: dict[str, Any], seconds: float
    ) -> CallToolResult:
        async with asyncio.timeout(seconds):
            return await self._client.call_tool(name, arguments)


def _value(found: CallToolResult) -> tuple[Any, str]:
    """Return what a call returned: as a value, and in words."""
    value = found.structured_content
    if isinstance(value, dict) and set(value) == {"result"}:
        value = value["result"]
    if value is None or found.is_error:
        value = "\n".join(_block(item) for item in found.content)
    value = plain(value)
    return value, as_text(value)


def _block(item: Any) -> str:
    """Return a part of a result as text; of all but text only that it was there."""
    if item.type == "text":
        return str(item.text)
    kind = getattr(item, "mime_type", "") or ""
    return f"[{' '.join(filter(None, (item.type, kind)))}: not taken]"


def _said(error: BaseException) -> str:
    """Return what went wrong in one line; the first of several in a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    text = " ".join(str(error).split()) or type(error).__name__
    return text.rstrip(".")
