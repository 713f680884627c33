"""A text about pumps, tools that know them, and a workspace that has taken it in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aitia.tools import tool
from aitia.workspace import Workspace
from tests.llm_server import ModelServer
from tests.model_desk import batch, conclude, label, method

TEXT = (
    "Pump A feeds tank B. Tank B feeds mixer C. Pump A has 4 valves. "
    "Worn seals make pumps lose pressure."
)
FEEDS = "Pump A feeds tank B."
SEARCH = method("G1", "metadata_filter", query="what pump A feeds")


def told(prompt: str) -> Any:
    """Conclude with what a passage that is shown says."""
    return batch(conclude((FEEDS, [label(prompt, "Pump A feeds tank B.")])))


def made(folder: Path) -> Path:
    """A workspace in this folder with the text taken in; no model was asked."""
    folder.mkdir(exist_ok=True)
    (folder / "pumps.txt").write_text(TEXT, "utf-8")
    with Workspace.open(folder / "ws") as workspace:
        workspace.ingest([folder / "pumps.txt"])
    return folder / "ws"


def copy(ready: Path, folder: Path) -> Path:
    """A copy of such a workspace: quicker than taking the text in again."""
    return Path(shutil.copytree(ready, folder))


@dataclass
class Desk:
    """An open workspace beside a server whose player can be changed.

    Attributes:
        workspace: The workspace; it keeps nothing, so that runs do not touch.
        server: The server that it asks.
        player: Who plays the model now.
    """

    workspace: Workspace
    server: ModelServer
    player: Any = field(default="")

    @contextmanager
    def playing(self, player: Any) -> Iterator[tuple[Workspace, ModelServer]]:
        """Have somebody play the model."""
        self.player = player
        self.server.requests.clear()
        self.server.failures.clear()
        yield self.workspace, self.server
        if self.server.failures:
            raise self.server.failures[0]


@contextmanager
def desk_in(folder: Path) -> Iterator[Desk]:
    """A desk over a workspace."""
    found: list[Desk] = []

    def play(body: dict[str, Any]) -> Any:
        player = found[0].player
        return player(body) if callable(player) else player

    with ModelServer(play) as server:
        told = {
            "model.url": server.url,
            "model.name": "m",
            "model.cache": False,
            "memory.chars": 0,
        }
        with Workspace.open(folder, flags=told) as workspace:
            found.append(Desk(workspace, server))
            yield found[0]


@tool
def pressure(pump: str) -> dict[str, Any]:
    """Tell the pressure of a pump in bar."""
    return {"pump": pump, "bar": {"A": 3, "B": 5, "C": 8}[pump]}


@tool
def nothing(pump: str) -> list[str]:
    """Tell the faults of a pump."""
    return []


@tool
def broken(pump: str) -> str:
    """Tell the maker of a pump."""
    raise RuntimeError(f"no line to pump {pump}")


@tool(side_effect=True)
def stop(pump: str) -> str:
    """Stop a pump."""
    return f"Pump {pump} is stopped."
