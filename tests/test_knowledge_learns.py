"""The knowledge learns: what is stale, asked again, tested again; the sample world shows it."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.demo import SHOP, take_in
from aitia.errors import UsageError
from aitia.methods.base import Reads
from aitia.settings import Settings
from aitia.upkeep.health import inspect
from aitia.vocab import AITIA
from aitia.writeback.asking import Asked
from aitia.writeback.draft import Proposer
from aitia.writeback.stale import MANY, stale, stale_among
from aitia_cli.main import cli
from tests.bench.bench_writeback import filled
from tests.learning_desk import (
    BOB,
    QUESTION,
    TRUST,
    cranes,
    current,
    opened,
    revise,
    withdrawn,
    write,
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
        first = workspace.ask("What are the lifts of Crane 4?")
        other = workspace.ask("What are the lifts of Crane 5?")
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
    runs = [terms.run_iri(f"r{number}") for number in range(MANY + 1)]
    few, many = stale_among(store, runs[:3]), stale_among(store, runs)
    assert (len(few), len(many)) == (3, MANY + 1)
    assert few.items() <= many.items()
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
