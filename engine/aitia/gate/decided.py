"""Rules on what stays as it was submitted, and on what a decision may do.

No shape sees what stood before a change, nor in which graph a triple stands. Each rule
starts from what the change touches: a proposal that goes to another state, and from
there to its parts and reviews.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.gate.change import Change
from aitia.gate.index import Term
from aitia.gate.overlay import Overlay
from aitia.gate.result import Result
from aitia.gate.rulebook import ACCEPTED, APPROVED, BY_PROGRAM, SAME_SHOWN, SUBMITTED
from aitia.vocab import AITIA, DCTERMS, EARL, PROV, RDF

AUTOMATIC: Final = "automatic"
"""What `aitia:policy` says of a revision that no person approved."""
SURE: Final = 0.98
"""Confidence below which no setting lets anything be accepted without a person."""
SOURCES: Final = 2
"""Independent sources that every setting demands for that."""

PROGRAMS: Final = frozenset({AITIA.Model, AITIA.Software})
_PARTS: Final = frozenset(
    {AITIA.ProposedStatement, AITIA.Evidence, AITIA.ImpactAnalysis, AITIA.Span}
)
_FIXED: Final = frozenset(
    {
        RDF.type, AITIA.proposes, AITIA.withdraws, AITIA.hasEvidence, AITIA.hasImpact,
        AITIA.proposalKind, AITIA.trigger, AITIA.proposedBy, AITIA.approvalsNeeded,
        AITIA.baseCommit, AITIA.baseDigest, AITIA.proposedText, AITIA.opinionOf,
        AITIA.confidence, AITIA.confidenceRule, AITIA.reason, AITIA.text, AITIA.about,
    }
)  # fmt: skip
_ENDS: Final = frozenset({PROV.invalidatedAtTime, PROV.wasInvalidatedBy})
_PROVEN: Final = frozenset({AITIA.byToken, AITIA.bySignature})
_CLEAN: Final = frozenset({EARL.passed, EARL.inapplicable})
Fact = tuple[Term, Term, Term]


def of_decisions(change: Change, overlay: Overlay) -> Iterator[Result]:
    """Check what a change does to proposals on record and to what was accepted."""
    yield from _submitted(overlay, change.ours)
    for quad in change.our_adds:
        if quad.predicate == AITIA.hasCheck:
            yield from _checker(overlay, quad.object)
    yield from _facts(change, overlay)
    yield from _spans(change, overlay)


def _submitted(overlay: Overlay, quads: Iterable[Quad]) -> Iterator[Result]:
    """Find changes of what a proposal on record asks for, and of what it rests on."""
    touched: dict[Term, set[NamedNode]] = {}
    for quad in quads:
        touched.setdefault(quad.subject, set()).add(quad.predicate)
    for node, predicates in touched.items():
        kinds = overlay.types(node, after=False)
        asked = AITIA.Proposal in kinds and not _FIXED.isdisjoint(predicates)
        part = not _PARTS.isdisjoint(kinds) and not predicates <= _ENDS
        if asked or part:
            yield SUBMITTED.broken(node, "would be another than was submitted")


def _checker(overlay: Overlay, check: Term) -> Iterator[Result]:
    for who in overlay.values(check, EARL.assertedBy):
        if PROGRAMS.isdisjoint(overlay.types(who)):
            yield BY_PROGRAM.broken(check, "is asserted by somebody", who)


def _decided(change: Change, overlay: Overlay, state: NamedNode) -> list[Term]:
    """Return the proposals on record that a change, by a revision, puts into a state."""
    carried = {q.object for q in change.our_adds if q.predicate == AITIA.carriesOut}
    return [
        quad.subject
        for quad in change.our_adds
        if quad.predicate == AITIA.proposalState
        and quad.object == state
        and quad.subject in carried
        and AITIA.Proposal in overlay.types(quad.subject, after=False)
    ]


def _parts(
    change: Change, overlay: Overlay, state: NamedNode, predicate: NamedNode
) -> set[Term]:
    decided = _decided(change, overlay, state)
    return {part for one in decided for part in overlay.values(one, predicate)}


def _facts(change: Change, overlay: Overlay) -> Iterator[Result]:
    """Find accepted facts that come or go, and no decision in the change says so."""
    patch, graph = change.patch, terms.GRAPH_CURRENT
    if graph not in change.graphs:
        return
    for quads, way in (
        (patch.adds, (AITIA.proposes, AITIA.withdraws)),
        (patch.deletes, (AITIA.withdraws, AITIA.proposes)),
    ):
        parts = _parts(change, overlay, AITIA.approved, way[0])
        parts |= _parts(change, overlay, AITIA.undone, way[1])
        said = {fact for part in parts for fact in _stated(overlay, part)}
        for quad in quads:
            fact = quad.subject, quad.predicate, quad.object
            if quad.graph_name == graph and fact not in said:
                yield ACCEPTED.broken(
                    quad.subject, "would be changed by no decision", quad.object
                )


def _stated(overlay: Overlay, part: Term) -> Iterator[Fact]:
    if terms.GRAPH_CURRENT not in overlay.values(part, AITIA.inGraph):
        return
    for subject in overlay.values(part, RDF.subject):
        for predicate in overlay.values(part, RDF.predicate):
            for value in overlay.values(part, RDF.object):
                yield subject, predicate, value


def _spans(change: Change, overlay: Overlay) -> Iterator[Result]:
    """Find words of texts on record that no decision withdraws, or puts back."""
    spans = {
        quad.subject
        for quad in change.ours
        if quad.predicate in _ENDS
        and AITIA.Span in (*overlay.types(quad.subject), *_before(overlay, quad))
        and _is_here(overlay, quad.subject)
    }
    if not spans:
        return
    decided = _parts(change, overlay, AITIA.approved, AITIA.withdraws)
    decided |= _parts(change, overlay, AITIA.undone, AITIA.withdraws)
    for span in spans - decided:
        yield ACCEPTED.broken(span, "would be changed by no decision")


def _before(overlay: Overlay, quad: Quad) -> Iterable[Term]:
    return overlay.types(quad.subject, after=False)


def _is_here(overlay: Overlay, span: Term) -> bool:
    """Tell whether the text of a span was on record before the change."""
    return any(
        AITIA.Document in overlay.types(whole, after=False)
        for whole in overlay.values(span, DCTERMS.isPartOf)
    )


# Approvals


def approved(overlay: Overlay, proposal: Term) -> Iterator[Result]:
    """Check that those approved what is approved who had to, or a policy did."""
    known = set(overlay.subjects(proposal, AITIA.carriesOut, after=False))
    revisions = set(overlay.subjects(proposal, AITIA.carriesOut)) - known
    if not revisions:
        yield APPROVED.broken(proposal, "is approved, and no revision carries it out")
        return
    policies = {v for one in revisions for v in overlay.values(one, AITIA.policy)}
    if Literal(AUTOMATIC) in policies:
        if why := next(_against(overlay, proposal, revisions), ""):
            yield APPROVED.broken(proposal, f"is approved without a person, and {why}")
        return
    reviews = overlay.subjects(proposal, AITIA.reviews)
    passing = [review for review in reviews if passes(overlay, review)]
    if not passing:
        yield APPROVED.broken(proposal, "is approved, and nobody approved it")
    elif AITIA.Proposal in overlay.types(proposal, after=False):
        people = {
            w for one in revisions for w in overlay.values(one, PROV.wasAssociatedWith)
        }
        yield from _enough(overlay, proposal, passing, people)


def passes(overlay: Overlay, review: Term) -> bool:
    """Tell whether a review approves."""
    return any(
        EARL.passed in overlay.values(verdict, EARL.outcome)
        for verdict in overlay.values(review, AITIA.hasVerdict)
    )


def _enough(
    overlay: Overlay, proposal: Term, passing: Iterable[Term], people: set[Term]
) -> Iterator[Result]:
    """Check the approvals of those whom the revision names: how many, and of what."""
    needed = max(_numbers(overlay, proposal, AITIA.approvalsNeeded), default=Decimal(1))
    weights: dict[Term, Decimal] = {}
    shown: dict[Term, set[Term]] = {}
    for review in passing:
        proofs = overlay.values(review, AITIA.authentication)
        if needed > 1 and _PROVEN.isdisjoint(proofs):
            continue
        counts = max(_numbers(overlay, review, AITIA.reviewWeight), default=Decimal(1))
        for who in people.intersection(overlay.values(review, PROV.wasAssociatedWith)):
            weights[who] = max(counts, weights.get(who, Decimal(0)))
            shown.setdefault(who, set()).update(
                overlay.values(review, AITIA.shownDigest)
            )
    if sum(weights.values(), Decimal(0)) < needed:
        yield APPROVED.broken(
            proposal, f"is approved by fewer than the {needed} needed"
        )
    if len(shown) > 1 and not set.intersection(*shown.values()):
        yield SAME_SHOWN.broken(proposal, "is approved as it was shown differently")


def _numbers(overlay: Overlay, node: Term, predicate: NamedNode) -> list[Decimal]:
    found = []
    for value in overlay.values(node, predicate):
        try:
            found.append(Decimal(value.value if isinstance(value, Literal) else ""))
        except InvalidOperation:
            continue  # a shape says so
    return [number for number in found if number.is_finite()]


def _against(
    overlay: Overlay, proposal: Term, revisions: Iterable[Term]
) -> Iterator[str]:
    """Yield why no setting lets a proposal be accepted without a person."""
    for revision in revisions:
        for who in overlay.values(revision, PROV.wasAssociatedWith):
            if AITIA.Software not in overlay.types(who):
                yield "somebody did it"
    for check in overlay.values(proposal, AITIA.hasCheck):
        if _CLEAN.isdisjoint(overlay.values(check, EARL.outcome)):
            yield "it did not pass every check"
    sure = _numbers(overlay, proposal, AITIA.confidence)
    if not sure or min(sure) < Decimal(str(SURE)):
        yield f"its confidence is below {SURE}"
    if overlay.values(proposal, AITIA.opinionOf):
        yield "it is an opinion"
    sources = {
        key
        for piece in overlay.values(proposal, AITIA.hasEvidence)
        for key in overlay.values(piece, AITIA.sourceKey)
    }
    if len(sources) < SOURCES:
        yield f"it has fewer than {SOURCES} sources"
    if not any(overlay.has(p, AITIA.authentication, forward=False) for p in _PROVEN):
        yield "nobody who proved a name has reviewed anything"
