"""A good run on the sample world: two goals, three tools, a hypothesis refuted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aitia.model.trace import Answer
from aitia.resources import folder
from aitia.tools.consent import Consents
from aitia.vocab import AITIA
from aitia.workspace import Workspace
from tests.model_desk import (
    Graph,
    Player,
    batch,
    call,
    canonical,
    conclude,
    entails,
    goal,
    hypothesis,
    label,
    method,
    opened,
    reached,
)

DATA = Path(str(folder("data")))
TOOLS = str(DATA / "tools" / "shop_tools.py")
QUESTION = (
    "I am angry! Cancel order Q-1030 now, it was ordered by mistake. What was it?"
)
POLICY = "A pending order can be cancelled free of charge."


def first(prompt: str) -> Any:
    assert "Q1: I am angry" in prompt
    return batch(
        goal(
            "G2", "Find out whether it may be cancelled", success_test="A rule is known"
        ),
        goal("G3", "Cancel the order", depends=["G2"]),
        hypothesis("H1", "The status of order Q-1030 is shipped.", because=["Q1"]),
        hypothesis("H2", "The status of order Q-1030 is pending.", because=["Q1"]),
        method("G2", "metadata_filter", query="cancel a pending order"),
        call("G2", "order_details", tests="H1", order_id="Q-1030"),
    )


def second(prompt: str) -> Any:
    details = label(prompt, '"order_id": "Q-1030"')
    assert "H1 [refuted]" in prompt
    return batch(
        method(
            "G2", "entailment_check", tests="H2", sentence=_pending(), texts=[details]
        ),
        call("G2", "product_details", product_id="P-102"),
        addresses="H2",
    )


def _pending() -> str:
    return "The status of order Q-1030 is pending."


def third(prompt: str) -> Any:
    assert "H2 [verified]" in prompt
    rule = label(prompt, "can be cancelled free of charge")
    return batch(
        reached("G2", because=[rule]),
        call(
            "G3", "cancel_pending_order", order_id="Q-1030", reason="ordered by mistake"
        ),
        addresses="G3",
    )


def fourth(prompt: str) -> Any:
    rule = label(prompt, "can be cancelled free of charge")
    done = label(prompt, '"status": "cancelled"')
    return batch(
        reached("G3"),
        conclude(
            (POLICY, [rule]),
            ("The status of order Q-1030 is cancelled.", [done]),
            accepts=["H2"],
            rejects=["H1"],
        ),
        addresses="G3",
    )


def judged(prompt: str) -> Any:
    """What a model says of a sentence, from the words of the result."""
    sentence = prompt.split("Texts:")[0]
    for status in ("shipped", "pending", "cancelled"):
        if f"is {status}" in sentence:
            quote = f'"status": "{status}"'
            if quote in prompt:
                return entails(quote)
    return {
        "relation": "contradicts",
        "quote": '"status": "pending"',
        "reason": "the status is another",
    }


PERCEIVED = {
    "intent": "factLookup",
    "asks": "to have an order cancelled",
    "entities": [{"mention": "order Q-1030"}, {"mention": "invoice 9"}],
    "sentiment": "negativeSentiment",
    "urgency": "highUrgency",
}


def player() -> Player:
    return Player([first, second, third, fourth], PERCEIVED, judged)


@pytest.fixture(scope="module")
def shop(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Workspace, Answer]]:
    place = tmp_path_factory.mktemp("shop")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUILLMOOR_DB", str(place / "shop.sqlite"))
        with opened(place / "ws", player()) as (workspace, _):
            workspace.ingest([DATA / "shop" / "policies"])
            yield (
                workspace,
                workspace.ask(
                    QUESTION,
                    tools=[TOOLS],
                    consents=Consents(["cancel_pending_order"]),
                ),
            )


def test_the_answer_is_checked_sentence_by_sentence(
    shop: tuple[Workspace, Answer],
) -> None:
    _, answer = shop
    assert (answer.mode, answer.abstained, answer.aborted) == (
        "generative",
        False,
        False,
    )
    assert [item.support for item in answer.sentences] == ["supported", "supported"]
    policy, status = answer.sentences
    assert policy.evidence[0].quote == POLICY
    assert policy.evidence[0].path.endswith("cancellations.pdf")
    assert '"status": "cancelled"' in status.evidence[0].statement
    assert answer.confidence == 1.0


def test_both_trees_are_on_record(shop: tuple[Workspace, Answer]) -> None:
    workspace, answer = shop
    graph = Graph(workspace, answer.run)
    goals = graph.of(AITIA.Goal)
    assert len(goals) == 3
    assert [graph.value(node, AITIA.status)[-9:] for node in goals] == ["succeeded"] * 3
    assert graph.value(goals[2], AITIA.dependsOn) == goals[1].value
    tools = [graph.value(node, AITIA.method) for node in graph.of(AITIA.ToolCall)]
    assert [iri.rpartition(":")[2] for iri in tools] == [
        "order_details",
        "product_details",
        "cancel_pending_order",
    ]
    for node in (*graph.of(AITIA.MethodExecution), *graph.of(AITIA.ToolCall)):
        assert graph.values(node, AITIA.serves)


def test_hypotheses_are_decided_by_named_tests(shop: tuple[Workspace, Answer]) -> None:
    workspace, answer = shop
    graph = Graph(workspace, answer.run)
    shipped, pending = graph.of(AITIA.Hypothesis)
    assert graph.value(shipped, AITIA.hypothesisState).endswith("refuted")
    assert graph.value(pending, AITIA.hypothesisState).endswith("verified")
    (decision,) = graph.of(AITIA.Decision)
    assert graph.value(decision, AITIA.accepts) == pending.value
    assert graph.value(decision, AITIA.rejects) == shipped.value
    tests = {
        quad.object: quad.subject
        for quad in graph.quads
        if quad.predicate in (AITIA.verifies, AITIA.refutes)
    }
    assert set(tests) == {shipped, pending}


def test_what_was_perceived_is_typed_and_checked(
    shop: tuple[Workspace, Answer],
) -> None:
    workspace, answer = shop
    graph = Graph(workspace, answer.run)
    (intent,) = graph.of(AITIA.Intent)
    assert graph.value(intent, AITIA.sentiment).endswith("negativeSentiment")
    assert graph.value(intent, AITIA.urgency).endswith("highUrgency")
    assert graph.said(AITIA.mention) == ["order Q-1030"]
    assert any("invoice 9" in text for text in answer.notices)


def test_why_leads_from_the_answer_to_policy_and_tool(
    shop: tuple[Workspace, Answer],
) -> None:
    workspace, answer = shop
    kinds = {node.kind for node in workspace.why(answer.run).nodes.values()}
    assert {"Passage", "ToolCall", "Operation", "Batch", "UserInput"} <= kinds
    assert workspace.validate().conforms
    assert not workspace.verify().findings


def test_consent_is_on_record(shop: tuple[Workspace, Answer]) -> None:
    workspace, answer = shop
    graph = Graph(workspace, answer.run)
    (consent,) = graph.of(AITIA.Consent)
    call = next(q.subject for q in graph.quads if q.object == consent)
    assert call == graph.of(AITIA.ToolCall)[2]


def test_a_replay_gives_the_same_record(shop: tuple[Workspace, Answer]) -> None:
    workspace, answer = shop
    again = workspace.ask(replay=answer.run, tools=[TOOLS])
    assert again.text == answer.text
    told = canonical(workspace, again.run, but=[AITIA.replays])
    assert told == canonical(workspace, answer.run)
    graph = Graph(workspace, again.run)
    assert graph.said(AITIA.replays) == [answer.run]
