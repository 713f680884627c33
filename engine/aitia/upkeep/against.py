"""What on record speaks against a write-back: facts, sentences, evidence that is gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pyoxigraph import NamedNode, Triple

from aitia import lookup
from aitia.conflicts import TextFound, Validity, check_statement, check_text
from aitia.conflicts.side import Side, Sides
from aitia.conflicts.texts import Shelf
from aitia.errors import AitiaError
from aitia.plain import quoted
from aitia.vocab import AITIA
from aitia.writeback import slots
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Change, Cited, Draft, Words
from aitia.writeback.evidence import on_record
from aitia.writeback.gone import Gone, gone
from aitia.writeback.read import Proposal
from aitia.writeback.sources import weigh
from aitia.writeback.stale import backwards
from aitia.writeback.words import claim, fact

SENTENCES = 20
"""Sentences of an accepted text that are checked."""


@dataclass(frozen=True)
class Against:
    """Something on record that contradicts a write-back.

    Attributes:
        reason: How, in a sentence.
        rule: Name of the rule that found it.
        source: Path of the document that says otherwise, or the IRI of its graph.
        weight: How far that source is trusted.
        said: What it says.
        cited: The same as evidence for a proposal; None where it cannot be.
    """

    reason: str
    rule: str
    source: str
    weight: float
    said: str
    cited: Cited | None


def contradicted(
    desk: Desk, found: Proposal, draft: Draft, written: NamedNode | None
) -> list[Against]:
    """Return what contradicts a write-back, each source's word once.

    Args:
        desk: What to work with.
        found: The write-back.
        draft: The same, against what stands now.
        written: The document that it made, or None.
    """
    if found.opinion_of:
        return []
    every = [
        *(item for change in found.adds for item in _facts(desk, change)),
        *_texts(desk, found, draft, written),
    ]
    if not (found.adds or found.proposed_text):
        every += [item for change in found.withdraws for item in _again(desk, change)]
        every += [item for words in found.words for item in _said_again(desk, words)]
    kept: dict[tuple[str, str], Against] = {}
    for item in every:
        kept.setdefault((item.source, item.said), item)
    return list(kept.values())


def evidence_gone(desk: Desk, found: Proposal) -> list[str]:
    """Return why evidence of a write-back is gone, in sentences.

    What the write-back itself took out of use is no loss of its evidence.
    """
    told = []
    for node, cited in found.evidence:
        back = backwards(desk.store, node)
        starts = gone(desk.store, back)
        why = next(
            (
                starts[x]
                for x in back
                if x in starts and not _own(desk, starts[x], found)
            ),
            None,
        )
        if why is not None:
            words = cited.quote or cited.text
            told.append(f"Evidence {quoted(words)}: {why.told(desk.store, words)}")
    return list(dict.fromkeys(told))


def _own(desk: Desk, why: Gone, found: Proposal) -> bool:
    return why.by is not None and found.node in desk.nodes(why.by, AITIA.carriesOut)


def _facts(desk: Desk, change: Change) -> Iterator[Against]:
    """Yield the facts in force that contradict an accepted one."""
    sides = Sides(desk.reads)
    valid = Validity(change.valid_from, change.valid_until)
    same = Triple(change.subject, change.predicate, change.object)
    for item in check_statement(
        desk.reads,
        change.subject,
        change.predicate,
        change.object,
        valid=valid,
        ignoring=(same,),
    ):
        for other in item.sides[1:]:
            side = sides.of_fact(other)
            yield Against(
                item.reason,
                item.rule,
                side.path or side.document,
                side.weight.value,
                side.text,
                _cited(desk, side),
            )


def _cited(desk: Desk, side: Side) -> Cited | None:
    """Return the side of a conflict as evidence, with exact words where it has any."""
    try:
        if side.version:
            return on_record(desk, NamedNode(side.version))
        ground = NamedNode(side.passage or side.document)
        if side.end > side.start and side.passage:
            return _words(desk, side.document, ground, side.start, side.end)
        return on_record(desk, ground, "", ([side.text.rpartition(" = ")[2]],))
    except (AitiaError, OSError, UnicodeDecodeError):
        return None


def _words(desk: Desk, document: str, ground: NamedNode, start: int, end: int) -> Cited:
    from aitia.writeback.evidence import text_of

    quote = text_of(desk, NamedNode(document))[start:end]
    return Cited(quote, ground, quote, start, end)


def _texts(
    desk: Desk, found: Proposal, draft: Draft, written: NamedNode | None
) -> Iterator[Against]:
    """Yield the sentences in use that contradict what was accepted."""
    own = {f"{item.document}#char={item.start}," for item in _quoted(desk, found)}
    for text in _said(desk, found, draft, written):
        for item in check_text(
            desk.reads,
            text,
            document=written.value if written is not None else "",
            ask=False,
        ):
            judged, piece = item.judged, item.piece
            place = f"{piece.passage.document}#char={piece.start},"
            # Odds by likeness alone are too weak to count against anything.
            if judged.contradicts and judged.by != "weights" and place not in own:
                yield _sentence(desk, item)


def _said(
    desk: Desk, found: Proposal, draft: Draft, written: NamedNode | None
) -> list[str]:
    """Return what a write-back says, in sentences: also in the words of its evidence.

    One that only took something out of use says nothing.
    """
    if found.adds:
        quotes = (cited.quote for _, cited in found.evidence if cited.quote)
        return list(dict.fromkeys((claim(desk.store, draft), *quotes)))
    if written is None:
        return []
    pieces = Shelf(desk.reads).of_document(written.value)
    return [piece.text for piece in pieces][:SENTENCES]


def _sentence(desk: Desk, item: TextFound) -> Against:
    piece, passage = item.piece, item.piece.passage
    document = NamedNode(passage.document)
    return Against(
        f"{passage.path} says {quoted(piece.text)}: {item.judged.reason}",
        item.judged.rule or item.judged.by,
        passage.path,
        weigh(desk, document).value,
        piece.text,
        Cited(piece.text, NamedNode(passage.iri), piece.text, piece.start, piece.end),
    )


@dataclass(frozen=True)
class _Quoted:
    document: str
    start: int


def _quoted(desk: Desk, found: Proposal) -> Iterator[_Quoted]:
    """Yield where the quotes of a write-back's own evidence start."""
    from aitia.writeback.evidence import document_of

    for _, cited in found.evidence:
        if cited.quote and cited.ground is not None:
            document = document_of(desk, cited.ground)
            if document is not None:
                yield _Quoted(document.value, cited.start)


def _said_again(desk: Desk, words: Words) -> Iterator[Against]:
    """Yield the sentences in use that say again what a write-back took out of use."""
    for item in check_text(desk.reads, words.text, ask=False):
        if item.judged.verdict == "agrees" and item.judged.by != "weights":
            yield replace(
                _sentence(desk, item),
                reason=f"{item.piece.passage.path} says {quoted(item.piece.text)} again",
            )


def _again(desk: Desk, change: Change) -> Iterator[Against]:
    """Yield the sources that state again what a write-back took out of use."""
    there = slots.standing(desk.store, change.subject, change.predicate, change.object)
    for quad in there:
        graph = quad.graph_name
        assert isinstance(graph, NamedNode)
        said = fact(desk.store, change)
        yield Against(
            f"“{said}” is stated again",
            "stated again",
            lookup.short(graph.value),
            weigh(desk, graph).value,
            said,
            None,
        )
