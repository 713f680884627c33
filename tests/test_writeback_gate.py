"""The gate holds proposals to their states, whoever commits, and keeps decisions."""

from collections.abc import Iterator

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.errors import ShapeViolation
from aitia.gate import Gate
from aitia.model import Patch
from aitia.resources import turtle
from aitia.vocab import AITIA, EARL, PROV, RDF, RDFS
from aitia.writeback.accept import Act, begin
from aitia.writeback.reviewers import Identity
from aitia.writeback.states import Steps
from tests.writeback_desk import Yard, yard

CATALOG = terms.GRAPH_CATALOG
BOB = terms.agent_iri("bob")
LEGAL = {
    (None, "draft"),
    ("draft", "checking"),
    ("draft", "expired"),
    ("checking", "needsReview"),
    ("checking", "rejected"),
    ("needsReview", "approved"),
    ("needsReview", "rejected"),
    ("needsReview", "returned"),
    ("needsReview", "expired"),
    ("returned", "supersededProposal"),
    ("returned", "expired"),
    ("approved", "undone"),
    ("approved", "supersededProposal"),
}
STATES = [
    "draft",
    "checking",
    "needsReview",
    "returned",
    "approved",
    "rejected",
    "supersededProposal",
    "expired",
    "undone",
]


@pytest.fixture(scope="module")
def cranes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    with yard(tmp_path_factory.mktemp("gate"), 12) as made:
        yield made


def commit(cranes: Yard, *quads: Quad, deletes: tuple[Quad, ...] = ()) -> None:
    patch = Patch(frozenset(quads), frozenset(deletes), BOB)
    cranes.workspace.ledger.commit(patch)


def bob(cranes: Yard) -> list[Quad]:
    return [
        Quad(BOB, RDF.type, AITIA.Person, CATALOG),
        Quad(BOB, RDFS.label, terms.string("bob"), CATALOG),
    ]


def test_every_step_is_legal_or_refused() -> None:
    """By the shape over one step, all pairs of states at once."""
    texts = {n: t for n, t in turtle("shapes").items() if n != "model.ttl"}
    tried: dict[str, tuple[str | None, str]] = {}
    quads: list[Quad] = []
    for before in (None, *STATES):
        for after in STATES:
            node = NamedNode(f"urn:aitia:proposal:{before}-{after}")
            steps = Steps(node, getattr(AITIA, before) if before else None)
            steps.to(getattr(AITIA, after), BOB, terms.now())
            quads += [quad for quad in steps.adds if quad.subject != node]
            tried[terms.part(node, "step", 1).value] = (before, after)
    report = Gate().validate(quads, texts)
    shape = "https://w3id.org/aitia/shapes#LegalTransition"
    illegal = {tried[v.focus] for v in report.violations if v.shape == shape}
    assert set(tried.values()) - illegal == LEGAL


def test_a_state_without_its_step_is_refused(cranes: Yard) -> None:
    node = cranes.propose(0).proposal.node
    old = Quad(node, AITIA.proposalState, AITIA.needsReview, CATALOG)
    new = Quad(node, AITIA.proposalState, AITIA.rejected, CATALOG)
    with pytest.raises(ShapeViolation, match="in a state that no step leads to"):
        commit(cranes, new, deletes=(old,))


@pytest.mark.parametrize("state", ["draft", "checking", "undone", "supersededProposal"])
def test_an_illegal_step_is_refused(cranes: Yard, state: str) -> None:
    node = cranes.propose(1 + STATES.index(state) % 5).proposal.node
    steps = Steps.of(cranes.workspace.writeback.desk, node)
    steps.to(getattr(AITIA, state), BOB, terms.now())
    with pytest.raises(ShapeViolation, match="legal transition"):
        commit(cranes, *steps.adds, *bob(cranes), deletes=tuple(steps.deletes))


def test_a_step_from_another_state_or_out_of_order_is_refused(cranes: Yard) -> None:
    node = cranes.propose(7).proposal.node
    desk = cranes.workspace.writeback.desk
    for steps in (
        Steps(node, AITIA.returned, 3),
        Steps(node, AITIA.needsReview, 9),
        Steps(node, AITIA.needsReview, 1),
    ):
        steps.to(AITIA.expired, BOB, terms.now())
        deletes = (Quad(node, AITIA.proposalState, AITIA.needsReview, CATALOG),)
        with pytest.raises(ShapeViolation):
            commit(cranes, *steps.adds, *bob(cranes), deletes=deletes)
    assert desk.node(node, AITIA.proposalState) == AITIA.needsReview


def test_nothing_is_approved_without_a_review_and_a_revision(cranes: Yard) -> None:
    node = cranes.propose(8).proposal.node
    steps = Steps.of(cranes.workspace.writeback.desk, node)
    steps.to(AITIA.approved, BOB, terms.now())
    with pytest.raises(ShapeViolation, match="no revision carries it out"):
        commit(cranes, *steps.adds, *bob(cranes), deletes=tuple(steps.deletes))
    made = begin(node, Act((BOB,), terms.now(), "because"))
    with pytest.raises(ShapeViolation, match="nobody approved it"):
        commit(
            cranes,
            *steps.adds,
            *made.adds,
            *bob(cranes),
            deletes=tuple(steps.deletes),
        )


def review(proposal: NamedNode, who: NamedNode) -> list[Quad]:
    node = NamedNode("urn:aitia:review:made-up")
    verdict, when = terms.part(node, "verdict"), terms.time(terms.now())
    said: list[tuple[NamedNode, NamedNode, NamedNode | Literal]] = [
        (node, RDF.type, AITIA.Review),
        (node, AITIA.reviews, proposal),
        (node, AITIA.hasVerdict, verdict),
        (node, PROV.wasAssociatedWith, who),
        (node, PROV.startedAtTime, when),
        (verdict, RDF.type, AITIA.Verdict),
        (verdict, EARL.outcome, EARL.passed),
        (verdict, AITIA.reason, terms.string("fine")),
    ]
    return [Quad(s, p, o, CATALOG) for s, p, o in said]


def test_the_author_does_not_approve_by_a_direct_commit(cranes: Yard) -> None:
    node = cranes.propose(9).proposal.node
    with pytest.raises(ShapeViolation, match="approves what its author proposed"):
        commit(cranes, *review(node, terms.agent_iri("ann")))


def test_no_model_reviews_by_a_direct_commit(cranes: Yard) -> None:
    node = cranes.propose(10).proposal.node
    model = terms.agent_iri("some-model")
    known = [
        Quad(model, RDF.type, AITIA.Model, CATALOG),
        Quad(model, RDFS.label, terms.string("some-model"), CATALOG),
    ]
    with pytest.raises(ShapeViolation, match="reviewer"):
        commit(cranes, *review(node, model), *known)
    person = Quad(model, RDF.type, AITIA.Person, CATALOG)
    with pytest.raises(ShapeViolation, match="made by a program or a model"):
        commit(cranes, *review(node, model), *known, person)


def test_decisions_cannot_be_taken_away(cranes: Yard) -> None:
    write, store = cranes.workspace.writeback, cranes.workspace.store
    found = cranes.propose(11).proposal
    write.decide(found.id, "approve", "right", Identity("bob"))
    for kind in ("Review", "Verdict", "Transition", "Check", "Revision"):
        node = next(
            q.subject
            for q in store.quads(None, RDF.type, getattr(AITIA, kind), CATALOG)
            if isinstance(q.subject, NamedNode)
        )
        for quad in list(store.quads(node)):
            with pytest.raises(ShapeViolation):
                commit(cranes, deletes=(quad,))


def test_what_users_ingest_decides_nothing(cranes: Yard) -> None:
    node = cranes.propose(6).proposal.node
    forged = cranes.folder / "forged.ttl"
    forged.write_text(
        f"<{node.value}> <{AITIA.proposalState.value}> <{AITIA.approved.value}> .\n"
    )
    report = cranes.workspace.ingest([forged])
    assert [file.outcome for file in report.files] == ["refused"]
