"""Whether ledger, store and blobs agree: nothing edited, added, removed or cut off.

The chain is checked record by record, every kept patch against its root, and what the
patches come to against what the store holds. What a chain alone cannot show, that
someone wrote all of it anew, shows against a head that was kept elsewhere or signed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from aitia.blobs import Blobs
from aitia.errors import AitiaError, UsageError
from aitia.ledger import inventory, quotes, replay, walk
from aitia.store import OxigraphStore

SHOWN: Final = 20
"""So many findings of one kind are told; of the rest, how many."""

Check = Callable[[], Iterable[str]]
"""A further check, such as the indexes': what it finds, in plain sentences."""


@dataclass(frozen=True)
class Finding:
    """One thing that does not agree.

    Attributes:
        kind: What kind of thing, in one or two words.
        text: A plain sentence.
    """

    kind: str
    text: str


@dataclass(frozen=True)
class VerifyReport:
    """What a verification looked at and found.

    Attributes:
        number: Number of the newest commit, 0 where there is none.
        hash: Its hash, or "".
        commits: How many commit records there are.
        quads: How many quads the store holds outside the ledger.
        erased: How many lines of patches were erased.
        signed: How many commits carry a signature.
        blobs: How many blobs were checked against their names.
        findings: What does not agree; empty where all is intact.
        notes: What is worth knowing and does no harm.
    """

    number: int
    hash: str
    commits: int
    quads: int
    erased: int
    signed: int
    blobs: int
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]

    @property
    def intact(self) -> bool:
        """Whether all agrees."""
        return not self.findings

    @property
    def head(self) -> str:
        """The head as `N:HASH`, to be kept elsewhere; "" where nothing is committed."""
        return f"{self.number}:{self.hash}" if self.number else ""


class Findings:
    """Collects findings, and of many of one kind only the first and the number."""

    def __init__(self) -> None:
        self._found: list[Finding] = []
        self._counts: Counter[str] = Counter()

    def add(self, kind: str, text: str) -> None:
        """Take one finding."""
        self._counts[kind] += 1
        if self._counts[kind] <= SHOWN:
            self._found.append(Finding(kind, text))

    def all(self) -> tuple[Finding, ...]:
        """Return the findings."""
        more = [
            Finding(kind, f"… and {count - SHOWN:,} more of the kind “{kind}”.")
            for kind, count in self._counts.items()
            if count > SHOWN
        ]
        return (*self._found, *more)


def verify(
    store: OxigraphStore,
    blobs: Blobs,
    *,
    expect_head: str = "",
    signed_by: str = "",
    checks: Iterable[Check] = (),
    notes: Iterable[str] = (),
    alone: bool = True,
    trouble: str = "",
) -> VerifyReport:
    """Compare ledger, store and blobs.

    Args:
        store: What to look at.
        blobs: Where patches and texts are kept.
        expect_head: A head seen earlier, `HASH` or `N:HASH`; the chain must contain it.
        signed_by: A public key in hexadecimal; the head must be signed by it.
        checks: Further checks, such as the indexes'.
        notes: What is worth knowing besides.
        alone: Whether nobody writes meanwhile; if not, blobs that nothing names are
            not spoken of.
        trouble: What is wrong with the store itself, in whose place `store` is read.

    Raises:
        UsageError: `expect_head` is no head.
    """
    expected = _head(expect_head) if expect_head else None
    findings = Findings()
    if trouble:
        findings.add("store", trouble)
    key = os.urandom(32)
    content = replay.Sum(key)
    links = walk.walk(replay.split(store, content), findings.add)
    if expected is not None:
        _expect(expected, links, findings)
    if signed_by:
        _expect_signature(signed_by, links, findings)
    told = replay.replay(links, blobs, key, findings.add)
    replay.compare(content, told, links, store, blobs, findings.add)
    for text in quotes.check(store, blobs):
        findings.add("quote", text)
    seen = inventory.check(blobs, told.names, findings.add)
    told_besides = list(notes)
    if alone:
        told_besides += inventory.unnamed(store, blobs, told, links, findings.add)
    for check in checks:
        try:
            for text in check():
                findings.add("index", text)
        except (AitiaError, OSError, ValueError) as error:
            findings.add("index", f"The indexes could not be compared: {error}")
    newest = max(links, default=0)
    return VerifyReport(
        number=newest,
        hash=links[newest].hash if newest else "",
        commits=len(links),
        quads=content.count,
        erased=told.erased,
        signed=sum(1 for link in links.values() if link.signed_by),
        blobs=seen,
        findings=findings.all(),
        notes=tuple(told_besides),
    )


def _head(text: str) -> tuple[int, str]:
    """Return number and hash of an expected head; number 0 where only the hash is."""
    number, _, digest = text.strip().rpartition(":")
    digest = digest.lower()
    if len(digest) != 64 or set(digest) - set("0123456789abcdef"):
        raise UsageError(
            f"{text!r} is no head.", hint="`aitia verify --print-head` prints one."
        )
    if number and not number.isdecimal():
        raise UsageError(f"{number!r} is no commit number.")
    return int(number or 0), digest


def _expect(expected: tuple[int, str], links: walk.Links, findings: Findings) -> None:
    number, digest = expected
    found = next((n for n, link in links.items() if link.hash == digest), None)
    if found is not None and number in (0, found):
        return
    newest = max(links, default=0)
    place = f"commit {number} " if number else ""
    findings.add(
        "tail",
        f"The expected head {place}({digest[:12]}…) is not in the chain, which ends at"
        f" commit {newest}: its tail was cut off or written anew.",
    )


def _expect_signature(key: str, links: walk.Links, findings: Findings) -> None:
    newest = max(links, default=0)
    signer = links[newest].signed_by if newest else ""
    if signer != key.strip().lower():
        by = f"by {signer[:12]}…" if signer else "by nobody"
        findings.add(
            "signature",
            f"The head, commit {newest}, is signed {by}, not by {key.strip()[:12]}….",
        )
