"""Files made to break a reader: each is read or told, and ends nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingest_desk import Desk, desk


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as found:
        yield found


HOSTILE: dict[str, str | bytes] = {
    "surrogate.json": '[{"id": "a", "t": "\\ud800"}]',
    "surrogate_key.json": '[{"\\udfff": 1, "id": "x"}]',
    "null.csv": "id,n\na,\0\n",
    "entity.html": "<html><p>&#xD800;&#0;&#x1F600; &lt;b&gt;</p>",
    "many.md": "#" * 50_000,
    "nest.html": "<html>" + "<div>" * 20_000 + "deep",
    "quotes.csv": 'id,n\n"a,b\nc',
    "bom.json": b"\xef\xbb\xbf[1]",
    "dots.json": '[{"id": "."}, {"id": ".."}, {"id": "%2E"}]',
    "entities.rdf": (
        '<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
        '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e/'>"
        "<rdf:Description rdf:about='http://e/a'><e:p>&c;&f;</e:p></rdf:Description></rdf:RDF>"
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_read_or_told_and_end_nothing_else(
    open_desk: Desk, name: str
) -> None:
    content = HOSTILE[name]
    open_desk.write(name, content)
    open_desk.write("z.txt", "Hello.")
    bad, good = open_desk.ingest(name, "z.txt").files
    assert good.outcome == "added"
    assert bad.outcome == "added" or bad.reason
    assert "root:" not in "".join(str(quad) for quad in open_desk.store.quads())
