"""Runs the real command in an empty folder and looks at what it left on record."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pyoxigraph import NamedNode

from aitia.blobs import Blobs
from aitia.vocab import AITIA, DCTERMS
from aitia.workspace import Workspace
from aitia_cli.main import cli

Run = Callable[..., Result]


@pytest.fixture
def aitia(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in an empty folder and check how it ends."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, code: int = 0) -> Result:
        done = CliRunner().invoke(cli, ["--workspace", "ws", *words])
        assert done.exit_code == code, done.output
        return done

    return run


def write(name: str, content: str | bytes) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def told(aitia: Run, *words: str, code: int = 0) -> dict[str, dict[str, Any]]:
    """Path → what `--json` tells of the file."""
    found = json.loads(aitia("ingest", "--json", *words, code=code).stdout)
    return {file["path"]: file for file in found["files"]}


class Seen:
    """What is on record, read by a plain reader."""

    def __init__(self) -> None:
        with Workspace.open("ws", mode="read") as workspace:
            self.quads = list(workspace.store.quads())
        self.blobs = Blobs(Path("ws/blobs"))

    def said(self, subject: str, predicate: NamedNode) -> list[str]:
        """The values of a property."""
        return sorted(
            str(getattr(quad.object, "value", ""))
            for quad in self.quads
            if quad.predicate == predicate and str(quad.subject) == f"<{subject}>"
        )

    def passages(self, document: str) -> list[str]:
        """The texts of a document's passages, in order."""
        [name] = self.said(document, AITIA.textHash)
        text, found = self.blobs.text(name), []
        for quad in self.quads:
            if (
                quad.predicate == DCTERMS.isPartOf
                and str(quad.object) == f"<{document}>"
            ):
                iri = str(quad.subject)[1:-1]
                [start], [end] = self.said(iri, AITIA.start), self.said(iri, AITIA.end)
                found.append((int(start), text[int(start) : int(end)]))
        return [words for _, words in sorted(found)]
