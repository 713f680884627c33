"""A change of the store, before and after the gate, and once committed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

Term = NamedNode | Literal
ENGINE_AGENT: Final = NamedNode("urn:aitia:agent:aitia")


class Origin(Enum):
    """Where a patch comes from; decides how strictly the gate judges it."""

    ENGINE = "engine"
    """Written by aitia itself: every subject must be a focus node of some shape."""
    USER = "user"
    """Read from a person's data: other subjects are admitted and counted, but
    nothing may speak of our runs, ledger or reviews or name our system graphs."""
    MODEL = "model"
    """Proposed by a model: default-deny, every triple must be allowed by a closed
    shape."""


@dataclass(frozen=True)
class Patch:
    """Quads to add and quads to delete, as one change, and who asks for it.

    Attributes:
        adds: Quads to add. No blank nodes.
        deletes: Quads to delete.
        agent: Who asks for the change.
        cause: The run, reading or import that the change belongs to.
        origin: How strictly the gate judges it.
    """

    adds: frozenset[Quad]
    deletes: frozenset[Quad] = frozenset()
    agent: NamedNode = ENGINE_AGENT
    cause: NamedNode | None = None
    origin: Origin = Origin.ENGINE

    def __bool__(self) -> bool:
        return bool(self.adds or self.deletes)


@dataclass(frozen=True)
class Violation:
    """One thing the gate found wrong, in words a person can act on.

    Attributes:
        focus: The node that was checked, as IRI or literal text.
        focus_label: Its name for people, or "".
        rule: The name of the rule: the shape's rdfs:label or local name.
        shape: The IRI of the shape, or "" for a blank one.
        path: The path that was checked, as text, or "".
        component: Local name of the constraint component, such as `MinCountConstraintComponent`.
        found: What was found there.
        mend: What would make it right.
        severity: Local name of the severity: `Violation`, `Warning` or `Info`.
        document: The document or run that the node stands in, or "".
    """

    focus: str
    rule: str
    mend: str
    focus_label: str = ""
    shape: str = ""
    path: str = ""
    component: str = ""
    found: str = ""
    severity: str = "Violation"
    document: str = ""


@dataclass(frozen=True)
class Admitted:
    """A patch the gate let through, reduced to its net effect. Only aitia.gate makes one.

    Attributes:
        patch: Quads to add that were absent, quads to delete that were present, as
            the store will hold them.
        shapes_version: Version of the shapes it was judged by.
        checked: Shape IRI → number of focus nodes checked.
        unchecked: How many subjects no shape spoke of (user data only).
        warnings: What was found and does not block.
    """

    patch: Patch
    shapes_version: str
    checked: Mapping[str, int] = field(default_factory=dict)
    unchecked: int = 0
    warnings: tuple[Violation, ...] = ()


@dataclass(frozen=True)
class CommitRecord:
    """One entry of the ledger.

    Attributes:
        number: Place in the chain, from 1; 0 where the patch changed nothing.
        hash: Hash of the entry, in hexadecimal.
        previous: Hash of the entry before, in hexadecimal.
        root: Root hash of the patch; the name of its blob.
        agent: Who made it.
        cause: The run, reading or import it belongs to, or "".
        time: When it was made.
        shapes_version: Version of the shapes it was judged by.
        focus_count: How many focus nodes were checked.
        added: How many quads it added; -1 where not counted.
        deleted: How many quads it deleted; -1 where not counted.
        unchecked: How many subjects no shape spoke of.
        warnings: What the gate found that did not block.
        focus_digest: Digest of what was checked, in hexadecimal.
        signature: Ed25519 signature of the hash, in hexadecimal, or "".
        signed_by: The public key that checks it, in hexadecimal, or "".
    """

    number: int
    hash: str
    previous: str
    root: str
    agent: str
    cause: str
    time: datetime
    shapes_version: str
    focus_count: int
    added: int = -1
    deleted: int = -1
    unchecked: int = 0
    warnings: tuple[Violation, ...] = ()
    focus_digest: str = ""
    signature: str = ""
    signed_by: str = ""
