"""What every step of write-back is handed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.ledger import Ledger
from aitia.methods.base import Reads
from aitia.redact import Redactor
from aitia.settings.writeback import WriteBackSettings
from aitia.store import OxigraphStore, Term
from aitia.vocab import RDF, RDFS

if TYPE_CHECKING:
    from aitia.gate import Gate

CATALOG = terms.GRAPH_CATALOG


@dataclass(frozen=True)
class NewText:
    """Accepted words that become a document of their own.

    Attributes:
        proposal: The proposal that they come from.
        text: The words.
        title: What to call the document.
        agent: Who accepted them.
    """

    proposal: NamedNode
    text: str
    title: str
    agent: NamedNode


AsDocument = Callable[[NewText], tuple[NamedNode, list[Quad]]]
"""Keeps a text and returns its document with the quads that put it on record."""


@dataclass(frozen=True)
class Desk:
    """All that write-back works with.

    Attributes:
        store: What is on record.
        ledger: What is committed to.
        reads: What methods may read; its models verify where one is configured.
        gate: What judges a change, asked beforehand too.
        folder: The workspace folder, where tokens are kept.
        as_document: Makes a document of accepted text.
        settle: Brings indexes and inferences up to what was accepted.
    """

    store: OxigraphStore
    ledger: Ledger
    reads: Reads
    gate: Gate
    folder: Path
    as_document: AsDocument
    settle: Callable[[], None]

    @property
    def settings(self) -> WriteBackSettings:
        """The settings of write-back."""
        return self.reads.settings.writeback

    def nodes(self, node: NamedNode, predicate: NamedNode) -> list[NamedNode]:
        """Return the IRIs that a node of the catalog has by a property."""
        found = self.store.quads(node, predicate, None, CATALOG)
        return [q.object for q in found if isinstance(q.object, NamedNode)]

    def node(self, node: NamedNode, predicate: NamedNode) -> NamedNode | None:
        """Return one of them, or None."""
        return next(iter(self.nodes(node, predicate)), None)

    def text(self, node: NamedNode, predicate: NamedNode) -> str:
        """Return the text that a node of the catalog has by a property, or ""."""
        found = self.store.quads(node, predicate, None, CATALOG)
        values = (q.object for q in found)
        return next((v.value for v in values if isinstance(v, Literal)), "")

    def subjects(self, predicate: NamedNode, value: Term) -> list[NamedNode]:
        """Return the nodes of the catalog that have a value by a property."""
        found = self.store.quads(None, predicate, value, CATALOG)
        return [q.subject for q in found if isinstance(q.subject, NamedNode)]

    def kinds(self, node: NamedNode) -> set[NamedNode]:
        """Return the classes of a node, in any graph."""
        found = (quad.object for quad in self.store.quads(node, RDF.type))
        return {kind for kind in found if isinstance(kind, NamedNode)}

    def agent(self, name: str, kind: NamedNode) -> Iterator[Quad]:
        """Yield what puts an agent on record, unless it is."""
        node = terms.agent_iri(name)
        if kind not in self.kinds(node):
            yield Quad(node, RDF.type, kind, CATALOG)
        if not self.text(node, RDFS.label):
            yield Quad(node, RDFS.label, terms.string(name), CATALOG)

    def masked(self, text: str) -> str:
        """Return a text with the secrets in it masked, before it is kept."""
        return Redactor(self.reads.settings).redact(text)[0]

    def head(self) -> int:
        """Return the number of the newest commit, 0 where there is none."""
        record = self.ledger.head()
        return record.number if record else 0
