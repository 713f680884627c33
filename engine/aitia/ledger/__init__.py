"""The one place where triples are written."""

import threading
from pathlib import Path

from pyoxigraph import Quad

from aitia import terms
from aitia.blobs import Blobs
from aitia.gate import Gate
from aitia.model import CommitRecord, Patch
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, RDF


class Ledger:
    """Holds the only writer. DRAFT: records numbers only."""

    def __init__(self, store: OxigraphStore, blobs: Blobs, gate: Gate) -> None:
        self._store, self._blobs, self._gate = store, blobs, gate
        self._lock = threading.Lock()
        self._number = 0

    def commit(self, patch: Patch) -> CommitRecord:
        """Put `patch` through the gate and write it."""
        with self._lock:
            admitted = self._gate.admit(self._store, patch)
            when = terms.now()
            self._number += 1
            node = terms.commit_iri(self._number)
            record = [
                Quad(node, RDF.type, AITIA.Commit, terms.GRAPH_LEDGER),
                Quad(
                    node, AITIA.number, terms.integer(self._number), terms.GRAPH_LEDGER
                ),
            ]
            self._store.apply(admitted, record)
            cause = patch.cause.value if patch.cause else ""
            return CommitRecord(
                self._number,
                "",
                "",
                "",
                patch.agent.value,
                cause,
                when,
                "draft",
                0,
                len(admitted.patch.adds),
                len(admitted.patch.deletes),
            )
