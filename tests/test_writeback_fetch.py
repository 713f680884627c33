"""Fetching evidence: within its time, whole, from public addresses, in plain errors."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from aitia.errors import ReadError
from aitia.writeback import fetch

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
Answers = Callable[[socket.socket], None]


@contextmanager
def serving(answers: Answers, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Answer one connection in some way, at an address that counts as public."""
    monkeypatch.setattr(fetch, "public_address", lambda name, port: "127.0.0.1")
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65_536)
                answers(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://example.org:{server.getsockname()[1]}/"
        thread.join(10)


def dripping(start: bytes) -> Answers:
    """Send a start, and then one byte every now and then, for long."""

    def answers(connection: socket.socket) -> None:
        try:
            connection.sendall(start)
            for _ in range(200):
                connection.sendall(b"x")
                time.sleep(0.05)
        except OSError:
            return  # who asked has gone

    return answers


@pytest.mark.parametrize(
    "start", [HEAD + b"Content-Length: 999999\r\n\r\n", HEAD + b"X-Long: ", b"HTTP/1.1"]
)
def test_the_time_is_for_all_of_it(
    start: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sends byte after byte, of the text or of what comes before it."""
    with (
        serving(dripping(start), monkeypatch) as place,
        pytest.raises(ReadError, match="took too long"),
    ):
        fetch.fetched(place, 0.4, 1)


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 50\r\n\r\nnine tonnes",
        b"Transfer-Encoding: chunked\r\n\r\n20\r\nnine tonnes",
    ],
)
def test_a_text_that_breaks_off_is_none(
    body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        serving(lambda c: c.sendall(HEAD + body), monkeypatch) as place,
        pytest.raises(ReadError, match=r"broke off|cannot be had"),
    ):
        fetch.fetched(place, 5, 1)


def test_a_whole_text_is_had(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = HEAD + b"Content-Length: 11\r\n\r\nnine tonnes"
    with serving(lambda c: c.sendall(whole), monkeypatch) as place:
        assert fetch.fetched(place, 5, 1) == "nine tonnes"


@pytest.mark.parametrize(
    "host",
    [
        "::127.0.0.1",
        "::10.0.0.1",
        "fec0::1",
        "feff::1",
        "64:ff9b:1::7f00:1",
        "64:ff9b::127.0.0.1",
        "::ffff:127.0.0.1",
        "2002:7f00:1::1",
        "::",
    ],
)
def test_what_stands_for_a_private_address_is_private(host: str) -> None:
    with pytest.raises(ReadError, match="private address"):
        fetch.fetched(f"http://[{host}]/", 2, 1)


@pytest.mark.parametrize(
    "address",
    [
        "http://[::1",
        "http://example.org:99999/",
        "http://example.org:port/",
        "http://[nothing]/",
        "http://",
        "http://exa mple.org/\n",
        "http://" + "a" * 300 + ".org/",
    ],
)
def test_a_bad_address_is_told_plainly(address: str) -> None:
    with pytest.raises(ReadError):
        fetch.fetched(address, 2, 1)


def test_leading_on_to_no_address_is_told_plainly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\n\r\n"
    with (
        serving(lambda c: c.sendall(moved), monkeypatch) as place,
        pytest.raises(ReadError, match="is no web address"),
    ):
        fetch.fetched(place, 5, 1)
