"""Runs the benchmarks and writes RESULTS.md.

python -m tests.bench.run                 all of them
python -m tests.bench.run gate why        only these
python -m tests.bench.run --shared ../shared/data

Each `bench_<name>.py` has `measure(options) -> list[Figure]`. Figures that were not
measured in this run keep the lines they had.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
KEPT = HERE / "results.json"
LIBRARIES = (
    "pyoxigraph",
    "pyshacl",
    "rdflib",
    "onnxruntime",
    "faiss-cpu",
    "tantivy",
    "sentence-transformers",
    "torch",
    "click",
)


@dataclass(frozen=True)
class Options:
    """What a benchmark is told.

    Attributes:
        shared: Folder of the shared data; benches that need it skip where it is absent.
        quick: Smaller stores, for trying the benchmark itself.
    """

    shared: Path
    quick: bool


def names() -> list[str]:
    """Return the benchmarks that are there."""
    return sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))


def machine() -> str:
    """Return one line about the machine and one about the versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = f"{platform.system()} {platform.machine()}"
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return (
        f"{os.cpu_count()} cores, {memory:.0f} GiB of memory, {system}, "
        f"Python {platform.python_version()}.\n{libraries}."
    )


def measure(name: str, options: Options) -> dict[str, Any]:
    """Run one benchmark; returns what is kept of it."""
    module = import_module(f"tests.bench.bench_{name}")
    began = time.perf_counter()
    figures: list[Figure] = module.measure(options)
    return {
        "title": (module.__doc__ or name).splitlines()[0],
        "seconds": round(time.perf_counter() - began, 1),
        "figures": [
            asdict(item) | {"met": item.met, "asked": item.asked} for item in figures
        ],
    }


def as_markdown(kept: dict[str, Any]) -> str:
    """Return RESULTS.md."""
    lines = [
        "# Measured",
        "",
        "Written by `python -m tests.bench.run`. Ratios are taken within one run;",
        "milliseconds are for orientation only.",
        "",
        kept["machine"].replace("\n", "  \n"),
    ]
    for name, bench in sorted(kept["benches"].items()):
        lines += ["", f"## {bench['title']}", ""]
        lines += [f"`bench_{name}`, {bench['seconds']} s.", ""]
        lines += ["| what | measured | asked | | against |", "|---|---|---|---|---|"]
        lines += [_row(figure) for figure in bench["figures"]]
    return "\n".join(lines) + "\n"


def _row(figure: dict[str, Any]) -> str:
    shown = f"{figure['value']:.3g} {figure['unit']}".strip()
    cells = [figure["what"], shown, figure["asked"], figure["met"], figure["note"]]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="*", help="which; all of them if none is named")
    parser.add_argument("--shared", type=Path, default=Path("../shared/data"))
    parser.add_argument("--quick", action="store_true")
    chosen = parser.parse_args()
    options = Options(chosen.shared.resolve(), chosen.quick)
    kept: dict[str, Any] = {"benches": {}}
    if KEPT.is_file():
        kept = json.loads(KEPT.read_text("utf-8"))
    kept["machine"] = machine()
    for name in chosen.name or names():
        print(f"bench_{name} …", file=sys.stderr, flush=True)
        kept["benches"][name] = measure(name, options)
        print("\n".join(map(_row, kept["benches"][name]["figures"])), flush=True)
    if not options.quick:
        KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", "utf-8")
        RESULTS.write_text(as_markdown(kept), "utf-8")


if __name__ == "__main__":
    main()
