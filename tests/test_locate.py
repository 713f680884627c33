"""From a fact to the exact words of its source."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from pyoxigraph import Literal, NamedNode, Quad

from aitia.ingest import FileReport
from aitia.locate import Located, locate, tabletext
from aitia.locate.jsontext import document, members, readable
from aitia.vocab import RDF, RDFS, XSD
from tests.ingest_desk import REF, Desk, P, desk


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as found:
        yield found


def where(
    open_desk: Desk,
    report: FileReport,
    subject: str,
    predicate: str,
    obj: NamedNode | Literal,
) -> tuple[str, str, bool] | None:
    """The words, what shows them, and whether a passage holds them."""
    found = locate(
        open_desk.store,
        open_desk.blobs,
        NamedNode(subject),
        NamedNode(predicate),
        obj,
        NamedNode(report.document),
    )
    if found is None:
        return None
    return words(open_desk, report, found)


def words(open_desk: Desk, report: FileReport, found: Located) -> tuple[str, str, bool]:
    text = open_desk.text(report)
    assert found.outer_start <= found.start < found.end <= found.outer_end
    return (
        text[found.start : found.end],
        text[found.outer_start : found.outer_end],
        found.passage is not None,
    )


ORDERS = """{"orders": {
 "#W1": {"order_id": "#W1", "user": "u-00001", "total": 10.50, "paid": true, "tags": ["x", "y"],
         "items": [{"sku": "a1", "n": 1}, {"sku": "b2", "n": 2}], "to": {"city": "Ulm"}},
 "#W2": {"order_id": "#W2", "total": 3}}}"""
W1 = "urn:data:orders/%23W1"


@pytest.mark.parametrize(
    ("subject", "predicate", "obj", "expected"),
    [
        (
            W1,
            P + "total",
            Literal("10.5", datatype=XSD.decimal),
            ("10.50", '"total": 10.50'),
        ),
        (
            W1,
            P + "paid",
            Literal("true", datatype=XSD.boolean),
            ("true", '"paid": true'),
        ),
        (W1, P + "tags", Literal("y"), ("y", '"tags": ["x", "y"]')),
        (W1, RDFS.label.value, Literal("#W1"), ("#W1", '"order_id": "#W1"')),
        (W1 + "/to", P + "city", Literal("Ulm"), ("Ulm", '"city": "Ulm"')),
        (W1 + "/items/2", P + "sku", Literal("b2"), ("b2", '"sku": "b2"')),
        (
            W1,
            P + "to",
            NamedNode(W1 + "/to"),
            ('{"city": "Ulm"}', '"to": {"city": "Ulm"}'),
        ),
    ],
)
def test_json_facts_are_found_in_their_field(
    open_desk: Desk,
    subject: str,
    predicate: str,
    obj: NamedNode | Literal,
    expected: tuple[str, str],
) -> None:
    report = open_desk.take("db.json", ORDERS)
    assert where(open_desk, report, subject, predicate, obj) == (*expected, True)


def test_a_dictionarys_value_is_found(open_desk: Desk) -> None:
    report = open_desk.take(
        "t.json", json.dumps({f"k{n}": f"v {n}" for n in range(30)})
    )
    found = where(open_desk, report, "urn:data:t/k7", P + "value", Literal("v 7"))
    assert found == ("v 7", '"k7": "v 7"', True)


def test_a_value_that_is_not_there_is_not_told(open_desk: Desk) -> None:
    report = open_desk.take("db.json", ORDERS)
    assert where(open_desk, report, W1, P + "total", Literal("11")) is None
    assert (
        where(open_desk, report, "urn:data:orders/none", P + "total", Literal("3"))
        is None
    )


def test_a_link_is_found_where_its_key_stands(open_desk: Desk) -> None:
    open_desk.take("users.json", '[{"user_id": "u-00001"}, {"user_id": "u-00002"}]')
    report = open_desk.take("db.json", ORDERS)
    target = NamedNode("urn:data:users/u-00001")
    found = where(open_desk, report, W1, REF + "user", target)
    assert found == ("u-00001", '"user": "u-00001"', True)


@pytest.mark.parametrize(
    ("name", "mark"), [("t.csv", ","), ("t.csv", ";"), ("t.tsv", "\t")]
)
def test_table_facts_are_found_in_their_cell(
    open_desk: Desk, name: str, mark: str
) -> None:
    rows = [["id", "same", "note", "price"], ["k1", "5", f'"a{mark} ""b"""', "5"]]
    text = "\n".join(mark.join(row) for row in [*rows, ["k2", "5", "c", "6"]]) + "\n"
    report = open_desk.take(name, text)
    row = mark.join(rows[1])
    found = where(
        open_desk, report, "urn:data:t/k1", P + "note", Literal(f'a{mark} "b"')
    )
    assert found == (f'a{mark} ""b""', row, True)
    found = where(
        open_desk,
        report,
        "urn:data:t/k1",
        P + "price",
        Literal("5", datatype=XSD.integer),
    )
    assert found == ("5", row, True)


def test_rdf_facts_are_found_in_their_statement(open_desk: Desk) -> None:
    text = (
        "@prefix e: <http://e/> .\n"
        'e:a e:p "1" ; e:q "say \\"hi\\"", e:c .\n'
        'e:b e:q "1" .\n'
    )
    report = open_desk.take("f.ttl", text)
    found = where(open_desk, report, "http://e/a", "http://e/q", Literal('say "hi"'))
    assert found is not None
    assert found[0] == 'say \\"hi\\"'
    assert found[1].startswith("e:a e:p")
    found = where(
        open_desk, report, "http://e/a", "http://e/q", NamedNode("http://e/c")
    )
    assert found is not None
    assert found[0] == "c"
    found = where(open_desk, report, "http://e/b", "http://e/q", Literal("1"))
    assert found == ("1", 'e:b e:q "1" .', True)


def test_fields_beside_a_record_of_prose_are_found(open_desk: Desk) -> None:
    long = "The river flows for a long way, past towns, hills, mills and many fields, to the sea."
    data = [
        {"title": f"River {n}", "text": f"{long} {n}", "year": 1900 + n}
        for n in range(3)
    ]
    report = open_desk.take("rivers.json", json.dumps(data))
    node = "urn:data:rivers/River%201"
    found = where(
        open_desk, report, node, P + "year", Literal("1901", datatype=XSD.integer)
    )
    assert found == ("1901", '"year": 1901', False)
    found = where(open_desk, report, node, P + "text", Literal(f"{long} 1"))
    assert found is not None
    assert found[0] == f"{long} 1"
    assert found[2]


def test_facts_of_a_named_graph_are_found_in_its_document(open_desk: Desk) -> None:
    open_desk.take("d.trig", '@prefix e: <http://e/> .\ne:g { e:a e:p "one" }')
    found = locate(
        open_desk.store,
        open_desk.blobs,
        NamedNode("http://e/a"),
        NamedNode("http://e/p"),
        Literal("one"),
        NamedNode("http://e/g"),
    )
    assert found is not None
    assert found.passage is not None


def test_every_fact_of_the_retail_data_is_found(
    open_desk: Desk, shared_data: Path
) -> None:
    path = shared_data / "tau2_bench_retail" / "db.json"
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    data = json.loads(path.read_text(encoding="utf-8"))
    part = {name: dict(list(held.items())[::20]) for name, held in data.items()}
    report = open_desk.take("db.json", json.dumps(part, indent=2))
    graph = NamedNode(report.document)
    quads = [quad for quad in open_desk.store.quads(graph=graph) if _is_fact(quad)]
    for quad in random.Random(7).sample(quads, 300):
        assert isinstance(quad.subject, NamedNode)
        assert isinstance(quad.object, NamedNode | Literal)
        found = where(
            open_desk, report, quad.subject.value, quad.predicate.value, quad.object
        )
        assert found is not None, quad
        assert found[2], quad


def _is_fact(quad: Quad) -> bool:
    about = str(quad.subject)[1:]
    return (
        not about.startswith(("urn:data:p/", "urn:data:type/"))
        and quad.predicate != RDF.type
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=10,
)  # fmt: skip


@given(st.lists(JSON, min_size=1, max_size=4), st.sampled_from([None, 1]))
@settings(deadline=None)
def test_members_stand_where_they_are_told(
    values: list[object], indent: int | None
) -> None:
    text = json.dumps(values, indent=indent)
    _, start = document(text)
    found = list(members(text, start))
    assert [member.value for member in found] == values
    for member in found:
        assert json.loads(text[member.value_start : member.end]) == member.value


@given(st.text(max_size=20))
def test_escapes_are_written_out_without_changing_the_value(value: str) -> None:
    text = json.dumps([value, value])
    shown = readable(text)
    assert json.loads(shown) == [value, value]
    if value.isprintable() and not any(0xD800 <= ord(char) <= 0xDFFF for char in value):
        assert json.dumps([value, value], ensure_ascii=False) == shown


CELLS = st.text(st.sampled_from('a1 ,;"\n\t|é中'), max_size=6)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=1, max_size=5))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_cells_stand_where_they_are_told(table: list[list[str]]) -> None:
    quoted = [['"' + cell.replace('"', '""') + '"' for cell in row] for row in table]
    text = "\n".join(",".join(row) for row in quoted) + "\n"
    rows = list(tabletext.rows(text, ","))
    filled = [row for row in table if any(cell.strip() for cell in row)]
    assert [row.cells for row in rows] == filled
    for row in rows:
        places = tabletext.cells(text, row.start, row.end, ",")
        assert [text[a:b].replace('""', '"') for a, b in places] == row.cells
