"""An interrupt: whoever presses it waits for no server and for no tool."""

import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from aitia import Workspace
from aitia.vocab import AITIA
from tests.llm_server import ModelServer
from tests.model_pumps import made


def test_an_interrupt_ends_what_is_waited_for(tmp_path: Path) -> None:
    folder = made(tmp_path / "pumps")
    script = f"""
import os, signal, threading
from tests.model_desk import *
from tests.model_pumps import *

late, asked = threading.Event(), []
def judged(prompt):
    asked.append(prompt)
    if len(asked) == 2:
        os.kill(os.getpid(), signal.SIGINT)  # once: nobody has to insist
    late.wait(300)
    return UNSURE
start = batch(
    hypothesis("H1", "Pump A is blue."), hypothesis("H2", "Pump A is red."),
    method("G1", "metadata_filter", tests="H1", query="what pump A feeds"),
    method("G1", "lexical_search", tests="H2", query="what pump A feeds"),
)
with opened(Path({str(folder)!r}), Player([start, told], entailment=judged)) as (w, _):
    try:
        w.ask("What does pump A feed?")
    except KeyboardInterrupt:
        print(w.runs()[0].conclusion)
    finally:
        late.set()
"""
    assert _ran(script).split() == ["Abort"]


def test_an_interrupt_inside_an_event_loop_does_so_too() -> None:
    script = """
import asyncio, os, signal, threading
from aitia.ask.thinking.together import together

late = threading.Event()
def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
    late.wait(300)
async def inside():
    together([interrupt, late.wait], lambda: print("stopped"))
try:
    asyncio.new_event_loop().run_until_complete(inside())
except KeyboardInterrupt:
    print("interrupted")
"""
    assert _ran(script).split() == ["stopped", "interrupted"]


def _ran(script: str) -> str:
    """Return what a program prints that does not wait for what never comes."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("number", "code", "reason"),
    [
        (signal.SIGTERM, 143, "The process was told to end (SIGTERM)."),
        (signal.SIGINT, 130, "Interrupted by the user."),
        (signal.SIGKILL, -9, ""),
    ],
)
def test_a_run_is_on_record_however_its_process_ends(
    tmp_path: Path, number: int, code: int, reason: str
) -> None:
    folder, late = made(tmp_path / "pumps"), threading.Event()
    asking: list[subprocess.Popen[bytes]] = []

    def ends(_: Any) -> str:
        asking[0].send_signal(number)
        late.wait(30)
        return "late"

    with ModelServer(ends) as server:
        given = ["--workspace", str(folder), "ask", "--llm-url", server.url]
        asked = [*given, "--model", "m", "What does pump A feed?"]
        asking.append(subprocess.Popen([sys.executable, "-m", "aitia_cli", *asked]))
        assert asking[0].wait(60) == code
        late.set()
    with Workspace.open(folder) as workspace:
        (run, *_) = workspace.runs()
        assert run.question == "What does pump A feed?"
        quads = workspace.store.quads(None, AITIA.reason)
        said = {str(quad.object) for quad in quads}
    assert f'"{reason}"' in said if reason else run.conclusion == ""
