"""What servers do: addresses, keys, formats, storms, and what is remembered of them."""

import contextlib
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from aitia.llm import ModelDown, TooLong
from aitia.llm.faults import LONGEST_PAUSE, pause
from aitia.llm.models import Models
from tests.asking import GOOD, asking, call, formats, plain
from tests.llm_server import ModelServer, Says


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def down(models: Models) -> ModelDown:
    with pytest.raises(ModelDown) as told:
        models.complete(plain())
    assert "\n" not in str(told.value)
    return told.value


# Addresses


@pytest.mark.parametrize(
    ("root", "given"),
    [
        ("/v1", ""),
        ("/v1", "/"),
        ("/v1", "/v1"),
        ("/v1", "/v1/"),
        ("/v1", "/v1/chat/completions"),
        ("", ""),
        ("", "/v1"),
        ("/api/openai", "/api/openai/"),
        ("/api/v3", "/api/v3"),
    ],
)
def test_any_form_of_a_base_address_is_understood(
    tmp_path: Path, root: str, given: str
) -> None:
    with ModelServer("ok", root=root) as server:
        for text in ("one", "two"):
            with asking(tmp_path, server, url=server.base + given) as models:
                assert models.complete(plain(text)).text == "ok"
        # Found out once at most, then remembered.
        assert server.paths[-1] == f"{root}/chat/completions"
        assert len(server.paths) <= 3


def test_what_an_address_asks_to_be_sent_is_sent(tmp_path: Path) -> None:
    with ModelServer("ok", root="/v1") as server:
        url = server.url + "?api-version=2"
        with asking(tmp_path, server, url=url) as models:
            error = down(models)
        assert server.paths[0] == "/v1/chat/completions?api-version=2"
    assert "api-version" not in str(error)


def test_a_model_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    with (
        ModelServer(models=("llama", "qwen"), known=("llama", "qwen")) as server,
        asking(tmp_path, server) as models,
    ):
        error = down(models)
        assert server.paths.count("/v1/chat/completions") == 1
    assert "does not exist" in str(error)
    assert error.hint == "It has llama, qwen."


def test_what_is_no_such_server_is_told(tmp_path: Path) -> None:
    with (
        ModelServer(wrong_body="<html>Hello</html>") as server,
        asking(tmp_path, server) as models,
    ):
        assert "does not speak the OpenAI protocol" in str(down(models))


# Keys


def test_no_key_is_needed_and_a_missing_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "key-0123456789-secret"
    with ModelServer("ok", key=key) as server:
        with asking(tmp_path, server) as models:
            error = down(models)
            assert "asks for a key (401)" in str(error)
            assert "OPENAI_API_KEY" in error.hint
        monkeypatch.setenv("OPENAI_API_KEY", "key-9876543210-wrong")
        with asking(tmp_path, server) as models:
            error = down(models)
            assert "refuses the key in OPENAI_API_KEY" in str(error)
            assert "9876543210" not in f"{error} {error.hint} {error.reply}"
        monkeypatch.setenv("OPENAI_API_KEY", key)
        with asking(tmp_path, server) as models:
            assert models.complete(plain()).text == "ok"


# Formats


@pytest.mark.parametrize(
    ("reject", "tried"),
    [
        ((), ["json_schema"]),
        (("json_schema",), ["json_schema", "json_object"]),
        (("response_format",), ["json_schema", "json_object", "tool"]),
        (
            ("response_format", "tools"),
            ["json_schema", "json_object", "tool", "plain"],
        ),
    ],
)
def test_the_best_format_is_found_out_once_and_remembered(
    tmp_path: Path, reject: tuple[str, ...], tried: list[str]
) -> None:
    with ModelServer([GOOD], reject=reject) as server:
        with asking(tmp_path, server) as models:
            assert models.complete(call()).value.model_dump() == GOOD
        assert formats(server) == tried
        with asking(tmp_path, server) as models:
            reply = models.complete(call("Another text."))
            assert reply.attempts == 1
        # A tool that is offered and not called is not offered again.
        best = "plain" if tried[-1] == "tool" else tried[-1]
        assert formats(server)[len(tried) :] == [best]
        assert dict(reply.parameters).get("response_format", "plain") == best
        told = "JSON Schema" in server.prompts[-1]
        assert told == (best != "json_schema")


def test_a_tool_that_is_called_is_read(tmp_path: Path) -> None:
    def call_tool(body: dict[str, Any]) -> str:
        return json.dumps(GOOD) if "tools" in body else "I call nothing."

    reject = ("response_format",)
    with (
        ModelServer(call_tool, reject=reject, calls_tools=True) as server,
        asking(tmp_path, server) as models,
    ):
        assert models.complete(call()).value.model_dump() == GOOD
        assert models.complete(call("More.")).value.model_dump() == GOOD
        assert formats(server)[-2:] == ["tool", "tool"]
        assert models.server("work").can.tools is True


@pytest.mark.parametrize(
    "reject", ["temperature", "max_tokens", "stream_options", "stream"]
)
def test_a_parameter_that_is_refused_is_left_out(tmp_path: Path, reject: str) -> None:
    told: list[str] = []
    with ModelServer("ok", reject=(reject,)) as server:
        with asking(tmp_path, server) as models:
            models.complete(plain(told=told.append))
            models.complete(plain("More.", told=told.append))
        assert [reject in body for body in server.requests] == [True, False, False]
        if reject == "max_tokens":
            assert server.requests[-1]["max_completion_tokens"] == 1024
    assert "".join(told) == "okok"


def test_a_refusal_without_a_cure_is_told(tmp_path: Path) -> None:
    with (
        ModelServer([Says("Too rude to read.", status=400)]) as server,
        asking(tmp_path, server) as models,
    ):
        assert "refuses the request (400): Too rude to read" in str(down(models))
        assert models.server("work").can.path is None, "a failure teaches nothing"


def test_a_prompt_too_long_for_the_server_is_told_as_such(tmp_path: Path) -> None:
    long = Says("This model's maximum context length is 100 tokens.", status=400)
    with (
        ModelServer([long]) as server,
        asking(tmp_path, server) as models,
        pytest.raises(TooLong) as told,
    ):
        models.complete(call())
    assert formats(server) == ["json_schema"]
    assert "maximum context length" in str(told.value)


# Storms


def test_a_busy_server_is_asked_again_and_who_waits_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    with (
        ModelServer("ok", fail_first=2, retry_after="0.01") as server,
        asking(tmp_path, server, told=told.append) as models,
    ):
        reply = models.complete(plain())
        assert len(server.requests) == 3
        assert models.spent.calls == 1
    assert (reply.text, reply.attempts) == ("ok", 3)
    assert told == ["the model's server is busy (429): asking again in 0.01 s"] * 2


def test_a_storm_loses_no_progress(tmp_path: Path) -> None:
    flags = {"model.retries": 20}
    with (
        ModelServer("ok", fail_first=12, retry_after="0.01") as server,
        asking(tmp_path, server, flags) as models,
        ThreadPoolExecutor(4) as pool,
    ):
        done = pool.map(models.complete, [plain(f"Text {i}.") for i in range(8)])
        assert [reply.text for reply in done] == ["ok"] * 8
        assert len(server.requests) == 20


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_a_server_that_stays_busy_is_given_up(tmp_path: Path, status: int) -> None:
    flags = {"model.retries": 2}
    with (
        ModelServer(status=status, retry_after="0") as server,
        asking(tmp_path, server, flags) as models,
    ):
        error = down(models)
        assert len(server.requests) == 3
    assert f"busy or fails ({status}; asked 3 times)" in str(error)
    assert error.reply
    assert error.reply.attempts == 3


def test_a_long_retry_after_is_waited_for_no_longer_than_set(tmp_path: Path) -> None:
    flags = {"model.longest_wait": 0.05}
    with (
        ModelServer("ok", fail_first=1, retry_after="3600") as server,
        asking(tmp_path, server, flags) as models,
    ):
        assert models.complete(plain()).text == "ok"


class _Headers:
    def __init__(self, value: str) -> None:
        self.response = self
        self.headers = {"retry-after": value}


@pytest.mark.parametrize(
    ("said", "tries", "seconds"),
    [
        ("12", 1, 12.0),
        ("0", 1, 0.0),
        ("-5", 1, 0.0),
        ("1e9", 1, 30.0),
        ("inf", 1, 0.5),
        ("soon", 1, 0.5),
        ("soon", 3, 2.0),
        ("soon", 99, LONGEST_PAUSE),
        (formatdate(time.time() - 60), 1, 0.0),
        (formatdate(time.time() + 3600), 1, 30.0),
    ],
)
def test_retry_after_is_read_in_every_form(
    said: str, tries: int, seconds: float
) -> None:
    error: Any = _Headers(said)
    assert pause(error, tries, 30.0) == seconds


def test_a_connection_that_breaks_is_made_again(tmp_path: Path) -> None:
    with (
        ModelServer("ok", hang_up=1) as server,
        asking(tmp_path, server, {"model.longest_wait": 0.01}) as models,
    ):
        assert models.complete(plain()).text == "ok"


def test_a_slow_server_is_given_up_after_two_tries(tmp_path: Path) -> None:
    flags = {"model.timeout": 0.1, "model.longest_wait": 0, "model.retries": 9}
    with (
        ModelServer("late", delay=5) as server,
        asking(tmp_path, server, flags) as models,
    ):
        error = down(models)
        assert len(server.requests) == 2
    assert "did not reply within 0.1 s" in str(error)


def test_a_reply_that_trickles_in_is_not_waited_for(
    tmp_path: Path, trickling: str
) -> None:
    flags = {"model.timeout": 0.2, "model.retries": 0}
    with (
        ModelServer() as server,
        asking(tmp_path, server, flags, url=trickling) as models,
    ):
        assert "did not reply within 0.2 s" in str(down(models))


def test_who_stops_waits_no_longer(tmp_path: Path) -> None:
    flags = {"model.longest_wait": 600, "budget.seconds": 0}
    with (
        ModelServer(status=503, retry_after="600") as server,
        asking(tmp_path, server, flags) as models,
        ThreadPoolExecutor(1) as pool,
    ):
        models.tell = lambda text: models.stop()
        assert "busy or fails" in str(pool.submit(down, models).result())


# Servers of another kind


class Odd(BaseHTTPRequestHandler):
    def log_message(self, format: str, *given: Any) -> None:
        """Keep quiet."""


class Elsewhere(Odd):
    """Sends everybody to another address."""

    def do_POST(self) -> None:
        self.send_response(307)
        self.send_header("location", "http://127.0.0.1:9/v1/chat/completions")
        self.send_header("content-length", "0")
        self.end_headers()


class Trickling(Odd):
    """Sends a space now and then, and never a reply."""

    def do_POST(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(b" ")
                time.sleep(0.02)


def odd(handler: type[Odd]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    server.server_close()


@pytest.fixture
def elsewhere() -> Iterator[str]:
    yield from odd(Elsewhere)


@pytest.fixture
def trickling() -> Iterator[str]:
    yield from odd(Trickling)


def test_no_address_is_reached_that_is_not_configured(
    tmp_path: Path, elsewhere: str
) -> None:
    with ModelServer() as server, asking(tmp_path, server, url=elsewhere) as models:
        assert "points elsewhere (307), which is not followed" in str(down(models))


# Memory


def test_what_was_remembered_wrongly_is_found_out_again(tmp_path: Path) -> None:
    with ModelServer([GOOD]) as server:
        with asking(tmp_path, server) as models:
            models.complete(call())
        file = tmp_path / "models.json"
        told = json.loads(file.read_text())
        ((key, found),) = told.items()
        assert server.url not in key
        found["path"] = "/elsewhere"
        file.write_text(json.dumps(told))
        with asking(tmp_path, server) as models:
            assert models.complete(call("More.")).value
        wrong: list[Any] = [[], {key: 1}, {key: {**found, "format": "xml"}}]
        for nonsense in wrong:
            file.write_text(json.dumps(nonsense))
            with asking(tmp_path, server, {"model.cache": False}) as models:
                assert models.complete(call()).value
