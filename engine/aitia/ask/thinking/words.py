"""Evidence as checks are given it, and the words of it that a check goes by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import NamedNode

from aitia.ask.thinking.mind import Mind
from aitia.conflicts import Weigher
from aitia.methods.arguments import NodeRef
from aitia.methods.entailment_check import Place
from aitia.methods.instructions import flagged, instructions
from aitia.methods.withdrawn import Withdrawn
from aitia.model import Hit, PassageRecord
from aitia.model.trace import Evidence


def in_use(mind: Mind, hits: Iterable[Hit]) -> Iterator[PassageRecord]:
    """Yield passages as a model may read them: without what was withdrawn.

    What an accepted proposal took out of use is blanked out, and told to the asker; a
    passage with nothing else in it is left out.
    """
    out = Withdrawn.of(mind.session.reads.store)
    for hit in hits:
        passage = out.masked(hit.passage)
        if passage is not hit.passage:
            mind.session.announce(
                f"Words of {passage.path} were left out: an accepted proposal withdrew"
                " them."
            )
        if found := instructions(passage.text):
            mind.session.announce(flagged(passage.path, found[0]))
        if any(char.isalnum() for char in passage.text):
            yield passage


def trust(mind: Mind, document: str) -> str:
    """Return in words how far a source is trusted; "" where no weights are set."""
    weigher = Weigher(mind.session.reads)
    if not (weigher.sources and document):
        return ""
    return weigher.weigh(NamedNode(document)).told()


def of_passage(passage: PassageRecord, label: str = "") -> NodeRef:
    """Return a passage as evidence: its exact words, and what they stand under."""
    about = " > ".join(filter(None, (passage.title, passage.heading)))
    return NodeRef(
        label=label,
        node=passage.iri,
        text=passage.text,
        document=passage.document,
        start=passage.start,
        end=passage.end,
        about=about,
    )


def of_evidence(item: Evidence, label: str = "") -> NodeRef:
    """Return a quote, a statement or a result as evidence."""
    quoted = bool(item.quote) and not item.statement
    return NodeRef(
        label=label,
        node=item.node,
        text=item.quote if quoted else item.statement,
        document=item.document if quoted else "",
        start=item.start if quoted else 0,
        end=item.end if quoted else 0,
        about=item.title if quoted or not item.document else "",
        call=item.result.call if item.result else "",
        means=item.result.means if item.result else "",
        arguments=item.result.arguments if item.result else (),
    )


def evidence_of(mind: Mind, execution: NamedNode, place: Place) -> Evidence:
    """Return the words that a check goes by as evidence, on record.

    Words of a passage become a quote of their own; a quote, a statement or a result
    stands for itself.
    """
    passage = mind.passages.get(place.node)
    if passage is None or not place.document:
        return mind.evidence[place.node]
    node = mind.session.trace.quote(
        execution, NamedNode(passage.iri), place.exact, place.start, place.end
    )
    made = Evidence(
        quote=place.exact,
        document=passage.document,
        title=passage.title,
        path=passage.path,
        start=place.start,
        end=place.end,
        passage=passage.iri,
        statement="",
        node=node.value,
    )
    mind.evidence[node.value] = made
    return made
