"""Which passages are turned into vectors: those that read as running text."""

from __future__ import annotations

import re
from typing import Final

from aitia.model import PassageRecord

_RAW_TYPES: Final = frozenset(
    {
        "text/csv",
        "text/tab-separated-values",
        "text/turtle",
        "application/trig",
        "application/n-triples",
        "application/n-quads",
        "application/rdf+xml",
    }
)
_RAW_JSON: Final = re.compile(r'[\s,\]}]*(?:[\[{]|"(?:[^"\\]|\\.)*"\s*:)')
_RUNNING: Final = re.compile(
    r"(?:[^\W\d_]+,?[ \n]+){7}[^\W\d_]+"  # eight words in a row,
    r"|[^\W\d_\x00-\x7f]{12}"  # or as much of a script without spaces
)


def has_vector(record: PassageRecord) -> bool:
    """Tell whether a passage is turned into a vector.

    The raw record of a JSON, CSV or RDF file is not, unless running text stands in it:
    it is found by its words and through the graph, a model of running text reads little
    meaning in it, and its many tokens would take most of the time of an ingest.
    """
    if not record.describes:
        return True
    raw = record.media_type in _RAW_TYPES or bool(_RAW_JSON.match(record.text))
    return not raw or bool(_RUNNING.search(record.text))
