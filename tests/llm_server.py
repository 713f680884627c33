"""A real HTTP server that speaks the OpenAI protocol, with scripted replies.

    with ModelServer(["4 is even.", {"facts": []}]) as server:
        server.url          # http://127.0.0.1:PORT/v1
        server.requests     # bodies of the requests for replies so far, as dicts
        server.headers      # their headers, names in lower case

`replies` is one reply or a list of them, used in turn; after the last, the last
repeats. A reply is a text (the content), a dict or list (the content is its JSON), a
`Says` (a text with faults of its own), or a function that is given the request's body
and returns any of these: `def play(body): return body["messages"][-1]["content"]`.
With concurrent requests use a function, since the order of arrival is not fixed.

Faults of the whole server, by keyword:
    fail_first=N    the first N chat requests get `status` (429 where none is given)
    status=503      what failing requests get; without `fail_first`, all of them
    retry_after="1" sent with every failing reply
    delay=0.5       seconds before each reply
    piece_delay=0.1 seconds between the pieces of a streamed reply
    hang_up=True    closes the connection without a reply; `hang_up=2` the first two
    cut=True        a streamed reply ends in the middle, without its end mark
    reject=("response_format",)   400 for requests that have such a key; "json_schema"
                    rejects only that kind of response_format
    ignore=("stream",)            the key is taken no notice of
    finish="length" finish reason of every reply
    usage=False     replies tell no usage; `usage=12` tells 12 prompt tokens whatever
                    was sent; `usage="right"` counts four characters a token
    models=("m",)   what `/models` lists; None: 404 there
    known=("m",)    other models get 404, as of a model that is not there
    key="sk-…"      401 without that bearer key
    calls_tools=True  a request with tools is replied to by calling the first, the reply
                    being its arguments
    reasoning="…"   told beside the content, as `reasoning_content`
    root="/v1"      where it answers; "" at the root; other paths get 404
    wrong_body="…"  sent as it is in place of a reply, with status 200
    at=8642         the port; one that is free where none is named

Beside `/chat/completions` it answers `/responses`, streamed or not, without the faults
of a single reply.

`server.stop()` ends it early: from then on connections are refused. `dead_url()`
returns an address where nobody listens.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests import llm_responses
from tests.llm_responses import PIECE, Body

RESPONSES = "/responses"


@dataclass(frozen=True)
class Says:
    """One reply with faults of its own; what is not given, the server's says."""

    text: str | dict[str, Any] | list[Any] = ""
    finish: str = ""
    status: int = 200
    delay: float = 0.0
    reasoning: str = ""
    refusal: str = ""
    retry_after: str = ""
    usage: Any = None


Reply = str | dict[str, Any] | list[Any] | Says | Callable[[Body], Any]


@dataclass
class ModelServer:
    """The server; the module's text says what each keyword does."""

    replies: Reply | list[Reply] = "ok"
    fail_first: int = 0
    status: int = 200
    retry_after: str = ""
    delay: float = 0.0
    piece_delay: float = 0.0
    hang_up: bool | int = False
    cut: bool = False
    reject: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    finish: str = "stop"
    usage: bool | int | str = "right"
    models: tuple[str, ...] | None = ("m",)
    known: tuple[str, ...] | None = None
    key: str = ""
    calls_tools: bool = False
    reasoning: str = ""
    root: str = "/v1"
    wrong_body: str = ""
    at: int = 0
    requests: list[Body] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    failures: list[BaseException] = field(default_factory=list)
    """What a reply's function raised; raised again where the server's block ends."""

    def __enter__(self) -> Self:
        self._lock = threading.Lock()
        self.count = self._failed = self._hung = 0
        self._server = _Server(("127.0.0.1", self.at), _Handler)
        self._server.script = self
        self._running = True
        thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )
        thread.daemon = True
        thread.start()
        self.port = int(self._server.server_address[1])
        self.base = f"http://127.0.0.1:{self.port}"
        self.url = self.base + self.root
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.stop()
        if self.failures and error is None:
            raise self.failures[0]

    def stop(self) -> None:
        """End it: connections that are open break, and new ones are refused."""
        if self._running:
            self._running = False
            self._server.shutdown()
            self._server.server_close()
            self._server.drop()

    @property
    def prompts(self) -> list[str]:
        """What was said in each request, its messages joined by a blank line."""
        return [
            "\n\n".join(str(message["content"]) for message in body["messages"])
            for body in self.requests
        ]

    def note(self, path: str, headers: dict[str, str], body: Body | None) -> None:
        with self._lock:
            self.paths.append(path)
            if body is not None:
                self.requests.append(body)
                self.headers.append(headers)

    def hangs_up(self) -> bool:
        with self._lock:
            self._hung += 1
            return self.hang_up is True or self._hung <= int(self.hang_up)

    def trouble(self, headers: dict[str, str], body: Body) -> tuple[int, str] | None:
        """Return status and message of a request that is refused."""
        if self.key and headers.get("authorization") != f"Bearer {self.key}":
            return 401, "Incorrect API key provided."
        if self.known is not None and body.get("model") not in self.known:
            return 404, f"The model `{body.get('model')}` does not exist."
        with self._lock:
            self._failed += 1
            fails = (
                self._failed <= self.fail_first
                if self.fail_first
                else self.status >= 400
            )
        if fails:
            return (self.status if self.status >= 400 else 429), "Try again later."
        for name in self.reject:
            kind = (body.get("response_format") or {}).get("type")
            if name in body or name == kind:
                return 400, f"Unrecognized request argument supplied: {name}"
        return None

    def next(self, body: Body) -> Says:
        """Return what is replied to a request."""
        with self._lock:
            script = self.replies if isinstance(self.replies, list) else [self.replies]
            told: Any = script[min(self.count, len(script) - 1)]
            self.count += 1
        try:
            while callable(told):
                told = told(body)
        except BaseException as error:
            self.failures.append(error)
            raise
        return told if isinstance(told, Says) else Says(told)


def dead_url() -> str:
    """Return an address of this machine where nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{found.getsockname()[1]}/v1"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    script: ModelServer

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._open: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def drop(self) -> None:
        for found in list(self._open):
            with contextlib.suppress(OSError):
                found.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that went away is part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *given: Any) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        script = self.server.script
        script.note(self.path, {}, None)
        if self.path != f"{script.root}/models" or script.models is None:
            self._error(404, "Not found.")
            return
        if script.key and self.headers.get("authorization") != f"Bearer {script.key}":
            self._error(401, "Incorrect API key provided.")
            return
        listed = [{"id": name, "object": "model"} for name in script.models]
        self._json({"object": "list", "data": listed})

    def do_POST(self) -> None:
        script = self.server.script
        size = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(size) or b"{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.path not in (
            f"{script.root}/chat/completions",
            script.root + RESPONSES,
        ):
            script.note(self.path, headers, None)
            self._error(404, "Not found.")
            return
        script.note(self.path, headers, body)
        for name in script.ignore:
            body.pop(name, None)
        if script.hang_up and script.hangs_up():
            self.close_connection = True
            return
        time.sleep(script.delay)
        if (refused := script.trouble(headers, body)) is not None:
            self._error(*refused, retry_after=script.retry_after)
            return
        self._say(script.next(body), body)

    def _say(self, says: Says, body: Body) -> None:
        script = self.server.script
        time.sleep(says.delay)
        if self.path.endswith(RESPONSES):
            self._respond(says, body)
        elif says.status >= 400:
            self._error(says.status, str(says.text), retry_after=says.retry_after)
        elif script.wrong_body:
            streams = "text/event-stream" if body.get("stream") else "application/json"
            self._send(200, script.wrong_body.encode(), streams)
        elif body.get("stream"):
            self._stream(says, body)
        else:
            self._json(self._whole(says, body))

    def _whole(self, says: Says, body: Body) -> Body:
        script, text = self.server.script, _content(says)
        message: Body = {"role": "assistant", "content": text}
        if script.calls_tools and body.get("tools"):
            named = {"name": body["tools"][0]["function"]["name"], "arguments": text}
            called = {"id": "call-1", "type": "function", "function": named}
            message = {"role": "assistant", "content": None, "tool_calls": [called]}
        if says.refusal:
            message["refusal"] = says.refusal
        if reasoning := says.reasoning or script.reasoning:
            message["reasoning_content"] = reasoning
        choice = {"index": 0, "message": message, "finish_reason": self._finish(says)}
        told = {**_head(body), "object": "chat.completion", "choices": [choice]}
        return {**told, **self._usage(says, body, text)}

    def _finish(self, says: Says) -> str:
        return says.finish or self.server.script.finish

    def _usage(self, says: Says, body: Body, text: str) -> Body:
        told = self.server.script.usage if says.usage is None else says.usage
        if told is False:
            return {}
        read = told if type(told) is int else _tokens(json.dumps(body["messages"]))
        written = _tokens(text)
        counts = {"prompt_tokens": read, "completion_tokens": written}
        return {"usage": {**counts, "total_tokens": read + written}}

    def _stream(self, says: Says, body: Body) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for number, event in enumerate(self._events(says, body)):
            if number:
                time.sleep(self.server.script.piece_delay)
            self.wfile.write(f"data: {event}\n\n".encode())
            self.wfile.flush()

    def _events(self, says: Says, body: Body) -> Iterator[str]:
        script, text = self.server.script, _content(says)
        head = {**_head(body), "object": "chat.completion.chunk"}
        if reasoning := says.reasoning or script.reasoning:
            yield _event(head, {"reasoning_content": reasoning})
        shown = text[: len(text) // 2] if script.cut else text
        pieces = [shown[x : x + PIECE] for x in range(0, len(shown), PIECE)]
        if script.calls_tools and body.get("tools"):
            named = body["tools"][0]["function"]["name"]
            first = {"index": 0, "id": "call-1", "type": "function"}
            begun = {**first, "function": {"name": named, "arguments": ""}}
            yield _event(head, {"tool_calls": [begun]})
            for piece in pieces:
                more = {"index": 0, "function": {"arguments": piece}}
                yield _event(head, {"tool_calls": [more]})
        else:
            for piece in pieces:
                yield _event(head, {"content": piece})
        if script.cut:
            return
        yield _event(head, {}, self._finish(says))
        if (body.get("stream_options") or {}).get("include_usage"):
            usage = self._usage(says, body, text)
            if usage:
                yield json.dumps({**head, "choices": [], **usage})
        yield "[DONE]"

    def _respond(self, says: Says, body: Body) -> None:
        text, script = _content(says), self.server.script
        told = llm_responses.whole(
            text, body, script.count, calls_tools=script.calls_tools
        )
        if body.get("stream"):
            data = llm_responses.streamed(text, told)
            self._send(200, data, "text/event-stream")
        else:
            self._json(told)

    def _error(self, status: int, message: str, *, retry_after: str = "") -> None:
        told = {"error": {"message": message, "type": "error", "code": status}}
        extra = {"retry-after": retry_after} if retry_after else {}
        self._send(status, json.dumps(told).encode(), "application/json", extra)

    def _json(self, told: Body) -> None:
        self._send(200, json.dumps(told).encode(), "application/json")

    def _send(
        self, status: int, data: bytes, kind: str, extra: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in (extra or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _content(says: Says) -> str:
    return says.text if isinstance(says.text, str) else json.dumps(says.text)


def _head(body: Body) -> Body:
    return {"id": "chatcmpl-1", "created": 0, "model": body.get("model", "")}


def _event(head: Body, delta: Body, finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return json.dumps({**head, "choices": [choice]})


def _tokens(text: str) -> int:
    return -(-len(text) // 4)
