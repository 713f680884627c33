"""One fact at several times, and graphs that nothing is accepted into."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from aitia import terms
from aitia.vocab import AITIA
from aitia.writeback.asking import Asked
from aitia.writeback.draft import Proposer
from aitia.writeback.propose import Proposed
from aitia.writeback.reviewers import Identity
from tests.writeback_desk import Yard, yard


@pytest.fixture(scope="module")
def cranes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    with yard(tmp_path_factory.mktemp("periods"), 6) as made:
        yield made


def in_year(cranes: Yard, year: int, number: int = 0) -> Proposed:
    asked = Asked(
        "add",
        "it was there",
        f"k{number}",
        "site",
        "yard 9",
        valid_from=datetime(year, 1, 1, tzinfo=UTC),
        valid_until=datetime(year + 1, 1, 1, tzinfo=UTC),
    )
    return cranes.workspace.writeback.propose(asked, Proposer("ann"))


def test_a_fact_of_another_time_is_new(cranes: Yard) -> None:
    first = in_year(cranes, 2020)
    cranes.workspace.writeback.decide(
        first.proposal.id, "approve", "right", Identity("bob")
    )
    again = in_year(cranes, 2020)
    assert "is on record already" in cranes.why(again.proposal, AITIA.duplicatesCheck)
    other = in_year(cranes, 2023)
    assert cranes.why(other.proposal, AITIA.duplicatesCheck) == "it is new"
    cranes.workspace.writeback.decide(
        other.proposal.id, "approve", "right", Identity("bob")
    )
    cranes.workspace.writeback.undo(first.proposal.id, "wrong", Identity("bob"))
    assert other.proposal.adds[0].quad() in cranes.workspace.store


def test_what_a_document_states_is_on_record_for_any_time(cranes: Yard) -> None:
    asked = replace(
        cranes.asked(1),
        kind="add",
        object="11",
        valid_from=datetime(2020, 1, 1, tzinfo=UTC),
    )
    made = cranes.workspace.writeback.propose(asked, Proposer("ann"))
    assert "is on record already" in cranes.why(made.proposal, AITIA.duplicatesCheck)


def test_nothing_is_accepted_into_another_graph(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    draft = cranes.draft(2)
    for graph in (terms.GRAPH_INFERRED, draft.withdraws[0].graph):
        moved = tuple(replace(change, graph=graph) for change in draft.adds)
        made = write.submit(replace(draft, adds=moved))
        assert made.proposal.state == AITIA.rejected
        told = cranes.why(made.proposal, AITIA.shapesCheck)
        assert f"not into {graph.value}" in told
