"""Conflicts: statements that cannot both hold, and sentences that contradict.

`check_statement` holds one statement against what stands; `check_text` one sentence
against the texts. Runs that put conflicts on record are in `checking`; `standing` tells
which of those on record still stand.
"""

from aitia.conflicts.found import Found
from aitia.conflicts.statements import Checks, check_statement
from aitia.conflicts.texts import TextFound, check_text
from aitia.conflicts.weights import Weigher
from aitia.conflicts.worldtime import ALWAYS, Validity

__all__ = [
    "ALWAYS",
    "Checks",
    "Found",
    "TextFound",
    "Validity",
    "Weigher",
    "check_statement",
    "check_text",
]
