"""Runs the tools of one module in a process of its own; started by aitia.tools.hosted.

Why a process: a thread that hangs or computes cannot be stopped, and one that computes
in C without giving way stops every other thread with it. A process can be killed.

Reads one JSON object a line from standard input, {"load", "folder"} first and then
{"call", "arguments", "seconds", "chars"}, each with an "id" that nobody can guess, and
writes one a line to standard output: {"tools"}, {"value"}, {"error"} or {"long"}, with
the id of what it answers. Both are moved out of a tool's way: what it prints goes
nowhere, and what it forks has neither.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib import import_module, util
from pathlib import Path
from typing import Any, BinaryIO, Final

from aitia.errors import AitiaError
from aitia.tools.declare import declared, describe, functions, run, said
from aitia.tools.kinds import ToolFailed, as_text

Functions = dict[str, Callable[..., Any]]

GRACE: Final = 2.0
"""Seconds that the starter has to stop a call before this process ends by itself."""
FROM: Final = 64
PLACES: Final = 128
"""The descriptors of the channel are among so many, from `FROM` on."""
LONGEST_ERROR: Final = 10_000
"""Characters of an error that are told."""


def main() -> None:
    """Answer requests until standard input ends."""
    asked, told = _streams()
    known: Functions = {}
    for line in asked:
        request = json.loads(line)
        try:
            if "load" in request:
                known = load(request["load"], request["folder"])
                answer = _described(known, request["load"])
            else:
                answer = _called(known, request)
        except AitiaError as error:
            answer = {"error": str(error)[:LONGEST_ERROR]}
        told.write(json.dumps({**answer, "id": request["id"]}).encode() + b"\n")
        told.flush()


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Return what requests come from and answers go to, out of a tool's reach."""
    # Not next to those that a tool opens, where a descriptor that it mistakes is.
    place = FROM + random.SystemRandom().randrange(PLACES)
    kept = [fcntl.fcntl(stream, fcntl.F_DUPFD_CLOEXEC, place) for stream in (0, 1)]
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)

    def part() -> None:
        # What a tool forks reads no request and answers none.
        for stream in kept:
            os.dup2(nowhere, stream, inheritable=False)

    os.register_at_fork(after_in_child=part)
    return os.fdopen(kept[0], "rb"), os.fdopen(kept[1], "wb")


def load(named: str, folder: str) -> Functions:
    """Return the tools of a module by name.

    Args:
        named: A dotted name, one with `:` and an attribute, or the path of a file.
        folder: Where modules are looked for besides, and what a path is relative to.

    Raises:
        ToolFailed: There is no such module, it fails, or it has no tools.
    """
    sys.path.append(folder)
    module, _, attribute = named.partition(":")
    try:
        found = _file(Path(folder, named)) if _is_file(named) else import_module(module)
        things = [getattr(found, attribute)] if attribute else vars(found).values()
    except BaseException as error:
        raise ToolFailed(
            f"The tools of {named!r} cannot be loaded: {said(error)}"
        ) from error
    tools = functions(things)
    if not tools:
        raise ToolFailed(f"{named!r} has no tools: mark its functions with @tool.")
    return {_name(function): function for function in tools}


def _is_file(named: str) -> bool:
    return named.endswith(".py")


def _file(path: Path) -> Any:
    """Return the module in a file; those beside it can be imported by it."""
    sys.path.append(str(path.parent))
    # A name of its own: a file may be called like a module of the standard library.
    name = f"tools_of_{path.stem}"
    spec = util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _name(function: Callable[..., Any]) -> str:
    told = declared(function)
    assert told is not None
    return told.name


def _described(known: Functions, source: str) -> dict[str, Any]:
    return {"tools": [asdict(describe(found, source)) for found in known.values()]}


def _called(known: Functions, request: Mapping[str, Any]) -> dict[str, Any]:
    # Ends this process where the starter is gone and cannot: the default of the alarm.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, request["seconds"] + GRACE)
    try:
        value = run(known[request["call"]], request["arguments"])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    length = len(as_text(value))
    return {"value": value} if length <= request["chars"] else {"long": length}


if __name__ == "__main__":
    main()
