"""Asks questions of ten kinds that rules are known to read badly, without a model.

python -m tests.eval.kinds

The boatyard in `yard/` is the world of `kinds.jsonl` and of nothing else. An answer is
right where it has all that the question expects, wrong where it does not; one that has
no answer is right where it is abstained from.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aitia import Answer, Workspace
from tests.eval.expected import HERE, holds

RIGHT, ABSTAINED, WRONG = "right", "abstained", "wrong"


@dataclass(frozen=True)
class Kind:
    """What became of one question of a kind."""

    id: str
    kind: str
    question: str
    verdict: str
    answer: str


def judged(line: Mapping[str, Any], answer: Answer) -> str:
    """Say whether an answer is right or wrong, or wrongly abstained from."""
    answerable = bool({"has", "starts", "order"} & set(line))
    if answer.abstained:
        return ABSTAINED if answerable else RIGHT
    return RIGHT if answerable and _expected(line, answer.text) else WRONG


def _expected(line: Mapping[str, Any], text: str) -> bool:
    places = [text.find(name) for name in line.get("order", ())]
    return (
        all(holds(text, item) for item in line.get("has", ()))
        and not any(holds(text, item) for item in line.get("not", ()))
        and text.startswith(line.get("starts", ""))
        and places == sorted(places)
        and -1 not in places
    )


def measured(folder: Path) -> list[Kind]:
    """Take the boatyard in, ask every question, and say what came of each."""
    told = (HERE / "kinds.jsonl").read_text("utf-8").splitlines()
    with Workspace.open(folder / "ws") as workspace:
        workspace.ingest([HERE / "yard"])
        return [_asked(workspace, json.loads(line)) for line in told]


def _asked(workspace: Workspace, line: Mapping[str, Any]) -> Kind:
    answer = workspace.ask(line["question"])
    verdict = judged(line, answer)
    return Kind(line["id"], line["kind"], line["question"], verdict, answer.text)


def table(found: Sequence[Kind]) -> str:
    """Return how many are right, abstained from and wrong, by kind and in all."""
    counts = Counter((item.kind, item.verdict) for item in found)
    counts += Counter(("all", item.verdict) for item in found)
    kinds = dict.fromkeys([*(item.kind for item in found), "all"])
    return "\n".join(
        f"{kind:9}"
        + "".join(
            f"  {verdict} {counts[kind, verdict]:2}"
            for verdict in (RIGHT, ABSTAINED, WRONG)
        )
        for kind in kinds
    )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", action="store_true", help="Print every answer.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder))
    if options.answers:
        for item in found:
            print(f"{item.id} {item.verdict:9} {item.question}\n    {item.answer}")
    print(table(found))


if __name__ == "__main__":
    main()
