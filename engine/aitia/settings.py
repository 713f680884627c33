"""Settings: flags over environment over `aitia.toml` in the workspace."""

import getpass
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from aitia.errors import SettingsError

ENVIRONMENT = "AITIA_"
FILE = "aitia.toml"


@dataclass(frozen=True)
class Settings:
    """What can be set. Each field is also `AITIA_<NAME>` and a key of aitia.toml.

    Attributes:
        agent: Who acts, by name; the system user where nothing is set.
        durability: `process`: acknowledged commits outlive the process; `fsync`:
            they outlive a power loss too.
        embedding_model: `packaged` or the folder or name of a sentence-transformers
            model.
        abstain_below: Confidence from 0 to 1 under which `ask` abstains.
        lock_timeout: Seconds that a second writer waits.
        query_timeout: Seconds that a query may take.
        query_memory: Megabytes that a query may take.
        passage_chars: Characters that a passage aims at.
        max_file_mb: Megabytes above which a file is refused.
        redact_patterns: Further regular expressions whose matches are secrets.
        redact_hook: `module:function` that is given a text and returns the (start,
            end) spans of further secrets.
        signing_key: Path of an Ed25519 private key (PEM) that signs commits, or "".
    """

    agent: str = ""
    durability: str = "process"
    embedding_model: str = "packaged"
    abstain_below: float = 0.5
    lock_timeout: float = 30.0
    query_timeout: float = 30.0
    query_memory: int = 2048
    passage_chars: int = 800
    max_file_mb: int = 512
    redact_patterns: tuple[str, ...] = ()
    redact_hook: str = ""
    signing_key: str = ""


@dataclass(frozen=True)
class Setting:
    """One setting with its value and where it came from."""

    name: str
    value: Any
    source: str


def load(
    folder: Path | None, flags: Mapping[str, Any] | None = None
) -> tuple[Settings, list[Setting]]:
    """Return the settings in force, and each with where it came from.

    Args:
        folder: The workspace folder, where aitia.toml may be.
        flags: Values from the command line; None values are not set.

    Raises:
        SettingsError: A key is unknown or a value has the wrong type.
    """
    layers: list[tuple[str, Mapping[str, Any]]] = [
        ("flag", {k: v for k, v in (flags or {}).items() if v is not None}),
        ("environment", _environment()),
        (FILE, _file(folder)),
    ]
    values: dict[str, Any] = {}
    told: list[Setting] = []
    for item in fields(Settings):
        source, value = next(
            ((name, layer[item.name]) for name, layer in layers if item.name in layer),
            ("default", item.default),
        )
        values[item.name] = _typed(item.name, value, item.default)
        told.append(Setting(item.name, values[item.name], source))
    if not values["agent"]:
        values["agent"] = getpass.getuser()
    return Settings(**values), told


def _environment() -> dict[str, str]:
    names = {item.name for item in fields(Settings)}
    return {
        name: os.environ[ENVIRONMENT + name.upper()]
        for name in names
        if ENVIRONMENT + name.upper() in os.environ
    }


def _file(folder: Path | None) -> dict[str, Any]:
    if folder is None or not (folder / FILE).is_file():
        return {}
    try:
        found = tomllib.loads((folder / FILE).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{folder / FILE}: {error}") from error
    unknown = set(found) - {item.name for item in fields(Settings)}
    if unknown:
        raise SettingsError(
            f"{folder / FILE}: unknown setting {sorted(unknown)[0]!r}.",
            hint="`aitia config` lists the settings.",
        )
    return found


def _typed(name: str, value: Any, default: Any) -> Any:
    kind = type(default)
    try:
        if kind is tuple:
            parts = value.split("\n") if isinstance(value, str) else value
            return tuple(str(part) for part in parts)
        return kind(value)
    except (TypeError, ValueError) as error:
        raise SettingsError(
            f"The setting {name} must be a {kind.__name__}, not {value!r}."
        ) from error
