"""The line to a server: one request, one response, bounded in time and size."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from aitia.llm import wire
from aitia.llm.patience import OutOfTime, Watch
from aitia.llm.tiers import Target

if TYPE_CHECKING:
    import openai

CONNECT: Final = 5.0
"""Seconds that a connection may take."""
LARGEST: Final = 16 << 20
"""Bytes of a response that are read at most."""
PIECES: Final = 1_000
"""Pieces of a stream more than the reply may have characters: empty ones come too."""


class Connection:
    """Sends requests by the client. Safe to use from several threads at once."""

    def __init__(self, target: Target, timeout: float) -> None:
        """Make ready to send.

        Args:
            target: Where to, and with which key.
            timeout: Seconds to wait for a response, or for the next piece of one
                that comes in pieces.
        """
        self._target, self._timeout = target, timeout
        self._clients: dict[str, openai.OpenAI] = {}

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
        client = self._client(base).chat.completions.with_streaming_response
        with client.create(**body, **self._extra(watch.left())) as response:
            kind = response.headers.get("content-type", "")
            if "stream" in body and kind.startswith("text/event-stream"):
                pieces = _pieces(response.parse(), watch, most + PIECES)
                return _streamed(question, pieces, body, most)
            text = self._text(response, watch)
        found = wire.answer(text, body, most)
        if question.told is not None:
            question.told(found.text)
        return found

    def models(self, base: str) -> list[str]:
        """Return the names of the models that are listed at an address.

        Raises:
            APIError: The client's: what went wrong.
            ValueError: What is there is no list of models.
        """
        found = self._client(base).models.list(**self._extra(None))
        try:
            return [str(item.id) for item in found.data]
        except (AttributeError, TypeError) as error:
            raise ValueError("no list of models") from error

    def close(self) -> None:
        """Give its connections free."""
        if "_http" in self.__dict__:
            self._http.close()

    def _text(self, response: Any, watch: Watch) -> str:
        """Return a response that comes in one piece, however slowly it trickles in."""
        import openai

        left = watch.left()
        until = time.monotonic() + min(self._timeout, left or self._timeout)
        request, parts, size = response.http_response.request, [], 0
        for part in _bytes(response):
            parts.append(part)
            size += len(part)
            if time.monotonic() > until:
                raise openai.APITimeoutError(request=request)
            if size > LARGEST:
                raise wire.NotSpoken(f"the reply has more than {LARGEST:,} bytes", "")
        return b"".join(parts).decode("utf-8", "replace")

    @cached_property
    def _http(self) -> Any:
        import openai

        # An address that the user did not configure is not to be reached.
        return openai.DefaultHttpxClient(follow_redirects=False)

    def _client(self, base: str) -> openai.OpenAI:
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

    def _extra(self, left: float | None) -> dict[str, Any]:
        import openai

        seconds = self._timeout if left is None else min(self._timeout, left)
        timeout = openai.Timeout(seconds, connect=min(CONNECT, seconds))
        headers = {} if self._target.key else {"Authorization": openai.Omit()}
        return {"timeout": timeout, "extra_headers": headers}


def _streamed(
    question: wire.Question,
    pieces: Iterator[dict[str, Any]],
    body: dict[str, Any],
    most: int,
) -> wire.Answer:
    assert question.told is not None
    try:
        return wire.streamed(pieces, body, most, question.told)
    except BaseException:
        question.told("")
        raise


def _pieces(stream: Any, watch: Watch, most: int) -> Iterator[dict[str, Any]]:
    """Yield the pieces of a stream, until it ends or the time is over."""
    try:
        for count, piece in enumerate(stream):
            if watch.left() == 0.0:
                raise OutOfTime
            if count > most:
                raise wire.BrokenOff(f"the stream has more than {most:,} pieces")
            yield piece.model_dump()
    except ValueError as error:
        raise wire.BrokenOff("a piece of the stream is no JSON") from error


def _bytes(response: Any) -> Iterator[bytes]:
    """Yield the parts of a response; what goes wrong is the client's error."""
    import openai

    try:
        yield from response.iter_bytes()
    except openai.OpenAIError:
        raise
    except Exception as error:
        # The HTTP library's own, whose name differs between versions of the client.
        request = response.http_response.request
        slow = type(error).__name__.endswith("Timeout")
        kind = openai.APITimeoutError if slow else openai.APIConnectionError
        raise kind(request=request) from error
