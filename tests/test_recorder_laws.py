"""Laws of the recorder, whatever an agent does with it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from aitia import Recorder, UsageError, Workspace
from aitia.recorder import Node

MODES = ("call", "batch", "async")


class Agent:
    """Does at random what a recorder offers, right and wrong; knows what must come of it.

    Attributes:
        causes: Node → what it was said or seen to come from.
    """

    def __init__(self, recorder: Recorder, rng: Random) -> None:
        self.r, self.rng = recorder, rng
        self.causes: dict[Node, set[Node]] = {}
        self.hypotheses: list[Node] = []

    def some(self, most: int = 3) -> list[Node]:
        known = list(self.causes)
        return self.rng.sample(known, min(len(known), self.rng.randint(0, most)))

    def behind(self, node: Node) -> set[Node]:
        found: set[Node] = set()
        todo = [node]
        while todo:
            new = self.causes[todo.pop()] - found
            found |= new
            todo += new
        return found

    def work(self, steps: int) -> None:
        for _ in range(steps):
            act = self.rng.choice([self.see, self.suppose, self.weigh, self.call])
            act()

    def see(self) -> None:
        seen = self.rng.choice(["a form", 7, {"a": [1]}, None, object()])
        self.causes[self.r.observe(seen)] = set()

    def suppose(self) -> None:
        because = self.some()
        made = self.r.hypothesize(self.rng.choice("abc"), because=because)
        self.causes[made] = set(because)
        self.hypotheses.append(made)

    def weigh(self) -> None:
        evidence = self.some(1)
        if not self.hypotheses or not evidence:
            return
        hypothesis, [cause] = self.rng.choice(self.hypotheses), evidence
        closes = hypothesis == cause or hypothesis in self.behind(cause)
        refused = ""
        try:
            self.rng.choice([self.r.support, self.r.contradict])(hypothesis, cause)
        except UsageError as error:
            refused = str(error)
        assert ("circle" in refused) is closes
        if not refused:
            self.causes[hypothesis].add(cause)
        elif not closes:
            assert "on record already" in refused

    def call(self) -> None:
        given = self.some()
        with self.r.call(self.rng.choice("fg"), given=given) as call:
            if self.rng.random() < 0.3:
                self.call()
            if self.rng.random() < 0.2:
                call.fails("no answer")
            call.returns(self.rng.random())
        if call.result is not None:
            self.causes[call.result] = set(given)

    def end(self) -> Node | None:
        because = self.some()
        if not because:
            return None
        made = self.r.decide("done", because=because)
        self.causes[made] = set(because)
        return made


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with (
        tempfile.TemporaryDirectory() as name,
        Workspace.open(Path(name) / "workspace") as opened,
    ):
        yield opened
        assert opened.verify().findings == ()
        assert opened.validate().violations == ()


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32),
    steps=st.integers(0, 14),
    mode=st.sampled_from(MODES),
    level=st.sampled_from(["full", "decisions"]),
)
def test_why_tells_what_was_said_and_seen(
    workspace: Workspace, seed: int, steps: int, mode: str, level: str
) -> None:
    with workspace.record("work", agent="a", mode=mode, level=level) as r:
        agent = Agent(r, Random(seed))
        agent.work(steps)
        decision = agent.end()
    run = workspace.runs(limit=1)[0]
    assert run.conclusion == ("Decision" if decision else "Abort")
    if decision is None or level != "full":
        return
    kinds: Any = ("Observation", "Hypothesis")
    found = workspace.why(run.iri).nodes.values()
    told = {node.iri for node in found if node.kind in kinds}
    assert told == {node.iri.value for node in agent.behind(decision)}
