"""The engine's own time for a step of a model, beside the commits that it makes."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from aitia import Workspace
from aitia.model import CommitRecord, Patch
from aitia.tools import tool
from aitia.tools.toolbox import Toolbox
from tests.bench.figures import Figure
from tests.llm_server import ModelServer

if TYPE_CHECKING:
    from tests.bench.run import Options

RUNS: Final = 60
WARM: Final = 3
LIMIT: Final = 5.0
PUMPS: Final = "Pump {0} feeds tank {0}. Tank {0} holds {0} litres."


@tool
def tank_of(pump: str) -> str:
    """Tell which tank a pump feeds."""
    return f"Pump {pump} feeds tank {pump}."


@tool
def litres_of(tank: str) -> str:
    """Tell how many litres a tank holds."""
    return f"Tank {tank} holds {tank} litres."


def measure(options: Options) -> list[Figure]:
    """Ask questions of a scripted model, and time what is not waiting for it."""
    rounds = 8 if options.quick else RUNS
    with tempfile.TemporaryDirectory() as name:
        timed = _asked(Path(name), rounds)
    own = statistics.median(timed.own)
    commit = statistics.mean(timed.commits)
    per_run = len(timed.commits) / len(timed.own)
    return [
        Figure(
            "the engine's own time per step of a model, in gated commits of the run",
            own / commit,
            limit=LIMIT,
            note=f"{own * 1000:.1f} ms a step (median of {len(timed.own)} runs of "
            f"{timed.steps} steps, asking a local server included); a commit takes "
            f"{commit * 1000:.1f} ms, {per_run:.1f} a run",
        )
    ]


@dataclass
class Timed:
    """What was measured.

    Attributes:
        own: Seconds per step, a figure a run.
        commits: Seconds of each commit.
        steps: How often the model was asked in a run.
    """

    own: list[float] = field(default_factory=list)
    commits: list[float] = field(default_factory=list)
    steps: int = 0


class Script:
    """A model that reads the question, calls two tools in two rounds, and concludes."""

    def __init__(self) -> None:
        self.number, self.round = 0, 0

    def __call__(self, body: dict[str, Any]) -> Any:
        if not str(body["messages"][0]["content"]).startswith("You plan and decide"):
            return {"intent": "factLookup", "asks": "litres", "entities": []}
        self.round += 1
        said = (self._first, self._second, self._third)[self.round - 1]()
        return {"addresses": ["G1"], "rationale": "It is open.", "operations": said}

    def _first(self) -> list[Any]:
        goal = {"op": "addNode", "label": "G2", "kind": "Goal", "text": "Find the tank"}
        return [
            {**goal, "why": "It is asked.", "parent": "G1"},
            _call("tank_of", {"pump": str(self.number)}),
        ]

    def _second(self) -> list[Any]:
        return [_call("litres_of", {"tank": str(self.number)}, because=["O1"])]

    def _third(self) -> list[Any]:
        text = f"Tank {self.number} holds {self.number} litres."
        return [{"op": "conclude", "sentences": [{"text": text, "cites": ["O2"]}]}]


def _call(name: str, arguments: dict[str, str], **rest: Any) -> dict[str, Any]:
    made = {"op": "callTool", "goal": "G2", "tool": name, "arguments": arguments}
    return {**made, **rest}


def _asked(folder: Path, rounds: int) -> Timed:
    script, timed = Script(), Timed()
    text = "\n".join(PUMPS.format(number) for number in range(100, 200))
    (folder / "pumps.txt").write_text(text, "utf-8")
    with ModelServer(script) as server:
        with Workspace.open(folder / "ws") as workspace:
            workspace.ingest([folder / "pumps.txt"])
        flags = {"model.url": server.url, "model.name": "m", "model.cache": False}
        with Workspace.open(folder / "ws", flags=flags) as workspace:
            workspace.toolbox = Toolbox.of([tank_of, litres_of], workspace.settings)
            workspace.ledger.commit = _timing(workspace.ledger.commit, timed)  # type: ignore[method-assign]
            for number in range(rounds + WARM):
                if number == WARM:
                    timed.own, timed.commits = [], []
                script.number, script.round = 100 + number, 0
                before = len(server.requests)
                began = time.perf_counter()
                answer = workspace.ask(f"How many litres do we get from pump {number}?")
                took = time.perf_counter() - began
                assert answer.mode == "generative", answer.notices
                timed.steps = len(server.requests) - before
                timed.own.append(took / timed.steps)
    return timed


def _timing(
    commit: Callable[..., CommitRecord], timed: Timed
) -> Callable[..., CommitRecord]:
    """Return a commit that takes note of how long it takes."""

    def timing(patch: Patch, *, durable: bool = False) -> CommitRecord:
        began = time.perf_counter()
        try:
            return commit(patch, durable=durable)
        finally:
            timed.commits.append(time.perf_counter() - began)

    return timing
