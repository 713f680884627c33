"""What a document that was taken in states again though an accepted proposal withdrew it.

A new version of a document is a new document: what was taken out of use in the one
before it would be back in use with it, and nobody would notice. It is proposed to be
taken out of use again, on the evidence of the earlier proposal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pyoxigraph import NamedNode

from aitia.errors import AitiaError
from aitia.retrieval import passages
from aitia.vocab import AITIA, EARL, RDF
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Base, Change, Draft, Words
from aitia.writeback.evidence import text_of
from aitia.writeback.impact import is_waiting, speaking_of
from aitia.writeback.propose import Proposed, against_now, propose
from aitia.writeback.read import Proposal, every, read
from aitia.writeback.slots import standing
from aitia.writeback.triggers import ENGINE


@dataclass(frozen=True)
class Again:
    """That a document states again what was withdrawn.

    Attributes:
        reason: That it does, in a sentence.
        proposed: What became of the proposal to withdraw it again.
    """

    reason: str
    proposed: Proposed

    def told(self) -> str:
        """Return it in words, with what becomes of it."""
        made = self.proposed.proposal
        ending = "waits for a review."
        if self.proposed.refused:
            failed = (c.text for c in made.checks if c.outcome == EARL.failed)
            ending = f"was refused by checks ({'; '.join(failed)}): it stands."
        elif made.state == AITIA.approved:
            ending = "was accepted."
        return f"{self.reason} The proposal {made.id} to take it out of use {ending}"


def restated(desk: Desk, taken: Sequence[str]) -> list[Again]:
    """Propose to withdraw again what documents state again.

    Args:
        desk: What to work with.
        taken: IRIs of the documents that were taken in.
    """
    documents = [_Document(desk, NamedNode(iri)) for iri in taken]
    return [
        Again(draft.reason, propose(desk, against_now(desk, draft)))
        for node in every(desk, AITIA.approved)
        if desk.node(node, AITIA.withdraws) is not None
        for draft in _again(desk, read(desk, node), documents)
    ]


@dataclass(frozen=True)
class _Document:
    desk: Desk
    node: NamedNode

    @cached_property
    def graphs(self) -> frozenset[NamedNode]:
        """The graphs of its facts: its own, and those that it fills."""
        return frozenset((self.node, *self.desk.nodes(self.node, AITIA.containsGraph)))

    @cached_property
    def text(self) -> str:
        """Its stored text, "" where that is not at hand."""
        try:
            return text_of(self.desk, self.node)
        except (AitiaError, OSError, UnicodeDecodeError):
            return ""

    def facts(self, change: Change) -> Iterator[Change]:
        """Yield a withdrawn triple as it stands here."""
        found = standing(
            self.desk.store, change.subject, change.predicate, change.object
        )
        for quad in found:
            graph = quad.graph_name
            # Also where it stood before: the document was taken in once more.
            if graph in self.graphs:
                assert isinstance(graph, NamedNode)  # those of `graphs` are
                yield replace(change, graph=graph)

    def words(self, words: Words) -> Iterator[Words]:
        """Yield withdrawn words as they stand here, each time."""
        if words.document == self.node:
            return
        at = self.text.find(words.text)
        while at >= 0:
            end = at + len(words.text)
            yield Words(self.node, words.text, at, end)
            at = self.text.find(words.text, end)


def _again(
    desk: Desk, earlier: Proposal, documents: Sequence[_Document]
) -> Iterator[Draft]:
    """Yield a draft for each document that states again what a proposal withdrew."""
    for document in documents:
        withdraws = tuple(
            found
            for change in earlier.withdraws
            for found in document.facts(change)
            if not _waits(desk, found)
        )
        words = tuple(
            found
            for item in earlier.words
            for found in document.words(item)
            if not _says_so(desk, found)
        )
        if withdraws or words:
            path = passages.document(desk.store, document.node.value).path
            yield Draft(
                "deprecate",
                f"{path} states again what the proposal {earlier.id} withdrew.",
                ENGINE,
                Base(0, ""),
                withdraws=withdraws,
                words=words,
                evidence=tuple(cited for _, cited in earlier.evidence),
                trigger="conflict",
                about=(earlier.node,),
            )


def _waits(desk: Desk, change: Change) -> bool:
    """Tell whether a proposal that waits would take a fact out of use already."""
    return any(
        is_waiting(desk.store, proposal)
        for node in speaking_of(desk.store, change.subject, change.predicate)
        if any(desk.store.quads(node, RDF.object, change.object))
        and desk.node(node, AITIA.inGraph) == change.graph
        for proposal in desk.subjects(AITIA.withdraws, node)
    )


def _says_so(desk: Desk, words: Words) -> bool:
    """Tell whether a proposal, decided or not, withdraws words of a document already."""
    return any(
        desk.text(span, AITIA.start) == str(words.start)
        for proposal in desk.subjects(AITIA.about, words.document)
        for span in desk.nodes(proposal, AITIA.withdraws)
        if AITIA.Span in desk.kinds(span)
    )
