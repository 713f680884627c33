"""From a proposal to a new version and back: what is written, by whom, and when."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.errors import NotFound, UsageError
from aitia.vocab import AITIA, PROV, RDF
from aitia.writeback.asking import Asked
from aitia.writeback.draft import Proposer
from aitia.writeback.queue import Wanted
from aitia.writeback.refusals import Refused
from aitia.writeback.reviewers import Identity, sign
from tests.writeback_desk import CURRENT, Yard, lifts_now, lifts_then, state, yard

BOB, CAROL = Identity("bob"), Identity("carol")


@pytest.fixture
def cranes(tmp_path: Path) -> Iterator[Yard]:
    with yard(tmp_path, 6) as made:
        yield made


def approve(cranes: Yard, number: int = 4, who: Identity = BOB) -> str:
    """Propose what a notice says of a crane, and accept it; return the id."""
    found = cranes.propose(number).proposal.id
    cranes.workspace.writeback.decide(found, "approve", "read the notice", who)
    return found


def test_nothing_is_asserted_before_a_review(cranes: Yard) -> None:
    before = cranes.facts()
    found = cranes.propose(4)
    assert state(found.proposal) == "needsReview"
    assert found.automatic == "the policy is propose-only"
    assert cranes.facts() == before
    [new] = found.proposal.adds
    assert new.object.value == str(lifts_now(4))
    assert (
        found.proposal.evidence[0][1].quote
        == f"Notice: k4 lifts {lifts_now(4)} tonnes now."
    )
    assert found.proposal.confidence == 1.0  # one official source, quoted
    assert "(1 - 0.00) * (1 - (1 - 1.00))" in found.proposal.confidence_rule


def test_the_next_question_finds_what_was_accepted(cranes: Yard) -> None:
    ask = cranes.workspace.ask
    assert str(lifts_then(4)) in ask("How much does k4 lift?").text
    found = cranes.propose(4).proposal
    decision = cranes.workspace.writeback.decide(found.id, "approve", "read it", BOB)
    assert state(decision.proposal) == "approved"
    assert cranes.lifted(4) == {str(lifts_now(4))}
    answer = ask("How much does k4 lift?")
    assert str(lifts_now(4)) in answer.text
    assert [s.support for s in answer.sentences] == ["supported"]
    behind = {node.iri for node in cranes.workspace.why(answer.run).nodes.values()}
    assert found.node.value in behind, "why leads to the proposal"
    assert any("#char=" in iri for iri in behind), "and on to its evidence"


def test_the_old_version_stays_on_record(cranes: Yard) -> None:
    store = cranes.workspace.store
    approve(cranes)
    [new] = [
        q.subject for q in store.quads(None, RDF.object, None) if _is_version(cranes, q)
    ]
    [old] = [q.object for q in store.quads(new, PROV.wasRevisionOf)]  # type: ignore[arg-type]
    ranks = {
        (node, q.object)
        for node in (new, old)
        for q in store.quads(node, AITIA.rank)  # type: ignore[arg-type]
    }
    assert ranks == {(new, AITIA.preferred), (old, AITIA.deprecated)}
    assert any(store.quads(old, PROV.invalidatedAtTime))  # type: ignore[arg-type]
    report = cranes.workspace.validate()
    assert report.conforms, [v.mend for v in report.violations]
    assert cranes.workspace.verify().findings == ()


def _is_version(cranes: Yard, quad: Quad) -> bool:
    kinds = cranes.workspace.store.quads(quad.subject, RDF.type, AITIA.Statement)  # type: ignore[arg-type]
    return (
        any(kinds)
        and quad.graph_name == terms.GRAPH_CATALOG
        and quad.object.value == str(lifts_now(4))  # type: ignore[union-attr]
    )


def test_undo_brings_the_facts_back(cranes: Yard) -> None:
    before = cranes.facts()
    found = approve(cranes)
    assert cranes.facts() != before
    head = cranes.workspace.ledger.head()
    done = cranes.workspace.writeback.undo(found, "the notice was withdrawn", BOB)
    assert state(done.proposal) == "undone"
    assert cranes.facts() == before
    assert head is not None
    assert done.commit > head.number, "as a new commit"
    assert cranes.workspace.validate().conforms
    with pytest.raises(UsageError, match="is undone, not approved"):
        cranes.workspace.writeback.undo(found, "again", BOB)


def test_what_was_built_on_is_undone_in_order(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    before = cranes.facts()
    first = approve(cranes)
    again = write.propose(replace(cranes.asked(4), object="99"), Proposer("ann"))
    write.decide(again.proposal.id, "approve", "newer still", BOB)
    with pytest.raises(UsageError, match="changed the same since"):
        write.undo(first, "wrong", BOB)
    write.undo(again.proposal.id, "wrong", BOB)
    assert cranes.lifted(4) == {str(lifts_now(4))}
    write.undo(first, "wrong", BOB)
    assert cranes.facts() == before


def test_a_fact_can_be_accepted_again_after_an_undo(cranes: Yard) -> None:
    cranes.workspace.writeback.undo(approve(cranes), "too soon", BOB)
    approve(cranes)
    assert cranes.lifted(4) == {str(lifts_now(4))}
    assert cranes.workspace.validate().conforms


@pytest.mark.parametrize("kind", ["deprecate", "retract"])
def test_a_fact_is_taken_out_and_stays_on_record(cranes: Yard, kind: str) -> None:
    asked = replace(cranes.asked(2), kind=kind, object="")
    found = cranes.workspace.writeback.propose(asked)
    cranes.workspace.writeback.decide(found.proposal.id, "approve", "right", BOB)
    assert cranes.lifted(2) == set()
    [old] = found.proposal.withdraws
    assert old.object.value == str(lifts_then(2))


def test_names_are_merged(cranes: Yard) -> None:
    asked = Asked("merge", "one crane, two keys", "k1", object="k2")
    found = cranes.workspace.writeback.propose(asked).proposal
    cranes.workspace.writeback.decide(found.id, "approve", "so it is", BOB)
    said = {
        q.predicate.value.rsplit("#")[-1]
        for q in cranes.workspace.store.quads(None, None, None, CURRENT)
    }
    assert said == {"sameAs", "altLabel"}


def test_an_opinion_is_one_view_and_no_fact(cranes: Yard) -> None:
    before = cranes.facts()
    asked = replace(cranes.asked(3), kind="add", opinion_of="Dora")
    found = cranes.workspace.writeback.propose(asked).proposal
    cranes.workspace.writeback.decide(found.id, "approve", "noted", BOB)
    assert cranes.facts() == before
    store = cranes.workspace.store
    held = store.quads(None, AITIA.opinionOf, terms.string("Dora"))
    nodes = [q.subject for q in held if isinstance(q.subject, NamedNode)]
    kinds = {q.object for node in nodes for q in store.quads(node, RDF.type)}
    assert AITIA.Statement in kinds


def test_accepted_text_is_found_and_withdrawn_words_are_not(cranes: Yard) -> None:
    (cranes.folder / "policy.txt").write_text(
        "The return window is 30 days. Refunds are paid by transfer.\n"
    )
    workspace = cranes.workspace
    workspace.ingest([cranes.folder / "policy.txt"])
    asked = Asked(
        "revise",
        "changed in March",
        text="The return window is 14 days.",
        words="The return window is 30 days.",
        document=str(cranes.folder / "policy.txt"),
    )
    found = workspace.writeback.propose(asked).proposal
    assert "30 days" in workspace.ask("What is the return window?").text
    workspace.writeback.decide(found.id, "approve", "right", BOB)
    answer = workspace.ask("What is the return window?")
    assert "14 days" in answer.text
    assert "30 days" not in answer.text
    assert any("an accepted proposal withdrew" in told for told in answer.notices)
    workspace.writeback.undo(found.id, "no", BOB)
    assert "30 days" in workspace.ask("What is the return window?").text


def test_a_returned_proposal_comes_back_as_a_new_version(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    first = cranes.propose(4).proposal
    write.decide(first.id, "return", "since when?", BOB)
    with pytest.raises(UsageError, match="ann's, who alone may bring it back"):
        write.propose(replace(cranes.asked(4), again=first.id), Proposer("dora"))
    since = datetime(2026, 3, 1, tzinfo=UTC)
    second = write.propose(replace(cranes.asked(4), again=first.id, valid_from=since))
    assert second.proposal.revision_of == first.node
    assert second.proposal.adds[0].valid_from == since
    assert state(write.show(first.id).proposal) == "supersededProposal"
    with pytest.raises(UsageError, match="only a returned one comes back"):
        write.propose(replace(cranes.asked(4), again=first.id))


def test_a_second_approval_is_refused(cranes: Yard) -> None:
    found = approve(cranes)
    with pytest.raises(Refused, match="is approved, last reviewed by bob"):
        cranes.workspace.writeback.decide(found, "approve", "me too", CAROL)


def test_a_stale_base_is_refused(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    early = cranes.propose(4, by="dora").proposal
    other = write.propose(replace(cranes.asked(4), object="77")).proposal
    write.decide(other.id, "approve", "right", BOB)
    with pytest.raises(Refused, match="has changed since commit"):
        write.decide(early.id, "approve", "right", BOB)
    write.decide(early.id, "reject", "out of date", BOB)


def test_what_changed_since_it_was_shown_is_refused(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    found = cranes.propose(4).proposal
    shown = write.show(found.id)
    cranes.workspace.delete(cranes.path("notice", 4))
    with pytest.raises(Refused, match="has changed since it was shown"):
        write.decide(found.id, "approve", "right", BOB, digest=shown.digest)
    write.decide(found.id, "approve", "right", BOB, digest=write.show(found.id).digest)


def test_a_reservation_keeps_others_out_until_it_ends(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    found = cranes.propose(4).proposal.id
    held = write.reserve(found, BOB, 1)
    assert held.until > terms.now() + timedelta(minutes=50)
    with pytest.raises(Refused, match="is reserved by bob until"):
        write.decide(found, "approve", "right", CAROL)
    with pytest.raises(Refused, match="is reserved by bob until"):
        write.reserve(found, CAROL)
    write.reserve(found, BOB, 1e-9)
    write.decide(found, "approve", "right", CAROL)


def test_many_are_decided_at_once_after_a_dry_run(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    for number in range(4):
        cranes.propose(number, by="bob" if number == 3 else "ann")
    wanted = Wanted(kind="revise", least=0.9)
    dry = list(write.decide_all(wanted, "approve", "all right", BOB, dry_run=True))
    assert len(dry) == 4
    assert not any(item.decision for item in dry)
    assert len(write.proposals()) == 4
    done = list(write.decide_all(wanted, "approve", "all right", BOB))
    assert sum(1 for item in done if item.decision) == 3
    [refused] = [item.refused for item in done if item.refused]
    assert "bob made the proposal" in refused


def test_wide_impact_needs_two_who_prove_who_they_are(tmp_path: Path) -> None:
    with yard(tmp_path, 6, "[writeback]\napprovals = 2\napprovals_wide = 2\n") as made:
        write = made.workspace.writeback
        found = made.propose(4).proposal
        assert found.needed == 2
        write.decide(found.id, "approve", "merely asserted", Identity("eve"))
        tokens = {name: write.new_token(name)[1] for name in ("bob", "carol")}
        bob = Identity("bob", tokens["bob"])
        first = write.decide(found.id, "approve", "right", bob)
        assert state(first.proposal) == "needsReview"
        assert first.missing == 1
        with pytest.raises(Refused, match="bob has approved the proposal"):
            write.decide(found.id, "approve", "and again", bob)
        with pytest.raises(UsageError, match="token is not one of dora"):
            write.decide(
                found.id, "approve", "right", Identity("dora", tokens["carol"])
            )
        carol = Identity("carol", tokens["carol"])
        last = write.decide(found.id, "approve", "right", carol)
        assert state(last.proposal) == "approved"
        proofs = [r.authentication for r in write.show(found.id).reviews]
        assert proofs == [AITIA.assertedOnly, AITIA.byToken, AITIA.byToken]


def test_a_signature_by_a_listed_key_proves_who_reviews(tmp_path: Path) -> None:
    keys = {name: Ed25519PrivateKey.generate() for name in ("bob", "eve")}
    for name, key in keys.items():
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (tmp_path / f"{name}.pem").write_bytes(pem)
    public = keys["bob"].public_key().public_bytes_raw().hex()
    settings = f'[reviewers]\nbob = {{ key = "{public}", weight = 2 }}\n'
    with yard(tmp_path, 6, f"{settings}[writeback]\napprovals = 2\n") as made:
        write = made.workspace.writeback
        found = made.propose(4).proposal.id
        signed = write.signing(found, "approve", "right")
        false = Identity("bob", signature=sign(tmp_path / "eve.pem", signed))
        with pytest.raises(UsageError, match="not one of bob"):
            write.decide(found, "approve", "right", false)
        true = Identity("bob", signature=sign(tmp_path / "bob.pem", signed))
        with pytest.raises(UsageError, match="not one of bob"):
            write.decide(found, "approve", "another reason", true)
        done = write.decide(found, "approve", "right", true)
        assert state(done.proposal) == "approved", "weight 2 counts twice"


def test_an_approval_outside_of_ones_field_does_not_count(tmp_path: Path) -> None:
    settings = '[reviewers]\nbob = { competence = ["http://example.org/*"] }\n'
    with yard(tmp_path, 6, settings) as made:
        write = made.workspace.writeback
        found = made.propose(4).proposal.id
        done = write.decide(found, "approve", "I think so", BOB)
        assert state(done.proposal) == "needsReview"
        assert done.missing == 1
        assert (
            state(write.decide(found, "approve", "yes", CAROL).proposal) == "approved"
        )


def test_what_nobody_reviews_expires(tmp_path: Path) -> None:
    with yard(tmp_path, 6, "[writeback]\nexpire_days = 1e-9\n") as made:
        found = made.propose(4).proposal.id
        with pytest.raises(Refused, match="is expired"):
            made.workspace.writeback.decide(found, "approve", "right", BOB)


def test_tokens_are_kept_as_hashes_and_revoked(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    made, secret = write.new_token("bob", 1)
    kept = (cranes.folder / "ws" / "tokens.json").read_text()
    assert secret not in kept
    found = cranes.propose(4).proposal.id
    write.revoke(made.id)
    with pytest.raises(UsageError, match="token is not one of bob"):
        write.decide(found, "approve", "right", Identity("bob", secret))
    with pytest.raises(NotFound):
        write.revoke(made.id)


def test_why_tells_on_what_evidence_an_accepted_fact_stands(cranes: Yard) -> None:
    found = approve(cranes)
    behind = cranes.workspace.why_fact("k4", "lifts", str(lifts_now(4)))
    iris = list(behind.nodes)
    assert f"urn:aitia:proposal:{found}" in iris
    assert any("#char=" in iri for iri in iris)
    shown = cranes.workspace.writeback.show(found)
    [(before, after)] = shown.around
    assert before.endswith("tonnes now.\n")
    assert after.startswith("\nNotice: k5 lifts")
    [(_, cited)] = shown.proposal.evidence
    assert (cited.kind, cited.weight) == ("official", 1.0)
