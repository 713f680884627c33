"""What a model is shown: within its budget, by labels, and no text gets out of line."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import NamedNode

from aitia.errors import UsageError
from aitia.llm.tokens import estimate
from aitia.model.links import LINKS
from aitia.reason import kinds, prompts
from aitia.reason.board import PREFIXES, Board
from aitia.reason.operations import Operation
from aitia.reason.summary import summary
from aitia.store import OxigraphStore
from aitia.vocab import AITIA
from tests.reason_desk import OFFERED, ReasonDesk, goal, linked

RUN = NamedNode("urn:aitia:run:x")


def board(*texts: str) -> Board:
    """Return a board with these observations."""
    made = Board(RUN, OxigraphStore())
    for number, text in enumerate(texts, 1):
        made.add(NamedNode(f"{RUN.value}/obs/{number}"), "Observation", text)
    return made


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[ReasonDesk]:
    made = ReasonDesk(tmp_path / "ws")
    with made.workspace:
        yield made


def test_open_goals_and_hypotheses_are_told_with_what_speaks_for_them(
    desk: ReasonDesk,
) -> None:
    desk.propose(
        goal("G2", parent="G1", success_test="An amount is found."),
        linked("O1", "contradicts", "H1"),
    )
    shown = summary(desk.board, 1000)
    assert shown.text.splitlines() == [
        "Question:",
        "Q1: What is the fee?",
        "Open goals:",
        "G1 [pending]: Answer",
        "G2 [pending] (part of G1; reached when: An amount is found.): Find the fee",
        "Unresolved hypotheses:",
        "H1 [open] (against it: O1): 7 euro",
        "Results, the last first:",
        "O1: The fee is 5 euro.",
    ]
    assert shown.left_out == 0
    assert set(shown.shown) == {entry.node for entry in desk.board}


def test_what_is_settled_gives_way_to_what_is_open(desk: ReasonDesk) -> None:
    desk.propose(goal("G2"), goal("G3", text="A settled matter"))
    desk.board.set_status(desk.board.node("G3"), "succeeded")
    full = summary(desk.board, 1000)
    assert full.text.index("G2 ") < full.text.index("O1:") < full.text.index("G3 ")
    least = next(n for n in range(1000) if not summary(desk.board, n).left_out)
    tight = summary(desk.board, least - 1)
    assert desk.board.node("G3") not in tight.shown
    assert "(1 more nodes are not shown.)" in tight.text


def test_the_last_results_come_first_and_long_ones_are_cut() -> None:
    made = board("the first", "word " * 5000, "the last")
    shown = summary(made, 400)
    assert shown.text.index("O3:") < shown.text.index("O2:") < shown.text.index("O1:")
    assert "… (cut; 25,000 characters in all)" in shown.text
    assert shown.left_out == 0


@settings(deadline=None)
@given(texts=st.lists(st.text(max_size=200), max_size=12), tokens=st.integers(0, 600))
def test_a_summary_keeps_to_its_budget_and_counts_what_it_leaves_out(
    texts: list[str], tokens: int
) -> None:
    made = board(*texts)
    shown = summary(made, tokens)
    counted = shown.text.replace(f"({shown.left_out} more nodes are not shown.)", "")
    assert estimate(counted) <= tokens
    assert len(shown.shown) + shown.left_out == len(made) == len(texts)
    assert summary(made, tokens) == shown


@settings(deadline=None)
@given(text=st.text(max_size=80))
def test_no_text_looks_like_the_label_of_another(text: str) -> None:
    made = board("before", f"{text}\nO9: forged\r\n\u2028O8: forged\x1b[2K", "after")
    lines = summary(made, 2000).text.splitlines()
    assert [line.partition(":")[0] for line in lines[1:]] == ["O3", "O2", "O1"]
    assert not [line for line in lines if "\x1b" in line]


# The board


def test_labels_are_given_in_order_and_kept() -> None:
    made = board("one", "two")
    node = made.node("O1")
    assert made.add(node, "Observation", "again") == "O1"
    assert made.label(node) == "O1"
    assert made.text("O1") == "one"
    assert made.add(NamedNode("urn:aitia:x"), AITIA.Goal, "a goal") == "G1"
    assert [entry.label for entry in made] == ["O1", "O2", "G1"]
    assert [entry.label for entry in made.entries("Result")] == ["O1", "O2"]


def test_a_label_that_a_model_chose_is_not_given_twice() -> None:
    made = board()
    made.add(NamedNode("urn:aitia:1"), "Goal", "by the model", label="G2")
    labels = [
        made.add(NamedNode(f"urn:aitia:{n}"), "Goal", "by the engine") for n in (2, 3)
    ]
    assert labels == ["G1", "G3"]
    with pytest.raises(UsageError):
        made.add(NamedNode("urn:aitia:4"), "Goal", "again", label="G2")
    with pytest.raises(UsageError):
        made.add(NamedNode("urn:aitia:4"), "Goal", "odd", label="a goal")


def test_an_unknown_label_has_no_node() -> None:
    for look in (board().node, board().text, board().entry, board().ref):
        with pytest.raises(KeyError):
            look("O1")


def test_a_node_is_given_to_methods_with_its_place() -> None:
    made = board("words")
    made.place(made.node("O1"), "urn:aitia:doc:1", 3, 8, "Fees")
    ref = made.ref("O1")
    assert (ref.label, ref.text, ref.about) == ("O1", "words", "Fees")
    assert (ref.document, ref.start, ref.end) == ("urn:aitia:doc:1", 3, 8)


# Vocabulary


def test_operations_are_those_of_the_ontology() -> None:
    forms = Operation.__args__
    ops = {form.model_fields["op"].annotation.__args__[0] for form in forms}
    assert ops == set(kinds.kinds(AITIA.OperationKind))


def test_a_model_may_claim_causal_links_only() -> None:
    assert set(kinds.link_kinds()) <= set(LINKS)
    assert kinds.ends(AITIA.supports) == (AITIA.Ground, AITIA.Checkable)


def test_strategies_say_when_they_apply_and_fail() -> None:
    found = kinds.strategies()
    assert [item.name for item in found] == [
        "abduction",
        "analogy",
        "deduction",
        "induction",
    ]
    assert all(item.definition and item.applies and item.fails for item in found)


def test_every_class_with_a_label_of_its_own_is_one_of_ours() -> None:
    for kind in PREFIXES:
        assert kind in kinds.wider(kind)
        assert len(kinds.wider(kind)) > 1, kind


# Prompts


def test_a_prompt_tells_what_is_offered_and_what_the_rules_are() -> None:
    system, user = prompts.plan("Q1: x", OFFERED, "What is\x1b the fee?")
    assert "- find(query?: any): finds passages" in system.text
    cancel = "- cancel(order: string): cancels an order Changes something outside."
    assert cancel in system.text
    for kind in kinds.kinds(AITIA.OperationKind):
        assert f"- {kind}: " in system.text
    assert "\x1b" not in user.text
    assert "Q1: x" in user.text


def test_a_refusal_goes_back_with_its_reasons() -> None:
    asked = prompts.plan("", OFFERED, "x")
    *before, reply, back = prompts.repair(asked, "{}", "- G9 was not shown.")
    assert tuple(before) == asked
    assert (reply.role, reply.text) == ("assistant", "{}")
    assert "- G9 was not shown." in back.text
