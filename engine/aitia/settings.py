"""Settings: flags over environment over `aitia.toml` in the workspace."""

import math
import os
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from aitia.errors import SettingsError

ENVIRONMENT: Final = "AITIA_"
FILE: Final = "aitia.toml"
DEFAULT: Final = "default"
SYSTEM_USER: Final = "system user"

_NO_SETTINGS: Final = frozenset({"AITIA_WORKSPACE", "AITIA_SHARED", "AITIA_EXPECT"})
"""Variables that mean something and are no settings."""
_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"0", "false", "no", "off"})

_KINDS: Final[Mapping[type, str]] = {
    bool: "true or false",
    float: "a number",
    int: "a whole number",
    str: "a text",
    tuple: "a list of texts",
}


def _choice(default: str, *others: str) -> Any:
    return field(default=default, metadata={"choices": (default, *others)})


def _number(default: float, least: float, most: float = math.inf) -> Any:
    return field(default=default, metadata={"least": least, "most": most})


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
        redact_hook: `module:function`, importable, that is given a text and returns
            the (start, end) spans of further secrets.
        signing_key: Path of an Ed25519 private key (PEM) that signs commits, or "";
            in aitia.toml relative to that file.
    """

    agent: str = ""
    durability: str = _choice("process", "fsync")
    embedding_model: str = "packaged"
    abstain_below: float = _number(0.5, 0, 1)
    lock_timeout: float = _number(30.0, 0)
    query_timeout: float = _number(30.0, 0)
    query_memory: int = _number(2048, 1)
    passage_chars: int = _number(800, 1)
    max_file_mb: int = _number(512, 1)
    redact_patterns: tuple[str, ...] = ()
    redact_hook: str = ""
    signing_key: str = ""


@dataclass(frozen=True)
class Setting:
    """One setting with its value and where it came from.

    Attributes:
        name: Its name.
        value: Its value.
        source: `flag`, `environment`, `aitia.toml`, `default` or `system user`.
    """

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
        SettingsError: A key is unknown or a value has no meaning.
    """
    layers: list[tuple[str, Mapping[str, Any]]] = [
        ("flag", {k: v for k, v in (flags or {}).items() if v is not None}),
        ("environment", _environment()),
        (FILE, _file(folder)),
    ]
    told = [_setting(item, layers) for item in fields(Settings)]
    told = [_user(item) if item.name == "agent" else item for item in told]
    return Settings(**{item.name: item.value for item in told}), told


def _setting(item: Field[Any], layers: list[tuple[str, Mapping[str, Any]]]) -> Setting:
    for source, values in layers:
        if item.name in values:
            value = _meant(item, values[item.name], source)
            return Setting(item.name, value, source)
    return Setting(item.name, item.default, DEFAULT)


def _user(agent: Setting) -> Setting:
    """Return who acts: the system user where nothing says otherwise."""
    if agent.value:
        return agent
    import getpass

    try:
        name = getpass.getuser()
    except (OSError, KeyError):
        # A container may run as a user that has no name.
        name = f"user-{os.getuid()}"
    return Setting("agent", name, SYSTEM_USER)


def _environment() -> dict[str, str]:
    """Return what the environment sets; empty values set nothing."""
    names = {item.name: ENVIRONMENT + item.name.upper() for item in fields(Settings)}
    found = {name: os.environ.get(variable, "") for name, variable in names.items()}
    return {name: value for name, value in found.items() if value}


def unknown_variables() -> list[str]:
    """Return the `AITIA_…` variables of the environment that set nothing, sorted."""
    known = {ENVIRONMENT + item.name.upper() for item in fields(Settings)}
    known |= _NO_SETTINGS
    return sorted(x for x in os.environ if x.startswith(ENVIRONMENT) and x not in known)


def _file(folder: Path | None) -> dict[str, Any]:
    if folder is None or not (folder / FILE).exists():
        return {}
    import tomllib

    path = folder / FILE
    if not path.is_file():
        raise SettingsError(f"{path} is no file.", hint="Settings are read from it.")
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(f"{path}: {error}") from error
    unknown = set(found) - {item.name for item in fields(Settings)}
    if unknown:
        raise SettingsError(
            f"{path}: unknown setting {sorted(unknown)[0]!r}.",
            hint="`aitia config` lists the settings.",
        )
    if isinstance(key := found.get("signing_key"), str) and key:
        found["signing_key"] = str(folder / key)
    return found


def _meant(item: Field[Any], value: Any, source: str) -> Any:
    """Return the value as what the setting is, checked."""
    try:
        meant = _typed(type(item.default), value)
    except (TypeError, ValueError) as error:
        wanted = _KINDS[type(item.default)]
        raise _nonsense(item.name, source, wanted, value) from error
    choices = item.metadata.get("choices", ())
    if choices and meant not in choices:
        raise _nonsense(item.name, source, " or ".join(choices), value)
    least, most = item.metadata.get("least"), item.metadata.get("most", math.inf)
    if least is not None and not (least <= meant <= most and math.isfinite(meant)):
        bounds = f"a finite number of at least {least:g}" + (
            f" and at most {most:g}" if most < 1e9 else ""
        )
        raise _nonsense(item.name, source, bounds, value)
    return meant


def _nonsense(name: str, source: str, wanted: str, value: Any) -> SettingsError:
    return SettingsError(
        f"The setting {name} ({source}) must be {wanted}, not {value!r}."
    )


def _typed(kind: type, value: Any) -> Any:
    if kind is tuple:
        return _texts(value)
    if kind is bool:
        return _boolean(value)
    if kind is str:
        if not isinstance(value, str):
            raise TypeError
        return value
    if isinstance(value, bool) or (kind is int and isinstance(value, float)):
        raise TypeError
    return kind(value)


def _texts(value: Any) -> tuple[str, ...]:
    """Return several texts: a list, or one a line."""
    parts = value.split("\n") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(
        isinstance(p, str) for p in parts
    ):
        raise TypeError
    return tuple(part for part in parts if part)


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text not in _TRUE | _FALSE:
        raise ValueError
    return text in _TRUE
