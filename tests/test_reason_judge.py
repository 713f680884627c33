"""Every batch that makes no sense is refused with its reason, before anything happens."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from aitia.reason import kinds
from aitia.reason.judge import MOST
from aitia.reason.offered import Offered
from aitia.reason.operations import batch_type
from aitia.vocab import AITIA
from tests.reason_desk import OFFERED, ReasonDesk, batch, goal, held, linked

MANUAL = Path(__file__).parents[1] / "docs" / "operations.md"
END = {"op": "conclude", "sentences": [{"text": "It is 5 euro.", "cites": ["O1"]}]}
FIND = {"op": "runMethod", "goal": "G1", "method": "find", "arguments": {"query": "x"}}
CANCEL = {"op": "callTool", "goal": "G1", "tool": "cancel", "arguments": {"order": "7"}}
CLOSE = {"op": "setGoalStatus", "goal": "G1", "status": "succeeded"}
ABORT = {"op": "abortRun", "reason": "no way on"}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReasonDesk]:
    made = ReasonDesk(tmp_path_factory.mktemp("judge") / "ws")
    with made.workspace:
        made.propose(
            goal("G8"), held("Hypothesis", "H8", "O1"), held("Claim", "C8", "H8")
        )
        made.board.set_status(made.board.node("G8"), "failed")
        made.board.set_status(made.board.node("H8"), "refuted")
        yield made


GOOD: list[tuple[dict[str, Any], ...]] = [
    (goal("G2"), goal("G3", parent="G2", depends=["G2"], replaces="G8")),
    (held("Hypothesis", "H2", "O1", "H1"), held("Claim", "C1", "H2", "Q1")),
    (linked("O1", "supports", "H1"), linked("O1", "contradicts", "C8")),
    (linked("H1", "derivesFrom", "O1"), linked("Q1", "motivates", "H1")),
    ({**FIND, "tests": "H1", "because": ["O1"], "strategy": "abduction"},),
    (goal("G2"), {**CANCEL, "goal": "G2"}),
    (CLOSE, END),
    ({"op": "conclude", "reason": "Nothing speaks of it."},),
    ({**END, "accepts": ["H1"], "rejects": ["H8"]},),
    (ABORT,),
]


@pytest.mark.parametrize("operations", GOOD, ids=str)
def test_what_makes_sense_passes(
    desk: ReasonDesk, operations: tuple[dict[str, Any], ...]
) -> None:
    assert desk.judged(*operations) == []


BAD: list[tuple[str, tuple[dict[str, Any], ...]]] = [
    ("knownLabel", (goal(parent="G9"),)),
    ("knownLabel", (goal(depends=["G9"]),)),
    ("knownLabel", (held("Claim", "C1", "O9"),)),
    ("knownLabel", (linked("O9", "supports", "H1"),)),
    ("knownLabel", ({**FIND, "goal": "G9"},)),
    ("knownLabel", ({**FIND, "tests": "H9"},)),
    ("knownLabel", ({**CANCEL, "because": ["O9"]},)),
    ("knownLabel", ({**CLOSE, "because": ["O9"]},)),
    ("knownLabel", ({**END, "sentences": [{"text": "So.", "cites": ["O9"]}]},)),
    ("knownLabel", ({**END, "accepts": ["H9"]},)),
    ("freeLabel", (goal("G1"),)),
    ("freeLabel", (goal("G2"), goal("G2"))),
    ("knownKind", ({**goal(), "kind": "Decision"},)),
    ("knownKind", ({**goal(), "kind": "x> <y"}, {**FIND, "goal": "G2"})),
    ("knownKind", (linked("O1", "verifies", "H1"),)),
    ("fittingLabel", (goal(parent="O1"),)),
    ("fittingLabel", (held("Hypothesis", "H2", "G1"),)),
    ("fittingLabel", (linked("G1", "supports", "H1"),)),
    ("fittingLabel", (linked("O1", "supports", "G1"),)),
    ("fittingLabel", ({**FIND, "goal": "H1"},)),
    ("fittingLabel", ({**FIND, "tests": "G1"},)),
    ("fittingLabel", ({**END, "rejects": ["O1"]},)),
    ("itself", (goal(depends=["G2"]),)),
    ("itself", (goal(parent="G2"),)),
    ("itself", (held("Claim", "C1", "C1"),)),
    ("itself", (linked("H1", "supports", "H1"),)),
    ("noLoop", (goal("G2", depends=["G3"]), goal("G3", depends=["G2"]))),
    ("noLoop", (goal("G2", parent="G3"), goal("G3", parent="G2"))),
    ("noLoop", (goal("G2", replaces="G3"), goal("G3", replaces="G2"))),
    ("noCycle", (held("Claim", "C1", "C2"), held("Claim", "C2", "C1"))),
    ("noCycle", (held("Claim", "C1", "H1"), linked("C1", "supports", "H1"))),
    ("noCycle", (linked("C8", "supports", "H8"),)),
    ("newLink", (linked("H8", "derivesFrom", "O1"),)),
    ("newLink", (linked("O1", "supports", "H1"), linked("O1", "supports", "H1"))),
    ("newLink", (held("Claim", "C1", "O1"), linked("C1", "derivesFrom", "O1"))),
    ("goalWhy", (goal(why=""),)),
    ("openGoal", (goal(parent="G8"),)),
    ("openGoal", ({**FIND, "goal": "G8"},)),
    ("openGoal", ({**CLOSE, "goal": "G8"},)),
    ("reachable", (goal(depends=["G8"]),)),
    ("onlyGoals", (held("Claim", "C1", success_test="x"),)),
    ("onlyGoals", (held("Hypothesis", "H2", depends=["G1"]),)),
    ("knownStrategy", ({**FIND, "strategy": "guessing"},)),
    ("knownStrategy", (held("Claim", "C1", strategy="guessing"),)),
    ("knownMethod", ({**FIND, "method": "rm -rf"},)),
    ("knownMethod", ({**FIND, "method": "cancel"},)),
    ("knownTool", ({**CANCEL, "tool": "find"},)),
    ("arguments", ({**FIND, "arguments": {"depth": 3}},)),
    ("arguments", ({**CANCEL, "arguments": {}},)),
    ("knownStatus", ({**CLOSE, "status": "running"},)),
    ("oneStatus", (CLOSE, {**CLOSE, "status": "failed"})),
    ("oneConclusion", (END, END)),
    ("oneConclusion", (END, ABORT)),
    ("conclusionLast", (END, FIND)),
    ("conclusionTold", ({"op": "conclude"},)),
    ("conclusionTold", ({"op": "conclude", "reason": "so", "accepts": ["H1"]},)),
    ("acceptsOrRejects", ({**END, "accepts": ["H1"], "rejects": ["H1"]},)),
    ("acceptsOrRejects", ({**END, "accepts": ["H8"]},)),
    ("storable", ({**FIND, "arguments": {"query": "\ud800"}},)),
    ("storable", ({**FIND, "arguments": {"query": float("nan")}},)),
    ("storable", ({**FIND, "method": "\udfff"},)),
    ("size", ({**FIND, "arguments": {"query": "x" * 60_000}},)),
    ("batchSize", (FIND,) * (MOST + 1)),
]


@pytest.mark.parametrize(("rule", "operations"), BAD, ids=lambda value: str(value)[:60])
def test_what_makes_no_sense_is_refused_with_its_reason(
    desk: ReasonDesk, rule: str, operations: tuple[dict[str, Any], ...]
) -> None:
    before = desk.workspace.ledger.head()
    found = desk.judged(*operations)
    assert rule in {problem.rule for problem in found}
    for problem in found:
        assert problem.line()[-1] in ".,`" or problem.rule == "arguments"
        assert "urn:" not in problem.line()
    assert desk.workspace.ledger.head() == before


def test_a_batch_addresses_what_was_shown(desk: ReasonDesk) -> None:
    assert desk.rules(FIND, addresses=["G9"]) == {"knownLabel"}
    assert desk.rules(FIND, addresses=["O1", "H1"]) == set()


def test_a_run_that_is_concluded_is_not_concluded_again(tmp_path: Path) -> None:
    made = ReasonDesk(tmp_path / "ws")
    with made.workspace:
        made.board.conclude(made.board.node("G1"))
        assert made.rules(END) == {"oneConclusion"}
        assert made.rules(ABORT) == {"oneConclusion"}


def test_every_problem_is_told_at_once(desk: ReasonDesk) -> None:
    found = desk.judged(
        goal("G1", why=""), {**FIND, "method": "x", "goal": "O9"}, END, END
    )
    assert [(problem.operation, problem.rule) for problem in found] == [
        (4, "oneConclusion"),
        (3, "conclusionLast"),
        (1, "freeLabel"),
        (1, "goalWhy"),
        (2, "knownLabel"),
        (2, "knownMethod"),
    ]


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"operations": [FIND]},
        {"addresses": [], "rationale": "x", "operations": [FIND]},
        {"addresses": ["G1"], "rationale": "", "operations": [FIND]},
        {"addresses": ["G1"], "rationale": "x", "operations": []},
        {"addresses": ["G1"], "rationale": "x", "operations": [{"op": "delete"}]},
        {"addresses": ["G1"], "rationale": "x", "operations": [{**FIND, "sure": 1}]},
        {"addresses": ["<urn:x>"], "rationale": "x", "operations": [FIND]},
        {"addresses": ["G1"], "rationale": "\udfff", "operations": [FIND]},
        {"addresses": ["G1"], "rationale": "x", "operations": [FIND], "model": "me"},
    ],
    ids=str,
)
def test_what_is_no_batch_at_all_is_no_batch(reply: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        batch_type(OFFERED).model_validate(reply)


def test_small_slips_of_form_are_forgiven() -> None:
    made = batch(
        {**FIND, "goal": " [g1] ", "arguments": '{"query": "x"}', "tests": None},
        {**CLOSE, "because": "O1"},
        addresses="h1",
    )
    assert made == batch(FIND, {**CLOSE, "because": ["O1"]}, addresses=["H1"])


def test_an_operation_that_nothing_is_offered_for_is_not_in_the_form() -> None:
    names = str(batch_type(Offered()).model_json_schema())
    assert "runMethod" not in names
    assert "callTool" not in names
    names = str(batch_type(OFFERED).model_json_schema())
    assert "'enum': ['find']" in names
    assert "'enum': ['cancel']" in names


@pytest.mark.checkout
def test_the_manual_names_every_operation_and_every_rule() -> None:
    told = MANUAL.read_text("utf-8")
    for name in {*kinds.kinds(AITIA.OperationKind), *(rule for rule, _ in BAD)}:
        assert f"`{name}`" in told, name
