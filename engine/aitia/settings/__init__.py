"""Settings: flags over environment over `aitia.toml` in the workspace.

A setting of a section is told with the section's name before it: `model.url` as a
flag, `AITIA_MODEL_URL` in the environment, `url` under `[model]` in aitia.toml.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Final

from aitia.errors import SettingsError
from aitia.settings import prices
from aitia.settings.acting import (
    AlertSettings,
    MemorySettings,
    RecordSettings,
    ToolSettings,
)
from aitia.settings.kinds import choice, default_of, meant, number, table
from aitia.settings.model import BudgetSettings, ModelSettings
from aitia.settings.sources import ConflictSettings, Sources
from aitia.settings.writeback import WriteBackSettings

ENVIRONMENT: Final = "AITIA_"
FILE: Final = "aitia.toml"
DEFAULT: Final = "default"
SYSTEM_USER: Final = "system user"

_NO_SETTINGS: Final = frozenset(
    {"AITIA_WORKSPACE", "AITIA_SHARED", "AITIA_EXPECT", "AITIA_TOKEN"}
)
"""Variables that mean something and are no settings."""


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
        model: The language models.
        budget: What one run may use up.
        tools: The tools.
        memory: What of earlier runs is told to a new one.
        record: What of a run is recorded.
        alerts: What raises an alarm.
        conflicts: How conflicts are looked for.
        sources: Pattern of a path or IRI → kind of source, or {"kind", "weight"}.
        source_kinds: Kind of source → its weight, from 0 to 1.
        writeback: What makes proposals arise, and what it takes to accept one.
        reviewers: Name → {"key": Ed25519 public key in hexadecimal, "weight": what
            an approval counts (1), "competence": patterns of the classes and
            properties that the reviewer judges (all)}.
    """

    agent: str = ""
    durability: str = choice("process", "fsync")
    embedding_model: str = "packaged"
    abstain_below: float = number(0.5, 0, 1)
    lock_timeout: float = number(30.0, 0)
    query_timeout: float = number(30.0, 0)
    query_memory: int = number(2048, 1)
    passage_chars: int = number(800, 1)
    max_file_mb: int = number(512, 1)
    redact_patterns: tuple[str, ...] = ()
    redact_hook: str = ""
    signing_key: str = ""
    model: ModelSettings = field(default_factory=ModelSettings)
    budget: BudgetSettings = field(default_factory=BudgetSettings)
    tools: ToolSettings = field(default_factory=ToolSettings)
    memory: MemorySettings = field(default_factory=MemorySettings)
    record: RecordSettings = field(default_factory=RecordSettings)
    alerts: AlertSettings = field(default_factory=AlertSettings)
    conflicts: ConflictSettings = field(default_factory=ConflictSettings)
    sources: Mapping[str, Any] = table()
    source_kinds: Mapping[str, Any] = table()
    writeback: WriteBackSettings = field(default_factory=WriteBackSettings)
    reviewers: Mapping[str, Any] = table()

    @property
    def key_variables(self) -> tuple[str, ...]:
        """Environment variables that hold the keys of models."""
        return self.model.key_variables

    @property
    def filled_variables(self) -> tuple[str, ...]:
        """Environment variables that are filled into `[tools.mcp]`."""
        return self.tools.filled_variables


@dataclass(frozen=True)
class Setting:
    """One setting with its value and where it came from.

    Attributes:
        name: Its name, with a dot after each section.
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
        flags: Values from the command line by dotted name; None values are not set.

    Raises:
        SettingsError: A key is unknown or a value has no meaning.
    """
    layers: list[tuple[str, Mapping[str, Any]]] = [
        ("flag", {k: v for k, v in (flags or {}).items() if v is not None}),
        ("environment", _environment()),
        (FILE, _file(folder)),
    ]
    told = [_setting(name, item, layers) for name, item in _all(Settings)]
    told = [_user(item) if item.name == "agent" else item for item in told]
    values = {item.name: item.value for item in told}
    made = _made(Settings, "", values)
    assert isinstance(made, Settings)
    # These refuse what has no meaning, whether or not it comes to be used.
    Sources(made.sources, made.source_kinds)
    prices.checked(made.model.prices)
    return made, told


def _all(section: Any, prefix: str = "") -> Iterator[tuple[str, Field[Any]]]:
    """Yield every setting with its dotted name, sections in place."""
    for item in fields(section):
        if is_dataclass(inner := default_of(item)):
            yield from _all(inner, f"{prefix}{item.name}.")
        else:
            yield prefix + item.name, item


def _made(section: Any, prefix: str, values: Mapping[str, Any]) -> Any:
    """Return a section with its values, and the sections within."""
    given: dict[str, Any] = {}
    for item in fields(section):
        inner = default_of(item)
        given[item.name] = (
            _made(type(inner), f"{prefix}{item.name}.", values)
            if is_dataclass(inner)
            else values[prefix + item.name]
        )
    return section(**given)


def _setting(
    name: str, item: Field[Any], layers: list[tuple[str, Mapping[str, Any]]]
) -> Setting:
    for source, values in layers:
        if name in values:
            return Setting(name, meant(name, item, values[name], source), source)
    return Setting(name, default_of(item), DEFAULT)


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


def _variables() -> dict[str, str]:
    """Return each setting that a variable can set, with the variable's name."""
    return {
        name: ENVIRONMENT + name.replace(".", "_").upper()
        for name, item in _all(Settings)
        if not isinstance(default_of(item), Mapping)
    }


def _environment() -> dict[str, str]:
    """Return what the environment sets; empty values set nothing."""
    found = {name: os.environ.get(var, "") for name, var in _variables().items()}
    found["model.url"] = found["model.url"] or os.environ.get("OPENAI_BASE_URL", "")
    return {name: value for name, value in found.items() if value}


def unknown_variables() -> list[str]:
    """Return the `AITIA_…` variables of the environment that set nothing, sorted."""
    known = {*_variables().values(), *_NO_SETTINGS}
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
    except (ValueError, OSError) as error:
        raise SettingsError(f"{path}: {error}") from error
    told = dict(_told(Settings, "", found, path))
    if isinstance(key := told.get("signing_key"), str) and key:
        told["signing_key"] = str(folder / key)
    if isinstance(modules := told.get("tools.modules"), list):
        told["tools.modules"] = [_beside(folder, named) for named in modules]
    return told


def _beside(folder: Path, named: Any) -> Any:
    """Return the path of a Python file as seen from that of the settings."""
    is_path = isinstance(named, str) and named.endswith(".py")
    return str(folder / named) if is_path else named


def _told(
    section: Any, prefix: str, found: Mapping[str, Any], path: Path
) -> Iterator[tuple[str, Any]]:
    """Yield what a section of the file sets, by dotted name."""
    known = {item.name: default_of(item) for item in fields(section)}
    if unknown := sorted(set(found) - set(known)):
        raise SettingsError(
            f"{path}: unknown setting {prefix + unknown[0]!r}.",
            hint="`aitia config` lists the settings.",
        )
    for name, value in found.items():
        if not is_dataclass(inner := known[name]):
            yield prefix + name, value
        elif isinstance(value, Mapping):
            yield from _told(inner, f"{prefix}{name}.", value, path)
        else:
            raise SettingsError(f"{path}: {prefix}{name} is a section, not a value.")
