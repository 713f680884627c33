"""Every block of the README does what it says.

A `bash` or `python` block is run in one temporary folder, in order; a `text` block is
what the block before it prints, up to ids, times and paths, where a line `…` stands for
any lines. The set-up lines (`python3 -m venv …`) are run by `.ci/run`, word for word.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.readme_model import PORT, serving

CHECKOUT = Path(__file__).parents[1]
README = (CHECKOUT / "README.md").read_text("utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SETUP = "python3 -m venv"
ANY = "…"

MASKS = [
    (re.compile(r"\x1b\[[0-9;]*m"), ""),
    (re.compile(r"\b[0-9a-f]{64}\b"), "<hash>"),
    (re.compile(r"\b[0-9a-f]{12,40}\b"), "<hash>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?"), "<time>"),
    (re.compile(r"\b([Rr]un): ?[a-km-np-z2-9]{8}\b"), r"\1:<id>"),
    (re.compile(r"(?<=why )[a-km-np-z2-9]{8}\b"), "<id>"),
    (re.compile(r"\b[a-km-np-z2-9]{8}(?=/)"), "<id>"),
    (re.compile(r"(?<=proposal )[a-km-np-z2-9]{8}\b"), "<id>"),
    (re.compile(r"^[a-km-np-z2-9]{8}(?=:|  )", re.MULTILINE), "<id>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d(?=  aitia\b)"), "<date>"),
    (re.compile(r"\b\d+(\.\d+)? ?(ms|s)\b"), "<seconds>"),
    (re.compile(r"\b\d+\.\d+\b"), "<score>"),
    (re.compile(r"\b[\d,]+(?= (commits|quads|kept texts)\b)"), "<count>"),
    (re.compile(r"Head \d+:"), "Head <count>:"),
    (re.compile(r"[ \t]+"), " "),
]


@dataclass(frozen=True)
class Block:
    """A block of the README: what kind, what is in it, what it should print."""

    kind: str
    text: str
    prints: str | None


def blocks() -> list[Block]:
    found = [(match[1], match[2]) for match in FENCE.finditer(README)]
    following = [*found[1:], ("", "")]
    return [
        Block(kind, text, after[1] if after[0] == "text" else None)
        for (kind, text), after in zip(found, following, strict=True)
        if kind != "text"
    ]


RUN = [block for block in blocks() if SETUP not in block.text]


def plain(text: str) -> list[str]:
    for mask, word in MASKS:
        text = mask.sub(word, text)
    return [line.strip() for line in text.strip().splitlines()]


def as_pattern(expected: str) -> str:
    parts = []
    for line in plain(expected):
        parts.append(r"(?:.*\n)*?" if line == ANY else re.escape(line) + r"\n")
    return "".join(parts)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the newcomer works; the page's model answers meanwhile."""
    with serving():
        yield tmp_path_factory.mktemp("newcomer")


def run(block: Block, folder: Path) -> str:
    here = str(Path(sys.executable).parent)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("AITIA_")}
    environment |= {"PATH": f"{here}{os.pathsep}{environment['PATH']}"}
    command = ["bash", "-c"] if block.kind == "bash" else [sys.executable, "-c"]
    done = subprocess.run(
        [*command, block.text],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode in (0, 5), done.stderr
    return done.stdout


@pytest.mark.parametrize("block", RUN, ids=[item.text.split("\n")[0] for item in RUN])
def test_the_block_prints_what_it_says(block: Block, folder: Path) -> None:
    assert block.kind in ("bash", "python"), "mark other blocks as text"
    printed = "\n".join(plain(run(block, folder))) + "\n"
    if block.prints is not None:
        assert re.fullmatch(as_pattern(block.prints), printed), printed


def test_the_page_names_the_model_that_it_is_tested_with() -> None:
    assert f"--llm-url http://127.0.0.1:{PORT}/v1" in README


def test_the_readme_opens_with_the_two_commands_that_ci_runs() -> None:
    setup = [block.text.strip() for block in blocks() if SETUP in block.text]
    assert [block.text.strip() for block in blocks()][:2] == setup
    assert all("\n" not in line for line in setup)
    demo, test = setup
    assert demo.endswith("aitia demo")
    assert test.endswith("pytest -q -n 2 --dist loadfile")
    script = (CHECKOUT / ".ci" / "run").read_text("utf-8")
    for line in setup:
        start = " ".join(line.split()[:4]) + " "
        assert f"grep -m1 '^{start}' README.md" in script
        assert sum(found.startswith(start) for found in README.splitlines()) == 1
