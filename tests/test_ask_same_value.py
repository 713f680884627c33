"""A value that stands under several properties is told under those it was found in."""

from pathlib import Path

from aitia import Workspace

MACHINES = "machine_id,name,technician\nM-1,Mill,Ines Falk\nM-2,Press,Tomas Brandt\n"
INCIDENTS = (
    "incident_id,machine_id,reported_by\nX-1,M-2,Ines Falk\nX-2,M-1,Tomas Brandt\n"
)


def test_the_property_told_is_the_one_that_the_facts_have(tmp_path: Path) -> None:
    (tmp_path / "machines.csv").write_text(MACHINES, encoding="utf-8")
    (tmp_path / "incidents.csv").write_text(INCIDENTS, encoding="utf-8")
    with Workspace.open(tmp_path / "ws") as workspace:
        workspace.ingest([tmp_path / "machines.csv", tmp_path / "incidents.csv"])
        answer = workspace.ask("Which machines does Ines Falk maintain?")
    assert "M-1" in answer.text
    assert "technician" in answer.text
    assert "reported by" not in answer.text
