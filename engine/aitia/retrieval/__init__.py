"""Finding passages and resources by words and by meaning.

The store is the truth and the indexes are derived from it: they record the model and
the ledger position they stand at, and can be checked and rebuilt. Graph expansion and
reranking fit in as further rankings (`fusion.Ranking`) that are fused with the others.
"""

from aitia.retrieval.filters import Filters
from aitia.retrieval.indexes import Indexes
from aitia.retrieval.report import CatchUp, IndexReport

__all__ = ["CatchUp", "Filters", "IndexReport", "Indexes"]
