"""The sample world: how it is laid out, taken in, and what to ask it first."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from aitia import resources
from aitia.errors import UsageError

if TYPE_CHECKING:
    from aitia.ingest import IngestReport
    from aitia.workspace import Workspace

SHOP: Final = "shop"
"""Name of the folder of the world's files, in the folder that the demo is given."""
TOOLS: Final = "tools"
"""Name of the folder of the shop's tools beside it; it is not taken in."""


@dataclass(frozen=True)
class Question:
    """A question that the demo asks.

    Attributes:
        kind: What kind of question it is, in a few words.
        text: The question.
    """

    kind: str
    text: str


QUESTIONS: Final = (
    Question("a fact", "What is the status of order Q-1031?"),
    Question("a policy, about one order", "Can order Q-1036 be cancelled?"),
    Question(
        "over several records",
        "In which city does the customer who placed order Q-1018 live?",
    ),
    Question(
        "two notices disagree", "Within how many days can outdoor gear be returned?"
    ),
    Question("no answer is there", "Who founded Quillmoor?"),
)
EXPLAINED: Final = 1
"""Index of the question whose answer the demo explains."""


def query() -> str:
    """Return the SPARQL query that the demo runs."""
    return resources.query("demo", "waiting_orders")


def take_in(workspace: Workspace, folder: Path) -> tuple[IngestReport, IngestReport]:
    """Lay the sample world into `folder`, ingest it, then the same for its update.

    Safe to run again: files that are there stay as they are, and the update is laid
    only over the version that it updates.

    Args:
        workspace: A workspace opened for writing: empty, or filled by this function.
        folder: Where the files go, into a folder `shop` of their own.

    Returns:
        What ingesting the world and its update reported.

    Raises:
        UsageError: The workspace holds something else.
    """
    shop = folder / SHOP
    if workspace.position and not shop.is_dir():
        raise UsageError(
            f"The workspace {workspace.folder} holds knowledge of its own.",
            hint="Give the demo a workspace for itself: aitia demo FOLDER",
        )
    data = resources.folder("data")
    _copy(data / SHOP, shop)
    _copy(data / TOOLS, folder / TOOLS)
    first = workspace.ingest([str(shop)])
    _update(data / "updates", data / SHOP, shop)
    return first, workspace.ingest([str(shop)])


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for item in source.iterdir():
        place = target / item.name
        if item.is_dir():
            if item.name != "__pycache__":
                _copy(item, place)
        elif not place.exists():
            place.write_bytes(item.read_bytes())


def _update(new: Traversable, old: Traversable, target: Path) -> None:
    for item in new.iterdir():
        before, place = old / item.name, target / item.name
        if item.is_dir():
            _update(item, before, place)
        elif place.is_file() and place.read_bytes() == before.read_bytes():
            place.write_bytes(item.read_bytes())
