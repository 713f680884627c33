"""Import: which way a file comes in, and what was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pyoxigraph import Quad

from aitia.blobs import Blobs
from aitia.interop import doubt, elsewhere, incoming as incoming_module, restore
from aitia.interop.incoming import Incoming
from aitia.interop.merge import Merge, loose_text
from aitia.interop.select import graph_of
from aitia.ledger import Ledger
from aitia.lookup.stats import area
from aitia.model import CommitRecord
from aitia.store import OxigraphStore

TakeIn = Callable[[Path], tuple[int, list[str]]]
"""Takes a file in as a document; returns its facts and why any failed."""
NOT_PROVEN: Final = ("ledger", "inferred")
"""Areas of a file without its whole ledger that are not put back: nothing proves the
one, and what is inferred is inferred anew."""


@dataclass(frozen=True)
class Imported:
    """What an import did.

    Attributes:
        how: `restored` commit by commit with the ledger, `put back` as one commit,
            `merged` as new commits, or `ingested` as a document.
        added: Quads that are new, where they were counted.
        commits: How many commits were restored or made; the number of the one that
            put everything back.
        head: Hash of the restored ledger's head, or "".
        left_out: Area → quads that were left out.
        known: Records that were here already and stay as they are.
        loose: Facts that belonged to no document, or stood by a decision made
            elsewhere, and were taken in as a document.
        missing: Texts and documents that are named and not here.
        refused: What was refused, one line each.
    """

    how: str
    added: int = 0
    commits: int = 0
    head: str = ""
    left_out: dict[str, int] = field(default_factory=dict)
    known: int = 0
    loose: int = 0
    missing: int = 0
    refused: list[str] = field(default_factory=list)


@dataclass
class Import:
    """Takes an export in.

    Attributes:
        store: What is on record.
        blobs: Where texts are kept.
        ledger: What to commit to.
        agent: Name of who imports.
        folder: Where facts that belong to no document are kept as files.
        take_in: Takes a file in as a document.
        told: Is told how many commits are restored, and of how many.
    """

    store: OxigraphStore
    blobs: Blobs
    ledger: Ledger
    agent: str
    folder: Path
    take_in: TakeIn
    told: restore.Told = lambda done, whole: None

    def run(self, path: Path, form: str = "") -> Imported:
        """Take in a file.

        Args:
            path: The file.
            form: Its format; told by its ending where "" is given.

        Raises:
            NotFound: There is no such file.
            UsageError: Its format is not known.
            ReadError: It is not what its format says, or what it encloses is damaged.
            NotIntact: Its ledger lacks a commit or does not fit what it states, or it
                misquotes a text that is here.
            ShapeViolation: What it states does not conform.
        """
        found = incoming_module.read(path, form)
        if not found.is_ours:
            facts, refused = self.take_in(path)
            return Imported("ingested", added=facts, refused=refused)
        incoming_module.refuse_blank(found)
        commits = restore.history(found)
        doubt.refuse_lacking(found, commits)
        fresh = self.ledger.head() is None and found.has_graphs
        if fresh and commits and restore.is_whole(found, commits):
            return self._restored(found, commits)
        doubt.refuse_misplaced(found)
        doubt.refuse_misquotes(found, self.store, self.blobs)
        return self._put_back(found) if fresh else self._merged(found)

    def _restored(self, found: Incoming, commits: list[CommitRecord]) -> Imported:
        restore.replay(found, commits, self.ledger, self.blobs, self.told)
        return Imported(
            "restored",
            commits=len(commits),
            head=commits[-1].hash,
            missing=self._missing(found),
        )

    def _put_back(self, found: Incoming) -> Imported:
        left_out = Counter(
            place for q in found.quads if (place := area(graph_of(q))) in NOT_PROVEN
        )
        proven = [q for q in found.quads if area(graph_of(q)) not in NOT_PROVEN]
        here = elsewhere.parted(proven, self.store)
        made = restore.at_once(found, here.kept, self.ledger, self.blobs, self.agent)
        return Imported(
            "put back",
            added=made.added,
            commits=made.number,
            left_out=dict(left_out),
            loose=len(here.loose),
            missing=self._missing(found),
            refused=self._loose(found, here.loose),
        )

    def _merged(self, found: Incoming) -> Imported:
        told = Merge(found, self.store, self.ledger, self.blobs).run(self.agent)
        refused = [*told.refused, *self._loose(found, told.loose)]
        return Imported(
            "merged",
            added=told.added,
            commits=len(told.commits),
            left_out=told.left_out,
            known=told.known,
            loose=len(told.loose),
            missing=self._missing(found),
            refused=refused,
        )

    def _loose(self, found: Incoming, facts: list[Quad]) -> list[str]:
        """Take facts that belong to no document in as one; return what failed."""
        if not facts:
            return []
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"{found.path.stem}.facts.nq"
        file.write_bytes(loose_text(facts))
        return self.take_in(file)[1]

    def _missing(self, found: Incoming) -> int:
        """Count the texts and documents that are named and not here."""
        named = restore.texts_named(found.quads)
        return sum(1 for name in named if name not in self.blobs)
