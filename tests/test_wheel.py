"""The wheel holds everything, and works from any folder without the checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import aitia

CHECKOUT = Path(__file__).parents[1]
CARRIED = {
    "engine/aitia": "aitia",
    "cli/aitia_cli": "aitia_cli",
    "ontology": "aitia/_resources/ontology",
    "shapes": "aitia/_resources/shapes",
    "data": "aitia/_resources/data",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run(
        [sys.executable, *build, str(CHECKOUT)], check=True, capture_output=True
    )
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_everything_travels_in_the_wheel(site: Path) -> None:
    missing = [
        path
        for source, target in CARRIED.items()
        for path in sorted((CHECKOUT / source).rglob("*"))
        if path.is_file()
        and "__pycache__" not in path.parts
        and not (site / target / path.relative_to(CHECKOUT / source)).is_file()
    ]
    assert missing == []


def test_nothing_of_the_tests_lands_in_site_packages(site: Path) -> None:
    tops = {path.name for path in site.iterdir() if path.suffix != ".dist-info"}
    assert tops == {"aitia", "aitia_cli"}


def run(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a Python from `folder` that finds the wheel and not the checkout."""
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("AITIA_")
    }
    environment["PYTHONPATH"] = str(site)
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )


def test_the_demo_runs_from_the_wheel_in_any_folder(site: Path, tmp_path: Path) -> None:
    where = run(site, tmp_path, "-c", "import aitia; print(aitia.__file__)")
    assert Path(where.stdout.strip()).is_relative_to(site)
    done = run(site, tmp_path, "-m", "aitia_cli", "demo")
    assert done.returncode == 0, done.stderr
    assert "aitia why last" in done.stdout
    assert (tmp_path / "aitia-demo").is_dir()


def test_the_code_under_test_is_the_one_that_was_asked_for() -> None:
    """`.ci/run` runs all tests once more on the wheel, and says where it is."""
    expected = os.environ.get("AITIA_EXPECT", str(CHECKOUT))
    assert Path(aitia.__file__).is_relative_to(expected)
