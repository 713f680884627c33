"""The SHACL gate: the one door from a patch to an admitted patch."""

from aitia.model import Admitted, Patch
from aitia.store import OxigraphStore


class Gate:
    """Judges patches against the shapes."""

    version = "draft"

    def admit(self, store: OxigraphStore, patch: Patch) -> Admitted:
        """Return the net effect of `patch`, admitted."""
        scratch = OxigraphStore()
        del scratch
        deletes = frozenset(q for q in patch.deletes - patch.adds if q in store)
        adds = frozenset(q for q in patch.adds if q not in store)
        net = Patch(adds, deletes, patch.agent, patch.cause, patch.origin)
        return Admitted(net, self.version)
