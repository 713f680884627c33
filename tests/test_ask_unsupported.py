"""A fact that its source does not show is told, and told as unsupported."""

import json
from pathlib import Path

from click.testing import CliRunner
from pyoxigraph import Literal, NamedNode, Quad, Store

from aitia_cli.main import cli

RECORDS = '[{"site_id": "S7", "name": "Tower 7", "floors": 7}]'
FLOORS = NamedNode("urn:data:p/floors")
INTEGER = NamedNode("http://www.w3.org/2001/XMLSchema#integer")


def forge(store: Store) -> None:
    """Change a fact behind the tool's back."""
    (quad,) = store.quads_for_pattern(None, FLOORS, Literal("7", datatype=INTEGER))
    forged = Literal("999", datatype=INTEGER)
    store.remove(quad)
    store.add(Quad(quad.subject, FLOORS, forged, quad.graph_name))
    store.flush()


def test_a_value_that_the_source_does_not_show_supports_nothing(tmp_path: Path) -> None:
    (tmp_path / "towers.json").write_text(RECORDS, encoding="utf-8")
    workspace = ["--workspace", str(tmp_path / "ws")]
    question = [*workspace, "ask", "How many floors does Tower 7 have?", "--json"]
    runner = CliRunner()
    runner.invoke(cli, [*workspace, "ingest", str(tmp_path / "towers.json")])
    before = runner.invoke(cli, question)
    assert before.exit_code == 0
    assert json.loads(before.stdout)["sentences"][0]["support"] == "supported"
    store = Store(str(tmp_path / "ws" / "store"))
    forge(store)
    del store
    after = runner.invoke(cli, question)
    assert after.exit_code == 3
    (sentence,) = json.loads(after.stdout)["sentences"]
    assert sentence["support"] == "unsupported"
    assert "999" in sentence["text"]
