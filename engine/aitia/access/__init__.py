"""How several processes share a workspace: one writer, any number of readers.

A writer holds the lock file for as long as it has the store open. Readers never open
the store that is being written: they read the newest backup that was published.
"""

from aitia.access.lock import (
    PUBLISHING,
    WRITING,
    Holder,
    Waiting,
    is_free,
    read as holder,
    this_process,
)
from aitia.access.probe import probe
from aitia.access.publication import Publications
from aitia.access.reader import ReadAccess
from aitia.access.tidy import left_behind
from aitia.access.writer import WriteAccess

__all__ = [
    "PUBLISHING",
    "WRITING",
    "Holder",
    "Publications",
    "ReadAccess",
    "Waiting",
    "WriteAccess",
    "holder",
    "is_free",
    "left_behind",
    "probe",
    "this_process",
]
