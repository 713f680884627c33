"""The SHACL gate: the one door from a patch to an admitted patch.

Nothing heavy is imported until something is judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from aitia.model import Admitted, Patch

if TYPE_CHECKING:
    from aitia.gate.overlay import Quads


class Gate:
    """Judges patches against aitia's own shapes and the shapes that users added.

    Attributes:
        user_shapes: Name → Turtle of the users' shapes.
    """

    def __init__(self, user_shapes: Mapping[str, str] | None = None) -> None:
        self.user_shapes = dict(user_shapes or {})

    @classmethod
    def load(cls, user_shapes: Mapping[str, str] | None = None) -> Gate:
        """Return a gate; the shapes are parsed and linted once per text."""
        return cls(user_shapes)

    @property
    def version(self) -> str:
        """The version of all shapes together: a hash over their texts."""
        from aitia.gate import sets

        return sets.version(self.user_shapes)

    def admit(self, store: Quads, patch: Patch) -> Admitted:
        """Return the net effect of `patch`, admitted.

        Raises:
            ShapeViolation: Something is wrong with it; it tells everything at once.
        """
        from aitia.gate import judgement

        return judgement.admit(store, patch, self.user_shapes)
