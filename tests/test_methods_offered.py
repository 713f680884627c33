"""What of methods a model is offered, and how other packages add methods."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aitia.errors import UsageError
from aitia.methods import arguments
from aitia.methods.arguments import NodeRef
from aitia.methods.base import offered, registry


def note(text: str, label: str = "S1") -> NodeRef:
    return NodeRef(label, f"urn:aitia:{label}", text)


def test_what_issue_names_is_offered_with_a_schema() -> None:
    wanted = (
        "keywords query_rewriting hypothetical_answer dense_search lexical_search "
        "graph_search metadata_filter rerank recursive_retrieval relevance_check "
        "fact_extraction comparison computation inference_step summary claim_check "
        "entailment_check composition"
    )
    found = offered()
    assert set(wanted.split()) <= set(found)
    for name, method in found.items():
        made = arguments.schema(method)
        assert made["type"] == "object", name
        assert made["additionalProperties"] is False
        assert made["properties"]
        assert method.competence.endswith(".")


def test_arguments_that_do_not_fit_are_refused_in_plain_words() -> None:
    method = offered()["claim_check"]

    def refused(given: dict[str, Any]) -> str:
        with pytest.raises(UsageError) as caught:
            arguments.arguments(method, given, {"E1": note("x", "E1")}.__getitem__)
        return str(caught.value)

    assert "takes no 'scope'" in refused({"sentence": "x", "evidence": [], "scope": 1})
    assert "nothing was shown as E2" in refused({"sentence": "x", "evidence": ["E2"]})
    assert "sentence" in refused({"evidence": ["E1"]})
    assert "pattern" in refused({"sentence": "x", "evidence": ["urn:aitia:E1"]})
    given = arguments.arguments(
        method,
        {"sentence": "x", "evidence": ["E1"]},
        {"E1": note("x", "E1")}.__getitem__,
    )
    assert [item.node for item in arguments.nodes(given)] == ["urn:aitia:E1"]
    with pytest.raises(UsageError, match="not offered"):
        arguments.schema(registry()["fusion"])


PAGE = (Path(__file__).parents[1] / "docs" / "methods.md").read_text("utf-8")
(WEATHER,) = re.findall(r"```python\n# weather.py\n(.*?)```", PAGE, re.S)
(ENTRY,) = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
PROJECT = f"""
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "aitia-weather"
version = "1.0"
{ENTRY}
[tool.hatch.build.targets.wheel]
include = ["weather.py"]
"""


def installed(tmp_path: Path, code: str) -> dict[str, str]:
    """Install a distribution with a method; return an environment that has it."""
    project, site = tmp_path / "project", tmp_path / "site"
    project.mkdir()
    (project / "pyproject.toml").write_text(PROJECT)
    (project / "weather.py").write_text(code)
    wanted = "pip install -q --no-deps --no-index --no-build-isolation --target"
    subprocess.run(
        [sys.executable, "-m", *wanted.split(), str(site), str(project)], check=True
    )
    return {**os.environ, "PYTHONPATH": str(site)}


USE = """
from aitia import Workspace
from aitia.methods import arguments
from aitia.methods.base import Reads, offered

with Workspace.open("ws") as w:
    method = offered()["nearest_station"]
    given = arguments.arguments(method, {"city": "Lund"}, {}.__getitem__)
    found = method.run(Reads(w.store, w.blobs, w.indexes, w.settings), given)
    print(method.competence, found.failure)
"""


def test_another_package_adds_a_method_by_its_entry_point(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", USE],
        env=installed(tmp_path, WEATHER),
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "Finds the weather station of a city. None.", (
        done.stderr
    )


def test_a_package_whose_methods_break_is_named(tmp_path: Path) -> None:
    code = "from aitia.methods.base import registry\nregistry()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=installed(tmp_path, "import nothing_of_that_name"),
        capture_output=True,
        text=True,
    )
    assert "of aitia-weather cannot be loaded: ModuleNotFoundError" in done.stderr
