"""Servers that echo keys, trickle, or reply with what takes for ever to be read."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from aitia.llm import ModelError, recover
from aitia.llm.calls import Reply
from aitia.llm.veil import Veil, Veiled
from aitia.redact import MASK, Redactor
from aitia.settings import Settings, load
from aitia.settings.acting import ToolSettings
from aitia.settings.model import ModelSettings, TierSettings
from tests.asking import GOOD, asking, call, plain
from tests.llm_server import ModelServer, Says

KEY = "zq9-local/77"
PAUSE = 0.02


# Keys


def masked(folder: Path, reply: Any, **fault: Any) -> tuple[Reply, str]:
    """Ask a server that knows the key; return the reply and all that is kept."""
    flags = {"model.key_variable": "MY_OAI", "model.retries": 0}
    with ModelServer([reply], **fault) as server, asking(folder, server, flags) as made:
        try:
            found, line = made.complete(plain()), ""
        except ModelError as error:
            found, line = error.reply or Reply(""), str(error)
    files = (item for item in folder.rglob("*") if item.is_file())
    kept = [item.read_bytes().decode(errors="replace") for item in files]
    return found, "\n".join([line, *kept])


@pytest.mark.parametrize(
    "reply",
    [
        Says(f"It is {KEY}."),
        Says("ok", finish=KEY),
        Says("", refusal=f"No: {KEY}"),
        Says("ok", reasoning=f"Hm, {KEY}."),
        Says(json.dumps({"a": KEY}).replace("z", "\\u007a").replace("/", "\\/")),
        Says("", status=401),
    ],
    ids=["text", "finish", "refusal", "reasoning", "escaped", "refused"],
)
def test_no_word_of_a_server_brings_the_key_into_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reply: Says
) -> None:
    monkeypatch.setenv("MY_OAI", KEY)
    found, kept = masked(tmp_path, reply, key=KEY)
    assert KEY not in repr(found)
    assert KEY not in kept
    assert "\\u007aq9" not in kept


def test_the_message_of_an_error_is_masked_before_it_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_OAI", KEY)
    body = {"error": {"message": "x" * 195 + KEY}}
    with Raw(lambda connection: connection.sendall(whole(body, 401))) as url:
        flags = {"model.key_variable": "MY_OAI"}
        with (
            ModelServer() as server,
            asking(tmp_path, server, flags, url=url) as models,
            pytest.raises(ModelError) as told,
        ):
            models.complete(plain())
    assert KEY[:4] not in str(told.value)
    assert MASK in str(told.value)


def test_the_keys_of_both_tiers_and_what_is_filled_in_are_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = {"ONE": "abcd", "TWO": " efgh ", "FILL": "fill-it-in", "API_PIN": "p1n9"}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PLACE", "/tmp")
    monkeypatch.setenv("PORT", "8080")
    model = ModelSettings(key_variable="ONE", plan=TierSettings(key_variable="TWO"))
    table = {"args": ["--to", "${PLACE}", "${PORT}"], "env": {"A": "x-$FILL"}}
    settings = Settings(model=model, tools=ToolSettings(mcp={"shop": table}))
    masked, count = Redactor(settings).redact("abcd efgh fill-it-in /tmp 8080 abc")
    assert masked == f"{MASK * 4} {MASK * 4} {MASK * 10} /tmp 8080 abc"
    assert count == 3


@given(st.text(alphabet="ab \n" + KEY), st.lists(st.integers(1, 9)))
def test_a_streamed_key_is_masked_however_it_is_cut(text: str, cuts: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MY_OAI", KEY)
        veil = Veil(Settings(model=ModelSettings(key_variable="MY_OAI")))
    told: list[str] = []
    veiled = Veiled(told.append, veil)
    whole_text = text + KEY + text
    rest = whole_text
    for cut in [*cuts, len(rest)]:
        if rest[:cut]:
            veiled(rest[:cut])
        rest = rest[cut:]
    veiled.end()
    assert "".join(told) == veil.prompt(whole_text)


# Time


class Raw:
    """A server that reads a request and does with the connection what it is told."""

    def __init__(self, act: Callable[[socket.socket], None]) -> None:
        self._act = act

    def __enter__(self) -> str:
        self._listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}/v1"

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(
                    target=self._answer, args=(connection,), daemon=True
                ).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            asked = b""
            while b"\r\n\r\n" not in asked:
                asked += connection.recv(1 << 16)
            self._act(connection)


def whole(body: Any, status: int = 200) -> bytes:
    text = json.dumps(body).encode()
    head = f"HTTP/1.1 {status} x\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(text)}\r\n\r\n".encode() + text


def dripping(head: bytes, drop: bytes) -> Callable[[socket.socket], None]:
    def act(connection: socket.socket) -> None:
        connection.sendall(head)
        for _ in range(500):
            connection.sendall(drop)
            time.sleep(PAUSE)

    return act


OK = b"HTTP/1.1 200 OK\r\n"
EVENTS = OK + b"content-type: text/event-stream\r\n\r\n"
PIECE = b'data: {"choices":[{"delta":{"content":"a"}}]}\n\n'
DRIPS = {
    "headers": dripping(OK, b"x-a: a\r\n"),
    "body": dripping(OK + b"content-type: application/json\r\n\r\n{", b" "),
    "comments": dripping(EVENTS, b": ping\n\n"),
    "comments after a piece": dripping(EVENTS + PIECE, b": ping\n\n"),
}


@contextmanager
def within(seconds: float) -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < seconds


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("drip", DRIPS.values(), ids=DRIPS.keys())
@pytest.mark.parametrize("bound", ["model.timeout", "budget.seconds"])
def test_who_trickles_is_not_waited_for(
    tmp_path: Path, drip: Callable[[socket.socket], None], bound: str, streamed: bool
) -> None:
    flags = {bound: 0.3, "model.retries": 0}
    told: list[str] = []
    with (
        Raw(drip) as url,
        ModelServer() as server,
        asking(tmp_path, server, flags, url=url) as models,
        within(8),
        pytest.raises(ModelError) as error,
    ):
        models.complete(plain(told=told.append if streamed else None))
    assert "0.3 s" in str(error.value)


def test_a_stream_may_take_longer_than_the_wait_for_one_piece(tmp_path: Path) -> None:
    told: list[str] = []
    text = "word " * 40
    with (
        ModelServer([text], piece_delay=0.1) as server,
        asking(tmp_path, server, {"model.timeout": 0.5}) as models,
    ):
        started = time.monotonic()
        assert models.complete(plain(told=told.append)).text == text.strip()
    assert time.monotonic() - started > 0.5
    assert "".join(told).strip() == text.strip()


# Replies that take for ever to be read

N = 30_000


@pytest.mark.parametrize(
    "text",
    [
        '{"facts": ["G1"] ' + '\\"' * N,
        '{"facts": [' + "'\\'" * N,
        "```" + " " * N,
        "```json " * N,
        '["a" b' * N,
        "[" + "," * N,
        '{"a":' * N,
        '{"facts": [' + '{"s": x ' * N,
    ],
)
def test_what_is_read_out_of_a_reply_takes_a_bounded_time(text: str) -> None:
    with within(20):
        with suppress(ValueError):
            list(recover.values(text))
        recover.cut_off(text)


def test_a_number_that_is_none_is_found_beside_texts() -> None:
    with pytest.raises(recover.NoNumber):
        list(recover.values('{"a": "nan \\" inf", "b": NaN, }'))
    (found,) = recover.values('{"a": "nan \\" inf, NaN", }')
    assert found.value == {"a": 'nan " inf, NaN'}


def test_a_count_without_sense_is_told_in_few_words(tmp_path: Path) -> None:
    reply = Says(GOOD, usage=9**4000)
    with ModelServer([reply]) as server, asking(tmp_path, server) as models:
        (told,) = models.complete(call()).warnings
    assert len(told) < 200
    assert "more than 1,000,000,000,000" in told


# Settings


@pytest.mark.parametrize("name", ["tools.seconds", "model.timeout", "budget.seconds"])
def test_no_time_is_set_that_no_clock_can_count(tmp_path: Path, name: str) -> None:
    from aitia.errors import SettingsError

    with pytest.raises(SettingsError, match="at most 1,000,000"):
        load(tmp_path, {name: 1e300})
