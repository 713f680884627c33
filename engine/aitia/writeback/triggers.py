"""What a run or an ingest finds missing or wrong, made gaps and proposals.

Each has a setting (`[writeback] missing`, `conflict`, `derived`). What is proposed so
goes through the same checks as what a person proposes, and waits for a review.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from pyoxigraph import NamedNode, Quad

from aitia import lookup, terms
from aitia.errors import AitiaError
from aitia.model import CommitRecord, Patch
from aitia.model.links import causal
from aitia.model.patch import ENGINE_AGENT
from aitia.vocab import AITIA, RDF
from aitia.writeback.desk import CATALOG, Desk
from aitia.writeback.draft import Base, Change, Cited, Draft, Proposer, Words
from aitia.writeback.evidence import on_record, text_of
from aitia.writeback.opinions import opinion_of
from aitia.writeback.propose import Proposed, against_now, propose

if TYPE_CHECKING:
    from aitia.conflicts.side import Side

ENGINE: Final = Proposer("aitia", AITIA.Software)


class Disagreement(Protocol):
    """A conflict on record; those of `aitia.conflicts` are such."""

    @property
    def node(self) -> str:
        """Its IRI."""
        ...

    @property
    def reason(self) -> str:
        """How the sides disagree."""
        ...

    @property
    def sides(self) -> tuple[Side, ...]:
        """Its sides."""
        ...


def missing(desk: Desk, run: NamedNode, question: str) -> CommitRecord | None:
    """Put a gap on record for a run that abstained; None where it is known already.

    A gap is what people and programs can propose something about
    (`aitia propose --about GAP`).
    """
    if not desk.settings.missing:
        return None
    if any(_has_gap(desk, other) for other in _asking(desk, question)):
        return None
    node = NamedNode(f"{terms.BASE}gap:{terms.new_id()}")
    # The question itself stands in the run: the catalog is exported as knowledge.
    text = terms.string(f"No answer was found in {lookup.short(run.value)}.")
    adds = {
        Quad(node, RDF.type, AITIA.Gap, CATALOG),
        Quad(node, AITIA.text, text, CATALOG),
        Quad(node, AITIA.inRun, run, CATALOG),
    }
    for quad in desk.store.quads(run, AITIA.conclusion):
        if isinstance(quad.object, NamedNode):
            adds.update(causal(node, AITIA.derivesFrom, quad.object, CATALOG))
    return desk.ledger.commit(Patch(frozenset(adds), agent=ENGINE_AGENT, cause=run))


def _asking(desk: Desk, question: str) -> Iterator[NamedNode]:
    """Yield the runs that were asked a question, in the same words."""
    for quad in desk.store.quads(None, AITIA.text, terms.string(question)):
        node = quad.subject
        if isinstance(node, NamedNode) and AITIA.UserInput in desk.kinds(node):
            found = desk.store.quads(node, AITIA.inRun)
            yield from (q.object for q in found if isinstance(q.object, NamedNode))


def _has_gap(desk: Desk, run: NamedNode) -> bool:
    members = desk.subjects(AITIA.inRun, run)
    return any(AITIA.Gap in desk.kinds(node) for node in members)


def disagreements(
    desk: Desk,
    found: Iterable[Disagreement],
    newer: Collection[str] = (),
    run: NamedNode | None = None,
) -> list[Proposed]:
    """Propose to use the weaker sides of conflicts no longer.

    The stronger side is the one whose source weighs more than any other; where they
    weigh the same, the one from a newer document. Where neither tells them apart
    nothing is proposed: the conflict stands until a person decides.

    Args:
        desk: What to work with.
        found: The conflicts.
        newer: IRIs of documents that were taken in just now.
        run: The run that found them, or None.
    """
    if not desk.settings.conflict:
        return []
    made = []
    for conflict in found:
        if any(opinion_of(desk, side.document) for side in conflict.sides):
            continue  # One view among others: it settles nothing, and is not settled.
        winner = _stronger(conflict.sides, newer)
        if winner is None or _known(desk, conflict):
            continue
        draft = _against(desk, conflict, winner, run)
        if draft is not None:
            made.append(propose(desk, against_now(desk, draft)))
    return made


def undecided(
    desk: Desk, found: Sequence[Disagreement], newer: Collection[str] = ()
) -> str:
    """Return why nothing is proposed about some conflicts, or "".

    Args:
        desk: What to work with.
        found: The conflicts.
        newer: IRIs of documents that were taken in just now.
    """
    even = sum(1 for item in found if _stronger(item.sides, newer) is None)
    if not (even and desk.settings.conflict):
        return ""
    what = "1 conflict" if even == 1 else f"{even:,} conflicts"
    return (
        f"Nothing is proposed about {what} between sources that weigh the same and none"
        " of which was there before: say in [sources] of aitia.toml which weighs more,"
        " or propose what holds (`aitia propose`)."
    )


def derived(desk: Desk, run: NamedNode) -> list[Proposed]:
    """Propose what several runs derived and no source states.

    A claim is derived where it rests on two facts or sentences or more, none of which
    says the same words. So many runs as `derived_runs` must have come to the same words.
    """
    if not desk.settings.derived:
        return []
    made = []
    for claim in _claims(desk, run):
        text = _text(desk, claim)
        same = [node for node in _alike(desk, text) if _is_derived(desk, node, text)]
        runs = {node.value.partition("/")[0] for node in same}
        if len(runs) < desk.settings.derived_runs or _stands(desk, text):
            continue
        draft = Draft(
            "add",
            f"{len(runs)} runs derived it, and no source states it.",
            ENGINE,
            Base(0, ""),
            text=text,
            evidence=tuple(on_record(desk, node) for node in sorted(same, key=str)),
            trigger="derived",
            run=run,
        )
        made.append(propose(desk, against_now(desk, draft)))
    return made


def _stronger(sides: Sequence[Side], newer: Collection[str]) -> Side | None:
    weights = sorted((side.weight.value for side in sides), reverse=True)
    if len(weights) > 1 and weights[0] > weights[1]:
        return max(sides, key=lambda side: side.weight.value)
    fresh = [side for side in sides if side.document in newer]
    return fresh[0] if len(fresh) == 1 else None


def _known(desk: Desk, conflict: Disagreement) -> bool:
    """Tell whether something was proposed about a conflict already."""
    about = desk.subjects(AITIA.about, NamedNode(conflict.node))
    return any(AITIA.Proposal in desk.kinds(node) for node in about)


def _against(
    desk: Desk, conflict: Disagreement, winner: Side, run: NamedNode | None
) -> Draft | None:
    """Return a draft against the other sides; None where they cannot be withdrawn."""
    losers = [side for side in conflict.sides if side is not winner]
    withdraws = tuple(
        Change(
            side.fact.subject, side.fact.predicate, side.fact.object, side.fact.graph
        )
        for side in losers
        if side.fact is not None
    )
    words = tuple(found for side in losers if (found := _words(desk, side)))
    cited = _cited(desk, winner)
    if not (withdraws or words) or cited is None:
        return None
    source = winner.path or lookup.short(winner.document)
    return Draft(
        "deprecate",
        f"{source} ({winner.weight.told()}) says otherwise: {conflict.reason}",
        ENGINE,
        Base(0, ""),
        withdraws=withdraws,
        words=words,
        evidence=(cited,),
        trigger="conflict",
        about=(NamedNode(conflict.node),),
        run=run,
    )


def _words(desk: Desk, side: Side) -> Words | None:
    """Return the words of a side that is no fact."""
    if side.fact is not None or side.end <= side.start:
        return None
    document = NamedNode(side.document)
    return Words(document, _slice(desk, side), side.start, side.end)


def _slice(desk: Desk, side: Side) -> str:
    return text_of(desk, NamedNode(side.document))[side.start : side.end]


def _cited(desk: Desk, side: Side) -> Cited | None:
    """Return the stronger side as evidence, with its exact words where it has any."""
    ground = NamedNode(side.passage or side.document)
    if not desk.kinds(ground):
        return None
    try:
        if side.end > side.start:
            quote = _slice(desk, side)
            return Cited(quote, ground, quote, side.start, side.end)
        return on_record(desk, ground)
    except AitiaError:
        return None


def _claims(desk: Desk, run: NamedNode) -> Iterator[NamedNode]:
    for quad in desk.store.quads(None, AITIA.inRun, run, terms.run_graph(run)):
        node = quad.subject
        if isinstance(node, NamedNode) and AITIA.Claim in desk.kinds(node):
            yield node


def _text(desk: Desk, node: NamedNode) -> str:
    found = (quad.object for quad in desk.store.quads(node, AITIA.text))
    return next((getattr(value, "value", "") for value in found), "")


def _alike(desk: Desk, text: str) -> Iterator[NamedNode]:
    """Yield the supported claims of all runs that say the same words."""
    for quad in desk.store.quads(None, AITIA.text, terms.string(text)):
        node = quad.subject
        supported = isinstance(node, NamedNode) and any(
            desk.store.quads(node, AITIA.supportState, AITIA.supported)
        )
        if isinstance(node, NamedNode) and supported:
            yield node


def _is_derived(desk: Desk, claim: NamedNode, text: str) -> bool:
    """Tell whether a claim puts together what several facts or sentences say."""
    grounds: dict[NamedNode, list[NamedNode]] = {AITIA.Statement: [], AITIA.Quote: []}
    for quad in desk.store.quads(claim, AITIA.derivesFrom):
        if isinstance(quad.object, NamedNode):
            for kind in desk.kinds(quad.object) & grounds.keys():
                grounds[kind].append(quad.object)
    # A fact is quoted besides: its words are no second ground.
    nodes = grounds[AITIA.Statement] or grounds[AITIA.Quote]
    said = {
        getattr(quad.object, "value", "").casefold()
        for node in (*grounds[AITIA.Statement], *grounds[AITIA.Quote])
        for part in (AITIA.exact, AITIA.text)
        for quad in desk.store.quads(node, part)
    }
    return len(nodes) > 1 and not any(text.casefold() in words for words in said)


def _stands(desk: Desk, text: str) -> bool:
    """Tell whether the same words were proposed already, whatever became of it."""
    return bool(desk.subjects(AITIA.proposedText, terms.string(text)))
