"""Tools of the shop Quillmoor, over a SQLite file of its own.

    aitia ask --tools shop_tools.py --allow cancel_pending_order "Cancel order Q-1030."

The file is made at the first call from the folder `shop` beside this one's, and stands
beside this one as `shop.sqlite`, or where QUILLMOOR_DB says. Tools change that file and
never the workspace: what was taken in there stays as it was read.

Errors are what the shop's own system would say; the support desk's rules, such as the
days within which something can be returned, are in the policies and not in here.
"""

import csv
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Literal

from aitia.tools import tool

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "shop"
TODAY = "2026-05-02"
"""The day on which the sample world stands still."""

TABLES = """
CREATE TABLE users (user_id TEXT PRIMARY KEY, name, email, city, country, member_since,
    tier);
CREATE TABLE products (product_id TEXT PRIMARY KEY, name, category, weight_kg REAL);
CREATE TABLE variants (sku TEXT PRIMARY KEY, product_id REFERENCES products, option,
    price REAL, stock INTEGER);
CREATE TABLE orders (order_id TEXT PRIMARY KEY, user_id REFERENCES users, status,
    placed_on, shipped_on, delivered_on, cancelled_on, cancel_reason, carrier, tracking,
    shipping_cost REAL, payment_method, street, city, country);
CREATE TABLE items (order_id REFERENCES orders, sku REFERENCES variants,
    quantity INTEGER, unit_price REAL, state, exchanged_for,
    PRIMARY KEY (order_id, sku));
"""


class Refused(Exception):
    """The shop's system does not do that; the message says why."""


def database() -> Path:
    """Return where the shop's file is."""
    return Path(os.environ.get("QUILLMOOR_DB") or HERE / "shop.sqlite")


def make(target: Path, source: Path = SOURCE) -> None:
    """Make the shop's file from the records of the sample world."""
    unfinished = target.with_name(f"{target.name}.{os.getpid()}")
    with closing(sqlite3.connect(unfinished)) as shop, shop:
        shop.executescript(TABLES)
        with (source / "users.csv").open(encoding="utf-8", newline="") as file:
            insert(shop, "users", csv.DictReader(file))
        products = json.loads((source / "products.json").read_text("utf-8"))
        insert(shop, "products", ({**p, "category": p["group"]} for p in products))
        insert(shop, "variants", (v | p for p in products for v in p["variants"]))
        orders = json.loads((source / "orders.json").read_text("utf-8"))
        insert(shop, "orders", map(flat, orders))
        insert(shop, "items", (i | o for o in map(flat, orders) for i in o["items"]))
        shop.execute("UPDATE items SET state = 'kept'")
        shop.execute(
            "UPDATE items SET state = 'returned' WHERE order_id IN"
            " (SELECT order_id FROM orders WHERE status = 'returned')"
        )
    unfinished.replace(target)


def flat(order: dict[str, Any]) -> dict[str, Any]:
    """Return an order with its address and payment in one row."""
    paid = {"payment_method": order["payment"]["method"]}
    return {**order, **order["shipping_address"], **paid}


def insert(shop: sqlite3.Connection, table: str, rows: Any) -> None:
    """Insert of each row what the table has columns for."""
    columns = [row[1] for row in shop.execute(f"PRAGMA table_info({table})")]
    marks = ", ".join("?" for _ in columns)
    values = ([row.get(column) for column in columns] for row in rows)
    shop.executemany(f"INSERT INTO {table} VALUES ({marks})", values)


@contextmanager
def opened(*, change: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the shop's file; what is changed holds as a whole or not at all."""
    path = database()
    if not path.exists():
        make(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as shop:
        shop.row_factory = sqlite3.Row
        shop.execute("BEGIN IMMEDIATE" if change else "BEGIN")
        try:
            yield shop
        except BaseException:
            shop.execute("ROLLBACK")
            raise
        shop.execute("COMMIT")


def one(shop: sqlite3.Connection, what: str, key: str) -> dict[str, Any]:
    """Return one order, product or user.

    Raises:
        Refused: There is none of that number.
    """
    found = shop.execute(f"SELECT * FROM {what}s WHERE {what}_id = ?", [key]).fetchone()
    if found is None:
        raise Refused(f"There is no {what} {key}.")
    return dict(found)


def told(shop: sqlite3.Connection, order_id: str) -> dict[str, Any]:
    """Return an order with its items and what they come to."""
    order = one(shop, "order", order_id)
    rows = shop.execute(
        "SELECT items.*, products.name, variants.option, products.product_id"
        " FROM items JOIN variants USING (sku) JOIN products USING (product_id)"
        " WHERE order_id = ? ORDER BY items.rowid",
        [order_id],
    )
    items = [{k: v for k, v in dict(row).items() if v is not None} for row in rows]
    for item in items:
        del item["order_id"]
    total = sum(item["quantity"] * item["unit_price"] for item in items)
    found = {k: v for k, v in order.items() if v is not None}
    return {**found, "items": items, "total": round(total + order["shipping_cost"], 2)}


@tool
def find_user(name: str = "", email: str = "") -> list[dict[str, Any]]:
    """Find customers by e-mail address or by a part of their name, with their orders.

    Args:
        name: The name or a part of it; capitals do not matter.
        email: The whole e-mail address.
    """
    if not (name.strip() or email.strip()):
        raise Refused("Give a name or an e-mail address.")
    with opened() as shop:
        rows = [dict(row) for row in shop.execute("SELECT * FROM users")]
        found = [
            user
            for user in rows
            if name.strip().casefold() in user["name"].casefold()
            and email.strip().casefold() in ("", user["email"].casefold())
        ]
        for user in found:
            orders = shop.execute(
                "SELECT order_id FROM orders WHERE user_id = ? ORDER BY order_id",
                [user["user_id"]],
            )
            user["orders"] = [row["order_id"] for row in orders]
    return found


@tool
def order_details(order_id: str) -> dict[str, Any]:
    """Tell all about an order: status, dates, items, total, payment, address.

    Args:
        order_id: The order's number, as `Q-1030`.
    """
    with opened() as shop:
        return told(shop, order_id)


@tool
def product_details(product_id: str) -> dict[str, Any]:
    """Tell all about a product: its variants with option, price and stock.

    Args:
        product_id: The product's number, as `P-102`.
    """
    with opened() as shop:
        product = one(shop, "product", product_id)
        rows = shop.execute(
            "SELECT sku, option, price, stock FROM variants WHERE product_id = ?",
            [product_id],
        )
        return product | {"variants": [dict(row) for row in rows]}


@tool(side_effect=True)
def cancel_pending_order(
    order_id: str, reason: Literal["no longer needed", "ordered by mistake"]
) -> dict[str, Any]:
    """Cancel a pending order as a whole; its goods go back into stock.

    Args:
        order_id: The order's number, as `Q-1030`.
        reason: Why the customer cancels.
    """
    with opened(change=True) as shop:
        status = one(shop, "order", order_id)["status"]
        if status != "pending":
            raise Refused(f"Order {order_id} is {status}, not pending.")
        shop.execute(
            "UPDATE orders SET status = 'cancelled', cancelled_on = ?,"
            " cancel_reason = ? WHERE order_id = ?",
            [TODAY, reason, order_id],
        )
        rows = shop.execute("SELECT * FROM items WHERE order_id = ?", [order_id])
        for item in rows.fetchall():
            move(shop, item["sku"], item["quantity"])
        return told(shop, order_id)


@tool(side_effect=True)
def exchange_items(
    order_id: str, skus: list[str], new_skus: list[str]
) -> dict[str, Any]:
    """Exchange items of a delivered order for other variants of the same products.

    Args:
        order_id: The order's number, as `Q-1005`.
        skus: The variants to send back.
        new_skus: The variants to get, in the same order.
    """
    if len(skus) != len(new_skus):
        raise Refused("Each item needs exactly one variant to be exchanged for.")
    with opened(change=True) as shop:
        difference = 0.0
        for item, new in zip(kept(shop, order_id, skus), new_skus, strict=True):
            difference += exchange(shop, item, new)
        due = {"difference_to_pay": round(difference, 2)}
        return told(shop, order_id) | due


@tool(side_effect=True)
def return_items(order_id: str, skus: list[str]) -> dict[str, Any]:
    """Take back items of a delivered order; the refund goes the way it was paid.

    Args:
        order_id: The order's number, as `Q-1005`.
        skus: The variants to send back.
    """
    with opened(change=True) as shop:
        items = kept(shop, order_id, skus)
        for item in items:
            state(shop, item, "returned")
        refund = sum(item["quantity"] * item["unit_price"] for item in items)
        left = shop.execute(
            "SELECT count(*) FROM items WHERE order_id = ? AND state != 'returned'",
            [order_id],
        ).fetchone()[0]
        if not left:
            shop.execute(
                "UPDATE orders SET status = 'returned' WHERE order_id = ?", [order_id]
            )
        return told(shop, order_id) | {"refund_of_goods": round(refund, 2)}


def kept(
    shop: sqlite3.Connection, order_id: str, skus: list[str]
) -> list[dict[str, Any]]:
    """Return items of a delivered order that the customer still has as delivered.

    Raises:
        Refused: The order is not delivered, or an item is not there any more.
    """
    status = one(shop, "order", order_id)["status"]
    if status != "delivered":
        raise Refused(f"Order {order_id} is {status}, not delivered.")
    if not skus or len(set(skus)) < len(skus):
        raise Refused("Name each item once, and at least one.")
    rows = shop.execute("SELECT * FROM items WHERE order_id = ?", [order_id])
    items = {row["sku"]: dict(row) for row in rows}
    for sku in skus:
        if sku not in items:
            raise Refused(f"Order {order_id} has no item {sku}.")
        if items[sku]["state"] != "kept":
            raise Refused(f"Item {sku} of order {order_id} is {items[sku]['state']}.")
    return [items[sku] for sku in skus]


def exchange(shop: sqlite3.Connection, item: dict[str, Any], new: str) -> float:
    """Exchange one item and return what is to be paid besides.

    Raises:
        Refused: The new variant is of another product, the same, or not in stock.
    """
    query = "SELECT * FROM variants WHERE sku = ?"
    old = shop.execute(query, [item["sku"]]).fetchone()
    other = shop.execute(query, [new]).fetchone()
    if other is None or other["product_id"] != old["product_id"] or new == old["sku"]:
        raise Refused(f"{new} is no other variant of the product of {old['sku']}.")
    if other["stock"] is not None and other["stock"] < item["quantity"]:
        raise Refused(f"There are only {other['stock']} of {new} in stock.")
    move(shop, new, -item["quantity"])
    state(shop, item, "exchanged", new)
    return float(item["quantity"] * (other["price"] - item["unit_price"]))


def state(
    shop: sqlite3.Connection, item: dict[str, Any], value: str, new: str | None = None
) -> None:
    """Write down what became of an item."""
    shop.execute(
        "UPDATE items SET state = ?, exchanged_for = ? WHERE order_id = ? AND sku = ?",
        [value, new, item["order_id"], item["sku"]],
    )


def move(shop: sqlite3.Connection, sku: str, quantity: int) -> None:
    """Put goods into stock, or take them out; vouchers have none."""
    shop.execute("UPDATE variants SET stock = stock + ? WHERE sku = ?", [quantity, sku])
