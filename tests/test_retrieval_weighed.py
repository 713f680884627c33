"""Whom to trust decides among passages that fit nearly as well."""

import json
from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner
from hypothesis import given, strategies as st

from aitia.model import Hit, PassageRecord
from aitia.retrieval.weighed import NEAR, weighed
from aitia.settings import Settings
from aitia.workspace import Workspace
from aitia_cli.main import cli

TRUST = '[sources]\n"z*.txt" = "official"\n"a*.txt" = "web"\n'
TRUSTING = replace(Settings(), sources={"z*": "official", "a*": "web"})


def hits(*found: tuple[str, float]) -> list[Hit]:
    return [
        Hit(PassageRecord(f"urn:p{at}", f"urn:d{at}", "", 0, 0, path=path), score, at)
        for at, (path, score) in enumerate(found, start=1)
    ]


@given(
    st.lists(st.tuples(st.sampled_from(["a.txt", "m.txt", "z.txt"]), st.floats(0, 1)))
)
def test_a_heavier_source_passes_none_that_fits_clearly_better(
    found: list[tuple[str, float]],
) -> None:
    given_ = hits(*sorted(found, key=lambda item: -item[1]))
    assert weighed(given_, Settings()) == given_
    made = weighed(given_, TRUSTING)
    assert [hit.rank for hit in made] == list(range(1, len(made) + 1))
    assert {h.passage.iri for h in made} == {h.passage.iri for h in given_}
    for at, hit in enumerate(made):
        assert all(hit.score >= NEAR * after.score for after in made[at + 1 :])


def test_search_tells_where_trust_decided(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The deposit for a crane is 50 euro.\n")
    (tmp_path / "z.txt").write_text("The deposit for a crane is 80 euro.\n")
    with Workspace.open(tmp_path / "ws") as workspace:
        workspace.ingest([tmp_path / "a.txt", tmp_path / "z.txt"])
    words = ["--workspace", str(tmp_path / "ws"), "search", "crane deposit"]
    plain = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)["hits"]
    (tmp_path / "ws" / "aitia.toml").write_text(TRUST)
    heavy = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)["hits"]
    assert {hit["path"][-5:] for hit in plain} == {"a.txt", "z.txt"}
    assert "weight" not in plain[0]["scores"]
    assert heavy[0]["path"].endswith("z.txt")
    assert heavy[0]["scores"]["weight"] == 1.0
    shown = CliRunner().invoke(cli, words).stdout
    assert "weight 1.00" in shown
    assert ("it decided" in shown) == (not plain[0]["path"].endswith("z.txt"))
