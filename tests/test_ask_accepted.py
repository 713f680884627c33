"""Answers from accepted facts: as sure as the fact, and by whose word it came in."""

from pathlib import Path

from hypothesis import given, strategies as st

from aitia.ask.evidence import BOUND, bounded
from aitia.model.trace import Evidence
from aitia.writeback.asking import Asked
from aitia.writeback.draft import Proposer
from aitia.writeback.reviewers import Identity
from tests.writeback_desk import lifts_now, yard

SURE = st.floats(0, 1)


def evidence(confidence: float | None) -> Evidence:
    return Evidence(
        "", "", "", "", 0, 0, "", "It is so.", "urn:x", confidence=confidence
    )


def test_an_accepted_fact_makes_an_answer_no_surer_than_itself(tmp_path: Path) -> None:
    with yard(
        tmp_path, 6, settings='"seen*.txt" = { kind = "user", weight = 0.3 }\n'
    ) as cranes:
        asked = Asked(
            "revise",
            "somebody saw it",
            "k4",
            "lifts",
            str(lifts_now(4)),
            evidence=[cranes.path("seen", 4)],
        )
        writeback = cranes.workspace.writeback
        found = writeback.propose(asked, Proposer("ann")).proposal
        assert found.confidence is not None
        assert found.confidence < 0.31
        writeback.decide(found.id, "approve", "I was there", Identity("bob"))
        answer = cranes.workspace.ask("How much does k4 lift?")
        assert str(lifts_now(4)) in answer.text
        assert answer.confidence == found.confidence
        assert answer.confidence_rule.endswith(BOUND)
        assert {item.accepted_by for item in answer.sentences[0].evidence} == {"bob"}
        assert "seen" in answer.sentences[0].evidence[0].path


@given(SURE, st.lists(SURE | st.none()))
def test_a_confidence_is_never_above_what_it_rests_on(
    sure: float, known: list[float | None]
) -> None:
    told, rule = bounded(sure, "a rule", [evidence(one) for one in known])
    assert told == min([sure, *(one for one in known if one is not None)])
    assert rule.endswith(BOUND) == (told < sure)
