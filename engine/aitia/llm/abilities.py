"""What a server can do with a model: found out by asking, and remembered."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from aitia.llm.keys import digest

FILE: Final = "models.json"
FORMATS: Final = ("json_schema", "json_object", "tool", "plain")
"""Ways to be sent JSON, best first: the server sees to the schema, or to JSON; the
reply is the arguments of a tool; the prompt asks for it."""
LIMITS: Final = ("max_tokens", "max_completion_tokens", "")
"""Names of the parameter that bounds a reply; "" where the server takes none."""


@dataclass(frozen=True)
class Abilities:
    """What is known of one server and model.

    Attributes:
        path: Path below which it answers; None while that is not known.
        format: The best way to be sent JSON that it takes.
        heeds: Whether it keeps to that format, as far as was seen.
        tools: Whether it calls tools; None while that is not known.
        usage: Whether it counts tokens; None while that is not known.
        stream: Whether it streams.
        stream_usage: Whether it takes being asked to count tokens of a stream.
        limit: Which parameter bounds a reply, one of `LIMITS`.
        temperature: Whether it takes a temperature.
    """

    path: str | None = None
    format: str = FORMATS[0]
    heeds: bool = True
    tools: bool | None = None
    usage: bool | None = None
    stream: bool = True
    stream_usage: bool = True
    limit: str = LIMITS[0]
    temperature: bool = True

    def lower(self) -> Abilities | None:
        """Return these with the next way to be sent JSON, or None after the last."""
        rank = FORMATS.index(self.format) + 1
        if rank == len(FORMATS):
            return None
        tools = False if self.format == "tool" else self.tools
        return replace(self, format=FORMATS[rank], tools=tools, heeds=True)


class Memory:
    """The abilities of every server and model, in one file of the workspace.

    A file that is damaged is as none: everything in it can be found out again.
    """

    def __init__(self, folder: Path | None) -> None:
        """Remember in a folder.

        Args:
            folder: The workspace's, or None to remember for this process only.
        """
        self._path = folder / FILE if folder is not None else None
        self._lock, self._known = threading.Lock(), dict[str, Abilities]()
        self._told = self._read()

    def get(self, url: str, model: str) -> Abilities:
        """Return what is known; what a good server can, where nothing is."""
        with self._lock:
            key = _key(url, model)
            return self._known.get(key) or _abilities(self._told.get(key))

    def put(self, url: str, model: str, found: Abilities) -> None:
        """Remember what was found out."""
        with self._lock:
            self._known[_key(url, model)] = found
            if self._path is None or not self._path.parent.is_dir():
                return
            self._told = {**self._read(), _key(url, model): asdict(found)}
            temporary = self._path.with_name(f"{FILE}.{os.getpid()}.tmp")
            temporary.write_text(json.dumps(self._told, indent=1, sort_keys=True))
            temporary.replace(self._path)

    def forget(self, url: str, model: str) -> None:
        """Find out anew what the server can do."""
        with self._lock:
            self._known[_key(url, model)] = Abilities()

    def _read(self) -> dict[str, Any]:
        if self._path is None:
            return {}
        try:
            found = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _key(url: str, model: str) -> str:
    # An address may hold a password, and this file is no place for one.
    return f"{model} {digest(url)[:16]}"


def _abilities(told: Any) -> Abilities:
    """Return abilities as they were written, or those of a server not known."""
    names = {field.name: field for field in fields(Abilities)}
    if not isinstance(told, dict) or set(told) != set(names):
        return Abilities()
    fits = (
        told["format"] in FORMATS
        and told["limit"] in LIMITS
        and isinstance(told["path"], str | None)
        and all(
            isinstance(value, bool | None)
            for name, value in told.items()
            if name not in ("format", "limit", "path")
        )
    )
    return Abilities(**told) if fits else Abilities()
