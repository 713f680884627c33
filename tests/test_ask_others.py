"""What is on record of another thing answers nothing, and things keep their own names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aitia import Workspace

PUMPS = """# Pumps

Pump P-12 delivers 80 cubic metres per hour and pump P-11 delivers 60 cubic metres per hour.
Pump P-13 is out of order since Monday.

# Prices

Water costs 2.40 euro per cubic metre for households. Water costs 1.80 euro per cubic metre for farms.
"""
RESERVOIRS = """reservoir_id,name,volume,fed_by
R-1,Alder Basin,900,P-11
R-3,Birch Basin,700,P-12
"""
ENGINES = """[{"engine_id": "E-1", "status": "running", "total": 40},
 {"engine_id": "E-2", "status": "stopped", "total": 55}]"""
CRANES = "name,lifts\nCrane 4,12\n"
PEOPLE = "person,team\nAnn Berg,north\nTom Falk,south\n"


def opened(folder: Path, files: dict[str, str]) -> Iterator[Workspace]:
    (folder / "in").mkdir()
    for name, text in files.items():
        (folder / "in" / name).write_text(text, "utf-8")
    with Workspace.open(folder / "ws") as workspace:
        assert workspace.ingest([folder / "in"]).exit_code == 0
        yield workspace


@pytest.fixture(scope="module", params=["texts", "facts too"])
def works(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("works")
    files = {"pumps.md": PUMPS}
    if request.param != "texts":
        files["reservoirs.csv"] = RESERVOIRS
    yield from opened(folder, files)


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("yard")
    files = {"reservoirs.csv": RESERVOIRS, "engines.json": ENGINES}
    yield from opened(folder, files | {"cranes.csv": CRANES, "people.csv": PEOPLE})


@pytest.mark.parametrize(
    ("question", "never"),
    [
        ("Is pump P-11 out of order?", "P-13"),
        ("Does water cost 1.80 euro for households?", "1.80"),
        ("Is it true that water costs 1.80 euro for households?", "1.80"),
        ("How many pumps are there?", "delivers"),
    ],
)
def test_what_is_said_of_others_is_no_answer(
    works: Workspace, question: str, never: str
) -> None:
    answer = works.ask(question)
    assert answer.abstained
    assert all(never not in item.text for item in answer.sentences)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is pump P-13 out of order?", "Pump P-13 is out of order since Monday."),
        (
            "Does water cost 2.40 euro for households?",
            "Water costs 2.40 euro per cubic metre for households.",
        ),
        (
            "How much does water cost for farms?",
            "Water costs 1.80 euro per cubic metre for farms.",
        ),
    ],
)
def test_what_is_said_of_the_thing_itself_is(
    works: Workspace, question: str, expected: str
) -> None:
    assert works.ask(question).text == expected


def test_a_comparison_names_both_or_is_left_open(works: Workspace) -> None:
    answer = works.ask("Does pump P-12 deliver more than pump P-11?")
    assert answer.abstained or ("80" in answer.text and "60" in answer.text)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How much does Crane 4 lift?", "The lifts of Crane 4 (1) is 12."),
        (
            "What are the status and the total of E-1?",
            "The status of engine E-1 is running.\nThe total of engine E-1 is 40.",
        ),
        (
            "What are the total and the status of E-1?",
            "The total of engine E-1 is 40.\nThe status of engine E-1 is running.",
        ),
        ("How many people are in team north?", "1 person with team 'north'."),
        ("How many people are there?", "2 people."),
        (
            "Which reservoir has P-12?",
            "1 reservoir with fed by 'P-12': R-3 (Birch Basin).",
        ),
    ],
)
def test_values_and_names_are_those_asked_for(
    yard: Workspace, question: str, expected: str
) -> None:
    assert "\n".join(item.text for item in yard.ask(question).sentences) == expected


def test_a_thing_is_not_called_by_what_it_is_linked_to(yard: Workspace) -> None:
    text = yard.ask("Which reservoir does pump P-12 feed?").text
    assert "P-12 (R-3)" not in text
    assert "reservoir P-12" not in text
