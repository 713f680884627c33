"""Asking over a small world: what is answered, from what, and when it abstains."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode

from aitia import Answer, UsageError, Workspace
from aitia.ask.answer import layout
from aitia.vocab import AITIA
from tests.ask_worlds import renamed, taken_in


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The small world, open for all tests of this file."""
    folder = taken_in(tmp_path_factory.mktemp("ask"))
    with Workspace.open(folder) as workspace:
        yield workspace


FACTS = {
    "What is the status of order K-101?": "pending",
    "What is the email of Ada Pell?": "ada@pell.example",
    "What is the city of the user who placed order K-103?": "Bergen",
    "Which orders of ada_pell_7 are pending?": "1 order",
    "How many orders are pending?": "2 orders",
    "How many orders does ada_pell_7 have?": "2 orders",
    "Which user placed order K-103?": "ben_oduya_2",
    "Who placed order K-103?": "ben_oduya_2",
    "In which street is order K-103?": "Quay 9",
    "What is the price of the Brass hinge?": "9",
    "Which is cheaper, the Brass hinge or the Cedar chest?": "smaller",
    "Which product has the highest price?": "99.9",
    "What is the cheapest product?": "9",
    "What is the total of all pending orders?": "140.4",
    "Is order K-102 delivered?": "Yes",
    "Is order K-101 delivered?": "No",
    "When was order K-102 placed?": "2026-01-20",
    "What is the status of order K-102 and what is its total?": "18",
    "What is the email and the city of Ben Oduya?": "Bergen",
    "Which orders of ben_oduya_2 are delivered?": "0 orders",
    "Which orders are not pending?": "K-102",
    "Which products cost more than 20?": "2 products",
    "Did ben_oduya_2 place order K-103?": "Yes",
    "Did ben_oduya_2 place order K-101?": "No",
    "Tell me about order K-103": "status pending",
}


@pytest.mark.parametrize(("question", "expected"), FACTS.items())
def test_facts_are_answered_from_the_graph(
    world: Workspace, question: str, expected: str
) -> None:
    answer = world.ask(question)
    assert not answer.abstained, answer.text
    assert expected in answer.text
    assert all(
        item.statement for sentence in answer.sentences for item in sentence.evidence
    )
    assert_grounded(world, answer)


TEXTS = {
    "Within how many days are refunds paid?": "Refunds are paid within 6 business days.",
    "On which day is the workshop closed?": "The workshop is closed on Sundays.",
    "丁阀什么时候被更换?": "丁阀在三月被更换。",
    "备件存放在哪里?": "备件存放在二号仓库。",
}


@pytest.mark.parametrize(("question", "expected"), TEXTS.items())
def test_texts_are_quoted_word_for_word(
    world: Workspace, question: str, expected: str
) -> None:
    answer = world.ask(question)
    assert [item.text for item in answer.sentences] == [expected]
    assert answer.sentences[0].evidence[0].quote == expected
    assert_grounded(world, answer)


UNANSWERABLE = (
    "Who wrote Hamlet?",
    "What is the status of order K-999?",
    "What is the email of Cecil Marrow?",
    "What is the phone number of ada_pell_7?",
    "What is the birthday of Ben Oduya?",
    "What is the favourite colour of Ada Pell?",
    "How long is the warranty on a Cedar chest?",
    "What is the weight of the Brass hinge?",
    "丁阀是谁制造的?",
)


@pytest.mark.parametrize("question", UNANSWERABLE)
def test_it_abstains_where_nothing_says_it(world: Workspace, question: str) -> None:
    answer = world.ask(question)
    assert answer.abstained, answer.text
    assert answer.confidence < world.settings.abstain_below
    assert answer.reason
    assert answer.tried
    assert answer.sentences == ()


def test_an_unknown_id_is_told(world: Workspace) -> None:
    answer = world.ask("What is the status of order K-999?")
    assert "K-999" in answer.reason


def test_a_policy_and_an_order_are_held_together(world: Workspace) -> None:
    answer = world.ask("Can I cancel order K-102?")
    assert "An order can only be cancelled if its status is 'pending'." in answer.text
    assert "status of order K-102 is delivered; the rule names pending" in answer.text
    kinds = [
        {bool(item.statement) for item in sentence.evidence}
        for sentence in answer.sentences
    ]
    assert {True} in kinds or {True, False} in kinds
    assert {False} in kinds
    met = world.ask("Can I cancel order K-103?")
    assert "is pending, which is what the rule names" in met.text


def test_sources_that_disagree_are_both_shown(world: Workspace) -> None:
    answer = world.ask("What is the deposit for a workbench?")
    assert "30 euro" in answer.text
    assert "45 euro" in answer.text
    (conflict,) = answer.conflicts
    assert {side.path.split("/")[-1] for side in conflict.sides} == {
        "notice-march.md",
        "notice-april.md",
    }
    found = list(world.store.quads(NamedNode(conflict.node), AITIA.between, None))
    assert len(found) == 2


def test_what_one_part_lacks_is_said(world: Workspace) -> None:
    answer = world.ask(
        "What is the status of order K-101, and what is the capital of France?"
    )
    assert not answer.abstained
    assert "pending" in answer.sentences[0].text
    last = answer.sentences[-1]
    assert last.support == "unsupported"
    assert "capital of France" in last.text
    assert answer.reason


def test_secrets_are_blanked_before_anything_is_kept(world: Workspace) -> None:
    secret = "sk-" + "a1b2c3d4e5f6g7h8i9j0" * 2
    answer = world.ask(f"What is the status of order K-101? My key is {secret}")
    assert secret not in answer.question
    kept = [str(quad) for quad in world.store.quads(None, None, None, None)]
    assert not any(secret in line for line in kept)


@pytest.mark.parametrize("question", ["", "   ", "?!", "x" * 5000])
def test_an_empty_or_endless_question_is_refused(
    world: Workspace, question: str
) -> None:
    head = world.ledger.head()
    with pytest.raises(UsageError):
        world.ask(question)
    assert world.ledger.head() == head


@pytest.mark.parametrize(
    "question",
    [
        "?s ?p ?o } INSERT { <a:a> <a:a> <a:a> } #",
        'x"} ; DROP ALL ; #',
        "status \x00 \x1b[31m of \u202eorder K-101",
        "\U0001f600 what 🔩?",
    ],
)
def test_a_question_is_data(world: Workspace, question: str) -> None:
    before = set(world.store.quads(None, None, None, None))
    answer = world.ask(question)
    after = set(world.store.quads(None, None, None, None))
    assert before <= after
    assert NamedNode("a:a") not in {quad.subject for quad in after}
    assert "\x1b" not in answer.question


def test_the_layout_of_json_is_kept(world: Workspace) -> None:
    told = layout(world.ask("What is the status of order K-101?"))
    assert list(told) == [
        "run",
        "question",
        "answer",
        "sentences",
        "confidence",
        "confidence_rule",
        "conflicts",
        "abstained",
        "aborted",
        "reason",
        "tried",
        "mode",
        "notice",
        "dropped",
        "notices",
        "outside",
    ]
    assert told["mode"] == "extractive"
    (sentence,) = told["sentences"]
    assert list(sentence) == [
        "text",
        "support",
        "reason",
        "judged_by",
        "evidence",
    ]
    assert list(sentence["evidence"][0]) == [
        "quote",
        "document",
        "path",
        "start",
        "end",
        "passage",
        "statement",
        "call",
    ]


NAMES = {
    "order": "shipment",
    "user": "patron",
    "product": "ware",
    "status": "phase",
    "email": "wire",
    "city": "burg",
    "price": "worth",
    "pending": "brewing",
    "delivered": "landed",
    "cancelled": "annulled",
    "cancel": "annul",
    "total": "bulk",
}


def test_no_rule_knows_the_words_of_a_world(world: Workspace, tmp_path: Path) -> None:
    """The same world under other names gives the same answers under those names."""
    questions = [
        "What is the status of order K-101?",
        "What is the email of Ada Pell?",
        "Which orders of ada_pell_7 are pending?",
        "How many orders are pending?",
        "What is the city of the user of order K-103?",
        "Is order K-102 delivered?",
        "What is the price of the Brass hinge?",
        "Can I cancel order K-102?",
        "What is the status of order K-999?",
    ]
    with Workspace.open(taken_in(tmp_path, NAMES)) as other:
        for question in questions:
            first = world.ask(question)
            second = other.ask(renamed(question, NAMES))
            assert first.abstained == second.abstained, question
            if not first.abstained:
                assert second.text == renamed(first.text, NAMES)


def assert_grounded(workspace: Workspace, answer: Answer) -> None:
    """Every supported sentence stands on words that the stored text has there."""
    for sentence in answer.sentences:
        assert sentence.support == "supported"
        assert any(item.quote for item in sentence.evidence)
        for item in sentence.evidence:
            document = NamedNode(item.document)
            (name,) = workspace.store.quads(document, AITIA.textHash, None)
            assert isinstance(name.object, Literal)
            text = workspace.blobs.text(name.object.value)
            assert text[item.start : item.end] == item.quote
