"""JSON out of what a model wrote: whole, fenced, amid chatter, or cut off."""

from __future__ import annotations

import json
import re
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

# No pattern can start twice over the same text: what a model writes must not be able
# to take more time than it has characters.
_FENCE: Final = re.compile(
    r"```[ \t]{0,9}[\w+-]{0,40}[ \t]{0,9}\r?\n(.*?)(?:```|\Z)", re.DOTALL
)
_BARE: Final = re.compile(r"(?<![\w.])-?(?:NaN|Infinity|inf|nan)(?![\w.])")
_BEGINS: Final = re.compile(r"[{\[]\s*[\"'{\[\]}]")
"""How JSON begins, and not what merely has a bracket in it."""
_TEXTS: Final = re.compile(
    r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)' + r"|'(?:[^'\\\n]++|\\.)*+(?:'|\\?\Z|(?=\n))",
    re.DOTALL,
)
"""Texts within JSON; one that is not ended goes to the end of all, or of the line."""
_NO_NUMBER: Final = "NaN and infinities are no values of JSON"
_STARTS: Final = 20
"""At so many opening brackets at most it is tried to read JSON."""
_CUTS: Final = 100
"""At so many places at most, from the end, it is tried to close what was cut off."""
_MENDING: Final = 1.0
"""Seconds that the mending of all parts of a reply may take."""
_DEEPEST: Final = 200
"""JSON that is nested deeper is refused, before it can exhaust the stack."""


class NoNumber(ValueError):
    """JSON with NaN or an infinity in it, which are no values of JSON."""


class BreaksOff(ValueError):
    """JSON that ends before its brackets are closed."""


@dataclass(frozen=True)
class Found:
    """A value that was read out of a text.

    Attributes:
        value: It, as JSON.
        how: How it differs from the whole text, in plain words, or "".
    """

    value: Any
    how: str = ""


def values(text: str) -> Iterator[Found]:
    """Yield each value that a text may be meant as, the likeliest first.

    First what is JSON as it stands: the whole text, the fenced blocks, what stands
    amid chatter. Then the same mended, as with trailing commas or single quotes.

    Raises:
        BreaksOff: None is JSON, and one begins as JSON and is not ended: to mend that
            would be to guess.
        NoNumber: None is JSON, and NaN or an infinity is why.
    """
    parts = [item for item in _parts(text) if _depth(item.value)[1] <= _DEEPEST]
    told: list[ValueError] = []
    broken: list[Found] = []
    for part in parts:
        try:
            yield Found(strict(part.value), part.how)
        except NoNumber as error:
            told.append(error)
        except ValueError:
            broken.append(part)
    until = time.monotonic() + _MENDING
    for part in broken:
        if _BARE.search(_TEXTS.sub('""', part.value)):
            told.append(NoNumber(_NO_NUMBER))
        elif part.value.startswith(("{", "[")) and _depth(part.value)[0]:
            told.append(BreaksOff("it breaks off"))
        elif (mended := _mended(part.value, until)) is not None:
            yield Found(mended, _joined(part.how, "mended, for it was no valid JSON"))
    if told:
        raise told[0]


def strict(text: str) -> Any:
    """Return a text that is JSON as its value.

    Raises:
        NoNumber: NaN or an infinity is in it.
        ValueError: It is no JSON.
    """
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_float)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def cut_off(text: str) -> Any:
    """Return the complete items of JSON that breaks off, or None if there is none.

    Whole is what is followed by a comma or a closing bracket; what is being written
    when the text ends is left out, not guessed.
    """
    start = min((i for i in map(text.find, "{[") if i >= 0), default=-1)
    if start < 0 or _depth(text)[1] > _DEEPEST:
        return None
    body = text[start:]
    for end, closing in reversed(deque(_cuts(body), _CUTS)):
        try:
            return strict(body[:end] + closing)
        except ValueError:
            continue
    return None


def _refuse(name: str) -> Any:
    raise NoNumber(_NO_NUMBER)


def _float(text: str) -> float:
    found = float(text)
    if found in (float("inf"), float("-inf")):
        raise NoNumber(_NO_NUMBER)
    return found


def _parts(text: str) -> Iterator[Found]:
    """Yield the parts of a text that may be JSON; the values are texts."""
    yield Found(text.strip())
    fenced = [match[1].strip() for match in _FENCE.finditer(text)]
    yield from (Found(item, "taken out of a fenced block") for item in fenced)
    for start, end in _regions(text):
        if text[:start].strip() or text[end:].strip():
            yield Found(text[start:end], "taken out of the text around it")


def _regions(text: str) -> Iterator[tuple[int, int]]:
    """Yield where values in brackets begin and end, outermost only.

    What is inside of a value is no value that was meant, be it whole or broken off.
    """
    place = tried = 0
    while tried < _STARTS and (found := re.search(r"[{\[]", text[place:])):
        start = place + found.start()
        tried += 1
        end = _end(text, start)
        yield start, end
        if end == len(text) and _BEGINS.match(text, start):
            return
        place = end if end < len(text) else start + 1


def _end(text: str, start: int) -> int:
    """Return where brackets that open at a place are closed, or the text's end."""
    depth = 0
    for place, mark in _marks(text, start):
        depth += 1 if mark in "{[" else -1 if mark in "}]" else 0
        if not depth:
            return place + 1
    return len(text)


def _marks(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the brackets and commas that stand outside of texts, with their place."""
    inside = skip = False
    for place in range(start, len(text)):
        character = text[place]
        if skip:
            skip = False
        elif inside:
            skip, inside = character == "\\", character != '"'
        elif character == '"':
            inside = True
        elif character in "{}[],":
            yield place, character


def _cuts(text: str) -> Iterator[tuple[int, str]]:
    """Yield each place where an item of a list is whole, and what closes the rest."""
    open_: list[str] = []
    for place, mark in _marks(text):
        if mark in "{[":
            open_.append("}" if mark == "{" else "]")
        elif mark in "}]":
            if not open_ or open_.pop() != mark:
                return
            if open_ and open_[-1] == "]":
                yield place + 1, "".join(reversed(open_))
        elif open_ and open_[-1] == "]":
            yield place, "".join(reversed(open_))


def _depth(text: str) -> tuple[int, int]:
    """Return how many brackets are open at the end of a text, and how many at most."""
    depth = deepest = 0
    for _, mark in _marks(text):
        depth += 1 if mark in "{[" else -1 if mark in "}]" else 0
        deepest = max(deepest, depth)
    return depth, deepest


def _mended(text: str, until: float) -> Any:
    """Return what broken JSON is meant as, or None where it is not like JSON.

    Mending may take the square of the text's length: it is given up when the time is
    over.
    """
    if not text.startswith(("{", "[")) or time.monotonic() > until:
        return None
    import json_repair

    try:
        with _ending(until):
            found = json_repair.loads(text, skip_json_loads=True)
    except (ValueError, RecursionError, TimeoutError):
        return None
    return found if isinstance(found, dict | list) and found else None


@contextmanager
def _ending(until: float) -> Iterator[None]:
    """End Python code in the block when the time is over, at the next call it makes.

    Raises:
        TimeoutError: It was over.
    """

    def look(*event: object) -> None:
        if time.monotonic() > until:
            raise TimeoutError

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(before)


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
