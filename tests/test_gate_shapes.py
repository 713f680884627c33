"""`aitia shapes`: shapes of one's own become part of the gate, through the ledger."""

import json
from pathlib import Path

import pytest
from pyoxigraph import NamedNode

from aitia.errors import ShapeViolation
from aitia.gate import Gate
from aitia.vocab import RDF
from aitia.workspace import Workspace
from tests.validating import PREFIXES, STEP, put, run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_added_shapes_judge_every_later_change(here: Path) -> None:
    bad = put("bad.ttl", PREFIXES + 'e:s1 a e:Step ; e:used e:t . e:t e:title "x" .')
    good = put("good.ttl", PREFIXES + "e:s2 a e:Step ; e:used e:u . e:u e:source e:v .")
    done = run("shapes", "add", put("step.ttl", STEP))
    assert done.exit_code == 0
    assert "The shapes step are part of the gate, from commit 1 on." in done.stdout
    with Workspace.open("ws") as workspace:
        assert workspace.ingest([good, bad]).exit_code != 0
        subjects = {quad.subject for quad in workspace.store.quads(None, RDF.type)}
    assert NamedNode("http://e/s2") in subjects
    assert NamedNode("http://e/s1") not in subjects


def test_what_breaks_new_shapes_already_is_told_and_stays(here: Path) -> None:
    put("data.ttl", PREFIXES + 'e:s1 a e:Step ; e:used e:t . e:t e:title "x" .')
    with Workspace.open("ws") as workspace:
        workspace.ingest(["data.ttl"])
        with pytest.raises(ShapeViolation):
            workspace.add_shapes(STEP, name="step", strict=True)
        assert workspace.shapes() == []
        record, found = workspace.add_shapes(STEP, name="step")
        assert record.number > 0
        assert not found.conforms
    done = run("shapes", "add", put("step.ttl", STEP))
    assert "part of the gate already" in done.stdout
    assert "has no source" in done.stdout


def test_a_file_of_the_same_name_takes_the_place_of_the_other(here: Path) -> None:
    first, second = put("step.ttl", STEP), put("new.ttl", STEP + "# newer\n")
    run("shapes", "add", first)
    run("shapes", "add", second, "--name", "step")
    told = json.loads(run("shapes", "list", "--json").stdout)
    assert [file["name"] for file in told] == ["step"]
    every = json.loads(run("shapes", "list", "--all", "--json").stdout)
    assert [bool(file["until"]) for file in every] == [True, False]
    with Workspace.open("ws", mode="read") as workspace:
        assert workspace.gate.user_shapes == {"step": STEP + "# newer\n"}
        assert workspace.gate.version != Gate().version


def test_one_shape_is_not_added_twice_under_two_names(here: Path) -> None:
    run("shapes", "add", put("step.ttl", STEP))
    done = run("shapes", "add", put("other.ttl", STEP + "# other\n"))
    assert done.exit_code == 2
    assert "is in the shape file 'step' already" in done.stderr


def test_listing_says_where_there_are_none(here: Path) -> None:
    Workspace.open("ws").close()
    assert "No shapes were added" in run("shapes", "list").stdout


def test_shapes_added_stay_verifiable(here: Path) -> None:
    with Workspace.open("ws") as workspace:
        workspace.add_shapes(STEP, name="step")
        assert workspace.ledger.verify().intact
        assert workspace.validate().conforms


def test_shapes_of_a_user_judge_users_data_and_nothing_of_ours(here: Path) -> None:
    """A careless shape must not keep aitia from writing its own record."""
    labels = PREFIXES + (
        "e:L a sh:NodeShape ; sh:targetSubjectsOf"
        " <http://www.w3.org/2000/01/rdf-schema#label> ; sh:property [ sh:path"
        ' <http://www.w3.org/2000/01/rdf-schema#label> ; sh:languageIn ( "en" ) ] .'
    )
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    put("a.txt", "The fee is 5 euro.")
    put("bad.ttl", PREFIXES + f'e:s1 {label} "no language" .')
    put("good.ttl", PREFIXES + f'e:s2 {label} "language"@en .')
    with Workspace.open("ws") as workspace:
        workspace.add_shapes(labels, name="labels")
        assert workspace.ingest(["a.txt", "good.ttl"]).exit_code == 0
        assert workspace.ingest(["bad.ttl"]).exit_code == 4
        report = workspace.validate()
    assert report.conforms
    assert report.checked["http://e/L"] == 1
