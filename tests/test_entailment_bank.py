"""Gold proofs of EntailmentBank, recorded by an agent: `why` gives back their premises.

Each proof of the second task is recorded with its distractors: all sentences are
observed, each step of the proof is a hypothesis that rests on what the step names.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from aitia import Recorder, Workspace
from aitia.model.graph import CausalGraph
from aitia.recorder import Node

PROOFS = 187
STEP = re.compile(r"(.+?) -> (int\d+|hypothesis)(?:: (.*))?$")


@dataclass(frozen=True)
class Proof:
    """A question with its sentences, and the steps that entail the answer."""

    name: str
    sentences: dict[str, str]
    hypothesis: str
    steps: tuple[tuple[tuple[str, ...], str, str], ...]

    def behind(self, label: str) -> set[str]:
        """The labels of all that a conclusion rests on, by the gold proof alone."""
        causes = {made: used for used, made, _ in self.steps}
        found: set[str] = set()
        todo = [label]
        while todo:
            new = set(causes.get(todo.pop(), ())) - found
            found |= new
            todo += new
        return found


def proofs(path: Path) -> Iterator[Proof]:
    for line in path.read_text("utf-8").splitlines():
        told = json.loads(line)
        steps = []
        for step in filter(None, map(str.strip, told["proof"].split(";"))):
            match = STEP.fullmatch(step)
            assert match, step
            used = tuple(part.strip() for part in match[1].split("&"))
            steps.append((used, match[2], match[3] or told["hypothesis"]))
        triples = told["meta"]["triples"]
        yield Proof(told["id"], triples, told["hypothesis"], tuple(steps))


def record(recorder: Recorder, proof: Proof) -> dict[str, Node]:
    """Record a proof as an agent would, and decide for its hypothesis."""
    nodes = {label: recorder.observe(text) for label, text in proof.sentences.items()}
    for used, made, text in proof.steps:
        nodes[made] = recorder.hypothesize(text, because=[nodes[x] for x in used])
    last = nodes["hypothesis"]
    nodes["decision"] = recorder.decide(proof.hypothesis, accepts=[last])
    return nodes


def ancestors(graph: CausalGraph, kinds: tuple[str, ...]) -> set[str]:
    return {
        iri
        for iri, node in graph.nodes.items()
        if node.kind in kinds and iri != graph.start
    }


@pytest.fixture(scope="module")
def gold(shared_data: Path) -> list[Proof]:
    return list(proofs(shared_data / "entailment_bank" / "task_2_dev.jsonl"))


def test_why_gives_back_every_gold_proof(gold: list[Proof], tmp_path: Path) -> None:
    check(gold, tmp_path, every_step=False)


@pytest.mark.full
def test_why_gives_back_each_step_of_every_proof(
    gold: list[Proof], tmp_path: Path
) -> None:
    check(gold, tmp_path, every_step=True)


def check(gold: list[Proof], tmp_path: Path, *, every_step: bool) -> None:
    recorded: list[tuple[Proof, dict[str, Node]]] = []
    with Workspace.open(tmp_path / "workspace") as workspace:
        for proof in gold:
            with workspace.record(proof.name, agent="prover", mode="batch") as recorder:
                recorded.append((proof, record(recorder, proof)))
        assert len(recorded) == PROOFS
        for proof, nodes in recorded:
            iris = {label: node.iri.value for label, node in nodes.items()}
            inner = [made for _, made, _ in proof.steps] if every_step else []
            for label in ("hypothesis", *inner):
                expected = {iris[x] for x in proof.behind(label)}
                found = workspace.why(iris[label])
                assert ancestors(found, ("Observation", "Hypothesis")) == expected
                claimed = workspace.why(iris[label], bases={"claimed"})
                assert set(claimed.nodes) == expected | {iris[label]}
            whole = {iris[x] for x in proof.behind("hypothesis")} | {iris["hypothesis"]}
            found = workspace.why(proof_run(nodes))
            assert found.start == iris["decision"]
            assert ancestors(found, ("Observation", "Hypothesis")) == whole
        assert workspace.verify().findings == ()


def proof_run(nodes: dict[str, Node]) -> str:
    return nodes["decision"].iri.value.rpartition("/")[0]
