"""What a tool returns otherwise than the record becomes a proposal."""

from pathlib import Path
from typing import Any

import pytest

from aitia.tools import tool
from aitia.vocab import AITIA
from aitia.workspace import Workspace
from aitia.writeback.read import Proposal
from aitia.writeback.reviewers import Identity
from tests.model_desk import Player, batch, call, conclude, opened
from tests.writeback_desk import state

TABLE = "crane_id,name,lifts,site\nk4,Crane 4,12,North\nk5,Crane 5,8,South\n"
QUESTION = "What does crane k4 lift?"


@tool
def crane_details(crane_id: str) -> dict[str, Any]:
    """Tell what is known of a crane."""
    return {
        "cranes": [
            {"crane_id": crane_id, "lifts": 9, "site": "North", "seen": True},
            {"crane_id": "k9", "lifts": 99},
        ]
    }


@tool
def notice(crane_id: str) -> str:
    """Read the notice at a crane."""
    return "The deposit for crane k4 is 80 euro."


def asked(folder: Path, name: str, settings: str = "") -> Workspace:
    """A workspace in which a run has called a tool about crane k4, once or twice."""
    work = folder / "ws"
    work.mkdir()
    (work / "aitia.toml").write_text(settings)
    (folder / "cranes.csv").write_text(TABLE)
    (folder / "fees.txt").write_text("The deposit for crane k4 is 50 euro.\n")
    plans = [batch(call("G1", name, crane_id="k4")), batch(conclude(reason="no"))]
    with opened(work, Player(plans)) as (workspace, _):
        workspace.ingest([folder / "cranes.csv", folder / "fees.txt"], extract=False)
        workspace.ask(QUESTION, tools=[crane_details, notice])
    player = Player(plans)
    with opened(work, player) as (workspace, _):
        workspace.ask("And what does crane k4 lift?", tools=[crane_details, notice])
    return Workspace.open(work)


def proposals(workspace: Workspace) -> list[Proposal]:
    return list(workspace.writeback.proposals())


def test_a_tool_that_gives_another_value_proposes_it_once(tmp_path: Path) -> None:
    with asked(tmp_path, "crane_details") as workspace:
        [found] = proposals(workspace)
        assert (found.kind, found.trigger, state(found)) == (
            "revise",
            "conflict",
            "needsReview",
        )
        [new], [old] = found.adds, found.withdraws
        assert (new.object.value, old.object.value) == ("9", "12")
        assert "crane_details (weight 0.50) says otherwise" in found.reason
        [(_, cited)] = found.evidence
        assert cited.ground is not None
        assert AITIA.Observation in workspace.writeback.desk.kinds(cited.ground)
        workspace.writeback.decide(found.id, "approve", "seen", Identity("bob"))
        assert workspace.validate().conforms
        assert workspace.verify().findings == ()


def test_a_text_of_a_tool_proposes_against_a_sentence(tmp_path: Path) -> None:
    with asked(tmp_path, "notice") as workspace:
        [found] = proposals(workspace)
        assert found.kind == "deprecate"
        assert found.words[0].text == "The deposit for crane k4 is 50 euro."


@pytest.mark.parametrize(
    ("settings", "count"),
    [
        ('[sources]\n"cranes.csv" = "official"\n', 0),
        (
            '[sources]\n"cranes.csv" = "reviewed"\n'
            '"urn:aitia:method:crane_details" = "official"\n',
            1,
        ),
        ("[writeback]\nconflict = false\n", 0),
    ],
)
def test_the_heavier_side_is_left_alone(
    tmp_path: Path, settings: str, count: int
) -> None:
    with asked(tmp_path, "crane_details", settings) as workspace:
        assert len(proposals(workspace)) == count
