"""Import: restored exactly where nothing is yet, new commits elsewhere."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Quad

from aitia import Workspace, terms
from aitia.errors import NotFound, NotIntact, ReadError, ShapeViolation, UsageError
from aitia.vocab import AITIA, PROV, RDF
from tests import pump
from tests.carried import ENDING, WITH_GRAPHS, export, quads


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pump.build(tmp_path_factory.mktemp("import"))


@pytest.fixture(scope="module")
def workspace(folder: Path) -> Iterator[Workspace]:
    with Workspace.open(folder, mode="read") as opened:
        yield opened


def test_everything_is_restored_into_an_empty_workspace(
    workspace: Workspace, tmp_path: Path
) -> None:
    data, told = export(workspace, "nquads")
    assert told.blobs > 0
    (tmp_path / "all.nq").write_bytes(data)
    with Workspace.open(tmp_path / "copy") as copy:
        done = copy.import_(tmp_path / "all.nq")
        assert done.how == "restored"
        head, ours = copy.ledger.head(), workspace.ledger.head()
        assert head is not None
        assert head == ours
        assert done.head == head.hash
        assert quads(copy) == quads(workspace)
        assert export(copy, "nquads")[0] == data
        assert copy.ledger.verify().findings == ()
        assert copy.why("last") == workspace.why("last")
        assert copy.show("pump.txt").text == pump.TEXT
        assert copy.ask("What does tank B feed?").text
        assert copy.ledger.verify().findings == ()


@pytest.mark.parametrize("form", WITH_GRAPHS)
def test_without_texts_all_but_the_ledger_is_put_back(
    workspace: Workspace, tmp_path: Path, form: str
) -> None:
    file = tmp_path / f"all.{ENDING[form]}"
    file.write_bytes(export(workspace, form, enclose=False)[0])
    with Workspace.open(tmp_path / "copy") as copy:
        done = copy.import_(file)
        assert (done.how, done.missing) == ("put back", 3)
        assert done.left_out["ledger"] > 0

        assert done.left_out["inferred"] > 0
        unproven = (terms.GRAPH_LEDGER, terms.GRAPH_INFERRED)

        def known(of: Workspace) -> set[Quad]:
            return {q for q in quads(of) if q.graph_name not in unproven}

        assert known(workspace) < known(copy)
        (made,) = copy.store.quads(None, RDF.type, AITIA.Import)
        more = {q for q in known(copy) - known(workspace) if q.subject != made.subject}
        assert {(q.predicate, q.object) for q in more} == {
            (AITIA.importedBy, made.subject)
        }


def _refused(tmp_path: Path, data: bytes) -> NotIntact:
    (tmp_path / "all.nq").write_bytes(data)
    with Workspace.open(tmp_path / "copy") as copy:
        with pytest.raises(NotIntact) as caught:
            copy.import_(tmp_path / "all.nq")
        assert quads(copy) == set()
    return caught.value


def test_a_restore_refuses_what_its_ledger_does_not_say(
    workspace: Workspace, tmp_path: Path
) -> None:
    data = export(workspace, "nquads")[0]
    line = next(x for x in data.splitlines() if b'"1"' in x and b"http://e/g1" in x)
    edited = data.replace(line, line.replace(b'"1"', b'"9"'))
    assert "ledger does not say" in str(_refused(tmp_path, edited))


def test_a_restore_refuses_a_rewritten_record(
    workspace: Workspace, tmp_path: Path
) -> None:
    data = export(workspace, "nquads")[0]
    mark = f"<{terms.commit_iri(1).value}> <{AITIA.committedBy.value}>".encode()
    line = next(x for x in data.splitlines() if x.startswith(mark))
    other = mark + b" <urn:aitia:agent:somebody> " + line.split(b" ", 3)[3]
    assert "hash differs" in str(_refused(tmp_path, data.replace(line, other)))


def test_a_damaged_enclosure_is_told(workspace: Workspace, tmp_path: Path) -> None:
    data = export(workspace, "nquads")[0]
    start = data.index(b"# blob ") + len(b"# blob ")
    swapped = data[:start] + b"f" * 64 + data[start + 64 :]
    for broken in (swapped, data[: start + 90] + b"\n"):
        (tmp_path / "all.nq").write_bytes(broken)
        with Workspace.open(tmp_path / "copy") as copy:
            with pytest.raises(ReadError):
                copy.import_(tmp_path / "all.nq")
            assert quads(copy) == set()


def test_elsewhere_an_import_makes_new_commits_and_leaves_the_ledger_out(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "all.trig").write_bytes(export(workspace, "trig")[0])
    (tmp_path / "own.txt").write_text("Valve 7 is blue.", "utf-8")
    with Workspace.open(tmp_path / "other") as other:
        other.ingest([tmp_path / "own.txt"])
        before = other.ledger.head()
        done = other.import_(tmp_path / "all.trig")
        assert done.how == "merged"
        assert done.left_out["ledger"] > 0
        after = other.ledger.head()
        assert before is not None
        assert after is not None
        assert after.number == before.number + done.commits
        missing = quads(workspace) - quads(other)
        areas = {terms.GRAPH_LEDGER, terms.GRAPH_INFERRED}
        kept = {q for q in missing if q.graph_name not in areas}
        # The agents that both know stay as this workspace knows them.
        assert {q.subject.value.split(":")[2] for q in kept} <= {"agent"}  # type: ignore[union-attr]
        (made,) = other.store.quads(None, RDF.type, AITIA.Import)
        assert isinstance(made.subject, NamedNode)
        assert any(other.store.quads(made.subject, PROV.wasAssociatedWith))
        assert other.ledger.verify().findings == ()
        assert other.why("last").total_nodes == workspace.why("last").total_nodes
        again = other.import_(tmp_path / "all.trig")
        assert (again.added, again.commits) == (0, 0)


@pytest.mark.parametrize("form", ["turtle", "rdfxml", "ntriples"])
def test_merged_triples_find_their_graphs_again(
    workspace: Workspace, tmp_path: Path, form: str
) -> None:
    file = tmp_path / f"all.{ENDING[form]}"
    file.write_bytes(export(workspace, form)[0])
    with Workspace.open(tmp_path / "copy") as copy:
        done = copy.import_(file)
        assert done.refused == []
        assert done.loose > 0
        trace = next(q.graph_name for q in quads(workspace) if q.object == AITIA.Run)
        found = copy.store.quads(None, None, None, trace)  # type: ignore[arg-type]
        assert {q for q in found if q.predicate != AITIA.importedBy} == set(
            workspace.store.quads(None, None, None, trace)  # type: ignore[arg-type]
        )
        assert copy.why("last").total_nodes == workspace.why("last").total_nodes
        assert copy.query(
            "ASK { <http://e/a> a <http://e/Pump> }", scope="current"
        ).answer
        assert not any(copy.store.quads(None, None, None, terms.GRAPH_INFERRED))


def test_foreign_rdf_is_taken_in_as_a_document(tmp_path: Path) -> None:
    file = tmp_path / "foreign.ttl"
    file.write_text("@prefix e: <http://e/> . e:x e:p [ e:q 'v' ] .", "utf-8")
    with Workspace.open(tmp_path / "ws") as workspace:
        done = workspace.import_(file)
        assert (done.how, done.added) == ("ingested", 2)
        assert workspace.stats().documents == {"live": 1}


def test_an_import_cannot_break_the_shapes(tmp_path: Path) -> None:
    file = tmp_path / "forged.nq"
    file.write_text(
        "<urn:aitia:run:forged22> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
        " <https://w3id.org/aitia/ns#Run> <urn:aitia:run:forged22/trace> .\n",
        "utf-8",
    )
    with Workspace.open(tmp_path / "ws") as workspace:
        with pytest.raises(ShapeViolation):
            workspace.import_(file)
        assert quads(workspace) == set()


@pytest.mark.parametrize(
    ("name", "text", "error", "said"),
    [
        ("a.nt", '<http://e/b c> <http://e/p> "2" .\n', ReadError, "line 1"),
        (
            "b.ttl",
            "@prefix e: <http://e/> .\ne:x e:p e:y .\ne:z e:p\n",
            ReadError,
            "line",
        ),
        (
            "c.jsonld",
            '{"@context": "http://127.0.0.1:9/c", "a": 1}',
            ReadError,
            "c.jsonld",
        ),
        ("d.txt", "hello", UsageError, "format"),
    ],
)
def test_what_cannot_be_read_says_where(
    tmp_path: Path, name: str, text: str, error: type[Exception], said: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with Workspace.open(tmp_path / "ws") as workspace:
        with pytest.raises(error) as caught:
            workspace.import_(tmp_path / name)
        assert said in str(caught.value)
        with pytest.raises(NotFound):
            workspace.import_(tmp_path / "absent.ttl")
