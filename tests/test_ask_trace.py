"""The record of a run: whole in shape, true to what was done, kept through a crash."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from aitia import Answer, Workspace, terms
from aitia.ask import from_text
from aitia.methods.base import method, registered, registry
from aitia.methods.mentions import Mentions, Question
from aitia.vocab import AITIA, DCTERMS, PROV, RDF
from tests.ask_worlds import taken_in


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The small world, open for all tests of this file."""
    with Workspace.open(taken_in(tmp_path_factory.mktemp("trace"))) as workspace:
        yield workspace


class Record:
    """The quads of one run, to ask about."""

    def __init__(self, workspace: Workspace, run: str) -> None:
        self.run = NamedNode(run)
        graph = terms.run_graph(self.run)
        self.quads = set(workspace.store.quads(None, None, None, graph))

    def of(self, kind: NamedNode) -> list[NamedNode]:
        """Return the nodes of a class, in the order of their names."""
        found = [
            q.subject for q in self.quads if (q.predicate, q.object) == (RDF.type, kind)
        ]
        return sorted(
            (node for node in found if isinstance(node, NamedNode)),
            key=lambda node: (len(node.value), node.value),
        )

    def values(self, subject: NamedNode, predicate: NamedNode) -> list[object]:
        """Return the values of a property of a node."""
        return [
            q.object
            for q in self.quads
            if (q.subject, q.predicate) == (subject, predicate)
        ]

    def text(self, subject: NamedNode, predicate: NamedNode) -> str:
        """Return the one literal value of a property of a node."""
        (value,) = self.values(subject, predicate)
        assert isinstance(value, Literal)
        return value.value

    def pairs(self, predicate: NamedNode) -> set[tuple[object, object]]:
        """Return the ends of all links of a kind."""
        return {(q.subject, q.object) for q in self.quads if q.predicate == predicate}


def asked(workspace: Workspace, question: str) -> tuple[Answer, Record]:
    answer = workspace.ask(question)
    return answer, Record(workspace, answer.run)


def test_a_run_is_whole(world: Workspace) -> None:
    answer, record = asked(
        world, "What is the email of the user who placed order K-103?"
    )
    run = record.run
    assert record.values(run, AITIA.status) == [AITIA.succeeded]
    (decision,) = record.of(AITIA.Decision)
    assert record.values(run, AITIA.conclusion) == [decision]
    assert not record.of(AITIA.Abstention)
    (asking,), (intent,) = record.of(AITIA.UserInput), record.of(AITIA.Intent)
    assert record.text(asking, AITIA.text) == answer.question
    assert (asking, intent) in record.pairs(AITIA.motivates)
    assert record.values(intent, AITIA.intentKind) == [AITIA.factLookup]
    linked = {value for _, value in record.pairs(AITIA.linkedTo)}
    assert NamedNode("urn:data:orders/K-103") in linked
    for node in record.of(AITIA.Entity):
        mention = record.text(node, AITIA.mention)
        start = int(record.text(node, AITIA.start))
        assert answer.question[start : start + len(mention)] == mention


def test_a_bridge_is_two_goals_that_depend(world: Workspace) -> None:
    _, record = asked(world, "What is the email of the user who placed order K-103?")
    root, first, second = record.of(AITIA.Goal)
    assert record.values(second, AITIA.dependsOn) == [first]
    assert record.values(first, AITIA.subgoalOf) == [root]
    for goal in (root, first, second):
        assert record.values(goal, AITIA.status) == [AITIA.succeeded]
    (decision,) = record.of(AITIA.Decision)
    assert record.pairs(AITIA.concludes) == {(root, decision)}


def test_a_comparison_is_a_goal_per_side_and_one_that_compares(
    world: Workspace,
) -> None:
    _, record = asked(world, "Which is cheaper, the Brass hinge or the Cedar chest?")
    dependent = {goal for goal, _ in record.pairs(AITIA.dependsOn)}
    assert len(dependent) == 1 or record.pairs(AITIA.replaces)
    (compare,) = dependent
    assert isinstance(compare, NamedNode)
    assert len(record.values(compare, AITIA.dependsOn)) == 2
    methods = {value for _, value in record.pairs(AITIA.method)}
    assert terms.method_iri("comparison") in methods
    (intent,) = record.of(AITIA.Intent)
    assert record.values(intent, AITIA.intentKind) == [AITIA.comparison]


def test_every_execution_tells_what_it_was_given_and_gave(world: Workspace) -> None:
    _, record = asked(world, "Within how many days are refunds paid?")
    executions = record.of(AITIA.MethodExecution)
    used = {value for _, value in record.pairs(AITIA.method)}
    for name in (
        "entity_lookup",
        "vocabulary_lookup",
        "interpretation",
        "keywords",
        "lexical_search",
        "dense_search",
        "fusion",
        "filter",
        "rerank",
        "evidence_selection",
        "quote_check",
        "confidence_check",
        "composition",
    ):
        assert terms.method_iri(name) in used, name
    for node in executions:
        assert json.loads(record.text(node, AITIA.parameters)) is not None
        for inline, blob in (
            (AITIA.input, AITIA.inputBlob),
            (AITIA.output, AITIA.outputBlob),
        ):
            names = record.values(node, blob)
            text = (
                world.blobs.text(str(names[0].value))  # type: ignore[attr-defined]
                if names
                else record.text(node, inline)
            )
            json.loads(text)
        started, ended = (
            datetime.fromisoformat(record.text(node, predicate))
            for predicate in (PROV.startedAtTime, PROV.endedAtTime)
        )
        assert started <= ended
        assert record.values(node, AITIA.serves)
        assert len(record.values(node, AITIA.confidence)) == len(
            record.values(node, AITIA.confidenceRule)
        )


def test_only_executed_checks_speak_for_a_candidate(world: Workspace) -> None:
    answer, record = asked(world, "Within how many days are refunds paid?")
    (decision,) = record.of(AITIA.Decision)
    accepted = record.values(decision, AITIA.accepts)
    verified = {hyp for _, hyp in record.pairs(AITIA.verifies)}
    refuted = {hyp for _, hyp in record.pairs(AITIA.refutes)}
    assert set(accepted) <= verified - refuted
    assert set(record.values(decision, AITIA.rejects)) <= refuted
    for evidence, candidate in record.pairs(AITIA.supports):
        assert candidate in record.of(AITIA.Hypothesis)
        kinds = {
            q.object
            for q in record.quads
            if (q.subject, q.predicate) == (evidence, RDF.type)
        }
        assert kinds & {AITIA.Quote, AITIA.Statement}
    for node in record.of(AITIA.Quote):
        (passage,) = record.values(node, DCTERMS.isPartOf)
        assert record.values(node, AITIA.derivesFrom) == [passage]
    for sentence in answer.sentences:
        claim = NamedNode(sentence.node)
        assert record.values(claim, AITIA.derivesFrom)


def test_a_failed_goal_is_replanned_another_way(world: Workspace) -> None:
    answer, record = asked(world, "How long is the warranty on a Cedar chest?")
    assert answer.abstained
    replaced = record.pairs(AITIA.replaces)
    assert replaced
    for new, old in replaced:
        assert isinstance(new, NamedNode)
        assert isinstance(old, NamedNode)
        assert record.values(old, AITIA.status) == [AITIA.failed]
        triggers = {
            cause for cause, goal in record.pairs(AITIA.triggers) if goal == new
        }
        (trigger,) = triggers
        assert isinstance(trigger, NamedNode)
        assert record.values(trigger, AITIA.status) == [AITIA.failed]
        told = [_strategy(record, goal) for goal in (new, old)]
        assert told[0] != told[1]
    (abstention,) = record.of(AITIA.Abstention)
    tried = set(record.values(abstention, AITIA.tried))
    assert tried == set(record.of(AITIA.MethodExecution))
    assert record.text(abstention, AITIA.reason)
    assert record.values(record.run, AITIA.status) == [AITIA.succeeded]


def _strategy(record: Record, goal: NamedNode) -> tuple[str, str]:
    """Return the method and parameters of a goal's strategy."""
    (node,) = [
        execution
        for execution in record.of(AITIA.MethodExecution)
        if record.values(execution, AITIA.serves) == [goal]
        and not record.values(execution, AITIA.partOf)
    ]
    (name,) = record.values(node, AITIA.method)
    return str(name), record.text(node, AITIA.parameters)


def test_statements_are_reified_with_their_words(world: Workspace) -> None:
    _, record = asked(world, "What is the status of order K-101?")
    (statement,) = record.of(AITIA.Statement)
    assert record.values(statement, RDF.object) == [Literal("pending")]
    (passage,) = record.values(statement, AITIA.derivesFrom)
    (quote,) = record.of(AITIA.Quote)
    assert record.text(quote, AITIA.exact) == '"status": "pending"'
    assert record.values(quote, DCTERMS.isPartOf) == [passage]
    (claim,) = record.of(AITIA.Claim)
    assert {statement, quote} <= set(record.values(claim, AITIA.derivesFrom))
    readers = [node for node, used in record.pairs(AITIA.usedTool) if used == statement]
    assert {_method(record, node) for node in readers} >= {
        "graph_query",
        "statement_check",
    }


def _method(record: Record, execution: object) -> str:
    assert isinstance(execution, NamedNode)
    (name,) = record.values(execution, AITIA.method)
    assert isinstance(name, NamedNode)
    return name.value.rsplit(":", 1)[-1]


def test_a_run_knows_nothing_of_the_runs_before_it(world: Workspace) -> None:
    """A fact that several runs read leads from none of them into another."""
    first = world.ask("What is the price of the Cedar chest?")
    second = world.ask("What is the price of the Cedar chest?")
    nodes = world.why(second.run).nodes
    assert not [iri for iri in nodes if iri.startswith(first.run)]


def test_a_run_is_committed_step_by_step(world: Workspace) -> None:
    before = world.ledger.head()
    assert before is not None
    answer = world.ask("What is the status of order K-101?")
    records = list(world.ledger.records())
    mine = [item for item in records if item.cause == answer.run]
    assert len(mine) >= 3
    assert all(item.number > before.number for item in mine)


def test_a_crash_ends_in_a_recorded_abort(
    world: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the disk is on fire")

    monkeypatch.setattr(from_text, "check", broken)
    with pytest.raises(RuntimeError, match="on fire"):
        world.ask("On which day is the workshop closed?")
    monkeypatch.undo()
    record = Record(world, world.runs(limit=1)[0].iri)
    (abort,) = record.of(AITIA.Abort)
    assert record.values(record.run, AITIA.conclusion) == [abort]
    assert record.values(record.run, AITIA.status) == [AITIA.failed]
    assert "on fire" in record.text(abort, AITIA.reason)
    states = {value for _, value in record.pairs(AITIA.status)}
    assert not states & {AITIA.pending, AITIA.running}
    assert any(
        "on fire" in record.text(node, AITIA.error)
        for node in record.of(AITIA.MethodExecution)
        if record.values(node, AITIA.error)
    )


def test_methods_stand_in_the_catalog_once(world: Workspace) -> None:
    world.ask("On which day is the workshop closed?")
    node = terms.method_iri("rerank")
    found = list(world.store.quads(node, AITIA.competence, None, terms.GRAPH_CATALOG))
    assert [quad.object for quad in found] == [Literal(registry()["rerank"].competence)]


def test_methods_are_typed_and_registered_once() -> None:
    for name, found in registry().items():
        assert found.name == name
        assert found.competence.endswith(".")
        assert registered(found.run) is found
    with pytest.raises(Exception, match="two methods"):

        @method("rerank", "Another.")
        def other(reads: object, given: Question) -> Mentions:
            raise NotImplementedError


def test_quads_of_a_run_stand_in_its_graph_alone(world: Workspace) -> None:
    before = _everything(world)
    answer = world.ask("What is the status of order K-102?")
    graph = terms.run_graph(NamedNode(answer.run))
    added = _everything(world) - before
    places = {quad.graph_name for quad in added}
    assert places <= {graph, terms.GRAPH_LEDGER, terms.GRAPH_CATALOG}
    about = {q.predicate for q in added if q.graph_name == terms.GRAPH_CATALOG}
    assert about <= {RDF.type, AITIA.competence, NamedNode(_LABEL)}


_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


def _everything(workspace: Workspace) -> set[Quad]:
    return set(workspace.store.quads(None, None, None, None))


def test_why_leads_from_the_answer_to_the_source(world: Workspace) -> None:
    answer = world.ask("What is the status of order K-101?")
    graph = world.why(answer.run)
    used = [item for sentence in answer.sentences for item in sentence.evidence]
    assert used
    assert {item.node for item in used} <= set(graph.nodes)
    assert {item.passage for item in used} <= set(graph.nodes)


def test_two_runs_of_one_question_answer_alike(world: Workspace) -> None:
    first, second = (world.ask("What is the price of the Brass hinge?") for _ in "ab")
    assert first.run != second.run
    assert first.text == second.text
    assert first.confidence == second.confidence


def test_a_workspace_opened_for_reading_does_not_answer(
    world: Workspace, tmp_path: Path
) -> None:
    folder = taken_in(tmp_path)
    with (
        Workspace.open(folder, mode="read") as reading,
        pytest.raises(Exception, match=r"read|writ"),
    ):
        reading.ask("What is the status of order K-101?")
