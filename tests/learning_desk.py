"""A yard and a shop whose knowledge learns, for the tests of stale and upkeep."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyoxigraph import Quad

from aitia import terms
from aitia.vocab import AITIA, PROV
from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from aitia.writeback.draft import Proposer
from aitia.writeback.reviewers import Identity

QUESTION = "Within how many days can outdoor gear be returned?"
TRUST = '[sources]\n"*/2026-03-02-*" = "reviewed"\n"*/2026-04-20-*" = "user"\n'
BOB = Identity("bob")


@contextmanager
def opened(folder: Path, settings: str = "") -> Iterator[Workspace]:
    work = folder / "ws"
    work.mkdir(exist_ok=True)
    (work / "aitia.toml").write_text(settings)
    with Workspace.open(work, flags={"agent": "ann"}) as workspace:
        yield workspace


def write(folder: Path, **files: str) -> list[str]:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    return [str(folder / name.replace("_", ".")) for name in files]


def current(workspace: Workspace) -> frozenset[Quad]:
    """All that holds now."""
    quads = workspace.store.quads()
    return frozenset(q for q in quads if terms.is_current(q.graph_name))


def withdrawn(workspace: Workspace) -> set[str]:
    """The words that are out of use."""
    out = workspace.store.quads(None, PROV.invalidatedAtTime, None, terms.GRAPH_CATALOG)
    return {
        quad.object.value  # type: ignore[union-attr]
        for span in out
        for quad in workspace.store.quads(span.subject, AITIA.text)  # type: ignore[arg-type]
    }


def revise(workspace: Workspace, old: int, new: int, notice: str) -> str:
    """Have it accepted that crane k4 lifts something else; return the proposal's id."""
    asked = Asked(
        "revise", "the notice", "k4", "lifts", str(new), str(old), evidence=[notice]
    )
    found = workspace.writeback.propose(asked, Proposer("ann"))
    assert not found.refused, found.checks
    workspace.writeback.decide(found.proposal.id, "approve", "read it", BOB)
    return found.proposal.id


def cranes(folder: Path) -> list[str]:
    return write(
        folder,
        cranes_csv="key,name,lifts\nk4,Crane 4,12\nk5,Crane 5,8\n",
        notice_txt="Notice: k4 lifts 9 tonnes. It was inspected in May.\n",
    )
