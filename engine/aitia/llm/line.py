"""A client with its connection, which can be cut from another thread at a set time.

A time limit of the HTTP library bounds each read, not a request: who sends a byte now
and then is waited for without end. Here one clock runs for the whole of a request, from
connecting to the last piece.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from aitia.llm.tiers import Target

if TYPE_CHECKING:
    import openai

_AGAIN: Final = 0.1
"""Seconds after which a connection that could not be cut is cut again: while it is
made, there is nothing to cut yet."""
_CONNECTED: Final = ("connection.connect_tcp.complete", "connection.start_tls.complete")


class Line:
    """A client for one request at a time, with the connections that it keeps.

    Attributes:
        request: The last request, as the HTTP library has it.
    """

    def __init__(self, target: Target) -> None:
        """Make ready to connect.

        Args:
            target: Where to, and with which key.
        """
        import openai

        self._target = target
        self._socket: socket.socket | None = None
        self.request: Any = None
        self._clients: dict[str, openai.OpenAI] = {}
        # An address that the user did not configure is not to be reached.
        self._http = openai.DefaultHttpxClient(
            follow_redirects=False,
            event_hooks={"request": [self._follow]},
        )

    def client(self, base: str) -> openai.OpenAI:
        """Return the client for an address."""
        import openai

        if base not in self._clients:
            self._clients[base] = openai.OpenAI(
                base_url=base,
                default_query=dict[str, object](self._target.query),
                api_key=self._target.key or "none",
                max_retries=0,
                http_client=self._http,
            )
        return self._clients[base]

    def cut(self) -> None:
        """Break the connection off: who waits for it goes on at once."""
        if self._socket is not None:
            with suppress(OSError):
                # The plain one: that of TLS would first wait to take its leave.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def close(self) -> None:
        """Give its connections free."""
        self._http.close()

    def _follow(self, request: Any) -> None:
        self.request = request
        request.extensions = {**request.extensions, "trace": self._note}

    def _note(self, event: str, told: dict[str, Any]) -> None:
        if event in _CONNECTED:
            self._socket = told["return_value"].get_extra_info("socket")


class Clock:
    """Cuts a line at a set time, unless its block is left before.

    Attributes:
        rang: Whether the time was over.
    """

    def __init__(self, line: Line, seconds: float, most: float | None) -> None:
        """Start.

        Args:
            line: What is cut.
            seconds: After how long; `wind` starts that anew.
            most: After how long in any case, or None where nothing bounds that.
        """
        self._line, self._seconds = line, seconds
        now = time.monotonic()
        self._end = now + most if most is not None else float("inf")
        self._until = min(now + seconds, self._end)
        self._over = threading.Event()
        self.rang = False

    def __enter__(self) -> Self:
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()

    def wind(self) -> None:
        """Start the seconds anew: something came that was waited for."""
        self._until = min(time.monotonic() + self._seconds, self._end)

    def _watch(self) -> None:
        left = self._until - time.monotonic()
        while not self._over.wait(max(left, _AGAIN if self.rang else 0.0)):
            left = self._until - time.monotonic()
            if left <= 0:
                self.rang = True
                self._line.cut()
