"""The ledger: the one place where triples are written, and their history."""

from aitia.ledger.commit import Ledger
from aitia.ledger.history import History
from aitia.ledger.records import head_number

__all__ = ["History", "Ledger", "head_number"]
