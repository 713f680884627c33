"""What the answers must hold, computed from the raw files without aitia."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SAMPLE = HERE.parents[1] / "data" / "shop"
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """One question; `facets` is empty where it has no answer."""

    id: str
    text: str
    facets: tuple[str, ...]

    def found_in(self, answer: str) -> bool:
        """Say whether the answer holds every facet, each as a whole word."""
        return all(holds(answer, facet) for facet in self.facets)


def holds(answer: str, facet: str) -> bool:
    """Say whether `facet` stands in `answer`, not inside a longer word or number."""
    plain = " ".join(answer.split()).casefold()
    pattern = re.escape(facet.casefold())
    if facet.isascii():
        pattern = rf"(?<![\w#-]){pattern}(?![\w-])(?!\.\d*[1-9])"
    return re.search(pattern, plain) is not None


class World:
    """The raw records of a data set: table name → key → record."""

    def __init__(
        self, folder: Path, tables: Mapping[str, Mapping[str, Record]]
    ) -> None:
        self.folder = folder
        self.tables = tables

    def questions(self, name: str) -> list[Question]:
        """Return the questions of `<name>.jsonl` with their computed facets."""
        lines = (HERE / f"{name}.jsonl").read_text("utf-8").splitlines()
        return [self._question(json.loads(line)) for line in lines]

    def _question(self, line: Record) -> Question:
        facets = [text for spec in line.get("expect", ()) for text in self.facet(spec)]
        return Question(line["id"], line["question"], tuple(facets))

    def facet(self, spec: Record) -> list[str]:
        """Return the texts that one facet stands for."""
        if "text" in spec:
            assert spec["text"] in read(self.folder / spec["in"]), spec
            return [spec["text"]]
        table = self.tables[spec["table"]]
        if "where" in spec:
            found = [row for row in table.values() if fits(row, spec["where"])]
            return (
                [str(len(found))]
                if spec.get("count")
                else [str(row[spec["list"]]) for row in found]
            )
        record = self._record(spec, table)
        for step in spec["path"]:
            record = record[step]
        return [shown(record)]

    def _record(self, spec: Record, table: Mapping[str, Record]) -> Any:
        if "via" in spec:
            return table[self.facet(spec["via"])[0]]
        if isinstance(spec["key"], str):
            return table[spec["key"]]
        return next(row for row in table.values() if fits(row, spec["key"]))


def fits(record: Record, where: Record) -> bool:
    """Say whether the record has every one of these values."""
    return all(record.get(key) == value for key, value in where.items())


def shown(value: Any) -> str:
    """Return a value as an answer shows it; whole numbers without their zeros."""
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def read(path: Path) -> str:
    """Return the text of a file, its lines joined."""
    if path.suffix != ".pdf":
        return path.read_text("utf-8")
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        pages = [page.get_textpage().get_text_range() for page in document]
    return " ".join(" ".join(pages).split())


def sample() -> World:
    """Return the sample world."""
    orders = json.loads((SAMPLE / "orders.json").read_text("utf-8"))
    products = json.loads((SAMPLE / "products.json").read_text("utf-8"))
    users = csv.DictReader((SAMPLE / "users.csv").read_text("utf-8").splitlines())
    tickets = (SAMPLE / "tickets.jsonl").read_text("utf-8").splitlines()
    return World(
        SAMPLE,
        {
            "orders": {row["order_id"]: row for row in orders},
            "products": {row["product_id"]: row for row in products},
            "variants": {v["sku"]: v for row in products for v in row["variants"]},
            "users": {row["user_id"]: row for row in users},
            "tickets": {row["ticket_id"]: row for row in map(json.loads, tickets)},
        },
    )


def tau2(shared_data: Path) -> World:
    """Return the retail world of tau2-bench."""
    folder = shared_data / "tau2_bench_retail"
    return World(folder, json.loads((folder / "db.json").read_text("utf-8")))
