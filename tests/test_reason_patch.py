"""A batch becomes one patch: admitted as a whole or refused as a whole, and on record."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from pydantic import ValidationError
from pyoxigraph import Literal, NamedNode, Quad

from aitia import Workspace, terms
from aitia.errors import ShapeViolation
from aitia.model import Origin, Patch, causal
from aitia.reason import record
from aitia.reason.judge import judge
from aitia.reason.proposal import Proposed, about
from aitia.reason.words import plain
from aitia.vocab import AITIA, PROV, RDF
from tests.reason_desk import (
    AUTHOR,
    OFFERED,
    SHAPE,
    ReasonDesk,
    batch,
    goal,
    held,
    linked,
)
from tests.reason_random import JSON, SESSIONS

FIND = {"op": "runMethod", "goal": "G1", "method": "find", "arguments": {"query": "x"}}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[ReasonDesk]:
    made = ReasonDesk(tmp_path / "ws")
    with made.workspace:
        yield made


def test_an_admitted_batch_stands_on_record_with_its_operations(
    desk: ReasonDesk,
) -> None:
    done = desk.propose(
        goal("G2", parent="G1", success_test="An amount is found."),
        held("Hypothesis", "H2", "O1", reason="it says so", strategy="abduction"),
        {**FIND, "goal": "G2", "tests": "H2"},
    )
    first, second, third = done.placed
    for number, item in enumerate(done.placed, 1):
        assert desk.holds(item.node, AITIA.inBatch, done.batch)
        assert desk.holds(item.node, AITIA.order, terms.integer(number))
        assert desk.holds(done.batch, AITIA.motivates, item.node)
    assert desk.holds(third.node, AITIA.operationKind, AITIA.runMethod)
    assert desk.holds(third.node, AITIA.calls, terms.method_iri("find"))
    given = (
        '{"arguments": {"query": "x"}, "goal": "G2", "method": "find", "tests": "H2"}'
    )
    assert desk.holds(third.node, AITIA.arguments, terms.string(given))
    assert first.made is not None
    assert desk.board.node("G2") == first.made
    assert desk.holds(first.node, AITIA.motivates, first.made)
    assert desk.holds(first.made, AITIA.subgoalOf, desk.board.node("G1"))
    assert desk.holds(
        first.made, AITIA.successTest, terms.string("An amount is found.")
    )
    assert desk.board.entry("H2").status == "open"
    assert second.made is not None
    (claimed,) = desk.workspace.store.quads(None, AITIA.linkFrom, second.made)
    link = claimed.subject
    assert isinstance(link, NamedNode)
    assert desk.holds(link, AITIA.basis, AITIA.claimed)
    assert desk.holds(link, AITIA.linkTo, desk.board.node("O1"))
    assert desk.holds(link, PROV.wasAttributedTo, AUTHOR)
    assert desk.holds(link, AITIA.reason, terms.string("abduction: it says so"))


def test_why_leads_from_what_was_added_to_the_call_of_the_model(
    desk: ReasonDesk,
) -> None:
    desk.propose(goal("G2"), held("Claim", "C1", "O1"))
    for label in ("G2", "C1"):
        found = desk.workspace.why(desk.board.node(label).value)
        kinds = {node.kind for node in found.nodes.values()}
        assert {"Operation", "Batch", "MethodExecution", "UserInput"} <= kinds
        assert desk.call.value in found.nodes


def test_labels_and_statuses_are_known_only_once_the_gate_admitted(
    desk: ReasonDesk,
) -> None:
    made = desk.patched(batch(goal("G2")))
    assert "G2" not in desk.board
    desk.workspace.ledger.commit(made.patch)
    made.admitted(desk.board, desk.trace)
    assert desk.trace.status(desk.board.node("G2")) == AITIA.pending
    desk.trace.state(desk.board.node("G2"), AITIA.succeeded)
    desk.trace.step()
    assert not desk.holds(desk.board.node("G2"), AITIA.status, AITIA.pending)


def test_a_goal_abandoned_with_its_run_is_one_that_a_model_set(
    desk: ReasonDesk,
) -> None:
    desk.propose(goal("G2"))
    desk.trace.abort("The budget is spent.")
    assert desk.holds(desk.board.node("G2"), AITIA.status, AITIA.abandoned)
    assert desk.workspace.validate().conforms


def test_what_the_gate_refuses_leaves_nothing_but_the_refusal(
    desk: ReasonDesk,
) -> None:
    desk.propose(held("Claim", "C1", "H1"))
    before = set(desk.workspace.store.quads(graph=desk.trace.graph))
    made = desk.patched(batch(goal("G2"), linked("C1", "supports", "H1")))
    put = set(desk.workspace.store.quads(graph=desk.trace.graph)) - before
    with pytest.raises(ShapeViolation) as caught:
        desk.workspace.ledger.commit_or_record(made.patch)
    words = plain(caught.value.violations, desk.board, made.names)
    assert "H1 ← … ← " in words
    assert "urn:" not in words
    assert "run:" not in words
    after = set(desk.workspace.store.quads(graph=desk.trace.graph)) - before - put
    (refusal,) = {quad.subject for quad in after}
    assert isinstance(refusal, NamedNode)
    assert desk.holds(refusal, RDF.type, AITIA.RefusedOperation)
    assert desk.holds(refusal, AITIA.about, made.batch)
    assert desk.holds(refusal, AITIA.proposedBy, AUTHOR)
    assert desk.workspace.validate().conforms


def test_what_the_judge_refuses_is_on_record_with_its_report(
    desk: ReasonDesk,
) -> None:
    problems = desk.judged(goal("G1"), {**FIND, "method": "rm"})
    node = record.refuse(
        desk.trace, desk.call, AUTHOR, '{"operations": "\ud800"}', problems
    )
    desk.trace.step()
    text = kept(desk, node, AITIA.reportBlob).decode()
    assert text.count("sh:ValidationResult") == len(problems) == 2
    assert "judge-freeLabel" in text
    assert kept(desk, node, AITIA.patchBlob) == b'{"operations": "?"}'
    assert desk.holds(desk.call, AITIA.produced, node)
    assert desk.workspace.validate().conforms


def kept(desk: ReasonDesk, node: NamedNode, predicate: NamedNode) -> bytes:
    """Return the blob that a node names."""
    (quad,) = desk.workspace.store.quads(node, predicate)
    assert isinstance(quad.object, Literal)
    return desk.workspace.blobs.get(quad.object.value)


Triple = tuple[NamedNode, NamedNode, Any]


def forgeries(desk: ReasonDesk) -> dict[str, list[Triple]]:
    """What a model might like to state besides, and may not."""
    node = desk.board.node
    new = terms.part(desk.trace.run, "exec", 99)
    return {
        "an execution": [
            (new, RDF.type, AITIA.MethodExecution),
            (new, AITIA.serves, node("G1")),
        ],
        "an observation": [
            (terms.part(desk.trace.run, "obs", 99), RDF.type, AITIA.Observation),
            (terms.part(desk.trace.run, "obs", 99), AITIA.text, terms.string("5")),
        ],
        "other words of one": [(node("O1"), AITIA.text, terms.string("9 euro"))],
        "a goal that is reached": [(node("G1"), AITIA.status, AITIA.succeeded)],
        "a hypothesis verified": [(desk.call, AITIA.verifies, node("H1"))],
        "its own certainty": [(node("H1"), AITIA.confidence, terms.double(1.0))],
        "a rationale": [(desk.call, AITIA.rationale, terms.string("because"))],
        "a conclusion": [(desk.trace.run, AITIA.conclusion, node("G1"))],
    }


@pytest.mark.parametrize(
    "what",
    [
        "an execution",
        "an observation",
        "other words of one",
        "a goal that is reached",
        "a hypothesis verified",
        "its own certainty",
        "a rationale",
        "a conclusion",
    ],
)
def test_a_model_states_nothing_but_what_a_closed_shape_lists(
    desk: ReasonDesk, what: str
) -> None:
    quads = {Quad(*triple, desk.trace.graph) for triple in forgeries(desk)[what]}
    good = desk.patched(batch(goal("G2"))).patch
    with pytest.raises(ShapeViolation):
        desk.workspace.ledger.commit(replace(good, adds=good.adds | quads))
    desk.workspace.ledger.commit(good)


def test_nothing_can_derive_from_what_a_model_thought(desk: ReasonDesk) -> None:
    done = desk.propose(goal("G2"), held("Claim", "C1", "O1"))
    for ground in (done.batch, done.placed[0].node):
        quads = causal(
            desk.board.node("C1"), AITIA.derivesFrom, ground, desk.trace.graph
        )
        for origin in (Origin.MODEL, Origin.ENGINE):
            patch = Patch(frozenset(quads), cause=desk.trace.run, origin=origin)
            with pytest.raises(ShapeViolation):
                desk.workspace.ledger.commit(patch)


# Whatever is proposed, the store stays valid


def tried(desk: ReasonDesk, reply: Any) -> str:
    """Go the whole way with a reply; return where it ended."""
    try:
        proposed = SHAPE.model_validate(reply)
    except ValidationError:
        return "no batch"
    if problems := judge(desk.board, proposed, OFFERED):
        assert plain(problems, desk.board)
        return "refused by the judge"
    made = desk.patched(proposed)
    refused = commit(desk, made)
    if refused is not None:
        words = plain(refused.violations, desk.board, made.names)
        assert "run:" not in words, words
        return "refused by the gate"
    made.admitted(desk.board, desk.trace)
    for item in made.placed:
        assert all(label in desk.board for label in about(item.operation))
    return "admitted"


def commit(desk: ReasonDesk, made: Proposed) -> ShapeViolation | None:
    """Hand a proposal to the gate; return why it refused."""
    try:
        desk.workspace.ledger.commit(made.patch)
    except ShapeViolation as error:
        return error
    return None


def test_whatever_is_proposed_is_refused_or_leaves_a_valid_store(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    ended: Counter[str] = Counter()
    examples = 300 if request.config.getoption("--full") else 40

    with Workspace.open(tmp_path / "ws") as opened:

        @settings(
            max_examples=examples,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(session=SESSIONS)
        def run(session: list[dict[str, Any]]) -> None:
            desk = ReasonDesk(opened)
            ended.update(tried(desk, reply) for reply in session)
            desk.trace.abort("over")

        run()
        assert ended["admitted"] >= 5, ended
        assert ended["refused by the judge"] >= 5, ended
        report = opened.validate()
        assert report.conforms, report.violations[:3]
        assert opened.verify().intact


@settings(max_examples=200, deadline=None)
@given(reply=JSON)
def test_random_json_is_a_batch_or_is_told_not_to_be_one(reply: Any) -> None:
    with pytest.raises(ValidationError):
        SHAPE.model_validate(reply)
