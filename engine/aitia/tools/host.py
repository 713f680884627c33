"""Runs the tools of one module in a process of its own; started by aitia.tools.hosted.

Why a process: a thread that hangs or computes cannot be stopped, and one that computes
in C without giving way stops every other thread with it. A process can be killed.

Reads one JSON object a line from standard input, {"load", "folder"} first and then
{"call", "arguments", "seconds", "chars"}, and writes one a line to standard output:
{"tools"}, {"value"}, {"error"} or {"long"}. What a tool itself prints goes nowhere.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib import import_module, util
from pathlib import Path
from typing import Any, BinaryIO, Final

from aitia.errors import AitiaError
from aitia.tools.declare import declared, describe, functions, run
from aitia.tools.kinds import ToolFailed, as_text

Functions = dict[str, Callable[..., Any]]

GRACE: Final = 2.0
"""Seconds that the starter has to stop a call before this process ends by itself."""


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
            answer = {"error": str(error)}
        told.write(json.dumps(answer).encode() + b"\n")
        told.flush()


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Return what requests come from and answers go to, out of a tool's reach."""
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)
    return asked, told


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
    except (Exception, SystemExit) as error:
        raise ToolFailed(
            f"The tools of {named!r} cannot be loaded: {type(error).__name__}: {error}"
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
