"""Whether the configured servers answer, and what they can do."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from aitia.llm import wire
from aitia.llm.abilities import Memory
from aitia.llm.calls import ModelError, Tier
from aitia.llm.patience import Watch
from aitia.llm.server import Server
from aitia.llm.tiers import Target, targets
from aitia.llm.veil import Veil
from aitia.settings import Settings

if TYPE_CHECKING:
    from pydantic import BaseModel

_QUESTION: Final = "Are you ready? Reply with JSON: is it true?"


@dataclass(frozen=True)
class Looked:
    """What one tier's server showed.

    Attributes:
        tiers: The tiers that ask it, joined by a comma.
        answers: Whether the model replied.
        text: What it can do, or why it did not reply, in plain words.
    """

    tiers: str
    answers: bool
    text: str


def look(settings: Settings, folder: Path | None) -> list[Looked]:
    """Ask each configured model, and find out anew what its server can do.

    Each is asked twice, a few tokens at a time. What is found is remembered where
    there is a workspace; nothing is made where there is none.

    Args:
        settings: Which models are configured; with none, nothing is asked.
        folder: The workspace's folder, or None.

    Raises:
        SettingsError: A model is named, but not where its server is.
    """
    veil = Veil(settings)
    memory = Memory(folder)
    named: dict[Target, list[Tier]] = {}
    for tier, target in (targets(settings.model) or {}).items():
        named.setdefault(target, []).append(tier)
    return [
        _looked(settings, target, memory, ", ".join(tiers), veil)
        for target, tiers in named.items()
    ]


def _looked(
    settings: Settings,
    target: Target,
    memory: Memory,
    tiers: str,
    veil: Veil,
) -> Looked:
    server = Server(target, settings.model, memory, threading.Event(), veil)
    server.forget()
    place = f"{target.name} at {target.place}"
    started = time.monotonic()
    try:
        server.ask(_question(settings, target), _WATCH)
        seconds = time.monotonic() - started
        server.calls_tools(_question(settings, target), _WATCH)
    except ModelError as error:
        return Looked(tiers, False, f"{error} {error.hint}".strip())
    finally:
        server.close()
    return Looked(tiers, True, f"{place} answers ({seconds:.1f} s): {_can(server)}.")


def _can(server: Server) -> str:
    can = server.can
    told = (
        f"JSON by {can.format}",
        "tools" if can.tools else "no tools",
        "counts tokens" if can.usage else "does not count tokens",
    )
    return ", ".join(told)


def _question(settings: Settings, target: Target) -> wire.Question:
    message = {"role": "user", "content": _QUESTION}
    model, most = settings.model, target.answer_tokens
    return wire.Question(target.name, (message,), _shape(), most, model.temperature)


def _shape() -> type[BaseModel]:
    from pydantic import BaseModel

    class Ready(BaseModel):
        ready: bool

    return Ready


def _pass(told: Any) -> None:
    """Take no notice."""


_WATCH: Final = Watch(_pass, _pass, _pass, lambda: None)
