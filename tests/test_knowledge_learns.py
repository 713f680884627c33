"""The knowledge learns: what is stale, asked again, tested again; the sample world shows it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyoxigraph import NamedNode, Quad

from aitia import resources, terms
from aitia.demo import SHOP, take_in
from aitia.errors import UsageError
from aitia.lookup.waiting import waiting
from aitia.methods.base import Reads
from aitia.settings import Settings
from aitia.upkeep.accepted import Chosen
from aitia.upkeep.health import Limits, Measured, inspect
from aitia.upkeep.recheck import CONTRADICTED, GONE, HOLDS, MISQUOTED
from aitia.vocab import AITIA, DQV, OWL, PROV, RDF
from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from aitia.writeback.draft import Proposer
from aitia.writeback.queue import Wanted
from aitia.writeback.reviewers import Identity
from aitia.writeback.stale import stale
from aitia_cli.main import cli
from tests.bench.bench_writeback import filled

QUESTION = "Within how many days can outdoor gear be returned?"
TRUST = '[sources]\n"*/2026-03-02-*" = "reviewed"\n"*/2026-04-20-*" = "user"\n'
BOB = Identity("bob")


@contextmanager
def opened(folder: Path, settings: str = "") -> Iterator[Workspace]:
    work = folder / "ws"
    work.mkdir(exist_ok=True)
    (work / "aitia.toml").write_text(settings)
    with Workspace.open(work, flags={"agent": "ann"}) as workspace:
        yield workspace


def write(folder: Path, **files: str) -> list[str]:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    return [str(folder / name.replace("_", ".")) for name in files]


def current(workspace: Workspace) -> frozenset[Quad]:
    """All that holds now."""
    quads = workspace.store.quads()
    return frozenset(q for q in quads if terms.is_current(q.graph_name))


def withdrawn(workspace: Workspace) -> set[str]:
    """The words that are out of use."""
    out = workspace.store.quads(None, PROV.invalidatedAtTime, None, terms.GRAPH_CATALOG)
    return {
        quad.object.value  # type: ignore[union-attr]
        for span in out
        for quad in workspace.store.quads(span.subject, AITIA.text)  # type: ignore[arg-type]
    }


def revise(workspace: Workspace, old: int, new: int, notice: str) -> str:
    """Have it accepted that crane k4 lifts something else; return the proposal's id."""
    asked = Asked(
        "revise", "the notice", "k4", "lifts", str(new), str(old), evidence=[notice]
    )
    found = workspace.writeback.propose(asked, Proposer("ann"))
    assert not found.refused, found.checks
    workspace.writeback.decide(found.proposal.id, "approve", "read it", BOB)
    return found.proposal.id


def cranes(folder: Path) -> list[str]:
    return write(
        folder,
        cranes_csv="key,name,lifts\nk4,Crane 4,12\nk5,Crane 5,8\n",
        notice_txt="Notice: k4 lifts 9 tonnes. It was inspected in May.\n",
    )


def test_the_sample_world_learns_and_takes_it_back(tmp_path: Path) -> None:
    with opened(tmp_path, TRUST) as workspace:
        take_in(workspace, tmp_path)
        [conflict] = workspace.conflicts.standing()
        assert {"14", "30"} <= set(conflict.reason.split())
        [proposal] = workspace.writeback.proposals()
        assert proposal.trigger == "conflict"
        assert "within 30 days" in proposal.words[0].text

        before = current(workspace)
        first = workspace.ask(QUESTION)
        assert "14 days" in first.text
        assert "30 days" in first.text
        assert workspace.stale() == []

        workspace.writeback.decide(proposal.id, "approve", "the warehouse decides", BOB)
        assert workspace.conflicts.standing() == []
        assert withdrawn(workspace) == {proposal.words[0].text}
        [old] = workspace.stale()
        assert (old.run, old.question, old.kind) == (first.run, QUESTION, "answer")
        assert proposal.id in old.reason
        assert [step.kind for step in old.path][:2] == ["Answer", "Decision"]
        assert old.path[-1].text == proposal.words[0].text
        [named] = workspace.store.quads(None, AITIA.madeStale)
        assert named.object == NamedNode(old.node)
        assert proposal.id in workspace.why(first.run).stale
        assert proposal.id in workspace.show(first.run).stale
        marked = {run.iri for run in workspace.runs() if run.stale}
        assert marked == {first.run}

        second = workspace.ask(again=first.run)
        assert (second.question, "30 days" in second.text) == (QUESTION, False)
        assert "14 days" in second.text
        link = Quad(
            NamedNode(second.run),
            AITIA.asksAgain,
            NamedNode(first.run),
            terms.run_graph(NamedNode(second.run)),
        )
        assert link in workspace.store
        assert workspace.stale() == []
        assert [x.again for x in workspace.stale(asked_again=True)] == [second.run]
        assert not any(run.stale for run in workspace.runs())

        workspace.writeback.undo(proposal.id, "the sales team was right", BOB)
        assert current(workspace) == before
        assert withdrawn(workspace) == set()
        assert workspace.stale(asked_again=True) == []
        assert workspace.ask(again=second.run).text == first.text
        assert len(workspace.conflicts.standing()) == 1
        assert workspace.validate().conforms
        assert workspace.verify().findings == ()
    assert (tmp_path / SHOP / "notices").is_dir()


def test_an_answer_from_a_fact_is_stale_until_the_fact_stands_again(
    tmp_path: Path,
) -> None:
    files = cranes(tmp_path)
    with opened(tmp_path) as workspace:
        workspace.ingest(files)
        first = workspace.ask("How much does Crane 4 lift?")
        other = workspace.ask("How much does Crane 5 lift?")
        ident = revise(workspace, 12, 9, files[1])
        assert [item.run for item in workspace.stale()] == [first.run]
        assert "12" in workspace.stale()[0].path[-1].text
        second = workspace.ask(again=first.run)
        assert "9" in second.text
        workspace.writeback.undo(ident, "a misprint", BOB)
        # What was answered from the new fact is stale now, and the first is no more.
        assert [item.run for item in workspace.stale()] == [second.run]
        assert other.run not in {x.run for x in workspace.stale(asked_again=True)}
        made = workspace.store.quads(None, AITIA.madeStale)
        assert len({quad.subject for quad in made}) == 2


@pytest.mark.parametrize("way", ["retired", "superseded"])
def test_answers_that_rest_on_a_document_out_of_use_are_stale(
    tmp_path: Path, way: str
) -> None:
    files = write(
        tmp_path,
        fee_txt="The mooring fee is 7 euro.\n",
        crane_txt="Crane 9 lifts 4 tonnes.\n",
    )
    with opened(tmp_path) as workspace:
        workspace.ingest(files)
        fee = workspace.ask("What is the mooring fee?")
        crane = workspace.ask("How much does crane 9 lift?")
        assert "4 tonnes" in crane.text
        if way == "retired":
            workspace.delete(files[0])
        else:
            write(tmp_path, fee_txt="The mooring fee is 8 euro.\n")
            workspace.ingest(files)
        [old] = workspace.stale()
        assert old.run == fee.run
        told = "was retired" if way == "retired" else "gave way to a new version"
        assert told in old.reason
        assert old.since


def test_what_was_inferred_follows_and_answers_from_it_are_stale(
    tmp_path: Path,
) -> None:
    ttl = (
        "@prefix e: <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> ."
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
        'e:partOf a owl:TransitiveProperty . e:bolt e:partOf e:arm ; rdfs:label "bolt" .'
        'e:arm e:partOf e:crane ; rdfs:label "arm" . e:crane rdfs:label "crane" .'
    )
    bolt, crane = NamedNode("http://e/bolt"), NamedNode("http://e/crane")
    inside = NamedNode("http://e/partOf")
    follows = Quad(bolt, inside, crane, terms.GRAPH_INFERRED)
    files = write(tmp_path, parts_ttl=ttl)
    with opened(tmp_path) as workspace:
        workspace.ingest(files)
        workspace.infer()
        assert follows in workspace.store
        asked = Asked("deprecate", "it was taken off", "arm", "partOf", "crane")
        made = workspace.writeback.propose(asked, Proposer("ann"))
        workspace.writeback.decide(made.proposal.id, "approve", "seen", BOB)
        assert follows not in workspace.store
        workspace.writeback.undo(made.proposal.id, "it is on again", BOB)
        assert follows in workspace.store


def test_a_fact_that_many_runs_read_is_looked_up_once(tmp_path: Path) -> None:
    """Each run describes the same statement; joined over all graphs it takes ages."""
    store = filled(tmp_path / "store", 300)
    found = stale(store)
    assert len(found) == 300
    assert {len(item.path) for item in found} == {3}
    with opened(tmp_path) as workspace:
        reads = Reads(store, workspace.blobs, workspace.indexes, Settings())
        seen = {x.metric: x for x in inspect(reads).measured}
    assert seen[AITIA.staleAnswers].count == 300


def test_asking_again_needs_a_run_that_was_asked(tmp_path: Path) -> None:
    files = write(tmp_path, a_txt="The fee is 5 euro.\n", b_txt="The fee is 7 euro.\n")
    with opened(tmp_path) as workspace:
        report = workspace.ingest(files)
        assert len(report.conflicts) == 1
        with pytest.raises(UsageError, match="Nobody asked a question"):
            workspace.ask(again="last")  # the check of conflicts
        answer = workspace.ask("What is the fee?")
        with pytest.raises(UsageError, match="not the one"):
            workspace.ask("What is the time?", again=answer.run)
    done = CliRunner().invoke(
        cli,
        ["--workspace", str(tmp_path / "ws"), "ask", "--again", "x", "--replay", "y"],
    )
    assert done.exit_code == 2


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
        answer = workspace.ask("How much does Crane 4 lift?")
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
    rows = "".join(f"c{n},Crane c{n},{n}\n" for n in range(10, 20))
    notes = "".join(f"Notice: c{n} lifts {n + 50} tonnes.\n" for n in range(10, 20))
    files = write(tmp_path, cranes_csv=f"key,name,lifts\n{rows}", notes_txt=notes)
    with opened(tmp_path) as workspace:
        workspace.ingest(files)
        for n in range(10, 20):
            asked = Asked(
                "revise", "seen", f"c{n}", "lifts", str(n + 50), evidence=[files[1]]
            )
            made = workspace.writeback.propose(asked, Proposer("ann")).proposal
            workspace.writeback.decide(made.id, "approve", "read it", BOB)

        def chosen(**which: object) -> list[str]:
            found = workspace.recheck(Chosen(**which), dry_run=True)  # type: ignore[arg-type]
            return [item.proposal.id for item in found]

        assert len(chosen()) == 10
        assert chosen(share=0.3, seed=7) == chosen(share=0.3, seed=7)
        assert len(chosen(share=0.3, seed=7)) == 3
        assert chosen(source="*/notes.txt") == chosen(source="notes.txt") == chosen()
        assert chosen(source="*/cranes.csv") == []
        assert chosen(older_than=1) == []
        assert len(chosen(older_than=0)) == 10
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

        first = workspace.ask("How much does Crane 4 lift?")
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
