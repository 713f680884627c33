"""Questions with and without an answer: how often it abstains, and where.

The short form asks every fourth question of the sample world. The bounds are wide: they
are there to notice a collapse, not to be tuned to. `python -m tests.eval.run` tells all.
"""

import json
from pathlib import Path

import pytest

from aitia import Workspace
from tests.eval.expected import HERE, World, holds, sample, tau2
from tests.eval.run import Rates, ask, fill, rates


def lines(name: str) -> list[dict[str, object]]:
    text = (HERE / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_there_are_at_least_forty_of_each_kind() -> None:
    every = [*lines("sample"), *lines("tau2")]
    assert len({line["id"] for line in every}) == len(every)
    assert sum("expect" in line for line in every) >= 40
    assert sum("missing" in line for line in every) >= 40
    assert all(("expect" in line) != ("missing" in line) for line in every)


def test_every_expected_facet_can_be_computed_from_the_files() -> None:
    questions = sample().questions("sample")
    asked = {line["id"] for line in lines("sample") if "expect" in line}
    assert {item.id for item in questions if item.facets} == asked


def test_a_facet_is_found_as_a_whole_word_only() -> None:
    assert holds("It weighs 1.2 kg.", "1.2")
    assert holds("The total is 367.0.", "367")
    assert holds("关税由收件人承担。", "收件人")
    assert not holds("The total is 367.5.", "367")
    assert not holds("Order Q-1031", "Q-103")
    assert not holds("17 days", "7 days")


def measured(world: World, name: str, folder: Path, every: int) -> Rates:
    with Workspace.open(folder / "ws") as workspace:
        fill(workspace, world, name)
        return rates(ask(workspace, world.questions(name)[::every]))


def in_bounds(found: Rates) -> None:
    assert found.failed == 0, found
    assert found.false_abstention <= 0.25, found
    assert found.abstention >= 0.7, found
    assert found.right >= 0.7, found


def test_it_abstains_where_it_should_and_not_elsewhere(tmp_path: Path) -> None:
    in_bounds(measured(sample(), "sample", tmp_path, 4))


@pytest.mark.full
def test_all_of_the_sample_world(tmp_path: Path) -> None:
    in_bounds(measured(sample(), "sample", tmp_path, 1))


@pytest.mark.full
def test_all_of_the_retail_data(tmp_path: Path, shared_data: Path) -> None:
    in_bounds(measured(tau2(shared_data), "tau2", tmp_path, 1))
