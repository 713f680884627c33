"""What a model thought aloud, set apart from what it replied.

Reasoning is recognised only at the beginning of a reply: in the middle of one, or
inside JSON, the same marks are data.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_NAMES: Final = "think|thinking|thought|reasoning"
_OPEN: Final = re.compile(rf"\s*<({_NAMES})>", re.IGNORECASE)
_CLOSE: Final = re.compile(rf"</({_NAMES})>", re.IGNORECASE)
_ANY: Final = re.compile(rf"<({_NAMES})>", re.IGNORECASE)
_LONGEST: Final = len("</reasoning>")
_JSON: Final = ("{", "[", "```")


def set_apart(text: str) -> tuple[str, str]:
    """Return the reasoning that a reply begins with, and the rest.

    A block that is not closed is reasoning to its end. Where only the end of a block
    is there, as from servers that put its beginning into the prompt, what is before
    it is reasoning, unless the reply begins as JSON.
    """
    thoughts: list[str] = []
    while found := _OPEN.match(text):
        end = re.compile(rf"</{found[1]}>", re.IGNORECASE).search(text, found.end())
        thoughts.append(text[found.end() : end.start() if end else len(text)])
        text = text[end.end() :] if end else ""
    if not thoughts and not text.lstrip().startswith(_JSON):
        end = _CLOSE.search(text)
        if end and not _ANY.search(text, 0, end.start()):
            thoughts.append(text[: end.start()])
            text = text[end.end() :]
    return "\n\n".join(item.strip() for item in thoughts), text.strip()


class Visible:
    """Passes on the pieces of a streamed reply that are no reasoning.

    What may still turn out to be the mark of a block is held back until it is known.
    """

    def __init__(self, told: Callable[[str], None]) -> None:
        self._told = told
        self._held, self._name, self._begun = "", "", False

    def __call__(self, piece: str) -> None:
        """Take a piece and pass on what is known to be seen.

        An empty piece, which says that the reply starts anew, is passed on as it is.
        """
        if not piece:
            self._held, self._name, self._begun = "", "", False
            self._told("")
            return
        if self._begun:
            self._pass(piece)
            return
        self._held += piece
        while self._step():
            pass

    def end(self) -> None:
        """Pass on what was held back: the reply is whole."""
        if not self._name:
            self._pass(self._held.lstrip() if not self._begun else self._held)
        self._held = ""

    def _step(self) -> bool:
        """Go on as far as what is held tells; return whether there may be more."""
        if self._name:
            end = re.search(rf"</{self._name}>", self._held, re.IGNORECASE)
            self._held = self._held[end.end() :] if end else self._held[-_LONGEST:]
            self._name = "" if end else self._name
            return end is not None
        if found := _OPEN.match(self._held):
            self._name, self._held = found[1], self._held[found.end() :]
            return True
        start = self._held.lstrip()
        if start and not _may_open(start):
            self._begun, self._held = True, ""
            self._pass(start)
        return False

    def _pass(self, text: str) -> None:
        if text:
            self._told(text)


def _may_open(start: str) -> bool:
    """Tell whether a text may be the beginning of an opening mark."""
    return any(f"<{name}>".startswith(start.lower()) for name in _NAMES.split("|"))
