"""Cases of RDF files from CASES.md that ingest alone concerns, by the real command."""

from pyoxigraph import BlankNode, NamedNode

from aitia.vocab import AITIA
from tests.ingest_cases import Run, Seen, aitia, told, write

__all__ = ["aitia"]


def test_c16_a_broken_file_is_refused_whole_with_its_place(aitia: Run) -> None:
    write(
        "b16/bad.nt",
        '<http://e/a> <http://e/p> "1" .\n<http://e/b c> <http://e/p> "2" .\n'
        '<http://e/d> <http://e/p> "3" .\n',
    )
    write("b16/cut.ttl", "@prefix e: <http://e/> .\ne:x e:p e:y .\ne:broken e:p\n")
    shown = aitia("ingest", "b16", code=1).stdout
    assert "b16/bad.nt: failed" in shown
    assert "at line 2 column 1, near '<http://e/b c>'" in shown
    assert "b16/cut.ttl: failed" in shown
    assert "at line 4 column 1, at its end" in shown
    assert not any("http://e/" in str(quad.subject) for quad in Seen().quads)


def test_c17_blank_nodes_get_names_that_last(aitia: Run) -> None:
    text = '@prefix e: <http://e/> .\ne:x e:addr [ e:city "Ulm" ] .\n'
    write("b17/f.ttl", text)
    write("b17/g.ttl", text)
    aitia("ingest", "b17/f.ttl")
    before = set(Seen().quads)
    assert "unchanged" in aitia("ingest", "b17/f.ttl").stdout
    assert set(Seen().quads) == before
    aitia("ingest", "b17/g.ttl")
    quads = Seen().quads
    assert not any(isinstance(quad.subject, BlankNode) for quad in quads)
    cities = {
        str(quad.subject) for quad in quads if quad.predicate.value == "http://e/city"
    }
    assert len(cities) == 1
    aitia("verify")


def test_c18_ill_typed_literals_are_told_with_subject_and_value(aitia: Run) -> None:
    write(
        "b18/l.ttl",
        "@prefix e: <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        'e:x e:label "colour"@en-GB, "couleur"@fr, "colour" ; e:n "007"^^xsd:integer ;'
        ' e:d "yesterday"^^xsd:dateTime, "2024-02-30"^^xsd:date,'
        ' "2024-05-01T10:00:00Z"^^xsd:date ; e:v 1.23456789012345e0 .\n',
    )
    shown = aitia("ingest", "b18").stdout
    for value in ("yesterday", "2024-02-30", "2024-05-01T10:00:00Z"):
        assert f'x (http://e/x) has "{value}" as d, which is no date' in shown
    assert "literals rewritten by the store" in shown
    found = Seen().said("http://e/x", NamedNode("http://e/v"))
    assert float(found[0]) == 1.23456789012345


def test_c19_named_graphs_keep_their_names(aitia: Run) -> None:
    write(
        "b19/d.trig",
        '<http://e/g1> { <http://e/a> <http://e/p> "1" }\n'
        '<http://e/g2> { <http://e/a> <http://e/p> "2" }\n',
    )
    files = told(aitia, "b19")
    seen = Seen()
    graphs = seen.said(files["b19/d.trig"]["document"], AITIA.containsGraph)
    assert graphs == ["http://e/g1", "http://e/g2"]
    stated = {
        (str(quad.graph_name), str(quad.object))
        for quad in seen.quads
        if quad.predicate.value == "http://e/p"
    }
    assert stated == {("<http://e/g1>", '"1"'), ("<http://e/g2>", '"2"')}
