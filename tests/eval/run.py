"""Asks every question of a set and prints how often aitia abstains, and is right.

python -m tests.eval.run --world sample
python -m tests.eval.run --world tau2 --shared ../shared/data --json
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from aitia import AitiaError, Workspace
from aitia.demo import take_in
from tests.eval.expected import Question, World, sample, tau2


@dataclass(frozen=True)
class Outcome:
    """What became of one question."""

    id: str
    question: str
    answerable: bool
    abstained: bool
    right: bool
    confidence: float
    answer: str
    failed: bool = False


@dataclass(frozen=True)
class Rates:
    """How many questions, how many broke off, and shares of a kind from 0 to 1."""

    answerable: int
    unanswerable: int
    failed: int
    false_abstention: float
    abstention: float
    right: float


def ask(workspace: Workspace, questions: Iterable[Question]) -> list[Outcome]:
    """Ask each question and judge what came back."""
    return [_outcome(workspace, question) for question in questions]


def _outcome(workspace: Workspace, question: Question) -> Outcome:
    known = bool(question.facets)
    try:
        answer = workspace.ask(question.text)
    except AitiaError as error:
        return Outcome(
            question.id, question.text, known, False, False, 0.0, str(error), True
        )
    told = [answer.text]
    told += [
        item.quote + " " + item.statement
        for x in answer.sentences
        for item in x.evidence
    ]
    return Outcome(
        id=question.id,
        question=question.text,
        answerable=known,
        abstained=answer.abstained,
        right=not answer.abstained and question.found_in(" ".join(told))
        if question.facets
        else answer.abstained,
        confidence=answer.confidence,
        answer=answer.text,
    )


def rates(outcomes: Sequence[Outcome]) -> Rates:
    """Return the shares over all outcomes."""
    yes = [item for item in outcomes if item.answerable]
    no = [item for item in outcomes if not item.answerable]
    return Rates(
        answerable=len(yes),
        unanswerable=len(no),
        failed=sum(item.failed for item in outcomes),
        false_abstention=_share(item.abstained for item in yes),
        abstention=_share(item.abstained for item in no),
        right=_share(item.right for item in yes),
    )


def _share(flags: Iterable[bool]) -> float:
    found = list(flags)
    return round(sum(found) / len(found), 3) if found else 0.0


def fill(workspace: Workspace, world: World, name: str) -> None:
    """Take the world in: the sample with its update, or the two retail files."""
    if name == "sample":
        take_in(workspace, workspace.folder.parent)
    else:
        workspace.ingest(
            [str(world.folder / name) for name in ("policy.md", "db.json")]
        )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", choices=["sample", "tau2"], default="sample")
    parser.add_argument("--shared", type=Path, default=Path("../shared/data"))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    world = sample() if options.world == "sample" else tau2(options.shared)
    with (
        tempfile.TemporaryDirectory() as folder,
        Workspace.open(Path(folder) / "ws") as workspace,
    ):
        fill(workspace, world, options.world)
        outcomes = ask(workspace, world.questions(options.world))
    show(outcomes, options.json)


def show(outcomes: Sequence[Outcome], as_json: bool) -> None:
    """Print the outcomes and the rates."""
    if as_json:
        rows = [asdict(item) for item in outcomes]
        print(json.dumps({"rates": asdict(rates(outcomes)), "outcomes": rows}))
        return
    for item in outcomes:
        mark = "right" if item.right else "ABSTAINED" if item.abstained else "WRONG"
        mark = "FAILED" if item.failed else mark
        print(f"{item.id} {mark:9} {item.confidence:.2f} {item.question}")
        print(f"    {' '.join(item.answer.split())[:160]}")
    for name, value in asdict(rates(outcomes)).items():
        print(f"{name:17} {value}")


if __name__ == "__main__":
    main()
