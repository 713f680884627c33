"""Secrets out of whatever a server says, before any of it is read, kept or told."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from aitia.redact import Redactor, Rules

_ESCAPED: Final = re.compile(r"\\{1,8}(?:u00([2-7][0-9A-Fa-f])|(/))")
"""A character of a key as JSON may write it, and JSON within JSON."""
_BEFORE: Final = 200
"""Characters before a piece by which it is known to be a secret."""


class Veil:
    """Masks secrets, also those that are spelt with the escapes of JSON."""

    def __init__(self, rules: Rules | None = None) -> None:
        """Make ready to mask.

        Args:
            rules: What the user calls a secret; that and no more than what is usual
                where None is given.

        Raises:
            SettingsError: See `aitia.redact.Redactor`.
        """
        self._redactor = Redactor(rules)

    def prompt(self, text: str) -> str:
        """Return a text that is sent with its secrets masked, length for length."""
        return self._redactor.redact(text)[0]

    def hide(self, text: str) -> str:
        """Return a text from a server with its secrets masked.

        Where a secret is spelt with escapes, all such escapes of the text are read.
        """
        masked, count = self._redactor.redact(text)
        if "\\" not in text:
            return masked
        told, more = self._redactor.redact(_ESCAPED.sub(_meant, text))
        return told if more > count else masked

    def hide_value(self, value: Any) -> Any:
        """Return a JSON-like value with the secrets in its strings masked."""
        return self._redactor.redact_value(value)[0]


class Veiled:
    """Passes on the pieces of a streamed reply, secrets masked.

    What follows the last white space is held back: a secret may come in several
    pieces, and none has white space in it that is known by its parts.
    """

    def __init__(self, told: Callable[[str], None], veil: Veil) -> None:
        self._told, self._veil = told, veil
        self._before = self._held = ""

    def __call__(self, piece: str) -> None:
        """Take a piece; an empty one says that the reply starts anew."""
        if not piece:
            self._before = self._held = ""
            self._told("")
            return
        self._held += piece
        last = self._held.rsplit(maxsplit=1)
        if self._held[-1].isspace():
            self._pass(len(self._held))
        elif len(last) > 1:
            self._pass(len(self._held) - len(last[1]))

    def end(self) -> None:
        """Pass on what was held back: the reply is whole."""
        self._pass(len(self._held))

    def _pass(self, end: int) -> None:
        piece, self._held = self._held[:end], self._held[end:]
        told = self._veil.prompt(self._before + piece)[len(self._before) :]
        self._before = (self._before + piece)[-_BEFORE:]
        if told:
            self._told(told)


def _meant(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else found[2]
