"""A run on record in which tools are called, and what is on record of the calls."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyoxigraph import Literal, NamedNode

from aitia import Workspace
from aitia.model.trace import Goal
from aitia.redact import Redactor
from aitia.tools import calling
from aitia.tools.calling import Called
from aitia.tools.consent import NOBODY, Consents
from aitia.tools.toolbox import Toolbox
from aitia.trace import RunTrace
from aitia.vocab import AITIA, RDF

TOOLS = str(Path(__file__).parent / "tooling" / "bench_tools.py")


class Desk:
    """A running run with one goal."""

    def __init__(self, workspace: Workspace, toolbox: Toolbox) -> None:
        self.workspace, self.toolbox = workspace, toolbox
        ledger, store = workspace.ledger, workspace.store
        self.trace = RunTrace(ledger.commit, store, workspace.blobs)
        self.trace.begin("calls", workspace.settings.agent, workspace.position)
        self.asked = self.trace.asked("Call something.")
        self.goal = self.trace.node(AITIA.Goal, "goal")
        goal = Goal(self.goal, 1, "Call tools.", "A test does.", "", "")
        self.trace.goal(goal, [self.asked])
        self.trace.step()

    def call(
        self, name: str, arguments: Mapping[str, Any], consents: Consents = NOBODY
    ) -> Called:
        """Call a tool and commit what is on record of it."""
        called = calling.call(
            self.trace,
            self.toolbox,
            self.goal,
            name,
            arguments,
            [self.asked],
            consents,
            redactor=Redactor(self.workspace.settings),
        )
        self.trace.step()
        return called

    def value(self, node: NamedNode, predicate: NamedNode) -> str:
        """Return the one value of a property of a node."""
        (quad,) = self.workspace.store.quads(node, predicate, None, None)
        assert isinstance(quad.object, NamedNode | Literal)
        return quad.object.value

    def kinds(self, node: NamedNode) -> set[NamedNode]:
        """Return the classes of a node."""
        found = self.workspace.store.quads(node, RDF.type, None, None)
        return {quad.object for quad in found if isinstance(quad.object, NamedNode)}


@contextmanager
def desk(folder: Path, toolbox: Toolbox) -> Iterator[Desk]:
    """A desk in a workspace of its own; what is on record at the end conforms."""
    with Workspace.open(folder / "ws") as workspace, toolbox:
        made = Desk(workspace, toolbox)
        yield made
        made.trace.abort("The test is over.")
        assert workspace.validate().conforms
        assert workspace.verify().intact
