"""Extraction: what a model reads in a document becomes claimed statements of it.

For each document one run is recorded: what the model was asked and replied, the quotes
it gave, found again in the stored text, and the statements that rest on them. A
statement stands reified in the catalog, as what that document says; no triple of it is
stated as a fact until somebody accepts it. A document that was read to the end is not
asked about again; one that was not (a spent budget, a server that did not answer) is
gone on with by the next ingest, from where it stopped.
"""

from aitia.ingest.extraction.extraction import Extraction

__all__ = ["Extraction"]
