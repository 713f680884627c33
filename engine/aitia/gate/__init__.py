"""The SHACL gate: the one door from a patch to an admitted patch.

Nothing heavy is imported until something is judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from aitia.model import Admitted, Patch, Violation

if TYPE_CHECKING:
    from pyoxigraph import NamedNode, Quad, Triple

    from aitia.gate.overlay import Quads
    from aitia.gate.report import Report

__all__ = ["Gate", "line"]


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

    def check_file(
        self,
        quads: Iterable[Quad],
        store: Quads | None = None,
        deletes: Iterable[Quad] = (),
        document: NamedNode | None = None,
    ) -> Report:
        """Judge an RDF file's quads as they stand, before the store rewrites literals.

        What users' data may not say and what breaks a shape are violations; an
        ill-typed literal is a warning. Blank nodes and the default graph are fine.

        Args:
            quads: The file's quads.
            store: What is on record already, which the file's nodes may point to.
            deletes: What goes out when the file goes in: its earlier version.
            document: The graph of its own that the file may name.
        """
        from aitia.gate import files

        return files.check_file(quads, self.user_shapes, store, deletes, document)

    def validate(
        self,
        data: Iterable[Quad | Triple],
        shapes: Mapping[str, str],
        bases: Mapping[str, str] | None = None,
    ) -> Report:
        """Check data by given shapes as SHACL has it, all of it, as it stands.

        Args:
            data: The data.
            shapes: Name → Turtle of the shapes.
            bases: Name → the IRI that relative IRIs in those shapes refer to.

        Raises:
            UsageError: The shapes would check nothing, are not well formed, or cannot
                be run; the message says why.
        """
        from aitia.gate import whole

        return whole.validate(data, shapes, bases)

    def validate_store(self, store: Quads) -> Report:
        """Check a whole store by our own shapes and rules and by the users' shapes."""
        from aitia.gate import sets, whole

        return whole.validate_store(store, sets.all_of(self.user_shapes))


def line(violation: Violation) -> str:
    """Return a violation as one line of plain words."""
    from aitia.gate.words import line as told

    return told(violation)
