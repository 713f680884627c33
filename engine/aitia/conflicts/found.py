"""What a check of statements finds: which cannot both hold, by which rule, from what."""

from __future__ import annotations

from dataclasses import dataclass

from pyoxigraph import Triple

from aitia.methods.facts import Fact


@dataclass(frozen=True)
class Found:
    """A conflict between statements.

    Attributes:
        rule: The rule's name: as the OWL 2 RL profile has it (`prp-fp`, `cax-dw`, …),
            `sh:maxCount`, or one of our own (`date-order`, `date-once`, `one-value`).
        reason: What cannot both hold, in one sentence.
        sides: The statements that conflict, the one that was checked first.
        premises: What it follows from: axioms, types and the statements themselves.
        certain: Whether an axiom or shape rules it out; if not, the statements only
            disagree by what is usual.
    """

    rule: str
    reason: str
    sides: tuple[Fact, ...]
    premises: tuple[Triple, ...]
    certain: bool = True
