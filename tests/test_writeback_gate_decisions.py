"""By no direct commit: what was submitted stays, nothing is accepted undecided."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.errors import ShapeViolation
from aitia.model import Patch
from aitia.vocab import AITIA, EARL, PROV, RDF, RDFS, XSD
from aitia.writeback.accept import Act, Written, written
from aitia.writeback.draft import Proposer
from aitia.writeback.read import Proposal, read
from aitia.writeback.reviewers import Identity
from tests.writeback_desk import Yard, yard

CATALOG, CURRENT = terms.GRAPH_CATALOG, terms.GRAPH_CURRENT
BOB, CARL = terms.agent_iri("bob"), terms.agent_iri("carl")
STAYS = "what was submitted stays"
UNDECIDED = "changed by no decision"


@pytest.fixture(scope="module")
def cranes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    with yard(tmp_path_factory.mktemp("gate"), 12) as made:
        yield made


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    settings = "[writeback]\napprovals = 2\n"
    with yard(tmp_path_factory.mktemp("two"), 12, settings) as made:
        yield made


def commit(cranes: Yard, adds: set[Quad], deletes: set[Quad] | None = None) -> None:
    people = {
        quad
        for who, name in ((BOB, "bob"), (CARL, "carl"))
        for quad in (
            Quad(who, RDF.type, AITIA.Person, CATALOG),
            Quad(who, RDFS.label, terms.string(name), CATALOG),
        )
    }
    patch = Patch(frozenset(adds | people), frozenset(deletes or ()), BOB)
    cranes.workspace.ledger.commit(patch)


def review(proposal: NamedNode, who: NamedNode, digest: str, proof: str) -> set[Quad]:
    node = NamedNode(f"{terms.BASE}review:{terms.new_id()}")
    verdict, when = terms.part(node, "verdict"), terms.time(terms.now())
    said: list[tuple[NamedNode, NamedNode, NamedNode | Literal]] = [
        (node, RDF.type, AITIA.Review),
        (node, AITIA.reviews, proposal),
        (node, AITIA.hasVerdict, verdict),
        (node, PROV.wasAssociatedWith, who),
        (node, PROV.startedAtTime, when),
        (node, PROV.endedAtTime, when),
        (node, AITIA.authentication, getattr(AITIA, proof)),
        (node, AITIA.reviewWeight, Literal("1", datatype=XSD.decimal)),
        (node, AITIA.shownDigest, terms.string(digest * 64)),
        (verdict, RDF.type, AITIA.Verdict),
        (verdict, EARL.outcome, EARL.passed),
        (verdict, AITIA.reason, terms.string("fine")),
    ]
    return {Quad(s, p, o, CATALOG) for s, p, o in said}


def acceptance(cranes: Yard, proposal: Proposal, act: Act) -> Written:
    return written(cranes.workspace.writeback.desk, proposal, act)


def test_what_was_submitted_stays(cranes: Yard) -> None:
    """Every quad of a proposal on record, its change, evidence and impact, as it is."""
    found, store = cranes.propose(0).proposal, cranes.workspace.store
    parts = [
        quad.object
        for predicate in ("proposes", "withdraws", "hasEvidence", "hasImpact")
        for quad in store.quads(found.node, getattr(AITIA, predicate))
    ]
    assert len(parts) == 4
    for node in parts:
        assert isinstance(node, NamedNode)
        for quad in list(store.quads(node)):
            other = Quad(node, quad.predicate, terms.string("other"), CATALOG)
            for adds in (set(), {other}):
                with pytest.raises(ShapeViolation, match=STAYS):
                    commit(cranes, adds, {quad})
    for name in ("proposes", "withdraws", "hasEvidence", "approvalsNeeded"):
        for quad in list(store.quads(found.node, getattr(AITIA, name))):
            with pytest.raises(ShapeViolation, match=STAYS):
                commit(cranes, set(), {quad})
    for name, value in (("approvalsNeeded", terms.integer(1)), ("proposedBy", BOB)):
        predicate = getattr(AITIA, name)
        old = next(store.quads(found.node, predicate))
        new = Quad(found.node, predicate, value, CATALOG)
        if new != old:
            with pytest.raises(ShapeViolation, match=STAYS):
                commit(cranes, {new}, {old})


def test_no_person_asserts_a_check(cranes: Yard) -> None:
    proposal = cranes.propose(1).proposal.node
    node = terms.part(proposal, "check", 99)
    said: list[tuple[NamedNode, NamedNode | Literal]] = [
        (RDF.type, AITIA.Check),
        (EARL.subject, proposal),
        (EARL.test, AITIA.quotesCheck),
        (EARL.outcome, EARL.passed),
        (EARL.mode, EARL.automatic),
        (EARL.assertedBy, BOB),
        (AITIA.text, terms.string("fine")),
        (PROV.generatedAtTime, terms.time(terms.now())),
    ]
    quads = {Quad(node, p, o, CATALOG) for p, o in said}
    with pytest.raises(ShapeViolation, match="checked by a program"):
        commit(cranes, {*quads, Quad(proposal, AITIA.hasCheck, node, CATALOG)})


def test_nothing_is_accepted_undecided(cranes: Yard) -> None:
    """Neither a fact of nobody's, nor the fact of a proposal that waits, nor another."""
    found, store = cranes.propose(2).proposal, cranes.workspace.store
    fact = found.adds[0].quad()
    for quad in (
        Quad(cranes.crane(2), NamedNode("http://e/x"), terms.integer(666), CURRENT),
        fact,
    ):
        with pytest.raises(ShapeViolation, match=UNDECIDED):
            commit(cranes, {quad})
    act = Act((BOB,), terms.now(), "because")
    made = acceptance(cranes, found, act)
    made.adds |= review(found.node, BOB, "0", "assertedOnly")
    step = {
        quad
        for quad in made.adds
        if quad.predicate == AITIA.proposalState or "/step/" in str(quad.subject)
    }
    with pytest.raises(ShapeViolation, match=UNDECIDED):  # a revision, and no step
        commit(cranes, made.adds - step)
    other = Quad(fact.subject, fact.predicate, terms.integer(666), CURRENT)
    with pytest.raises(ShapeViolation, match=UNDECIDED):
        commit(cranes, made.adds | {other}, made.deletes)
    commit(cranes, made.adds, made.deletes)
    assert fact in store
    with pytest.raises(ShapeViolation, match=UNDECIDED):
        commit(cranes, set(), {fact})
    cranes.workspace.writeback.undo(found.id, "wrong", Identity("bob"))
    assert fact not in store


def test_a_proposal_decided_on_as_it_is_made_states_no_fact(cranes: Yard) -> None:
    """A patch that brings proposal, review and revision at once is no acceptance."""
    desk = cranes.workspace.writeback.desk
    node = cranes.propose(3).proposal.node
    found = read(desk, node)
    made = acceptance(cranes, found, Act((BOB,), terms.now(), "because"))
    new = NamedNode(node.value[:-4] + "zzzz")
    whole = {
        quad
        for quad in cranes.workspace.store.quads(None, None, None, CATALOG)
        if node.value in str(quad) and quad.predicate != AITIA.proposalState
    }
    whole |= made.adds | review(node, BOB, "0", "assertedOnly")
    moved = {_moved(quad, node, new) for quad in whole}
    with pytest.raises(ShapeViolation, match=UNDECIDED):
        commit(cranes, moved)


def _moved(quad: Quad, old: NamedNode, new: NamedNode) -> Quad:
    ends = [
        NamedNode(end.value.replace(old.value, new.value))
        if isinstance(end, NamedNode)
        else end
        for end in (quad.subject, quad.object)
    ]
    return Quad(ends[0], quad.predicate, ends[1], quad.graph_name)  # type: ignore[arg-type]


def test_no_words_are_withdrawn_undecided(cranes: Yard) -> None:
    store = cranes.workspace.store
    document = next(store.quads(None, RDF.type, AITIA.Document, CATALOG)).subject
    span = NamedNode("urn:aitia:proposal:x/words/1")
    said: list[tuple[NamedNode, object]] = [
        (RDF.type, AITIA.Span),
        (NamedNode("http://purl.org/dc/terms/isPartOf"), document),
        (AITIA.text, terms.string("Notice")),
        (AITIA.start, terms.integer(0)),
        (AITIA.end, terms.integer(6)),
    ]
    quads = {Quad(span, p, o, CATALOG) for p, o in said}  # type: ignore[arg-type]
    ended = Quad(span, PROV.invalidatedAtTime, terms.time(terms.now()), CATALOG)
    with pytest.raises(ShapeViolation, match=UNDECIDED):
        commit(cranes, {*quads, ended})


def test_nothing_is_automatic_that_no_setting_lets_be(cranes: Yard) -> None:
    found = cranes.propose(4).proposal
    act = Act((BOB,), terms.now(), "because", "automatic")
    made = acceptance(cranes, found, act)
    with pytest.raises(ShapeViolation, match="without a person, and somebody did it"):
        commit(cranes, made.adds, made.deletes)
    made = acceptance(cranes, found, replace(act, agents=(Proposer("aitia").node,)))
    with pytest.raises(ShapeViolation, match="without a person, and it"):
        commit(cranes, made.adds, made.deletes)


@pytest.mark.parametrize(
    ("crane", "digests", "proofs", "told"),
    [
        (0, "0", ["byToken"], "fewer than the 2 needed"),
        (1, "00", ["byToken", "assertedOnly"], "fewer than the 2 needed"),
        (2, "01", ["byToken", "bySignature"], "shown differently"),
        (3, "00", ["byToken", "bySignature"], ""),
    ],
)
def test_as_many_approve_the_same_as_it_takes(
    two: Yard, crane: int, digests: str, proofs: list[str], told: str
) -> None:
    found = two.propose(crane).proposal
    people = (BOB, CARL)[: len(digests)]
    made = acceptance(two, found, Act(people, terms.now(), "because"))
    for who, digest, proof in zip(people, digests, proofs, strict=True):
        made.adds |= review(found.node, who, digest, proof)
    if told:
        with pytest.raises(ShapeViolation, match=told):
            commit(two, made.adds, made.deletes)
    else:
        commit(two, made.adds, made.deletes)
        assert found.adds[0].quad() in two.workspace.store
