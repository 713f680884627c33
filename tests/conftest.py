"""Fixtures every test may use."""

import os
import signal
from pathlib import Path

import pytest

# Whoever starts the tests in the background may have interrupts ignored, and what the
# tests start would inherit that: tests of Ctrl-C would wait without end.
signal.signal(signal.SIGINT, signal.default_int_handler)

CHECKOUT = Path(__file__).parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--full", action="store_true", help="run the long forms of tests as well"
    )


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    wanted = {
        "full": (bool(config.getoption("--full")), "the long form: run with --full"),
        "checkout": ("AITIA_EXPECT" not in os.environ, "about the source tree alone"),
    }
    for item in items:
        for name, (run, reason) in wanted.items():
            if item.get_closest_marker(name) and not run:
                item.add_marker(pytest.mark.skip(reason=reason))


def shared_folder() -> Path:
    """Where the real data is: AITIA_SHARED, or `shared` beside the checkout."""
    return Path(os.environ.get("AITIA_SHARED", CHECKOUT.parent / "shared"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data; tests that use it skip where it is absent."""
    folder = shared_folder() / "data"
    if not folder.is_dir():
        pytest.skip(f"the shared data is not at {folder} (set AITIA_SHARED)")
    return folder
