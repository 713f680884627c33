"""The gold actions of tau2-bench's retail tasks, proposed by a scripted model.

The tools run over a copy of the benchmark's database. Every gold action must stand on
record in order with the gold arguments, and why the decision was taken must lead to
exactly those results that the conclusion cites.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import NamedNode

from aitia import Workspace, terms
from aitia.settings import Settings
from aitia.tools.consent import Consents
from aitia.tools.kinds import ToolFailed, as_text
from aitia.tools.toolbox import Toolbox
from aitia.vocab import AITIA, RDF, RDFS
from tests.llm_server import ModelServer
from tests.tau2_tools import Desk, tools

Action = dict[str, Any]
CHUNK = 6  # actions that the model proposes at once
SHORT = ("0", "3", "24", "35", "46", "64", "100", "105")


@dataclass
class Script:
    """A model that proposes the gold actions of one task, then concludes.

    Attributes:
        toolbox: The tools, over a desk that the run does not see.
        actions: The gold actions that are still to be proposed.
        results: Label → result of each action that succeeded, as it will be shown.
        cited: The labels that the conclusion cites.
    """

    toolbox: Toolbox
    actions: list[Action] = field(default_factory=list)
    results: dict[str, Any] = field(default_factory=dict)
    cited: list[str] = field(default_factory=list)
    begun: bool = False

    def begin(self, actions: list[Action]) -> None:
        """Take up a task: find out what each action will return."""
        self.actions, self.begun = list(actions), False
        self.results = {}
        for action in actions:
            tool = self.toolbox.tools[action["name"]]
            try:
                result = self.toolbox.call(tool, action["arguments"])
            except ToolFailed:
                continue
            self.results[f"O{len(self.results) + 1}"] = result
        self.cited = list(self.results)[::2]

    def __call__(self, body: dict[str, Any]) -> Any:
        """Reply to whatever the run asks."""
        system = str(body["messages"][0]["content"])
        if system.startswith("You plan and decide"):
            return self._batch()
        if system.startswith("You check whether texts"):
            return self._borne_out(str(body["messages"][-1]["content"]))
        return {"intent": "textQuestion", "asks": "help with orders", "entities": []}

    def _borne_out(self, words: str) -> Any:
        """Say that a sentence follows, by words that stand in what it cites."""
        plain = [text for text in self.results.values() if isinstance(text, str)]
        ids = re.findall(r"#W\d+|\d{10}|[a-z]+_[a-z]+_\d{4}", words)
        quote = next((x for x in [*ids, *plain] if words.count(x) > 1), "")
        return {"relation": "entails", "quote": quote, "reason": "It says so."}

    def _batch(self) -> Any:
        proposed: list[Action] = []
        if not self.begun:
            self.begun = True
            proposed.append(
                {
                    "op": "addNode",
                    "label": "G2",
                    "kind": "Goal",
                    "text": "Do what the customer asks for",
                    "why": "It is what the policy allows.",
                    "parent": "G1",
                }
            )
        chunk, self.actions = self.actions[:CHUNK], self.actions[CHUNK:]
        proposed += [
            {
                "op": "callTool",
                "goal": "G2",
                "tool": action["name"],
                "arguments": action["arguments"],
            }
            for action in chunk
        ]
        if not chunk:
            proposed.append(self._conclusion())
        return {"addresses": ["G1"], "rationale": "Next.", "operations": proposed}

    def _conclusion(self) -> Action:
        if not self.cited:
            return {"op": "conclude", "reason": "The policy does not allow it."}
        sentences = [
            {"text": told(self.results[label]), "cites": [label]}
            for label in self.cited
        ]
        return {"op": "conclude", "sentences": sentences}


def told(result: Any) -> str:
    """Say something that a result bears out."""
    if isinstance(result, str):
        return f"The result is {result}."
    names = ("order_id", "user_id", "product_id", "item_id")
    named = next(result[name] for name in names if name in result)
    return f"The record {named} was found."


@pytest.fixture(scope="module")
def retail(shared_data: Path) -> dict[str, Any]:
    folder = shared_data / "tau2_bench_retail"
    return {
        name: json.loads((folder / f"{name}.json").read_text("utf-8"))
        for name in ("tasks", "db")
    }


@dataclass
class Shop:
    """A workspace with the tools of the desk, and the model that is scripted."""

    workspace: Workspace
    desk: Desk
    rehearsal: Desk
    script: Script

    def play(self, task: Action) -> None:
        """Run a task with its gold actions proposed, and check the record."""
        actions = task["evaluation_criteria"]["actions"]
        for desk in (self.desk, self.rehearsal):
            desk.reopen()
        self.script.begin(actions)
        said = task["user_scenario"]["instructions"]["reason_for_call"]
        answer = self.workspace.ask(said, consents=Consents(self.changing))
        assert answer.abstained == (not self.script.cited), answer.notices
        run = NamedNode(answer.run)
        calls = self.calls(run)
        assert [(self.called(x), self.given(x)) for x in calls] == [
            (action["name"], action["arguments"]) for action in actions
        ]
        assert self.proposed(run) == [action["arguments"] for action in actions]
        self.reached(run, calls)

    @property
    def changing(self) -> list[str]:
        """The tools that need consent, all of which have it."""
        named = self.workspace.toolbox.tools.values()
        return [tool.name for tool in named if tool.side_effect]

    def calls(self, run: NamedNode) -> list[NamedNode]:
        """Return the calls of tools in the order of the record, without second tries."""
        found = self.of(run, AITIA.ToolCall)
        first = [x for x in found if self.value(x, AITIA.attempt) == "1"]
        return [x for x in first if self.value(x, AITIA.method)]

    def of(self, run: NamedNode, kind: NamedNode) -> list[NamedNode]:
        """Return the nodes of a class in a run, in the order of their numbers."""
        graph = terms.run_graph(run)
        quads = self.workspace.store.quads(None, RDF.type, kind, graph)
        nodes = [q.subject for q in quads if isinstance(q.subject, NamedNode)]
        return sorted(nodes, key=lambda node: int(node.value.rpartition("/")[2]))

    def value(self, node: NamedNode, predicate: NamedNode) -> str:
        """Return the one value of a property, or ""."""
        found = list(self.workspace.store.quads(node, predicate))
        assert len(found) <= 1
        return str(found[0].object.value) if found else ""  # type: ignore[union-attr]

    def called(self, call: NamedNode) -> str:
        """Return the name of the tool that was called."""
        method = NamedNode(self.value(call, AITIA.method))
        return self.value(method, RDFS.label)

    def given(self, call: NamedNode) -> Any:
        """Return what a tool was called with, as it stands on record."""
        text = self.value(call, AITIA.input)
        if blob := self.value(call, AITIA.inputBlob):
            text = self.workspace.blobs.get(blob).decode()
        return json.loads(text)

    def proposed(self, run: NamedNode) -> list[Any]:
        """Return what the admitted operations asked to call tools with, in order."""
        kinds = {
            node: self.value(node, AITIA.operationKind)
            for node in self.of(run, AITIA.Operation)
        }
        asked = [x for x, kind in kinds.items() if kind == AITIA.callTool.value]
        told = (json.loads(self.value(node, AITIA.arguments)) for node in asked)
        return [each["arguments"] for each in told]

    def reached(self, run: NamedNode, calls: list[NamedNode]) -> None:
        """Check that why leads from the decision to what was cited and no further."""
        results = [
            quad.object
            for call in calls
            for quad in self.workspace.store.quads(call, AITIA.produced)
        ]
        shown = dict(zip(self.script.results, results, strict=True))
        for label, node in shown.items():
            assert isinstance(node, NamedNode)
            result = self.script.results[label]
            assert self.value(node, AITIA.text) == as_text(result)
        end = self.value(run, AITIA.conclusion)
        behind = set(self.workspace.why(end).nodes)
        cited = {shown[label].value for label in self.script.cited}  # type: ignore[union-attr]
        assert behind & {node.value for node in results} == cited  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def shop(
    retail: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shop]:
    desk, rehearsal = Desk(retail["db"]), Desk(retail["db"])
    script = Script(Toolbox.of(tools(rehearsal), Settings()))
    folder = tmp_path_factory.mktemp("gold") / "ws"
    with ModelServer(script) as server:
        flags = {"model.url": server.url, "model.name": "m", "model.cache": False}
        flags["memory.similar"] = 0  # tasks of one customer resemble each other
        with Workspace.open(folder, flags=flags) as workspace:
            workspace.toolbox = Toolbox.of(tools(desk), workspace.settings)
            yield Shop(workspace, desk, rehearsal, script)
            assert workspace.validate().conforms
            assert workspace.verify().intact


def test_gold_actions_of_some_tasks(shop: Shop, retail: dict[str, Any]) -> None:
    chosen = [task for task in retail["tasks"] if task["id"] in SHORT]
    assert len(chosen) == len(SHORT)
    for task in chosen:
        shop.play(task)


@pytest.mark.full
def test_gold_actions_of_all_tasks(shop: Shop, retail: dict[str, Any]) -> None:
    assert len(retail["tasks"]) == 114
    for task in retail["tasks"]:
        shop.play(task)
