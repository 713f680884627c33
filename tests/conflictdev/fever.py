"""The pairs of FEVER Symmetric: a claim, a sentence, and whether it refutes the claim."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = "fever_symmetric"


@dataclass(frozen=True)
class Case:
    """One pair; `group` is shared by the pairs that were made of one claim."""

    claim: str
    evidence: str
    refutes: bool
    group: str


def cases(shared_data: Path, name: str) -> list[Case]:
    """Return the pairs of `fever_symmetric_<name>.jsonl`."""
    path = shared_data / FOLDER / f"fever_symmetric_{name}.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        Case(
            plain(row["claim"]),
            plain(row["evidence"]),
            row["label"] == "REFUTES",
            str(row["id"])[:-7] if len(str(row["id"])) > 8 else str(row["id"]),
        )
        for row in rows
    ]


def plain(text: str) -> str:
    """Return a text of the file without the brackets of its tokenizer."""
    for mark, char in (
        ("-LRB-", "("),
        ("-RRB-", ")"),
        ("-LSB-", "["),
        ("-RSB-", "]"),
        ("``", '"'),
    ):
        text = text.replace(mark, char)
    for mark in (",", ".", "'s", "n't", ";", ":", ")"):
        text = text.replace(f" {mark}", mark)
    return text.replace("( ", "(")


def development(shared_data: Path) -> list[Case]:
    """Return the development pairs that share no claim or evidence with the test file.

    Of the test file nothing but these texts is read.
    """
    test = cases(shared_data, "test")
    claims = {case.claim for case in test}
    evidence = {case.evidence for case in test}
    return [
        case
        for case in cases(shared_data, "dev")
        if case.claim not in claims and case.evidence not in evidence
    ]
