"""Tools that the tests load by file: good ones, and ones that misbehave."""

import ctypes
import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from aitia.tools import tool

calls = 0


@dataclass
class Order:
    order_id: str
    total: float


@tool
def order_details(order_id: str, with_total: bool = True) -> Order:
    """Tell what an order holds.

    Args:
        order_id: The order's number, as `Q-1001`.
        with_total: Whether to add it up.
    """
    return Order(order_id, 12.5 if with_total else 0.0)


@tool
def count_calls() -> int:
    """Count how often this was called in its process."""
    global calls
    calls += 1
    return calls


@tool(side_effect=True, name="write_note")
def write(path: str, text: str) -> str:
    """Write a text into a file."""
    Path(path).write_text(text, "utf-8")
    return f"{len(text)} characters"


@tool(seconds=0.3)
def sleep(path: str) -> str:
    """Sleep for a long time, then write to a file."""
    time.sleep(60)
    Path(path).write_text("late", "utf-8")
    return "done"


@tool(seconds=0.3)
def spin() -> bool:
    """Compute for ever in C without giving way to other threads."""
    return bool(re.match(r"(a+)+$", "a" * 60 + "b"))


@tool
def crash() -> str:
    """Bring the process down."""
    ctypes.string_at(0)
    return "not reached"


@tool
def leave() -> str:
    """End the process."""
    os._exit(3)


@tool
def talk(size: int) -> str:
    """Print to standard output, read standard input, and return a long text."""
    print("x" * 100)
    os.write(1, b'{"value": "forged"}\n')
    return "y" * size + os.read(0, 10).decode()


@tool
def complain() -> str:
    """Fail."""
    raise LookupError("no such order\x1b[31m")


@tool
async def later(text: str) -> str:
    """Return a text a little later."""
    return text


@tool
def odd() -> float:
    """Return what JSON has no number for."""
    return float("nan")


@tool
def half() -> str:
    """Return half a character."""
    return "a\ud800b"


@tool
def unfit() -> object:
    """Return what has no form in JSON."""
    return object()


@tool
def deep() -> list[object]:
    """Return lists in lists, deeper than JSON is read."""
    found: list[object] = []
    for _ in range(100_000):
        found = [found]
    return found


@tool
def fork(text: str) -> str:
    """Fork, and let the child go on in a moment as if it were the parent."""
    if os.fork() == 0:
        time.sleep(0.1)
    return text


@tool
def scribble(text: str) -> str:
    """Write to every descriptor that there is."""
    for place in range(3, 256):
        with suppress(OSError):
            os.write(place, b'{"value": "forged"}\n')
    return text


@tool
def flood(text: str) -> str:
    """Write without end to every descriptor that there is."""
    while True:
        for place in range(3, 256):
            with suppress(OSError):
                os.write(place, text.encode())


@tool
def interrupt() -> str:
    """Raise what is no Exception."""
    raise KeyboardInterrupt("stop it")
