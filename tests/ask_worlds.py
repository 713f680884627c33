"""Small worlds that the tests of ask take in: made here, of no other data set."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aitia import Workspace

ORDERS: list[dict[str, Any]] = [
    {
        "order_id": "K-101",
        "user_id": "ada_pell_7",
        "status": "pending",
        "placed": "2026-02-03",
        "total": 40.5,
        "address": {"street": "Elm Row 3", "city": "Lund"},
        "items": [
            {"product_id": "R-1", "amount": 1},
            {"product_id": "R-2", "amount": 2},
        ],
    },
    {
        "order_id": "K-102",
        "user_id": "ada_pell_7",
        "status": "delivered",
        "placed": "2026-01-20",
        "total": 18.0,
        "address": {"street": "Elm Row 3", "city": "Lund"},
        "items": [{"product_id": "R-2", "amount": 1}],
    },
    {
        "order_id": "K-103",
        "user_id": "ben_oduya_2",
        "status": "pending",
        "placed": "2026-02-11",
        "total": 99.9,
        "address": {"street": "Quay 9", "city": "Bergen"},
        "items": [{"product_id": "R-3", "amount": 1}],
    },
]
USERS: list[dict[str, Any]] = [
    {
        "user_id": "ada_pell_7",
        "name": {"first": "Ada", "last": "Pell"},
        "email": "ada@pell.example",
        "city": "Lund",
    },
    {
        "user_id": "ben_oduya_2",
        "name": {"first": "Ben", "last": "Oduya"},
        "email": "ben@oduya.example",
        "city": "Bergen",
    },
]
PRODUCTS: list[dict[str, Any]] = [
    {"product_id": "R-1", "title": "Slate bookend", "price": 22.5, "stock": 4},
    {"product_id": "R-2", "title": "Brass hinge", "price": 9.0, "stock": 0},
    {"product_id": "R-3", "title": "Cedar chest", "price": 99.9, "stock": 2},
]
POLICY = """# Rules of the workshop

An order can only be cancelled if its status is 'pending'.
An order can only be returned if its status is 'delivered'.
Refunds are paid within 6 business days.
The workshop is closed on Sundays.
"""
CHINESE = "丁阀在三月被更换。甲泵向乙罐供水。备件存放在二号仓库。"
NOTICES = {
    "notice-march.md": "The deposit for a workbench is 30 euro.\n",
    "notice-april.md": "The deposit for a workbench is 45 euro.\n",
}


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return JSON or text with words renamed, in keys, values and sentences."""
    if isinstance(value, dict):
        return {renamed(k, names): renamed(v, names) for k, v in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    if not isinstance(value, str):
        return value
    for old, new in names.items():
        value = re.sub(rf"(?<![a-z]){old}(?=s?(?![a-z]))", new, value)
        value = re.sub(
            rf"(?<![a-z]){old.capitalize()}(?=s?(?![a-z]))", new.capitalize(), value
        )
    return value


def write(folder: Path, names: Mapping[str, str] | None = None) -> Path:
    """Write the world's files, with words renamed, and return their folder."""
    place = folder / "world"
    place.mkdir()
    tables = {"orders": ORDERS, "users": USERS, "products": PRODUCTS}
    for name, rows in tables.items():
        file = place / f"{renamed(name, names or {})}.json"
        file.write_text(json.dumps(renamed(rows, names or {}), indent=1), "utf-8")
    (place / "rules.md").write_text(renamed(POLICY, names or {}), "utf-8")
    (place / "notes.zh.txt").write_text(CHINESE, "utf-8")
    for name, text in NOTICES.items():
        (place / name).write_text(text, "utf-8")
    return place


def taken_in(folder: Path, names: Mapping[str, str] | None = None) -> Path:
    """Take the world in, and return the workspace's folder."""
    files = write(folder, names)
    with Workspace.open(folder / "ws") as workspace:
        report = workspace.ingest([files])
        assert report.exit_code == 0, report
    return folder / "ws"
