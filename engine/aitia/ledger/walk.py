"""Walking the chain: every record whole, hashed right, and following the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Final, NamedTuple

from pyoxigraph import Quad

from aitia import terms
from aitia.ledger import chain, records, sign
from aitia.model import CommitRecord

Tell = Callable[[str, str], None]
"""Takes the kind and the sentence of a finding."""

_COMMIT: Final = terms.commit_iri(0).value.removesuffix("0")


class Link(NamedTuple):
    """What is kept of a commit record for the rest of a verification."""

    hash: str
    previous: str
    root: str
    signed_by: str


Links = dict[int, Link]


def walk(quads: Iterable[Quad], tell: Tell) -> Links:
    """Check the quads of the ledger graph; return number → link, in chain order."""
    found: Links = {}
    odd: dict[str, list[Quad]] = {}
    # The store on disk returns a graph ordered by subject. What comes out of order, or
    # is no record, is held back until everything about its subject is there.
    for node, group in groupby(quads, key=lambda quad: str(quad.subject)):
        held = list(group)
        number, record = _number(node), _record(held)
        if number is None or number in found or record is None:
            odd.setdefault(node, []).extend(held)
        else:
            found[number] = _link(number, record, tell)
    for node, held in odd.items():
        _tell_odd(node, held, found, tell)
    links = dict(sorted(found.items()))
    _follow(links, tell)
    return links


def _record(quads: list[Quad]) -> CommitRecord | None:
    """Return the record that exactly these quads state, if any."""
    try:
        record = records.from_quads(quads)
        exact = set(records.to_quads(record)) == set(quads)
    except ValueError:
        return None
    return record if exact else None


def _tell_odd(node: str, quads: list[Quad], found: Links, tell: Tell) -> None:
    """Tell what is wrong with quads that are not exactly a record."""
    number = _number(node)
    if number is None:
        tell("foreign", f"The ledger graph speaks of {node}, which is no commit.")
        return
    try:
        record = records.from_quads(quads)
    except ValueError as error:
        if number not in found:
            tell("record", f"The record of commit {number} is damaged: {error}.")
            return
        stated: set[Quad] = set()
    else:
        stated = set(records.to_quads(record))
        found.setdefault(number, _link(number, record, tell))
    for quad in set(quads) - stated:
        tell("foreign", f"Commit {number} states what no commit states: {quad.triple}")


def _link(number: int, record: CommitRecord, tell: Tell) -> Link:
    if record.number != number:
        tell("record", f"Commit {number} says that it is commit {record.number}.")
    if chain.commit_hash(records.fields(record)) != record.hash:
        tell("record", f"The record of commit {number} was edited: its hash differs.")
    if record.signature and not sign.holds(record):
        tell("signature", f"The signature of commit {number} is not one of its hash.")
    return Link(record.hash, record.previous, record.root, record.signed_by)


def _number(node: str) -> int | None:
    text = node.strip("<>").removeprefix(_COMMIT)
    if not text.isdecimal() or f"<{_COMMIT}{int(text)}>" != node or int(text) < 1:
        return None
    return int(text)


def _follow(links: Links, tell: Tell) -> None:
    previous, before = chain.START, 0
    for number, link in links.items():
        if number != before + 1:
            gone = _range(before + 1, number - 1)
            tell("chain", f"{gone} missing: removed, or damaged beyond reading.")
        elif link.previous != previous:
            follows = f"commit {before}" if before else "the beginning"
            tell("chain", f"Commit {number} does not follow {follows}: reordered.")
        previous, before = link.hash, number


def _range(first: int, last: int) -> str:
    if first == last:
        return f"Commit {first} is"
    return f"Commits {first} to {last} are"
