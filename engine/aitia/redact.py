"""Secrets out of texts before anything is hashed, kept or sent; length for length.

What is a secret: the values of environment variables that are named like keys or that
the settings name as keys, what looks like a well-known kind of key, and what the
user's patterns and hook find. Each character of it but line breaks becomes `MASK`, so
that offsets into the text stay true.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, Protocol

from aitia.errors import SettingsError

MASK: Final = "█"
MIN_VALUE: Final = 12
"""Shorter values of variables that are only named like keys are not looked for."""
MIN_KEY: Final = 4
"""Shorter values of variables that the settings name as keys are not looked for: to
mask each place where they happen to stand would make texts unreadable."""
MIN_FILLED: Final = 8
"""Shorter values of other variables that the settings fill in are not looked for."""
PATTERN_SECONDS: Final = 5.0
"""How long one pattern of the user's may take on one text."""

_KEY_NAME: Final = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD)S?(_|\d|$)", re.I)
# Where a pattern has a group, the group is the secret. Every repetition is bounded or
# cannot start twice at the same place, so that no text makes them slow.
_SECRET_NAME: Final = re.compile(
    rf"{_KEY_NAME.pattern}|AUTHORIZATION|COOKIE|CREDENTIAL", re.I
)
_NAMED: Final = re.compile(
    r"((?:[?&]|--)[\w.-]{0,40}(?:key|token|secret|password|signature)[\w.-]{0,40}=)"
    r"([^&#\s]+)",
    re.I,
)
"""A secret that its name in an address or on a command line gives away."""
_KNOWN: Final = (
    # What stands in each such secret, in small letters; then what it looks like.
    (("sk-",), r"\bsk-(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{20,}"),  # OpenAI and others
    (("akia", "asia"), r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),  # AWS access key id
    (
        ("secret",),
        r"(?i:aws_?secret_?access_?key)[\"']?\s{0,9}[=:]\s{0,9}[\"']?"
        r"([A-Za-z0-9/+=]{40})",
    ),
    (
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        r"\bgh[pousr]_[A-Za-z0-9]{36,}",
    ),  # GitHub
    (("github_pat_",), r"\bgithub_pat_[A-Za-z0-9_]{22,}"),
    (("glpat-",), r"\bglpat-[A-Za-z0-9_-]{20,}"),  # GitLab
    (("xox",), r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),  # Slack
    (("hooks.slack",), r"\bhooks\.slack\.com/services/([A-Za-z0-9/]{20,})"),
    (("aiza",), r"\bAIza[0-9A-Za-z_-]{35}"),  # Google
    (("hf_",), r"\bhf_[A-Za-z0-9]{30,}"),  # Hugging Face
    (
        ("eyj",),
        r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    ),  # JWT
    (
        ("private key",),
        r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----)){1,10000}"
        r"-----END [A-Z ]{0,30}PRIVATE KEY-----",
    ),
    (
        ("bearer",),
        r"(?i:\bbearer)\s{1,9}(?=[A-Za-z._~+/-]{0,80}\d)"
        r"([A-Za-z0-9._~+/-]{16,}={0,2})",
    ),
    (
        ("://",),
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,200}:([^\s/@]{1,200})@",
    ),  # URL password
)

Span = tuple[int, int]


class Rules(Protocol):
    """What the user calls a secret; `Settings` is this."""

    @property
    def redact_patterns(self) -> tuple[str, ...]:
        """Regular expressions whose matches are secrets."""
        ...

    @property
    def redact_hook(self) -> str:
        """`module:function` that finds further ones, or ""."""
        ...

    @property
    def key_variables(self) -> tuple[str, ...]:
        """Environment variables that hold keys, whatever they are called."""
        ...

    @property
    def filled_variables(self) -> tuple[str, ...]:
        """Environment variables that the settings fill in, as into `[tools.mcp]`."""
        ...


class Redactor:
    """Finds secrets and masks them. Make one and use it for many texts."""

    def __init__(self, settings: Rules | None = None) -> None:
        """Make ready to redact.

        Args:
            settings: The user's patterns and hook; none where None is given.

        Raises:
            SettingsError: A pattern is no regular expression, or there is no such
                hook.
        """
        patterns = settings.redact_patterns if settings is not None else ()
        hook = settings.redact_hook if settings is not None else ""
        self._values = _environment_values(settings)
        self._patterns = [_compiled(text) for text in patterns]
        self._hook = _hook(hook) if hook else None

    def redact(self, text: str) -> tuple[str, int]:
        """Return `text` with its secrets masked, and how many there were.

        The result has the length of `text`, in characters. Secrets that overlap count
        as one.

        Raises:
            SettingsError: A pattern of the user's took too long, or the hook failed
                or returned what are no spans of the text.
        """
        spans = _merged(self._spans(text))
        parts, place = [], 0
        for start, end in spans:
            parts += [text[place:start], _masked(text[start:end])]
            place = end
        return "".join([*parts, text[place:]]), len(spans)

    def redact_value(self, value: Any) -> tuple[Any, int]:
        """Return a JSON-like value with the secrets in its strings masked.

        Keys of objects are texts too. Numbers and the rest stay as they are.
        """
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, list | tuple):
            items = [self.redact_value(item) for item in value]
            return [item for item, _ in items], sum(count for _, count in items)
        if isinstance(value, dict):
            keys = [self.redact_value(key) for key in value]
            items = [self.redact_value(item) for item in value.values()]
            found = {k: v for (k, _), (v, _) in zip(keys, items, strict=True)}
            return found, sum(count for _, count in (*keys, *items))
        return value, 0

    def shown(self, value: Any, name: str = "") -> Any:
        """Return a setting as it may be shown: JSON-like, with its secrets masked.

        Besides what `redact_value` masks, a text is a secret whose name in a table, in
        an address, or before it on a command line, says so.

        Args:
            value: It, or a part of it.
            name: Its name within a table; "" for a setting itself.
        """
        if isinstance(value, Mapping):
            return {self.redact(k)[0]: self.shown(v, str(k)) for k, v in value.items()}
        if isinstance(value, list | tuple):
            pairs = zip(value, ("", *value), strict=False)
            return [self.shown(item, _flag(last) or name) for item, last in pairs]
        if not isinstance(value, str):
            return value
        if name and _SECRET_NAME.search(name):
            return _masked(value)
        named = _NAMED.sub(lambda found: found[1] + _masked(found[2]), value)
        return self.redact(named)[0]

    def _spans(self, text: str) -> Iterator[Span]:
        for value in self._values:
            yield from _occurrences(text, value)
        # A word is found in a long text many times as fast as a pattern.
        small = text.lower()
        for words, pattern in _known():
            if any(word in small for word in words):
                found = pattern.finditer(text)
                yield from (match.span(pattern.groups) for match in found)
        for find in self._patterns:
            yield from find(text)
        if self._hook is not None:
            yield from self._hook(text)


@cache
def _known() -> list[tuple[tuple[str, ...], re.Pattern[str]]]:
    return [(words, re.compile(text)) for words, text in _KNOWN]


def _environment_values(settings: Rules | None) -> list[str]:
    """Return the values of variables that hold keys; paths of files are no keys."""
    keys = settings.key_variables if settings is not None else ()
    filled = settings.filled_variables if settings is not None else ()
    found = {_value(name) for name in keys if len(_value(name)) >= MIN_KEY}
    for name in {*os.environ, *filled}:
        value, least = os.environ.get(name, ""), _least(name, filled)
        if least and len(value) >= least and not os.path.exists(value):
            found.add(value)
    return sorted(found)


def _value(name: str) -> str:
    """Return what a key's variable holds, as it is sent."""
    return os.environ.get(name, "").strip()


def _least(name: str, filled: Iterable[str]) -> int:
    """Return how long a variable's value must be to be a secret; 0 where it is none."""
    if name in filled:
        return MIN_KEY if _SECRET_NAME.search(name) else MIN_FILLED
    return MIN_VALUE if _KEY_NAME.search(name) else 0


def _occurrences(text: str, value: str) -> Iterator[Span]:
    place = text.find(value)
    while place >= 0:
        yield place, place + len(value)
        place = text.find(value, place + len(value))


def _compiled(text: str) -> Callable[[str], list[Span]]:
    """Return a finder for a pattern of the user's that cannot run for ever."""
    import regex

    try:
        pattern = regex.compile(text)
    except regex.error as error:
        raise SettingsError(f"redact_patterns: {text!r}: {error}") from error

    def find(where: str) -> list[Span]:
        try:
            found = pattern.finditer(where, timeout=PATTERN_SECONDS)
            return [match.span() for match in found if match.group()]
        except TimeoutError as error:
            raise SettingsError(
                f"The redact pattern {text!r} took more than {PATTERN_SECONDS:g} s on"
                " a text; nothing of it was kept.",
                hint="Nested repetitions such as (a+)+ are slow; write it without.",
            ) from error

    return find


def _hook(name: str) -> Callable[[str], list[Span]]:
    """Return the user's function, its spans checked."""
    from importlib import import_module

    module, _, function = name.partition(":")
    try:
        call = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise SettingsError(
            f"redact_hook: there is no {name!r}: {error}.",
            hint="It is written module:function; PYTHONPATH tells where modules are.",
        ) from error

    def find(text: str) -> list[Span]:
        try:
            found = call(text)
            if isinstance(found, Iterable) and not isinstance(found, str | bytes):
                return [_checked(span, text, name) for span in found]
        except SettingsError:
            raise
        except Exception as error:
            # A secret may be in a text that the hook did not get through: refuse it.
            raise SettingsError(f"redact_hook {name!r} failed: {error!r}") from error
        raise _no_spans(name, found)

    return find


def _flag(word: Any) -> str:
    """Return the name of a flag whose value is the next word, or ""."""
    is_flag = isinstance(word, str) and word.startswith("-") and "=" not in word
    return word.strip("-").replace("-", "_") if is_flag else ""


def _no_spans(name: str, found: object) -> SettingsError:
    kind = "nothing" if found is None else f"a value of type {type(found).__name__}"
    return SettingsError(
        f"redact_hook {name!r} returned {kind}, not a list of (start, end) pairs.",
        hint="It returns [] for a text without secrets.",
    )


def _checked(span: Any, text: str, name: str) -> Span:
    if not (
        isinstance(span, tuple | list)
        and len(span) == 2
        and all(isinstance(place, int) for place in span)
    ):
        raise _no_spans(name, [span])
    start, end = span
    if not 0 <= start <= end <= len(text):
        raise SettingsError(
            f"redact_hook {name!r} returned ({start}, {end}), which is no part of a"
            f" text of {len(text)} characters."
        )
    return int(start), int(end)


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if start == end:
            continue
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _masked(secret: str) -> str:
    return "".join(char if char in "\r\n" else MASK for char in secret)
