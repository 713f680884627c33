"""What comes in with a file is claimed: it never passes for observed here."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyoxigraph import Literal, NamedNode, Quad

from aitia import Workspace, terms
from aitia.errors import NotIntact
from aitia.vocab import AITIA, RDF
from aitia_cli.main import cli
from tests import pump
from tests.carried import export

LEDGER = terms.GRAPH_LEDGER.value.encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pump.build(tmp_path_factory.mktemp("claims"))


@pytest.fixture(scope="module")
def workspace(folder: Path) -> Iterator[Workspace]:
    with Workspace.open(folder, mode="read") as opened:
        yield opened


@pytest.fixture(scope="module")
def edited(workspace: Workspace) -> bytes:
    """An export without its ledger, its run under another name."""
    data = export(workspace, "nquads", enclose=False)[0]
    lines = [x for x in data.splitlines(keepends=True) if LEDGER not in x]
    run = workspace.runs()[0].id.encode()
    renamed = b"".join(lines).replace(b"run:" + run, b"run:forged22")
    return re.sub(rb"urn:aitia:link:(\w\w)\w\w", rb"urn:aitia:link:\1zz", renamed)


def misquoted(data: bytes) -> bytes:
    mark = f"<{AITIA.exact.value}> ".encode()
    return data.replace(mark + b'"Pump A', mark + b'"Pump Z')


@pytest.mark.parametrize("fresh", [True, False])
def test_a_quote_that_its_text_does_not_say_is_refused(
    workspace: Workspace, edited: bytes, tmp_path: Path, fresh: bool
) -> None:
    forged = misquoted(edited)
    if fresh:
        whole = export(workspace, "nquads")[0]
        texts = [x for x in whole.splitlines(keepends=True) if x.startswith(b"#")]
        forged += b"".join(texts)
    assert forged != edited
    (tmp_path / "forged.nq").write_bytes(forged)
    place = tmp_path / "ws" if fresh else pump.build(tmp_path)
    ran = CliRunner().invoke(
        cli, ["--workspace", str(place), "import", str(tmp_path / "forged.nq")]
    )
    assert ran.exit_code == 4
    assert "Pump Z" in ran.output
    assert "nothing was taken in" in ran.output
    with Workspace.open(place, mode="read") as opened:
        assert len(opened.runs()) == (0 if fresh else 1)


@pytest.mark.parametrize("fresh", [True, False])
def test_an_imported_run_is_told_as_claimed(
    edited: bytes, tmp_path: Path, fresh: bool
) -> None:
    (tmp_path / "edited.nq").write_bytes(edited)
    place = tmp_path / "ws" if fresh else pump.build(tmp_path)
    with Workspace.open(place, flags={"agent": "Eve"}) as opened:
        done = opened.import_(tmp_path / "edited.nq")
        assert done.refused == []
        claimed = next(x for x in opened.runs() if x.id == "forged22")
        assert "edited.nq by Eve on 2" in claimed.imported
        assert claimed.imported.endswith("claimed, not observed here")
        assert (opened.runs() == [claimed]) == fresh
        why = opened.why("forged22")
        own = [x for x in why.links if x.kind != "statedIn"]
        assert {x.basis for x in own} == {"claimed"}
        assert any("edited.nq by Eve" in line for line in why.imported)
        assert opened.show("forged22").imported == claimed.imported
        if not fresh:
            last = opened.why("last")
            assert "forged22" not in last.start
            assert last.imported == ()
            assert "observed" in {x.basis for x in last.links}
        found = {x.kind for x in opened.ledger.verify().findings}
        assert found == ({"blob"} if fresh else set())  # the texts were not enclosed
    for verb in (["runs"], ["show", "forged22"], ["why", "forged22"]):
        ran = CliRunner().invoke(cli, ["--workspace", str(place), *verb])
        assert "claimed, not observed here" in ran.output, verb


def test_a_run_on_record_is_not_added_to(workspace: Workspace, tmp_path: Path) -> None:
    place = pump.build(tmp_path)
    with Workspace.open(place) as opened:
        data = export(opened, "nquads", "run:last")[0]
        run = opened.runs()[0].iri.encode()
        label = b"<http://www.w3.org/2000/01/rdf-schema#comment>"
        more = b'<%s> %s "forged" <%s/trace> .\n' % (run, label, run)
        (tmp_path / "more.nq").write_bytes(data + more)
        done = opened.import_(tmp_path / "more.nq")
        assert (done.added, done.commits, len(done.refused)) == (0, 0, 1)
        elsewhere = more.replace(run + b"/trace", terms.GRAPH_CATALOG.value.encode())
        (tmp_path / "catalog.nq").write_bytes(data + elsewhere)
        with pytest.raises(NotIntact, match="outside of that run"):
            opened.import_(tmp_path / "catalog.nq")


@pytest.mark.parametrize("enclose", [True, False])
def test_a_ledger_that_lacks_a_commit_is_refused(
    workspace: Workspace, tmp_path: Path, enclose: bool
) -> None:
    data = export(workspace, "nquads", enclose=enclose)[0]
    start = f"<{terms.commit_iri(2).value}> ".encode()
    kept = [x for x in data.splitlines(keepends=True) if not x.startswith(start)]
    (tmp_path / "lacking.nq").write_bytes(b"".join(kept))
    with Workspace.open(tmp_path / "ws") as copy:
        with pytest.raises(NotIntact, match="lacks commit 2") as caught:
            copy.import_(tmp_path / "lacking.nq")
        assert caught.value.hint
        assert copy.ledger.head() is None


def test_verify_finds_a_quote_that_its_text_does_not_say(tmp_path: Path) -> None:
    from aitia.ledger import quotes

    with Workspace.open(pump.build(tmp_path)) as opened:
        assert list(quotes.check(opened.store, opened.blobs)) == []
        quad = next(opened.store.quads(None, AITIA.exact))
        assert isinstance(quad.subject, NamedNode)
        assert any(opened.store.quads(quad.subject, RDF.type, AITIA.Quote))
        other = Quad(quad.subject, AITIA.exact, Literal("900 tonnes"), quad.graph_name)
        look, text = quotes.looking(opened.store), quotes.texts(opened.blobs)
        (told,) = quotes.differing([other], look, text)
        assert "900 tonnes" in told


def test_a_failed_export_leaves_the_file_that_was_there(
    folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "b.nq"
    file.write_text("kept", "utf-8")
    start = ["--workspace", str(folder), "export", "-o", str(file)]
    ran = CliRunner().invoke(cli, [*start, "--what", "run:nosuch"])
    assert ran.exit_code == 1
    assert file.read_text("utf-8") == "kept"
    ran = CliRunner().invoke(cli, [*start, "--what", "foo"])
    assert ran.exit_code == 2
    assert "(" not in ran.output
    assert CliRunner().invoke(cli, [*start, "--format", "nquads"]).exit_code == 0
    assert file.stat().st_size > 1000
    assert list(tmp_path.iterdir()) == [file]


def test_a_refused_file_is_not_said_to_be_taken_in(tmp_path: Path) -> None:
    file = tmp_path / "forged.ttl"
    file.write_text(f"<http://e/d> a <{AITIA.Decision.value}> .\n", "utf-8")
    args = ["--workspace", str(tmp_path / "ws"), "import", str(file)]
    ran = CliRunner().invoke(cli, args)
    assert ran.exit_code == 4, ran.output
    assert "nothing was taken in" in ran.output
    assert "taken in as" not in ran.output
    assert max(map(len, ran.output.splitlines())) < 120


def test_csv_goes_into_a_pipe_byte_for_byte(tmp_path: Path) -> None:
    query = 'SELECT ("a\\u001B[1mb" AS ?x) {}'
    with Workspace.open(tmp_path / "ws"):
        pass
    args = ["--workspace", str(tmp_path / "ws"), "query", query, "--format", "csv"]
    ran = CliRunner().invoke(cli, args)
    assert ran.stdout_bytes == b"x\r\na\x1b[1mb\r\n"


def test_the_workspace_needs_a_name() -> None:
    ran = CliRunner().invoke(cli, ["--workspace", "", "runs"])
    assert ran.exit_code == 2
    assert "empty name" in ran.output
