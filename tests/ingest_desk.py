"""A folder and a workspace to ingest into, and questions about what came of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyoxigraph import Literal, NamedNode

from aitia.ingest import FileReport, Ingest, IngestReport, Options
from aitia.vocab import AITIA
from aitia.workspace import Workspace

P = "urn:data:p/"
REF = "urn:data:ref/"


class Desk:
    """Ingests without indexing, which other tests are about."""

    def __init__(self, folder: Path, workspace: Workspace) -> None:
        self.folder, self.workspace = folder, workspace
        self.store, self.blobs = workspace.store, workspace.blobs

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file of the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def ingest(
        self, *names: str, options: Options | None = None, prune: bool = False
    ) -> IngestReport:
        """Ingest files of the folder."""
        workspace = self.workspace
        task = Ingest(
            self.store,
            self.blobs,
            workspace.ledger,
            workspace.settings,
            workspace.gate,
        )
        task.options = options or Options()
        return task.run([str(self.folder / name) for name in names], prune=prune)

    def take(
        self, name: str, content: str | bytes, options: Options | None = None
    ) -> FileReport:
        """Write and ingest one file; it must be taken in."""
        self.write(name, content)
        [report] = self.ingest(name, options=options).files
        assert report.outcome in ("added", "new version"), report
        return report

    def text(self, report: FileReport) -> str:
        """The stored text of a document."""
        document = NamedNode(report.document)
        return self.blobs.text(self.said(document, AITIA.textHash)[0])

    def passages(self, report: FileReport) -> list[tuple[str, str]]:
        """Heading and text of each passage of a document, in order."""
        text, found = self.text(report), []
        for quad in self.store.quads(
            None,
            NamedNode("http://purl.org/dc/terms/isPartOf"),
            NamedNode(report.document),
        ):
            node = quad.subject
            assert isinstance(node, NamedNode)
            start, end = (
                int(self.said(node, name)[0]) for name in (AITIA.start, AITIA.end)
            )
            heading = (self.said(node, AITIA.heading) or [""])[0]
            found.append((start, heading, text[start:end]))
        return [(heading, words) for _, heading, words in sorted(found)]

    def said(self, subject: NamedNode, predicate: NamedNode) -> list[str]:
        """The values of a property, as text, sorted."""
        found = set()
        for quad in self.store.quads(subject, predicate):
            assert isinstance(quad.object, NamedNode | Literal)
            found.add(quad.object.value)
        return sorted(found)

    def field(self, record: str, name: str) -> list[str]:
        """The values of a record's field."""
        return self.said(NamedNode(record), NamedNode(P + name))

    def links(self, record: str, name: str) -> list[str]:
        """The records that a record's field refers to."""
        return self.said(NamedNode(record), NamedNode(REF + name))

    def state(self, report: FileReport) -> str:
        """The state of a document."""
        [state] = self.said(NamedNode(report.document), AITIA.documentState)
        return state.rpartition("#")[2]

    def facts(self, report: FileReport) -> int:
        """How many quads stand in the document's graph."""
        return len(list(self.store.quads(graph=NamedNode(report.document))))


@contextmanager
def desk(folder: Path, **flags: object) -> Iterator[Desk]:
    """Open a desk in a folder."""
    files = folder / "files"
    files.mkdir()
    with Workspace.open(folder / "ws", flags={"agent": "tester", **flags}) as workspace:
        yield Desk(files, workspace)
