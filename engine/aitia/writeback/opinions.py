"""Texts that were accepted as an opinion: one view among others, and told as one."""

from __future__ import annotations

from dataclasses import replace

from pyoxigraph import NamedNode

from aitia.model.trace import Answer
from aitia.vocab import AITIA
from aitia.writeback.desk import Desk
from aitia.writeback.sources import revised_from


def opinion_of(desk: Desk, document: str) -> str:
    """Return whose opinion a document that write-back made is; "" for any other."""
    proposal = revised_from(desk, NamedNode(document)) if document else None
    return desk.text(proposal, AITIA.opinionOf) if proposal is not None else ""


def marked(desk: Desk, answer: Answer) -> Answer:
    """Return an answer with a notice for each of its sentences that is an opinion."""
    told = [
        f"“{sentence.text}” is the opinion of {whose}, one view among others."
        for sentence in answer.sentences
        for whose in dict.fromkeys(
            opinion_of(desk, item.document) for item in sentence.evidence
        )
        if whose
    ]
    return replace(answer, notices=(*answer.notices, *told)) if told else answer
