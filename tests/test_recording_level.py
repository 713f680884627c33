"""The level of decisions, for `ask`: the same evidence, and what was left out is told."""

from pathlib import Path

import pytest
from pyoxigraph import NamedNode

from aitia import Answer, Workspace
from aitia.model.graph import CausalGraph
from aitia.vocab import AITIA
from aitia.why.render.tree import tree
from tests.ask_worlds import taken_in

QUESTIONS = (
    "What is the total of order K-101?",
    "Which orders are pending?",
    "When was order K-102 placed?",
    "Who is the king of Mars?",
)
EVIDENCE = ("Quote", "Statement", "Passage", "Document")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return taken_in(tmp_path_factory.mktemp("level"))


def asked(world: Path, level: str) -> list[tuple[Answer, CausalGraph, int]]:
    """Each answer with its causes and how many steps were left out of its run."""
    flags = {"record.level": level}
    with Workspace.open(world, flags=flags) as workspace:
        found = []
        for question in QUESTIONS:
            answer = workspace.ask(question)
            graph = workspace.why(answer.run)
            stated = workspace.store.quads(NamedNode(answer.run), AITIA.notRecorded)
            left = [int(quad.object.value) for quad in stated]  # type: ignore[union-attr]
            found.append((answer, graph, sum(left)))
        assert workspace.validate().violations == ()
        assert workspace.verify().findings == ()
    return found


def evidence(graph: CausalGraph) -> set[tuple[str, str]]:
    return {(x.kind, x.label) for x in graph.nodes.values() if x.kind in EVIDENCE}


def test_answers_stand_on_the_same_evidence_whatever_is_recorded(world: Path) -> None:
    full, short = asked(world, "full"), asked(world, "decisions")
    for (answer, graph, none), (other, less, left) in zip(full, short, strict=True):
        assert other.text == answer.text
        assert evidence(less) == evidence(graph)
        ends = [{x.kind for x in found.roots()} for found in (graph, less)]
        assert ends[0] == ends[1]
        assert none == 0
        if answer.abstained:  # it lists what was tried, so that all of it is there
            assert len(less.nodes) == len(graph.nodes)
            continue
        assert len(less.nodes) < len(graph.nodes)
        marks = [x for x in less.nodes.values() if x.unrecorded]
        assert marks
        assert left >= max(x.unrecorded for x in marks)
        assert "not recorded" in tree(less)
        assert "not recorded" not in tree(graph)
