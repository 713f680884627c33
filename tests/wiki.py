"""The 2WikiMultihopQA passages and questions in the shared data, and recall on them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path("hipporag_2wiki", "2wikimultihopqa_corpus.json")
QUESTIONS = Path("hipporag_2wiki", "fast_graphrag_results", "vdb_101.json")


@dataclass(frozen=True)
class Question:
    """A question and the titles of the passages it is answered from."""

    text: str
    gold: frozenset[str]


def corpus(shared: Path) -> list[tuple[str, str]]:
    """Return title and text of each passage."""
    found = json.loads((shared / CORPUS).read_text("utf-8"))
    return [(item["title"], item["text"]) for item in found]


def questions(shared: Path) -> list[Question]:
    """Return the questions with the titles of their passages."""
    found = json.loads((shared / QUESTIONS).read_text("utf-8"))
    return [
        Question(item["question"], frozenset(item["ground_truth"])) for item in found
    ]


def recall(
    asked: Sequence[Question], titles: Callable[[str, int], Sequence[str]], k: int = 5
) -> float:
    """Return the share of a question's gold titles in its first `k` hits, averaged.

    Args:
        asked: The questions.
        titles: Returns the titles of the first `k` hits for a question.
        k: How many hits count.
    """
    shares = [
        len(question.gold & set(titles(question.text, k))) / len(question.gold)
        for question in asked
    ]
    return sum(shares) / len(shares)
