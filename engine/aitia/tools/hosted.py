"""Tools of a module, called in a process of its own that is killed at the limit.

Calls of one module run one after the other, so that what they change happens in the
order in which it was asked for; modules run beside each other. A process stays for
the calls after, with what its module keeps in memory, until a call has to be stopped
or the process says what nobody asked it: the next call starts another.
"""

from __future__ import annotations

import json
import os
import secrets
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from aitia.tools.kinds import Tool, ToolFailed, too_long, too_slow

_PIECE: Final = 1 << 16
_PARTING: Final = 1.0
"""Seconds that a process which closed its output has to end by itself."""
_WIDEST: Final = 12
"""Bytes that one character may take as JSON has it."""
_SPACE: Final = 4 << 20
"""Bytes that an answer may have besides: what a module says of its tools."""


class _Unasked(Exception):
    """A process wrote what is no answer to what it was asked."""


class Hosted:
    """The tools of one module or file.

    Attributes:
        named: The module or file, as it was named.
    """

    def __init__(self, named: str, folder: Path, seconds: float) -> None:
        """Name a module; nothing is started yet.

        Args:
            named: A dotted name, one with `:` and an attribute, or the path of a file.
            folder: Where modules are looked for besides the usual places.
            seconds: How long loading it may take.
        """
        self.named = named
        self._folder, self._seconds = folder, seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""
        self._tools: list[Tool] = []
        self._lock = threading.Lock()

    def tools(self) -> list[Tool]:
        """Return the module's tools.

        Raises:
            ToolFailed: It cannot be loaded, or has none.
        """
        with self._lock:
            self._start()
            return list(self._tools)

    def call(
        self, tool: Tool, arguments: Mapping[str, Any], seconds: float, chars: int
    ) -> Any:
        """Call one of the tools; see `aitia.tools.kinds.Source`."""
        request = {
            "call": tool.name,
            "arguments": dict(arguments),
            "seconds": seconds,
            "chars": chars,
        }
        with self._lock:
            self._start()
            answer = self._answer(request, seconds)
        if "long" in answer:
            raise too_long(answer["long"], chars)
        return answer["value"]

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _start(self) -> None:
        """Start the process and load the module, unless that was done.

        Raises:
            ToolFailed: It cannot be loaded.
        """
        if self._process is not None and self._process.poll() is None:
            return
        self._end()
        # -P: the current folder must not shadow the standard library; the host looks
        # there last. A session of its own: Ctrl-C is for the run to deal with.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "aitia.tools.host"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        request = {"load": self.named, "folder": str(self._folder)}
        try:
            told = self._answer(request, self._seconds)["tools"]
        except ToolFailed:
            self._end()
            raise
        self._tools = [Tool(**item) for item in told]

    def _answer(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Return what the process answers.

        Raises:
            ToolFailed: It says so, ended, or took too long.
        """
        assert self._process is not None
        assert self._process.stdin is not None
        asked = {**request, "id": secrets.token_hex()}
        most = _SPACE + _WIDEST * request.get("chars", 0)
        try:
            self._process.stdin.write(json.dumps(asked).encode() + b"\n")
            self._process.stdin.flush()
            answer = self._matching(self._line(seconds, most), asked["id"])
        except TimeoutError as error:
            self._end()
            raise too_slow(seconds) from error
        except _Unasked as error:
            self._end()
            raise ToolFailed(
                f"The process of {self.named!r} wrote what is no answer: something in"
                " it writes where only answers go. It was stopped."
            ) from error
        except (OSError, EOFError) as error:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PARTING)
            raise ToolFailed(
                f"The process of {self.named!r} ended ({self._end()})."
            ) from error
        except BaseException:
            # Whoever broke this off did not read the answer, which the next would.
            self._end()
            raise
        if "error" in answer:
            raise ToolFailed(answer["error"])
        return answer

    def _matching(self, line: bytes, asked: str) -> dict[str, Any]:
        """Return a line as the answer to what was asked, and the only one.

        Raises:
            _Unasked: It is none.
        """
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _Unasked from error
        if not isinstance(answer, dict) or answer.get("id") != asked or self._rest:
            raise _Unasked
        return answer

    def _line(self, seconds: float, most: int) -> bytes:
        """Return the next line of the process.

        Raises:
            TimeoutError: It took too long.
            EOFError: The process ended.
            _Unasked: It has more than `most` bytes.
        """
        assert self._process is not None
        assert self._process.stdout is not None
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                left = deadline - time.monotonic()
                if left <= 0 or not waiting.select(left):
                    raise TimeoutError
                piece = os.read(self._process.stdout.fileno(), _PIECE)
                if not piece:
                    raise EOFError
                self._rest += piece
                if len(self._rest) > most:
                    raise _Unasked
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _end(self) -> str:
        """Kill the process and what it started; return how it ended."""
        process, self._process, self._rest = self._process, None, b""
        if process is None:
            return ""
        ended = process.poll()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        if ended is None:
            return "it was stopped"
        return f"exit code {ended}" if ended >= 0 else f"signal {-ended}"
