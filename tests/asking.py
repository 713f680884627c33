"""What tests of models share: a call, and the models of a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from aitia.blobs import Blobs
from aitia.llm import Call, Message
from aitia.llm.models import Models
from aitia.settings import load
from tests.llm_server import ModelServer


class Fact(BaseModel):
    s: str
    p: str
    o: str


class Facts(BaseModel):
    """Its list may be left out: a reply that says nothing must not pass for "none"."""

    facts: list[Fact] = []


GOOD = {"facts": [{"s": "Pump A", "p": "feeds", "o": "Tank B"}]}
TWO = '{"facts":[{"s":"Pump A","p":"feeds","o":"Tank B"},{"s":"Pump C","p":"fe'
LONG = "Pump A feeds tank B. " * 40


def call(text: str = LONG, shape: type[BaseModel] | None = Facts, **more: Any) -> Call:
    messages = (Message("system", "Extract facts."), Message("user", text))
    return Call("extract", "1", messages, shape=shape, **more)


def plain(text: str = LONG, **more: Any) -> Call:
    return call(text, None, **more)


def models_of(folder: Path, url: str, flags: dict[str, Any] | None = None) -> Models:
    given = {"model.url": url, "model.name": "m", **(flags or {})}
    settings, _ = load(folder, given)
    made = Models.of(settings, Blobs(folder / "blobs"), folder)
    assert made is not None
    return made


@contextmanager
def asking(
    folder: Path,
    server: ModelServer,
    flags: dict[str, Any] | None = None,
    *,
    url: str = "",
    told: Callable[[str], None] | None = None,
) -> Iterator[Models]:
    """Give the models that ask a server, in a folder of their own."""
    models = models_of(folder, url or server.url, flags)
    models.tell = told or models.tell
    try:
        yield models
    finally:
        models.close()


def formats(server: ModelServer) -> list[str]:
    """How JSON was asked for, request by request."""
    return [
        (body.get("response_format") or {}).get("type")
        or ("tool" if "tools" in body else "plain")
        for body in server.requests
    ]
