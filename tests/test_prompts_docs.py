"""docs/prompts.md: the reply to every prompt, held against the shape that is read."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from aitia.ask.thinking import reading
from aitia.methods import replies
from aitia.methods.base import offered
from aitia.reason.offered import Offered
from aitia.reason.operations import batch_type
from aitia.tools.declare import describe
from aitia.writeback.checks.reading import verdict_type
from tests.model_pumps import pressure

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "prompts.md").read_text("utf-8")
PROSE = {"compose"}


def shapes() -> dict[str, type[BaseModel]]:
    at_hand = Offered.of(offered(), {"pressure": describe(pressure, "here")})
    return {
        "perceive": reading.shape(),
        "plan": batch_type(at_hand),
        "entailment_check": replies.Judgement,
        "contradiction_check": replies.Judgement,
        "inference_step": replies.Judgement,
        "graph_search": replies.Slot,
        "metadata_filter": replies.Conditions,
        "query_rewriting": replies.Queries,
        "hypothetical_answer": replies.Passage,
        "recursive_retrieval": replies.Asking,
        "relevance_check": replies.Chosen,
        "summary": replies.Short,
        "computation": replies.Expression,
        "fact_extraction": replies.FactsSaid,
        "verify": verdict_type(),
    }


def sections() -> dict[str, list[Any]]:
    """Name of each prompt → the examples under it."""
    found: dict[str, list[Any]] = {}
    for part in re.split(r"^## ", TEXT, flags=re.M)[1:]:
        head, _, body = part.partition("\n")
        examples = re.findall(r"```json\n(.*?)```", body, re.S)
        for name in re.findall(r"`(\w+)`", head):
            found[name] = [json.loads(example) for example in examples]
    return found


def asked() -> set[str]:
    """Names of the prompts that stand in the source."""
    pattern = re.compile(
        r'purpose="(\w+)"|^PURPOSE: Final = "(\w+)"|Call\("(\w+)"|^PLAN: Final = \("(\w+)"',
        re.M,
    )
    files = (ROOT / "engine" / "aitia").rglob("*.py")
    found = (m for f in files for m in pattern.finditer(f.read_text("utf-8")))
    return {next(filter(None, match.groups())) for match in found}


@pytest.mark.parametrize("name", sorted(shapes()))
def test_every_example_is_a_reply_as_it_is_read(name: str) -> None:
    shape, examples = shapes()[name], sections()[name]
    assert examples
    for example in examples:
        read = shape.model_validate(example)
        assert set(example) <= set(read.model_dump()), "an unknown key is told"


def test_every_prompt_is_described() -> None:
    left_out = {"model_call"}
    assert asked() - left_out == set(sections())
    assert set(sections()) == set(shapes()) | PROSE
