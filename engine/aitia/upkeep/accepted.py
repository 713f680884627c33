"""The write-backs in force, and which of them are to be rechecked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from random import Random

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.errors import AitiaError, UsageError
from aitia.methods.facts import Facts
from aitia.resources import query
from aitia.retrieval import passages
from aitia.vocab import AITIA, PROV
from aitia.writeback.accept import version_iri
from aitia.writeback.desk import Desk
from aitia.writeback.evidence import document_of, is_live, text_of
from aitia.writeback.read import Proposal, every, read


@dataclass(frozen=True)
class Chosen:
    """Which write-backs are to be rechecked; all in force where nothing is said.

    Attributes:
        older_than: Only those that were accepted or rechecked last so many days ago.
        source: Only those with evidence from this source: the path, the IRI or the
            start of the IRI of a document, or a pattern of paths such as `notices/*`.
        share: A share of them from 0 to 1, drawn at random.
        seed: What the draw starts from, so that it can be repeated; None for chance.
        only: Only these, or None.
    """

    older_than: float | None = None
    source: str = ""
    share: float = 1.0
    seed: int | None = None
    only: Collection[NamedNode] | None = None


def chosen(desk: Desk, which: Chosen) -> list[Proposal]:
    """Return the write-backs in force that are to be rechecked, by id.

    Raises:
        UsageError: The share or the age is none.
    """
    if not 0 < which.share <= 1:
        raise UsageError("A share is above 0 and at most 1.")
    if which.older_than is not None and which.older_than < 0:
        raise UsageError("An age is not below 0 days.")
    found = [
        item
        for item in in_force(desk, which.only)
        if _is_old(desk, item, which.older_than) and _is_from(desk, item, which.source)
    ]
    found.sort(key=lambda item: item.id)
    if which.share == 1:
        return found
    count = max(1, round(len(found) * which.share)) if found else 0
    drawn = Random(which.seed).sample(found, count)
    return sorted(drawn, key=lambda item: item.id)


def in_force(
    desk: Desk, only: Collection[NamedNode] | None = None
) -> Iterator[Proposal]:
    """Yield the accepted proposals of which something still holds."""
    for node in every(desk, AITIA.approved):
        if only is not None and node not in only:
            continue
        found = read(desk, node)
        if any(_holds(desk, found)):
            yield found


def document_written(desk: Desk, proposal: NamedNode) -> NamedNode | None:
    """Return the document in use that a proposal's acceptance wrote, or None."""
    for revision in desk.subjects(AITIA.carriesOut, proposal):
        for node in desk.nodes(revision, AITIA.wrote):
            if AITIA.Document in desk.kinds(node) and is_live(desk, node):
                return node
    return None


def _holds(desk: Desk, found: Proposal) -> Iterator[bool]:
    for change in found.adds:
        rank = desk.node(version_iri(change, found.node), AITIA.rank)
        yield rank not in (None, AITIA.deprecated)
    if found.proposed_text:
        yield document_written(desk, found.node) is not None
    if not (found.adds or found.proposed_text):
        # It only took something out of use: that holds until it is undone.
        yield True


def _is_old(desk: Desk, found: Proposal, days: float | None) -> bool:
    if days is None:
        return True
    return terms.now() - last_checked(desk, found) > timedelta(days=days)


def last_checked(desk: Desk, found: Proposal) -> datetime:
    """Return when a proposal was accepted or, if later, checked last."""
    nodes = [
        *desk.subjects(AITIA.carriesOut, found.node),
        *desk.nodes(found.node, AITIA.hasCheck),
    ]
    said = [
        quad.object.value
        for node in nodes
        for predicate in (PROV.endedAtTime, PROV.generatedAtTime)
        for quad in desk.store.quads(node, predicate)
        if isinstance(quad.object, Literal)
    ]
    return max((datetime.fromisoformat(text) for text in said), default=found.made)


def _is_from(desk: Desk, found: Proposal, source: str) -> bool:
    if not source:
        return True
    return any(_fits(desk, node, source) for node in sources(desk, found))


def sources(desk: Desk, found: Proposal) -> Iterator[NamedNode]:
    """Yield the documents that the evidence of a proposal comes from."""
    for _, cited in found.evidence:
        document = document_of(desk, cited.ground) if cited.ground else None
        if document is not None:
            yield document


def _fits(desk: Desk, document: NamedNode, source: str) -> bool:
    path = passages.document(desk.store, document.value).path
    bare = document.value.removeprefix(terms.BASE)
    return (
        fnmatchcase(path, source)
        or path.endswith(f"/{source}")
        or document.value == source
        or bare.startswith(source)
        or bare.removeprefix("doc:").startswith(source)
    )


def touched(
    desk: Desk, documents: Iterable[str], sides: Iterable[str] = ()
) -> set[NamedNode]:
    """Return the write-backs that documents which were taken in may bear on.

    They speak of something that a document states facts about or names in its text,
    are or rest on a side of a conflict that was found, or rest on a document that is
    no longer in use.

    Args:
        desk: What to work with.
        documents: IRIs of the documents.
        sides: IRIs of versions, documents and passages that are sides of conflicts.
    """
    gone = desk.store.select(query("upkeep", "evidence_gone"))
    found = {row["proposal"] for row in gone}
    graphs = [NamedNode(iri) for iri in documents]
    texts = [_text(desk, node) for node in graphs]
    for row in desk.store.select(query("upkeep", "same_subject")):
        subject = row["subject"]
        assert isinstance(subject, NamedNode)  # the shapes demand it
        if any(
            next(desk.store.quads(subject, None, None, g), None) for g in graphs
        ) or any(_names(desk, subject, text) for text in texts):
            found.add(row["proposal"])
    for side in sides:
        found.update(_behind(desk, NamedNode(side)))
    return {node for node in found if isinstance(node, NamedNode)}


def _text(desk: Desk, document: NamedNode) -> str:
    try:
        return text_of(desk, document).casefold()
    except (AitiaError, OSError, UnicodeDecodeError):
        return ""


def _names(desk: Desk, subject: NamedNode, text: str) -> bool:
    local = subject.value.replace("#", "/").rpartition("/")[2]
    names = (local, *Facts(desk.store).labels(subject))
    return any(name.casefold() in text for name in names if len(name) > 1)


def _behind(desk: Desk, written: NamedNode) -> Iterator[NamedNode]:
    """Yield the proposals whose acceptance wrote it, or whose evidence it is."""
    for revision in desk.subjects(AITIA.wrote, written):
        yield from desk.nodes(revision, AITIA.carriesOut)
    for evidence in desk.subjects(AITIA.derivesFrom, written):
        for proposal in desk.subjects(AITIA.hasEvidence, evidence):
            if desk.node(proposal, AITIA.proposalState) == AITIA.approved:
                yield proposal
