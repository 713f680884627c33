"""Links between records, and records mapped by a user's own context."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import NamedNode

from aitia.ingest import Options
from aitia.ingest.references import is_distinctive
from aitia.ingest.shape import related
from aitia.vocab import AITIA, RDF, XSD
from tests.ingest_desk import Desk, desk


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as found:
        yield found


def test_a_value_that_is_another_records_key_is_linked(open_desk: Desk) -> None:
    users = '[{"id": "ann_7", "n": 1}, {"id": "bo_8", "n": 1}]'
    open_desk.take("users.json", users)
    open_desk.take("orders.csv", "order_id,user_id\nW1,ann_7\nW2,bo_8\n")
    assert open_desk.links("urn:data:orders/W1", "user_id") == ["urn:data:users/ann_7"]
    assert open_desk.field("urn:data:orders/W1", "user_id") == ["ann_7"]


def test_the_link_is_made_in_either_order_of_ingest(open_desk: Desk) -> None:
    orders = open_desk.take("orders.csv", "order_id,user_id\nW1,1\nW2,2\n")
    assert orders.links == 0
    users = open_desk.take("users.json", '[{"id": 1, "n": "x"}, {"id": 2, "n": "x"}]')
    assert users.links == 2
    assert open_desk.links("urn:data:orders/W1", "user_id") == ["urn:data:users/1"]


def test_equal_small_numbers_are_no_reference_unless_the_field_says_so(
    open_desk: Desk,
) -> None:
    open_desk.take("users.json", '[{"id": 1, "n": "x"}, {"id": 2, "n": "x"}]')
    open_desk.take("orders.csv", "order_id,quantity,color\nW1,1,red\nW2,2,red\n")
    assert open_desk.links("urn:data:orders/W1", "quantity") == []


def test_a_value_that_many_records_are_called_by_means_none(open_desk: Desk) -> None:
    for name in ("p", "q", "r", "s"):
        rows = [{"code": "x-00001", "n": 1}, {"code": "x-00002", "n": 1}]
        open_desk.take(f"{name}.json", json.dumps(rows))
    report = open_desk.take("t.csv", "id,note\n1,x-00001\n2,x-00003\n")
    assert report.links == 0


def test_names_in_a_map_that_recur_are_nobodys_key(open_desk: Desk) -> None:
    parts = [
        {"id": n, "steps": {"s1": {"t": "s2"}, "s2": {"t": "s1"}}} for n in (1, 2, 3)
    ]
    report = open_desk.take("runs.json", json.dumps(parts))
    assert report.links == 0


def test_links_go_with_the_record_they_hang_on(open_desk: Desk) -> None:
    open_desk.take("orders.csv", "order_id,user_id\nW1,1\nW2,2\n")
    open_desk.take("users.json", '[{"id": 1, "n": "x"}, {"id": 2, "n": "x"}]')
    open_desk.take("orders.csv", "order_id,user_id\nW1,2\nW2,2\n")
    assert open_desk.links("urn:data:orders/W1", "user_id") == ["urn:data:users/2"]
    open_desk.workspace.delete(open_desk.folder / "users.json")
    assert open_desk.links("urn:data:orders/W1", "user_id") == []
    assert open_desk.field("urn:data:orders/W1", "user_id") == ["2"]


@pytest.mark.parametrize(
    ("field", "container", "expected"),
    [
        ("user_id", "users", True),
        ("payment_method_id", "payment_methods", True),
        ("category", "categories", True),
        ("owner_user", "user", True),
        ("订单编号", "订单", True),
        ("quantity", "users", False),
        ("order", "options", False),
    ],
)
def test_a_field_speaks_of_a_container(
    field: str, container: str, expected: bool
) -> None:
    assert related(field, container) is expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [("#W7678072", True), ("9523456873", True), ("Lothair II of X", True), ("12", False),
     ("black", False), ("80279", False)],
)  # fmt: skip
def test_a_key_is_distinctive(key: str, expected: bool) -> None:
    assert is_distinctive(key) is expected


def test_a_user_context_maps_fields_instead(open_desk: Desk) -> None:
    context = {
        "@vocab": "http://e/",
        "sku": "@id",
        "price": {"@id": "http://e/cost", "@type": XSD.decimal.value},
        "@base": "http://shop/",
    }
    options = Options(context=context)
    report = open_desk.take(
        "goods.csv", "sku,price,name\ns1,2.50,Box\ns2,3.00,Bag\n", options
    )
    node = NamedNode("http://shop/s1")
    assert open_desk.said(node, NamedNode("http://e/cost")) == ["2.5"]
    assert open_desk.said(node, NamedNode("http://e/name")) == ["Box"]
    assert report.facts == 4
    assert open_desk.said(
        NamedNode(f"{report.document}#char=15,26"),
        AITIA.describes,
    ) == ["http://shop/s1"]


def test_a_context_elsewhere_is_not_fetched(open_desk: Desk) -> None:
    open_desk.write("g.json", '[{"id": 1}]')
    options = Options(context={"@import": "http://127.0.0.1:9/context"})
    [report] = open_desk.ingest("g.json", options=options).files
    assert report.outcome == "failed"
    assert report.reason.endswith("http://127.0.0.1:9/context, and nothing is fetched")


def test_fields_that_a_context_leaves_out_are_told(open_desk: Desk) -> None:
    options = Options(context={"name": "http://e/name"})
    report = open_desk.take(
        "g.json", '[{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]', options
    )
    assert any("does not map these fields: id" in text for text in report.warnings)


def test_the_retail_data_becomes_linked_records(
    open_desk: Desk, shared_data: Path
) -> None:
    path = shared_data / "tau2_bench_retail" / "db.json"
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    data = json.loads(path.read_text(encoding="utf-8"))
    report = open_desk.take("db.json", path.read_bytes())
    for name in ("products", "users", "orders"):
        kind = NamedNode(f"urn:data:type/{name}")
        found = {quad.subject for quad in open_desk.store.quads(None, RDF.type, kind)}
        assert len(found) == len(data[name])
    for key, order in list(data["orders"].items())[::97]:
        iri = f"urn:data:orders/{key.replace('#', '%23')}"
        assert open_desk.field(iri, "status") == [order["status"]]
        assert open_desk.links(iri, "user_id") == [f"urn:data:users/{order['user_id']}"]
        items = open_desk.field(iri, "items")
        assert len(items) == len(order["items"])
        target = open_desk.links(items[0], "item_id")
        assert target == [f"urn:data:variants/{order['items'][0]['item_id']}"]
    assert report.records == 7493
