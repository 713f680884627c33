"""Ingest: documents, data and RDF become passages and facts that can be cited.

Each file becomes a `Document` in the catalog, cut into `Passage`s with exact character
offsets into the text that was read; both the file's bytes and that text are kept. What
JSON, CSV and RDF state goes as plain triples into the document's own graph, named by
the document, so that each fact knows where it comes from. One file is one commit.

The scheme of records, for JSON and CSV:

- A record is the resource `urn:data:<container>/<key>`, percent-encoded, of the class
  `urn:data:type/<container>`, labelled with its key. Which records there are and what
  their keys are is found from the data (`aitia.ingest.shape` says how). A record
  without key is `urn:data:<container>/<document>:<number>`.
- A field is the property `urn:data:p/<field>`, labelled for people ("order id"). Its
  scalars keep their datatype (`aitia.ingest.values` says how); null and empty CSV
  cells state nothing; a list of scalars states each once.
- An object in a record is a resource of its own, `<record>/<field>`; the objects of a
  list `<record>/<field>/<number from 1 or key>`; both are of the class
  `urn:data:type/<field>` and linked by the field's property.
- A value that is another record's key also makes the link `urn:data:ref/<field>`
  (`aitia.ingest.references` says when).
- A container named p, ref, type, genid or named has "~" after its name.

Things that only texts name are `urn:data:named/<name>` (`aitia.ingest.extraction`).
Blank nodes of RDF files become `urn:data:genid/<hash of the file>/<canonical label>`.
"""

from aitia.ingest.content import Options
from aitia.ingest.ingest import Ingest
from aitia.ingest.report import FileReport, IngestReport, RetireReport
from aitia.ingest.retire import find, retire
from aitia.ingest.watch import Watch

__all__ = [
    "FileReport",
    "Ingest",
    "IngestReport",
    "Options",
    "RetireReport",
    "Watch",
    "find",
    "retire",
]
