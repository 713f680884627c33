"""Cold starts: whole processes, from the command to its end."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.figures import Figure

if TYPE_CHECKING:
    from tests.bench.run import Options

TIMES = 15
CACHE = str(Path(tempfile.gettempdir(), "aitia-bench-bytecode"))
PEER = [sys.executable, "-c", "import click, pyoxigraph"]
AITIA = [sys.executable, "-m", "aitia_cli"]
TEXT = "Pump A feeds tank B. Tank B feeds mixer C. The pump was checked on 4 May 2026."
LOADED = """
import atexit, sys
from aitia_cli.main import cli
atexit.register(lambda: print("torch" in sys.modules, file=sys.stderr))
cli.main(sys.argv[1:])
"""


def measure(options: Options) -> list[Figure]:
    """Time `--help`, `why last` and `ask` against importing click and pyoxigraph."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pump.txt").write_text(TEXT, "utf-8")
        here = ["--workspace", str(folder / "ws")]
        question = [*here, "ask", "What does pump A feed?"]
        run([*AITIA, *here, "ingest", str(folder / "pump.txt")])
        run([*AITIA, *question])
        commands = {
            "peer": PEER,
            "help": [*AITIA, "--help"],
            "why": [*AITIA, *here, "why", "last"],
            "ask": [*AITIA, *question],
        }
        took = interleaved(commands, 3 if options.quick else TIMES)
        torch = run([sys.executable, "-c", LOADED, *question]).splitlines()[-1]
    return figures(took, loads_torch=torch == "True")


def interleaved(commands: dict[str, list[str]], times: int) -> dict[str, float]:
    """Return the median processor seconds of each command, run in turn.

    Processor time, so that what else the machine does counts for nothing.
    """
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for command in commands.values():
        run(command)  # compiles what is not compiled yet
    for _ in range(times):
        for name, command in commands.items():
            began = children_seconds()
            run(command)
            seconds[name].append(children_seconds() - began)
    return {name: statistics.median(found) for name, found in seconds.items()}


def children_seconds() -> float:
    """Return the processor seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compiled() -> dict[str, str]:
    """The environment of an installed package: its modules are compiled once.

    A checkout run under PYTHONDONTWRITEBYTECODE would compile aitia anew each time,
    and its peers, installed by pip, never.
    """
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": CACHE}


def run(command: list[str]) -> str:
    """Run a command that must succeed; returns its stderr."""
    done = subprocess.run(command, capture_output=True, text=True, env=compiled())
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr}")
    return done.stderr


def figures(took: dict[str, float], *, loads_torch: bool) -> list[Figure]:
    """Return the ratios to the peer, and what orients."""
    peer = took["peer"]
    note = f"{{:.0f}} ms of processor time; importing click and pyoxigraph {peer * 1000:.0f} ms"
    rows = [
        Figure(
            f"cold start of `aitia {name}`",
            took[key] / peer,
            limit=limit,
            note=note.format(took[key] * 1000),
        )
        for name, key, limit in (
            ("--help", "help", 2.0),
            ("why last", "why", 3.0),
            ("ask (small workspace)", "ask", None),
        )
    ]
    return [
        *rows,
        Figure(
            "`ask` imports torch (0 no, 1 yes)",
            float(loads_torch),
            unit="",
            limit=0.0,
            note="sys.modules after the answer",
        ),
    ]
