"""The ledger: the one place where triples are written, and their history."""

from aitia.ledger.commit import Ledger
from aitia.ledger.history import History

__all__ = ["History", "Ledger"]
