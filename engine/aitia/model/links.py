"""Causal links: each asserts itself and, beside it, effect hasCause cause.

Every causal link property states in the ontology which end is the effect and on
what basis it stands unless a `aitia:Link` node says otherwise; `LINKS` repeats that
for the code and a test holds the two equal.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.vocab import AITIA, PROV, RDF


@dataclass(frozen=True)
class CausalKind:
    """How a causal link property stands to hasCause.

    Attributes:
        effect_is_subject: True where the link points from effect to cause.
        basis: The basis where no link node states one.
        sign: +1 for, -1 against, 0 where the link carries no verdict.
    """

    effect_is_subject: bool
    basis: NamedNode
    sign: int = 0


LINKS: Final[Mapping[NamedNode, CausalKind]] = {
    AITIA.derivesFrom: CausalKind(True, AITIA.observed),
    AITIA.supports: CausalKind(False, AITIA.tested, +1),
    AITIA.contradicts: CausalKind(False, AITIA.tested, -1),
    AITIA.verifies: CausalKind(False, AITIA.tested, +1),
    AITIA.refutes: CausalKind(False, AITIA.tested, -1),
    AITIA.triggers: CausalKind(False, AITIA.observed),
    AITIA.motivates: CausalKind(False, AITIA.observed),
    AITIA.concludes: CausalKind(False, AITIA.observed),
    AITIA.usedTool: CausalKind(True, AITIA.observed),
    AITIA.produced: CausalKind(False, AITIA.observed),
}


def causal(
    subject: NamedNode, kind: NamedNode, obj: NamedNode, graph: NamedNode
) -> list[Quad]:
    """Return the quads of a causal link: itself, and effect hasCause cause."""
    effect, cause = (subject, obj) if LINKS[kind].effect_is_subject else (obj, subject)
    return [
        Quad(subject, kind, obj, graph),
        Quad(effect, AITIA.hasCause, cause, graph),
    ]


def link(
    subject: NamedNode,
    kind: NamedNode,
    obj: NamedNode,
    graph: NamedNode,
    *,
    basis: NamedNode,
    confidence: float | None = None,
    rule: str = "",
    reason: str = "",
    author: NamedNode | None = None,
) -> list[Quad]:
    """Return a causal link together with a node that says more about it.

    Args:
        subject: Where the link starts.
        kind: The link property, one of `LINKS`.
        obj: Where it ends.
        graph: The graph to state it in.
        basis: On what ground it stands.
        confidence: From 0 to 1, measured or computed; None where it was not.
        rule: How the confidence was measured; required with `confidence`.
        reason: Why, in words.
        author: Who claims it.
    """
    key = terms.short_hash(subject.value, kind.value, obj.value, graph.value, length=16)
    node = NamedNode(f"{terms.BASE}link:{key}")
    quads = [
        *causal(subject, kind, obj, graph),
        Quad(node, RDF.type, AITIA.Link, graph),
        Quad(node, AITIA.linkFrom, subject, graph),
        Quad(node, AITIA.linkTo, obj, graph),
        Quad(node, AITIA.linkKind, kind, graph),
        Quad(node, AITIA.basis, basis, graph),
    ]
    if confidence is not None:
        quads.append(Quad(node, AITIA.confidence, terms.double(confidence), graph))
        quads.append(Quad(node, AITIA.confidenceRule, terms.string(rule), graph))
    if reason:
        quads.append(Quad(node, AITIA.reason, terms.string(reason), graph))
    if author is not None:
        quads.append(Quad(node, PROV.wasAttributedTo, author, graph))
    return quads
