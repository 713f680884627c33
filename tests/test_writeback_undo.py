"""An undo leaves what other accepted proposals state."""

from pathlib import Path

from pyoxigraph import NamedNode

from aitia.vocab import AITIA
from aitia.writeback.asking import Asked
from aitia.writeback.reviewers import Identity
from tests.writeback_desk import Yard, yard

BOB = Identity("bob")
NOTE = "http://example.org/note"


def accepted(cranes: Yard, kind: str) -> str:
    write = cranes.workspace.writeback
    made = write.propose(Asked(kind, "seen", "k1", f"<{NOTE}>", "A1")).proposal
    write.decide(made.id, "approve", "right", BOB)
    return made.id


def notes(cranes: Yard) -> set[str]:
    found = cranes.workspace.store.quads(cranes.crane(1), NamedNode(NOTE))
    return {
        quad.object.value  # type: ignore[union-attr]
        for quad in found
        if quad in cranes.facts()
    }


def test_a_fact_stands_while_an_accepted_proposal_states_it(tmp_path: Path) -> None:
    with yard(tmp_path, 6) as cranes:
        write = cranes.workspace.writeback
        first, gone, again = (accepted(cranes, k) for k in ("add", "retract", "add"))
        write.undo(gone, "it was right", BOB)
        write.undo(again, "twice", BOB)
        assert notes(cranes) == {"A1"}
        write.undo(first, "it was wrong", BOB)
        assert notes(cranes) == set()
        assert cranes.workspace.validate().conforms


def test_a_retraction_ends_every_version_of_a_fact(tmp_path: Path) -> None:
    with yard(tmp_path, 6) as cranes:
        write = cranes.workspace.writeback
        accepted(cranes, "add")
        gone = accepted(cranes, "retract")
        accepted(cranes, "add")
        write.undo(gone, "it was right", BOB)
        last = accepted(cranes, "retract")
        desk = write.desk
        ranks = {
            desk.node(quad.subject, AITIA.rank)  # type: ignore[arg-type]
            for quad in desk.store.quads(None, AITIA.text)
            if "/version/" in str(quad.subject) and "A1" in str(quad.object)
        }
        assert ranks == {AITIA.deprecated}
        write.undo(last, "it was right", BOB)
        assert notes(cranes) == {"A1"}
        assert cranes.workspace.verify().findings == ()
