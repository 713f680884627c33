"""The line to a server: one request, one response, bounded in time and size."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from aitia.llm import faults, wire
from aitia.llm.line import Clock, Line
from aitia.llm.patience import OutOfTime, Watch
from aitia.llm.tiers import Target
from aitia.llm.veil import Veil

CONNECT: Final = 5.0
"""Seconds that a connection may take."""
LARGEST: Final = 16 << 20
"""Bytes of a response that are read at most."""
PIECES: Final = 1_000
"""Pieces of a stream more than the reply may have characters: empty ones come too."""


class Connection:
    """Sends requests by the client. Safe to use from several threads at once."""

    def __init__(self, target: Target, timeout: float, veil: Veil) -> None:
        """Make ready to send.

        Args:
            target: Where to, and with which key.
            timeout: Seconds to wait for a response, or for the next piece of one
                that comes in pieces.
            veil: Masks secrets in what comes back.
        """
        self._target, self._timeout, self._veil = target, timeout, veil
        self._lock = threading.Lock()
        self._idle: list[Line] = []
        self._busy: set[Line] = set()

    def send(
        self, question: wire.Question, base: str, body: dict[str, Any], watch: Watch
    ) -> wire.Answer:
        """Send a request once, and read the response.

        Args:
            question: What is asked.
            base: Address below which the server answers.
            body: The request.
            watch: Tells the time that is left.

        Raises:
            APIError: The client's: what went wrong.
            NotSpoken: What came back is no reply of this protocol.
            BrokenOff: A stream ended before its end.
            OutOfTime: The time was over before the end of a stream.
        """
        most = question.limit * wire.CHARS_PER_TOKEN
        with self._line(watch.left()) as (line, clock):
            client = line.client(base).chat.completions.with_streaming_response
            with client.create(**body, **self._extra(watch.left())) as response:
                kind = response.headers.get("content-type", "")
                if "stream" in body and kind.startswith("text/event-stream"):
                    pieces = _pieces(response.parse(), watch, clock, most + PIECES)
                    return self._streamed(question, pieces, body, most)
                text = _text(response)
        found = wire.answer(text, body, most, self._veil)
        if question.told is not None:
            question.told(found.text)
        return found

    def models(self, base: str) -> list[str]:
        """Return the names of the models that are listed at an address.

        Raises:
            APIError: The client's: what went wrong.
            ValueError: What is there is no list of models.
        """
        with self._line(None) as (line, _):
            found = line.client(base).models.list(**self._extra(None))
        try:
            return [str(item.id) for item in found.data]
        except (AttributeError, TypeError) as error:
            raise ValueError("no list of models") from error

    def close(self) -> None:
        """Give its connections free."""
        with self._lock:
            lines, self._idle = [*self._idle, *self._busy], []
        for line in lines:
            line.cut()
            line.close()

    @contextmanager
    def _line(self, left: float | None) -> Iterator[tuple[Line, Clock]]:
        """Give a line for one request, which is cut when the time is over.

        Raises:
            APITimeoutError: The client's: it was.
        """
        with self._lock:
            line = self._idle.pop() if self._idle else Line(self._target)
            self._busy.add(line)
        clock = Clock(line, self._timeout, left)
        try:
            with clock:
                yield line, clock
            if clock.rang:
                # To the client, a line that was cut may be the end of the response.
                raise _late(line)
        except Exception as error:
            if clock.rang and not faults.unreached(error):
                raise _late(line) from error
            raise
        finally:
            with self._lock:
                self._busy.discard(line)
                if not clock.rang:
                    self._idle.append(line)
            if clock.rang:
                line.close()

    def _streamed(
        self,
        question: wire.Question,
        pieces: Iterator[dict[str, Any]],
        body: dict[str, Any],
        most: int,
    ) -> wire.Answer:
        assert question.told is not None
        try:
            return wire.streamed(pieces, body, most, question.told, self._veil)
        except BaseException:
            question.told("")
            raise

    def _extra(self, left: float | None) -> dict[str, Any]:
        import openai

        seconds = self._timeout if left is None else min(self._timeout, left)
        timeout = openai.Timeout(seconds, connect=min(CONNECT, seconds))
        headers = {} if self._target.key else {"Authorization": openai.Omit()}
        return {"timeout": timeout, "extra_headers": headers}


def _pieces(
    stream: Any, watch: Watch, clock: Clock, most: int
) -> Iterator[dict[str, Any]]:
    """Yield the pieces of a stream, until it ends or the time is over."""
    try:
        for count, piece in enumerate(stream):
            if watch.left() == 0.0:
                raise OutOfTime
            if count > most:
                raise wire.BrokenOff(f"the stream has more than {most:,} pieces")
            clock.wind()
            yield piece.model_dump()
    except ValueError as error:
        raise wire.BrokenOff("a piece of the stream is no JSON") from error


def _text(response: Any) -> str:
    """Return a response that comes in one piece."""
    parts, size = [], 0
    for part in _bytes(response):
        parts.append(part)
        size += len(part)
        if size > LARGEST:
            raise wire.NotSpoken(f"the reply has more than {LARGEST:,} bytes", "")
    return b"".join(parts).decode("utf-8", "replace")


def _bytes(response: Any) -> Iterator[bytes]:
    """Yield the parts of a response; what goes wrong is the client's error."""
    with _as_client(response):
        yield from response.iter_bytes()


@contextmanager
def _as_client(response: Any) -> Iterator[None]:
    """Raise what goes wrong in the HTTP library as the client's error."""
    import openai

    try:
        yield
    except (openai.OpenAIError, OutOfTime, wire.BrokenOff, GeneratorExit):
        raise
    except Exception as error:
        # The HTTP library's own, whose name differs between versions of the client.
        request = response.http_response.request
        slow = type(error).__name__.endswith("Timeout")
        kind = openai.APITimeoutError if slow else openai.APIConnectionError
        raise kind(request=request) from error


def _late(line: Line) -> Exception:
    import openai

    return openai.APITimeoutError(request=line.request)
