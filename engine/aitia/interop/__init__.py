"""Taking knowledge out and in: RDF that any standard tool reads."""

from aitia.interop.export import FORMATS, WHAT, Exported, export

__all__ = ["FORMATS", "WHAT", "Exported", "export"]
