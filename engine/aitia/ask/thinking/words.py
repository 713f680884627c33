"""Evidence as checks are given it, and the words of it that a check goes by."""

from __future__ import annotations

from pyoxigraph import NamedNode

from aitia.ask.thinking.mind import Mind
from aitia.methods.arguments import NodeRef
from aitia.methods.entailment_check import Place
from aitia.model import PassageRecord
from aitia.model.trace import Evidence


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
