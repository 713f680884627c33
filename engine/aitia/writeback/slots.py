"""What a proposal speaks of, as it stands: facts of a slot, and a digest over them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.store import Reader, Term
from aitia.vocab import AITIA
from aitia.writeback.draft import Base, Change, Words


def standing(
    reader: Reader,
    subject: NamedNode,
    predicate: NamedNode,
    value: Term | None = None,
) -> Iterator[Quad]:
    """Yield the facts in force of a subject and property, with their graphs."""
    for quad in reader.quads(subject, predicate, value):
        term = isinstance(quad.object, NamedNode | Literal)
        if term and terms.is_current(quad.graph_name):
            yield quad


def base(
    reader: Reader, commit: int, changes: Iterable[Change], words: Iterable[Words] = ()
) -> Base:
    """Return what a proposal is made against, as things stand.

    The digest covers every fact in force of each subject and property that it speaks
    of, and whether the words that it would withdraw are in use.
    """
    made = hashlib.sha256()
    slots = {(change.subject, change.predicate) for change in changes}
    lines = {
        terms.nquad(quad)
        for slot in slots
        for quad in standing(reader, slot[0], slot[1])
    }
    lines |= {_state(reader, item) for item in words}
    for line in sorted(lines):
        data = line.encode()
        made.update(len(data).to_bytes(8, "big") + data)
    return Base(commit, made.hexdigest())


def _state(reader: Reader, words: Words) -> str:
    live = any(reader.quads(words.document, AITIA.documentState, AITIA.live))
    return f"{words.document} {words.start} {words.end} {live}"
