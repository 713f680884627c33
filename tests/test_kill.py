"""Killed at any moment: nothing acknowledged is lost, nothing is half done."""

import random
import time
from pathlib import Path

import pytest

from aitia.ledger.verify import VerifyReport
from aitia.workspace import Workspace
from tests.children import POINTS
from tests.starting import child

SHORT, FULL = 6, 60


def kill_at_random(
    folder: Path, durability: str, rng: random.Random
) -> tuple[int, str]:
    """Let a process commit, kill it, and return the last commit it acknowledged."""
    with child("commits", folder, durability) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(rng.random() * 0.3)
        process.kill()
        return last_acknowledged(process.stdout.read())


def last_acknowledged(told: str) -> tuple[int, str]:
    """Return number and hash of the last whole line."""
    whole = [
        text.split() for text in told.splitlines(keepends=True) if text[-1] == "\n"
    ]
    return (int(whole[-1][0]), whole[-1][1]) if whole else (0, "")


def check(folder: Path, acknowledged: tuple[int, str]) -> VerifyReport:
    """Look at what is left: as a reader, and whole."""
    number, digest = acknowledged
    with Workspace.open(folder, mode="read") as workspace:
        assert workspace.notice == ""
        assert workspace.position >= number
        expected = f"{number}:{digest}" if number else ""
        report = workspace.ledger.verify(expect_head=expected)
    assert report.findings == ()
    return report


def repeatedly(folder: Path, durability: str, times: int) -> None:
    rng = random.Random(times)
    newest = 0
    for _ in range(times):
        report = check(folder, kill_at_random(folder, durability, rng))
        assert report.number > newest
        newest = report.number
    assert len(report.notes) <= 1


def test_killed_at_random_moments(tmp_path: Path) -> None:
    repeatedly(tmp_path / "workspace", "process", SHORT)


@pytest.mark.full
@pytest.mark.parametrize("durability", ["process", "fsync"])
def test_killed_at_random_moments_many_times(tmp_path: Path, durability: str) -> None:
    repeatedly(tmp_path / "workspace", durability, FULL)


@pytest.mark.parametrize("where", POINTS)
def test_killed_at_a_chosen_moment(tmp_path: Path, where: str) -> None:
    folder = tmp_path / "workspace"
    after = "2" if "backup" in where else "5"
    with child("dying", folder, where, after) as process:
        assert process.stdout is not None
        told = process.stdout.read()
        assert process.wait() == -9
    check(folder, last_acknowledged(told))
    with Workspace.open(folder, flags={"lock_timeout": 0.0}) as workspace:
        before = workspace.position
    with child("commits", folder, "process") as process:
        assert process.stdout is not None
        assert int(process.stdout.readline().split()[0]) == before + 1
