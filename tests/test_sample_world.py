"""The sample world agrees with itself, apart from where it is meant not to."""

import csv
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import NamedNode, RdfFormat, Store

pytestmark = pytest.mark.checkout
SHOP = Path(__file__).parents[1] / "data" / "shop"
RDFS_LABEL = NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
CODE = NamedNode("https://quillmoor.example/ns#code")
TODAY = "2026-05-02"


def rows(name: str) -> list[dict[str, Any]]:
    text = (SHOP / name).read_text(encoding="utf-8")
    if name.endswith(".csv"):
        return list(csv.DictReader(text.splitlines()))
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    loaded: list[dict[str, Any]] = json.loads(text)
    return loaded


ORDERS = rows("orders.json")
PRODUCTS = {item["product_id"]: item for item in rows("products.json")}
USERS = {item["user_id"]: item for item in rows("users.csv")}
TICKETS = rows("tickets.jsonl")


@pytest.fixture(scope="module")
def graph() -> Store:
    store = Store()
    store.load(path=SHOP / "shop.ttl", format=RdfFormat.TURTLE)
    return store


def test_it_is_small_and_its_keys_are_unique() -> None:
    keys = [order["order_id"] for order in ORDERS]
    assert len(keys) == len(set(keys)) == 40
    assert len(PRODUCTS) == 15
    assert len(USERS) == 20
    assert len({ticket["ticket_id"] for ticket in TICKETS}) == len(TICKETS) == 10


def test_every_reference_has_an_end() -> None:
    orders = {order["order_id"]: order for order in ORDERS}
    for order in ORDERS:
        user = USERS[order["user_id"]]
        address = order["shipping_address"]
        assert (address["city"], address["country"]) == (user["city"], user["country"])
        for item in order["items"]:
            product = PRODUCTS[item["product_id"]]
            variant = next(v for v in product["variants"] if v["sku"] == item["sku"])
            assert item["name"] == product["name"]
            assert item["unit_price"] == variant["price"]
    for ticket in TICKETS:
        assert orders[ticket["order_id"]]["user_id"] == ticket["user_id"]
        assert orders[ticket["order_id"]]["placed_on"] <= ticket["opened_on"] <= TODAY


def test_totals_are_the_items_and_the_shipping_cost() -> None:
    for order in ORDERS:
        goods = sum(item["quantity"] * item["unit_price"] for item in order["items"])
        assert order["total"] == pytest.approx(goods + order["shipping_cost"])
        assert order["payment"]["amount"] == order["total"]


def test_status_and_dates_tell_the_same_story() -> None:
    expected = {
        "pending": set(),
        "processing": set(),
        "cancelled": {"cancelled_on"},
        "shipped": {"shipped_on"},
        "delivered": {"shipped_on", "delivered_on"},
        "returned": {"shipped_on", "delivered_on", "returned_on"},
    }
    for order in ORDERS:
        dates = [key for key in order if key.endswith("_on") and key != "placed_on"]
        assert set(dates) == expected[order["status"]], order["order_id"]
        told = [order["placed_on"], *(order[key] for key in dates), TODAY]
        assert told == sorted(told)
        assert all(date.fromisoformat(day) for day in told)


def test_warehouses_and_carriers_are_those_of_the_graph(graph: Store) -> None:
    codes = {quad.object.value for quad in graph.quads_for_pattern(None, CODE, None)}  # type: ignore[union-attr]
    labels = {
        quad.object.value  # type: ignore[union-attr]
        for quad in graph.quads_for_pattern(None, RDFS_LABEL, None)
    }
    assert {o["warehouse"] for o in ORDERS if "warehouse" in o} == codes
    assert {o["carrier"] for o in ORDERS if "carrier" in o} <= labels


def test_members_have_the_tier_they_paid_for() -> None:
    for user in USERS.values():
        spent = int(user["spent_2025"])
        tier = "gold" if spent >= 600 else "silver" if spent >= 200 else "bronze"
        assert user["tier"] == tier


def test_the_notices_contradict_each_other_and_the_update_is_one_version_on() -> None:
    notices = sorted(path.read_text("utf-8") for path in (SHOP / "notices").iterdir())
    assert ["within 14 days" in text for text in notices].count(True) == 1
    assert ["within 30 days" in text for text in notices].count(True) == 1
    old = (SHOP / "policies" / "returns.md").read_text("utf-8")
    new = (SHOP.parent / "updates" / "policies" / "returns.md").read_text("utf-8")
    assert "within 10 business days" in old
    assert "within 5 business days" in new
    assert len(old.splitlines()) == len(new.splitlines())
