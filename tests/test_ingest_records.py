"""JSON and CSV become resources: records, keys, fields, nesting, references."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import Literal, NamedNode, Quad

from aitia.errors import ReadError
from aitia.ingest import Options
from aitia.ingest.content import Raw
from aitia.ingest.readers import jsonrecords, table
from aitia.ingest.shape import Finder
from aitia.vocab import RDF, RDFS, XSD
from tests.ingest_desk import Desk, desk

DOC = NamedNode("urn:aitia:doc:0123456789ab")


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as found:
        yield found


def facts(
    name: str, text: str, options: Options | None = None
) -> set[tuple[str, str, str]]:
    """Subject, predicate and object of what a file states, without its vocabulary."""
    raw = Raw(b"", text, name, "file:///x", DOC, "0" * 64, options or Options())
    read = {
        "csv": table.read,
        "json": jsonrecords.read,
        "jsonl": jsonrecords.read_lines,
    }
    content = read[name.rpartition(".")[2]](raw)
    assert content.facts is not None
    return {
        (_short(q.subject), _short(q.predicate), _short(q.object))
        for q in content.facts.quads
        if not str(q.subject)[1:].startswith(("urn:data:p/", "urn:data:type/"))
    }


def _short(term: Any) -> str:
    value = str(getattr(term, "value", term))
    return value.removeprefix("urn:data:")


TYPE, LABEL = RDF.type.value, RDFS.label.value


def test_a_list_of_objects_is_records_with_their_key() -> None:
    found = facts("orders.json", '[{"id": "A1", "total": 10.50}, {"id": "A2"}]')
    assert found == {
        ("orders/A1", TYPE, "type/orders"),
        ("orders/A1", LABEL, "A1"),
        ("orders/A1", "p/id", "A1"),
        ("orders/A1", "p/total", "10.50"),
        ("orders/A2", TYPE, "type/orders"),
        ("orders/A2", LABEL, "A2"),
        ("orders/A2", "p/id", "A2"),
    }


def test_objects_keyed_by_id_are_records_of_the_field_they_stand_in() -> None:
    data = {
        "products": {
            "9": {"product_id": "9", "variants": {"71": {"item_id": "71", "price": 5}}},
            "8": {"product_id": "8", "variants": {"72": {"item_id": "72", "price": 6}}},
        },
        "users": {
            "ann_1": {"name": {"first": "Ann"}, "zip": "01234"},
            "bo_2": {"zip": "1"},
        },
    }
    found = facts("db.json", json.dumps(data))
    assert ("products/9", "p/variants", "variants/71") in found
    assert ("variants/71", TYPE, "type/variants") in found
    assert ("variants/71", "p/price", "5") in found
    assert ("users/ann_1", "p/name", "users/ann_1/name") in found
    assert ("users/ann_1/name", "p/first", "Ann") in found
    assert ("users/ann_1", "p/zip", "01234") in found
    assert not any(subject == "db" for subject, _, _ in found)


def test_nested_lists_are_numbered_under_their_record() -> None:
    data = [
        {
            "id": "o1",
            "items": [{"sku": "x", "n": 1}, {"sku": "x", "n": 2}],
            "tags": ["a", "b"],
        }
    ]
    found = facts("orders.json", json.dumps(data))
    assert ("orders/o1", "p/items", "orders/o1/items/1") in found
    assert ("orders/o1/items/2", "p/n", "2") in found
    assert ("orders/o1/items/2", TYPE, "type/items") in found
    assert {value for _, field, value in found if field == "p/tags"} == {"a", "b"}


@pytest.mark.parametrize(
    ("count", "expected"), [(9, "goods/g0/variants/1"), (10, "goods/g0/variants/k0")]
)
def test_a_few_values_in_nested_lists_differ_by_chance(
    count: int, expected: str
) -> None:
    data = [{"id": f"g{n}", "variants": [{"sku": f"k{n}"}]} for n in range(count)]
    found = facts("goods.json", json.dumps(data))
    assert (expected, "p/sku", "k0") in found


def test_fields_of_an_address_are_no_records() -> None:
    text = (
        '[{"id": 1, "address": {"home": {"city": "Ulm"}, "work": {"city": "Bonn"}}},'
        ' {"id": 2, "address": {"home": {"city": "Ulm"}, "work": {"city": "Ulm"}}}]'
    )
    found = facts("people.json", text)
    assert ("people/1/address", "p/home", "people/1/address/home") in found
    assert ("people/1/address/home", "p/city", "Ulm") in found


def test_one_object_is_one_record() -> None:
    found = facts("shop.json", '{"name": "Ex", "open": true, "closed": null}')
    [subject] = {subject for subject, _, _ in found}
    assert subject == "shop/0123456789ab:1"
    assert {(field, value) for _, field, value in found} >= {
        ("p/name", "Ex"),
        ("p/open", "true"),
    }


def test_a_dictionary_is_a_record_for_each_value() -> None:
    found = facts("terms.json", json.dumps({f"t{n}": f"text {n}" for n in range(30)}))
    assert ("terms/t7", LABEL, "t7") in found
    assert ("terms/t7", "p/value", "text 7") in found
    assert len({subject for subject, _, _ in found}) == 30


def test_json_ld_whose_context_is_elsewhere_is_read_as_json_and_told(
    open_desk: Desk,
) -> None:
    text = '{"@context": "http://127.0.0.1:9/c", "id": "a", "n": 1}'
    report = open_desk.take("x.json", text)
    assert report.format == "json"
    assert any("nothing is fetched" in line for line in report.warnings)


def test_records_without_key_are_named_by_document_and_number() -> None:
    found = facts("log.csv", "level,count\ninfo,1\ninfo,1\n")
    assert ("log/0123456789ab:2", "p/level", "info") in found


def test_a_title_serves_as_key_where_nothing_else_does() -> None:
    found = facts(
        "corpus.json", '[{"title": "A b", "text": "x"}, {"title": "C", "text": "x"}]'
    )
    assert ("corpus/A%20b", LABEL, "A b") in found


@pytest.mark.parametrize(
    ("field", "expected"),
    [("order_id", "orders/W1"), ("订单编号", "orders/W1"), ("Nr", "orders/W1")],
)
def test_key_names_decide_among_unique_fields_in_several_languages(
    field: str, expected: str
) -> None:
    rows = [{"note": "n1", field: "W1"}, {"note": "n2", field: "W2"}]
    assert (expected, LABEL, "W1") in facts("orders.json", json.dumps(rows))


def test_the_key_that_the_user_names_is_taken_or_refused() -> None:
    text = '[{"id": 1, "sku": "s1"}, {"id": 2, "sku": "s2"}]'
    assert ("goods/s1", LABEL, "s1") in facts("goods.json", text, Options(key="sku"))
    with pytest.raises(ReadError, match="'size' is no key"):
        facts(
            "goods.json",
            '[{"id": 1, "size": 3}, {"id": 2, "size": 3}]',
            Options(key="size"),
        )


@pytest.mark.parametrize("depth", [50, 400, 900, 5_000])
def test_deep_nesting_is_read_or_told(open_desk: Desk, depth: int) -> None:
    open_desk.write("x.json", '{"a": ' * depth + "1" + "}" * depth)
    [report] = open_desk.ingest("x.json").files
    assert report.outcome == "added" or "nested too deeply" in report.reason


def test_a_line_separator_in_a_string_ends_no_line() -> None:
    found = facts(
        "x.jsonl", '{"id": "a", "t": "one\u2028two"}\n'.replace("\\u2028", "\u2028")
    )
    assert ("x/a", "p/t", "one\u2028two") in found


def test_what_json_loses_is_told(open_desk: Desk) -> None:
    report = open_desk.take("x.json", '[{"id": "a", "n": 1, "n": 2}, {"id": "b"}, 7]')
    assert open_desk.field("urn:data:x/a", "n") == ["2"]
    assert report.warnings == (
        "1 value in the list is no record and states nothing",
        "these names stand twice in one object, and the last counts: n",
    )


def test_json_lines_are_records_and_errors_tell_their_line() -> None:
    assert ("log/a", "p/n", "1") in facts(
        "log.jsonl", '{"id":"a","n":1}\n\n{"id":"b"}\n'
    )
    with pytest.raises(ReadError, match="at line 2 column 10"):
        facts("log.jsonl", '{"id":"a"}\n{"id": 1,}\n')


@pytest.mark.parametrize("text", ["[1,", "{} x", "NaN", "[" * 100_000])
def test_what_is_no_json_is_told_in_words(text: str) -> None:
    with pytest.raises(ReadError, match=r"no JSON|nested too deeply"):
        facts("x.json", text)


def literals(text: str) -> dict[str, Literal]:
    raw = Raw(b"", text, "x.csv", "file:///x", DOC, "0" * 64, Options())
    content = table.read(raw)
    assert content.facts is not None
    return {
        quad.predicate.value.removeprefix("urn:data:p/"): quad.object
        for quad in content.facts.quads
        if isinstance(quad.object, Literal) and quad.predicate not in (RDFS.label,)
    }


def test_csv_columns_are_typed_as_a_whole() -> None:
    found = literals(
        "n,price,zip,ok,day,at,naive,mixed,empty\n"
        "1,2.50,01234,TRUE,2024-02-29,2024-02-29T10:00:00+01:00,2024-02-29T10:00:00,1,\n"
    )
    kinds = {name: value.datatype for name, value in found.items()}
    assert kinds == {
        "n": XSD.integer,
        "price": XSD.decimal,
        "zip": XSD.string,
        "ok": XSD.boolean,
        "day": XSD.date,
        "at": XSD.dateTime,
        "naive": XSD.string,
        "mixed": XSD.integer,
    }
    assert found["price"].value == "2.50"
    assert literals("n\n1\nx\n")["n"].datatype == XSD.string
    assert literals("day\n2024-02-30\n")["day"].datatype == XSD.string


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    text = (
        f'id{delimiter}note\n1{delimiter}"a{delimiter} b"\n2{delimiter}"two\nlines"\n'
    )
    found = facts("x.csv", text)
    assert ("x/1", "p/note", f"a{delimiter} b") in found
    assert ("x/2", "p/note", "two\nlines") in found


def test_rows_without_header_and_uneven_rows_are_told() -> None:
    raw = Raw(b"", "1,2\n3,4,5\n", "x.csv", "file:///x", DOC, "0" * 64, Options())
    content = table.read(raw)
    assert any("no header" in text for text in content.warnings)
    assert any("more cells" in text for text in content.warnings)


KEYS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(st.characters(codec="utf-8"), max_size=30)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=12,
)


def leaves(value: Any) -> Iterator[str]:
    """Every scalar of a JSON value, as it is written."""
    if isinstance(value, dict):
        for held in value.values():
            yield from leaves(held)
    elif isinstance(value, list):
        for held in value:
            yield from leaves(held)
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif value is not None:
        yield str(value)


@given(st.lists(st.dictionaries(KEYS, VALUES, max_size=4), min_size=1, max_size=4))
@settings(deadline=None, max_examples=150)
def test_every_scalar_of_a_record_becomes_a_literal_of_its_file(
    records: list[Any],
) -> None:
    raw = Raw(b"", json.dumps(records), "r.json", "file:///r", DOC, "0" * 64, Options())
    content = jsonrecords.read(raw)
    if content.facts is None:
        assert not any(records)
        return
    stated = {
        quad.object.value
        for quad in content.facts.quads
        if isinstance(quad.object, Literal)
        and quad.predicate.value.startswith("urn:data:p/")
    }
    assert stated == set(leaves(records))
    for quad in content.facts.quads:
        assert isinstance(quad, Quad)
        assert quad.graph_name == DOC
    for block in content.blocks:
        assert content.text[block.start : block.end].strip()


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=10).filter(str.strip))
def test_any_key_makes_an_iri_of_its_own(key: str) -> None:
    rows = json.dumps([{"id": key}, {"id": key + "x"}, {"id": "x" + key}])
    subjects = {subject for subject, _, _ in facts("r.json", rows)}
    assert len(subjects) == 3


def test_a_root_object_is_kept_with_its_own_fields() -> None:
    shape = Finder().of_values("x", [{"version": 1, "orders": [{"id": "a"}]}], top=True)
    assert shape is not None
    found = facts("x.json", '{"version": 1, "orders": [{"id": "a"}, {"id": "b"}]}')
    assert ("x/0123456789ab:1", "p/version", "1") in found
    assert ("x/0123456789ab:1", "p/orders", "orders/a") in found
