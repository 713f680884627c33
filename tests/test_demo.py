"""`aitia demo`: a newcomer's first minute."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aitia import Workspace, demo
from tests.eval.expected import sample


def run(
    folder: Path, *words: str, code: int | None = 0
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "aitia_cli", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if code is not None:
        assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("newcomer")


@pytest.fixture(scope="module")
def told(folder: Path) -> Any:
    return json.loads(run(folder, "demo", "--json").stdout)


@pytest.fixture(scope="module")
def answers(told: Any) -> list[dict[str, Any]]:
    return [item["answer"] for item in told["answers"]]


def evidence(answer: dict[str, Any]) -> str:
    cited = [item for sentence in answer["sentences"] for item in sentence["evidence"]]
    return " ".join(f"{item['path']} {item['quote']}" for item in cited)


def test_every_file_is_taken_in_and_the_update_is_a_new_version(told: Any) -> None:
    first, update = told["ingested"]
    assert set(first["counts"]) == {"added"}
    assert update["counts"]["new version"] == 1
    assert set(update["counts"]) == {"new version", "unchanged"}


def test_a_status_comes_from_the_records(answers: list[dict[str, Any]]) -> None:
    assert "shipped" in answers[0]["answer"]
    assert "orders.json" in evidence(answers[0])


def test_a_policy_meets_the_order_it_is_asked_about(
    answers: list[dict[str, Any]],
) -> None:
    assert not answers[1]["abstained"]
    assert "pending" in answers[1]["answer"]
    assert "cancellations.pdf" in evidence(answers[1])
    assert "orders.json" in evidence(answers[1])


def test_several_records_are_walked(answers: list[dict[str, Any]]) -> None:
    assert "Rotterdam" in answers[2]["answer"]


def test_both_sides_of_a_disagreement_are_told(answers: list[dict[str, Any]]) -> None:
    assert answers[3]["conflicts"]
    assert "14 days" in answers[3]["answer"]
    assert "30 days" in answers[3]["answer"]


def test_what_nobody_wrote_is_not_made_up(answers: list[dict[str, Any]]) -> None:
    assert answers[4]["abstained"]
    assert answers[4]["tried"]


def test_why_leads_to_documents(told: Any) -> None:
    kinds = {node["kind"] for node in told["why"]["nodes"]}
    assert {"Decision", "Claim", "Goal", "UserInput"} <= kinds


def test_the_query_finds_what_the_file_says(told: Any) -> None:
    rows = told["query"]["result"]["results"]["bindings"]
    expected = {
        order["order_id"]
        for order in sample().tables["orders"].values()
        if order["status"] == "pending"
    }
    assert {row["order"]["value"] for row in rows} == expected


@pytest.fixture(scope="module")
def again(folder: Path, told: Any) -> str:
    del told
    return run(folder, "demo").stdout


def test_running_it_again_adds_nothing_and_answers_the_same(
    again: str, told: Any, answers: list[dict[str, Any]]
) -> None:
    assert f"{len(told['ingested'][0]['files'])} unchanged" in again
    assert "newer version" not in again
    for answer in answers[:4]:
        assert all(line in again for line in answer["answer"].splitlines())


def test_it_prints_the_commands_that_a_person_would_type(again: str) -> None:
    for question in demo.QUESTIONS:
        assert f'$ aitia ask "{question.text}"' in again
    assert "$ aitia why last" in again
    assert "$ aitia query" in again
    assert "What to try next" in again


def test_what_it_says_to_try_next_works(folder: Path, told: Any) -> None:
    del told
    for words in (("ask", "What does return shipping cost?"), ("verify",)):
        run(folder / "aitia-demo", *words)
    assert run(folder / "aitia-demo", "search", "damaged parcel").stdout


def test_it_does_not_mix_with_knowledge_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("Pump A feeds tank B.\n", "utf-8")
    run(tmp_path, "ingest", "own.txt")
    refused = run(tmp_path, "--workspace", ".aitia", "demo", code=2)
    assert "knowledge of its own" in refused.stderr
    assert not (tmp_path / "aitia-demo").exists()


def test_an_interrupted_demo_is_finished_by_the_next(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / ".aitia") as workspace:
        first, update = demo.take_in(workspace, tmp_path)
        shutil.rmtree(tmp_path / "shop" / "notices")
        again, nothing = demo.take_in(workspace, tmp_path)
    assert first.counts["added"] == len(first.files)
    assert update.counts["new version"] == 1
    assert again.counts["unchanged"] == len(again.files) == len(first.files)
    assert nothing.counts["unchanged"] == len(nothing.files)
