"""What was accepted is tested again, and the knowledge's health is told."""

from pathlib import Path

import pytest

from aitia import resources
from aitia.errors import UsageError
from aitia.lookup.waiting import waiting
from aitia.upkeep.accepted import Chosen
from aitia.upkeep.health import Limits, Measured
from aitia.upkeep.recheck import CONTRADICTED, GONE, HOLDS, MISQUOTED
from aitia.vocab import AITIA, DQV, OWL, RDF
from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from aitia.writeback.draft import Proposer
from aitia.writeback.queue import Wanted
from tests.learning_desk import BOB, cranes, current, opened, revise, write


def test_a_recheck_finds_what_came_in_since_and_proposes_to_take_it_back(
    tmp_path: Path,
) -> None:
    files = cranes(tmp_path)
    with opened(tmp_path, "[writeback]\nrecheck_after_ingest = false\n") as workspace:
        workspace.ingest(files)
        ident = revise(workspace, 12, 9, files[1])
        [held] = workspace.recheck()
        assert (held.proposal.id, held.outcome, held.proposed) == (ident, HOLDS, None)
        workspace.ingest(write(tmp_path, newer_txt="k4 lifts 15 tonnes.\n"))
        [tried] = workspace.recheck(dry_run=True)
        assert tried.outcome == CONTRADICTED
        assert workspace.writeback.proposals(Wanted(trigger="recheck")) == []
        [found] = workspace.recheck()
        assert found.outcome == CONTRADICTED
        assert "newer.txt" in found.reasons[0]
        assert found.proposed is not None
        back = found.proposed.proposal
        assert (back.kind, back.trigger) == ("deprecate", "recheck")
        assert back.evidence[0][1].quote == "k4 lifts 15 tonnes."
        assert [change.object.value for change in back.withdraws] == ["9"]
        [known] = workspace.recheck()
        assert (known.proposed, known.known) == (None, back.id)
        workspace.writeback.decide(back.id, "reject", "of another yard", BOB)
        [again] = workspace.recheck()
        assert (again.proposed, again.known) == (None, back.id)


def test_an_ingest_tests_what_it_touches_and_tells(tmp_path: Path) -> None:
    files = cranes(tmp_path)
    with opened(tmp_path) as workspace:
        workspace.ingest(files)
        ident = revise(workspace, 12, 9, files[1])
        untouched = workspace.ingest(write(tmp_path, sea_txt="The sea is calm.\n"))
        assert untouched.notices == []
        report = workspace.ingest(write(tmp_path, newer_txt="k4 lifts 15 tonnes.\n"))
        [told] = report.notices
        assert ident in told
        assert "contradicted" in told
        assert workspace.writeback.proposals(Wanted(trigger="recheck"))


def test_a_write_back_whose_evidence_is_gone_goes_back_to_a_review(
    tmp_path: Path,
) -> None:
    files = cranes(tmp_path)
    with opened(tmp_path) as workspace:
        workspace.ingest(files)
        ident = revise(workspace, 12, 9, files[1])
        workspace.delete(files[1])
        [back] = workspace.writeback.proposals(Wanted(trigger="recheck"))
        assert ident in back.reason
        assert "was retired" in back.reason
        workspace.writeback.decide(back.id, "approve", "so it is", BOB)
        # What is left to test is the withdrawal itself.
        assert [x.proposal.id for x in workspace.recheck()] == [back.id]
        values = {
            quad.object.value  # type: ignore[union-attr]
            for quad in current(workspace)
            if quad.predicate.value.endswith("lifts")
        }
        assert values == {"8"}


def test_what_rests_on_an_undone_write_back_goes_back_to_a_review(
    tmp_path: Path,
) -> None:
    files = cranes(tmp_path)
    with opened(tmp_path) as workspace:
        workspace.ingest(files)
        first = revise(workspace, 12, 9, files[1])
        answer = workspace.ask("What are the lifts of Crane 4?")
        asked = Asked(
            "add",
            "the answer",
            text="Crane 4 is a small crane.",
            evidence=[f"{answer.run}/claim/1"],
        )
        second = workspace.writeback.propose(asked, Proposer("ann")).proposal
        workspace.writeback.decide(second.id, "approve", "read it", BOB)
        assert workspace.writeback.proposals() == []
        workspace.writeback.undo(first, "a misprint", BOB)
        [back] = workspace.writeback.proposals()
        assert second.id in back.reason
        assert back.trigger == "recheck"


def test_a_quote_that_its_text_no_longer_says_is_found(tmp_path: Path) -> None:
    files = cranes(tmp_path)
    with opened(tmp_path) as workspace:
        workspace.ingest(files)
        revise(workspace, 12, 9, files[1])
        desk = workspace.writeback.desk
        [evidence] = [
            q.subject for q in desk.store.quads(None, RDF.type, AITIA.Evidence)
        ]
        document = next(
            quad.object
            for quad in desk.store.quads(None, AITIA.textHash)
            if "9 tonnes" in desk.reads.blobs.text(quad.object.value)  # type: ignore[union-attr]
        )
        path = next(desk.reads.blobs.folder.rglob(f"*{document.value[4:]}*"))  # type: ignore[union-attr]
        path.chmod(0o644)
        path.write_text("Notice: k4 lifts 5 tonnes. It was inspected in May.\n")
        [found] = workspace.recheck()
        assert found.outcome == MISQUOTED, (evidence, found)


def test_a_withdrawal_is_tested_too(tmp_path: Path) -> None:
    files = write(tmp_path, a_txt="The fee is 5 euro.\n", b_txt="The fee is 7 euro.\n")
    settings = '[sources]\n"a.txt" = "official"\n"b.txt" = "web"\n'
    with opened(tmp_path, settings) as workspace:
        workspace.ingest(files)
        [proposal] = workspace.writeback.proposals()
        workspace.writeback.decide(proposal.id, "approve", "of the office", BOB)
        assert [item.outcome for item in workspace.recheck()] == [HOLDS]
        workspace.delete(files[0])
        [back] = workspace.writeback.proposals(Wanted(trigger="recheck"))
        assert back.proposed_text == "The fee is 7 euro."
        [known] = workspace.recheck()
        assert (known.outcome, known.known) == (GONE, back.id)


def test_which_write_backs_are_tested(tmp_path: Path) -> None:
    rows = "".join(f"c{n},Crane c{n},{n}\n" for n in range(10, 16))
    notes = "".join(f"Notice: c{n} lifts {n + 50} tonnes.\n" for n in range(10, 16))
    files = write(tmp_path, cranes_csv=f"key,name,lifts\n{rows}", notes_txt=notes)
    with opened(tmp_path) as workspace:
        workspace.ingest(files)
        for n in range(10, 16):
            asked = Asked(
                "revise", "seen", f"c{n}", "lifts", str(n + 50), evidence=[files[1]]
            )
            made = workspace.writeback.propose(asked, Proposer("ann")).proposal
            workspace.writeback.decide(made.id, "approve", "read it", BOB)

        def chosen(**which: object) -> list[str]:
            found = workspace.recheck(Chosen(**which), dry_run=True)  # type: ignore[arg-type]
            return [item.proposal.id for item in found]

        assert len(chosen()) == 6
        assert chosen(share=0.5, seed=7) == chosen(share=0.5, seed=7)
        assert len(chosen(share=0.5, seed=7)) == 3
        assert chosen(source="*/notes.txt") == chosen(source="notes.txt") == chosen()
        assert chosen(source="*/cranes.csv") == []
        assert chosen(older_than=1) == []
        assert len(chosen(older_than=0)) == 6
        with pytest.raises(UsageError, match="share"):
            chosen(share=0.0)


def test_an_inspection_counts_and_lists(tmp_path: Path) -> None:
    ttl = (
        "@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
        'e:a a e:Pump ; rdfs:label "North pump" . e:b a e:Pump ; rdfs:label "north  pump" .'
        'e:c a e:Tank ; rdfs:label "Tank" ; e:feeds e:d . e:d a e:Tank .'
    )
    files = [*cranes(tmp_path), *write(tmp_path, pumps_ttl=ttl)]
    settings = '[sources]\n"notice.txt" = "web"\n"newer.txt" = "web"\n'
    with opened(tmp_path, settings) as workspace:
        workspace.ingest(files)
        workspace.ask("When was it inspected?")
        seen = measured(workspace)
        assert seen["unsourcedFacts"].count == 0
        assert seen["duplicateEntities"].items[0].text == "http://e/a, http://e/b"
        orphans = {item.iri for item in seen["orphanEntities"].items}
        assert {"http://e/a", "http://e/b"} <= orphans
        assert not {"http://e/c", "http://e/d"} & orphans
        assert seen["lightFacts"].count == 1
        assert seen["agedFacts"].count == 0
        every = measured(workspace, Limits(aged_days=0))["agedFacts"]
        assert every.count == every.of

        first = workspace.ask("What are the lifts of Crane 4?")
        asked = Asked("revise", "I know", "k4", "lifts", "9")
        bare = workspace.writeback.propose(asked, Proposer("ann")).proposal
        assert measured(workspace)["waitingProposals"].count == waiting(workspace.store)
        workspace.writeback.decide(bare.id, "approve", "so do I", BOB)
        workspace.ingest(write(tmp_path, newer_txt="Notice: k4 lifts 7 tonnes.\n"))
        seen = measured(workspace)
        assert [item.text for item in seen["unsourcedFacts"].items] == [
            "urn:data:cranes/k4 urn:data:p/lifts “9”"
        ]
        assert [x.iri for x in seen["staleAnswers"].items] == [f"{first.run}/answer"]
        assert (
            seen["standingConflicts"].count == len(workspace.conflicts.standing()) > 0
        )


def measured(workspace: Workspace, limits: Limits | None = None) -> dict[str, Measured]:
    found = workspace.inspect(limits or Limits(listed=100))
    return {item.metric.value.removeprefix(AITIA.NS): item for item in found.measured}


def test_the_report_is_dqv_with_declared_metrics_only(tmp_path: Path) -> None:
    from rdflib import Graph, URIRef

    from aitia.upkeep.health_report import turtle

    with opened(tmp_path) as workspace:
        workspace.ingest(cranes(tmp_path))
        health = workspace.inspect()
    graph = Graph().parse(data=turtle(health))
    known = Graph().parse(data=resources.text("ontology", "aitia.ttl"))
    metrics = set(known.subjects(URIRef(RDF.type.value), URIRef(DQV.Metric.value)))
    of = URIRef(DQV.isMeasurementOf.value)
    assert set(graph.objects(None, of)) == metrics
    assert len(metrics) == len(health.measured)
    assert not set(graph.subjects()) & {URIRef(OWL.Class.value)}
    values = {
        str(metric): int(value)  # type: ignore[call-overload]
        for node, metric in graph.subject_objects(of)
        for value in graph.objects(node, URIRef(DQV.value.value))
    }
    assert values == {item.metric.value: item.count for item in health.measured}
