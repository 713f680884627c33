"""What documents claim, as a model read it, is held against facts and other claims."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aitia.vocab import AITIA, RDF
from aitia.workspace import Workspace
from tests.llm_server import ModelServer

ONTOLOGY = """\
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://ex.org/> .
:chair a owl:FunctionalProperty ; rdfs:label "chair" .
:board rdfs:label "Board" .
"""
SAID = {
    "one.txt": ("Ann Smith", "Minutes: to lead the Board we chose Ann Smith."),
    "two.txt": ("Bo Jones", "When the Board met Bo Jones took the hammer."),
    "same.txt": ("Ann Smith", "The hammer of the Board lies with Ann Smith."),
}


def reads(body: dict[str, Any]) -> dict[str, Any]:
    """Play a model that reads who the chair is."""
    shown = body["messages"][1]["content"]
    return {
        "facts": [
            {
                "subject": "Board",
                "predicate": "chair",
                "object": who,
                "kind": "value",
                "quote": quote,
            }
            for who, quote in SAID.values()
            if quote in shown
        ]
    }


@contextmanager
def board(folder: Path) -> Iterator[Workspace]:
    with ModelServer(reads) as server:
        flags = {"model.url": server.url, "model.name": "m", "agent": "ann"}
        with Workspace.open(folder / "ws", flags=flags) as workspace:
            (folder / "onto.ttl").write_text(ONTOLOGY)
            workspace.ingest([folder / "onto.ttl"], extract=False)
            yield workspace


def take_in(workspace: Workspace, folder: Path, *names: str) -> list[str]:
    """Take in texts; returns the reasons of the conflicts that were found."""
    for name in names:
        (folder / name).write_text(SAID[name][1] + "\n")
    report = workspace.ingest([folder / name for name in names])
    assert all(file.statements == 1 for file in report.files), report.files
    return [item.reason for item in report.conflicts]


def test_claims_of_two_documents_conflict_by_what_they_state(tmp_path: Path) -> None:
    with board(tmp_path) as workspace:
        assert take_in(workspace, tmp_path, "one.txt") == []
        [reason] = take_in(workspace, tmp_path, "two.txt")
        assert "Ann Smith" in reason
        assert "Bo Jones" in reason
        [conflict] = workspace.conflicts.standing()
        assert conflict.rule == "prp-fp"
        assert {side.text for side in conflict.sides} == {
            SAID["one.txt"][1],
            SAID["two.txt"][1],
        }
        [proposal] = workspace.writeback.proposals()
        assert proposal.words[0].text == SAID["one.txt"][1]
        assert workspace.conflicts.check().found == []
        assert workspace.validate().conforms
        assert workspace.verify().findings == ()
        workspace.delete(tmp_path / "one.txt")
        assert workspace.conflicts.standing() == []


def test_what_documents_claim_alike_is_no_conflict(tmp_path: Path) -> None:
    with board(tmp_path) as workspace:
        assert take_in(workspace, tmp_path, "one.txt", "same.txt") == []


def test_a_fact_is_held_against_claims(tmp_path: Path) -> None:
    with board(tmp_path) as workspace:
        take_in(workspace, tmp_path, "one.txt")
        facts = "@prefix : <http://ex.org/> . :board :chair 'Cy Doe' ."
        (tmp_path / "fact.ttl").write_text(facts)
        [found] = workspace.ingest([tmp_path / "fact.ttl"], extract=False).conflicts
        assert "Cy Doe" in found.reason
        claims = workspace.store.quads(None, RDF.type, AITIA.Statement)
        assert next(iter(claims), None) is not None
        [conflict] = workspace.conflicts.standing()
        assert SAID["one.txt"][1] in {side.text for side in conflict.sides}
