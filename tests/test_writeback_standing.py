"""Who may undo, who may reserve, which approvals count, and what is told of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from aitia.errors import AitiaError, SettingsError, UsageError
from aitia.vocab import AITIA, PROV
from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from aitia.writeback.draft import Proposer
from aitia.writeback.refusals import Refused
from aitia.writeback.review import Decision
from aitia.writeback.reviewers import Identity
from aitia_cli.proposals import shown, told
from tests.writeback_desk import Yard, lifts_now, lifts_then, state, yard

BOB, DAVE = Identity("bob"), Identity("dave")
TWO = "[writeback]\napprovals = 2\n"
Proven = dict[str, Identity]


@pytest.fixture
def cranes(tmp_path: Path) -> Iterator[Yard]:
    with yard(tmp_path, 6) as made:
        yield made


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Yard, Proven]]:
    """A yard where two have to approve, and three people with tokens."""
    with yard(tmp_path, 6, TWO) as made:
        write = made.workspace.writeback
        names = ("alice", "bob", "carol")
        yield made, {n: Identity(n, write.new_token(n)[1]) for n in names}


def accepted(made: Yard, people: Proven) -> str:
    """Propose what a notice says of crane 4, and have Alice and Bob accept it."""
    found = made.propose(4).proposal.id
    for name in ("alice", "bob"):
        made.workspace.writeback.decide(found, "approve", "read it", people[name])
    assert made.lifted(4) == {str(lifts_now(4))}
    return found


def agents(workspace: Workspace, proposal: str) -> list[set[str]]:
    """The names in each revision that carries a proposal out."""
    desk = workspace.writeback.desk
    node = workspace.writeback.show(proposal).proposal.node
    return [
        {x.value.rpartition(":")[2] for x in desk.nodes(one, PROV.wasAssociatedWith)}
        for one in desk.subjects(AITIA.carriesOut, node)
        if desk.node(one, AITIA.undoes) is None
    ]


def test_an_undo_takes_no_less_than_the_acceptance(two: tuple[Yard, Proven]) -> None:
    made, people = two
    write, found = made.workspace.writeback, accepted(*two)
    with pytest.raises(Refused, match=r"dave cannot undo .* nobody proved to be"):
        write.undo(found, "I do not like it", DAVE)
    with pytest.raises(Refused, match="bob cannot undo"):
        write.undo(found, "in his name", BOB)
    first = write.undo(found, "the notice is a draft", people["carol"])
    assert state(first.proposal) == "approved"
    assert first.missing == 1
    assert made.lifted(4) == {str(lifts_now(4))}
    assert "1 more wish to undo it is needed" in told(first)
    assert "To undo it: 1 of 2." in "\n".join(shown(write.show(found)))
    with pytest.raises(Refused, match="carol has asked to undo"):
        write.undo(found, "really", people["carol"])
    last = write.undo(found, "it was a draft indeed", people["bob"])
    assert state(last.proposal) == "undone"
    assert last.missing == 0
    assert made.lifted(4) == {str(lifts_then(4))}
    text = "\n".join(shown(write.show(found)))
    assert "Undone by bob, carol, " in text
    assert "carol (by token, 20" in text
    assert "says undo: the notice is a draft" in text


def test_who_proved_his_approval_is_not_undone_by_who_does_not(tmp_path: Path) -> None:
    with yard(tmp_path, 6) as made:
        write = made.workspace.writeback
        bob = Identity("bob", write.new_token("bob")[1])
        found = made.propose(4).proposal.id
        write.decide(found, "approve", "read it", bob)
        with pytest.raises(Refused, match="dave cannot undo"):
            write.undo(found, "no", DAVE)
        assert state(write.undo(found, "a draft", bob).proposal) == "undone"


def test_what_anybody_accepted_anybody_undoes(tmp_path: Path) -> None:
    with yard(tmp_path, 6) as made:
        write = made.workspace.writeback
        found = made.propose(4).proposal.id
        write.decide(found, "approve", "read it", BOB)
        assert state(write.undo(found, "no", DAVE).proposal) == "undone"
        text = "\n".join(shown(write.show(found)))
        assert "Undone by dave, 20" in text
        assert "UTC: no" in text


def test_who_may_not_judge_a_field_undoes_nothing_there(tmp_path: Path) -> None:
    settings = '[reviewers]\ndave = { competence = ["http://example.org/*"] }\n'
    with yard(tmp_path, 6, settings) as made:
        write = made.workspace.writeback
        found = made.propose(4).proposal.id
        write.decide(found, "approve", "read it", BOB)
        with pytest.raises(Refused, match="outside of the fields"):
            write.undo(found, "no", DAVE)


def test_what_is_stale_names_the_undo(tmp_path: Path) -> None:
    with yard(tmp_path, 6) as made:
        write = made.workspace.writeback
        found = made.propose(4).proposal.id
        write.decide(found, "approve", "read it", BOB)
        made.workspace.ask("What does k4 lift?")
        write.undo(found, "a draft", DAVE)
        [item] = made.workspace.stale()
        assert f"when the proposal {found} was undone" in item.reason
        assert "by the accepted proposal" not in item.reason


def test_which_approvals_count_and_why_not_is_told(two: tuple[Yard, Proven]) -> None:
    made, people = two
    write, found = made.workspace.writeback, made.propose(4).proposal.id
    vain: Decision = write.decide(found, "approve", "looks right", DAVE)
    assert told(vain) == (
        f"{found}: approved by you; 2 more approvals are needed. Yours counts nothing:"
        " nobody proved to be that reviewer, by a token or a signature."
    )
    first = write.decide(found, "approve", "read it", people["alice"])
    assert told(first).endswith("approved by you; 1 more approval is needed.")
    text = "\n".join(shown(write.show(found)))
    assert "looks right Counts nothing: nobody proved to be that reviewer" in text
    assert "Approvals: 1 of 2." in text
    write.decide(found, "approve", "read it too", people["bob"])
    assert agents(made.workspace, found) == [{"alice", "bob"}]


def test_an_approval_in_ones_name_keeps_nobody_from_his_own(
    two: tuple[Yard, Proven],
) -> None:
    made, people = two
    write, found = made.workspace.writeback, made.propose(4).proposal.id
    write.decide(found, "approve", "in his name", BOB)
    own = write.decide(found, "approve", "read it", people["bob"])
    assert own.missing == 1, "one person counts once"
    last = write.decide(found, "approve", "read it", people["alice"])
    assert state(last.proposal) == "approved"


def test_no_reservation_keeps_reviewers_waiting_for_nobody(
    two: tuple[Yard, Proven],
) -> None:
    made, people = two
    write, found = made.workspace.writeback, made.propose(4, by="carol").proposal.id
    with pytest.raises(Refused, match="cannot be reserved by bob"):
        write.reserve(found, BOB)
    with pytest.raises(Refused, match="carol made the proposal"):
        write.reserve(found, people["carol"])
    write.reserve(found, people["bob"])
    with pytest.raises(Refused, match="is reserved by bob"):
        write.decide(found, "approve", "read it", people["alice"])
    write.decide(found, "approve", "read it", people["bob"])
    assert write.show(found).reserved is None, "it ends once bob has decided"
    last = write.decide(found, "approve", "read it", people["alice"])
    assert state(last.proposal) == "approved"


def test_a_reservation_is_given_up_by_who_has_it(two: tuple[Yard, Proven]) -> None:
    made, people = two
    write, found = made.workspace.writeback, made.propose(4).proposal.id
    with pytest.raises(Refused, match="Nobody has reserved"):
        write.release(found, people["bob"])
    write.reserve(found, people["bob"])
    with pytest.raises(Refused, match="bob has reserved"):
        write.release(found, people["alice"])
    with pytest.raises(Refused, match="bob proved who reserved"):
        write.release(found, BOB)
    write.release(found, people["bob"])
    assert write.show(found).reserved is None
    write.reserve(found, people["alice"])


def test_a_merely_asserted_reservation_yields_to_proof(tmp_path: Path) -> None:
    with yard(tmp_path, 6) as made:
        write = made.workspace.writeback
        alice = Identity("alice", write.new_token("alice")[1])
        found, other = (made.propose(n).proposal.id for n in (3, 4))
        for one in (found, other):
            write.reserve(one, BOB)
            with pytest.raises(Refused, match="is reserved by bob"):
                write.decide(one, "approve", "read it", DAVE)
        write.release(other, alice)
        assert state(write.decide(other, "approve", "x", DAVE).proposal) == "approved"
        assert state(write.decide(found, "approve", "x", alice).proposal) == "approved"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("ANN", "made the proposal"),
        ("a n n.", "made the proposal"),
        ("\u0430nn", "must be what it shows"),
        ("a\u200bnn", "must be what it shows"),
        ("ann\u00ad", "must be what it shows"),
        ("\u202eann", "must be what it shows"),
        ("\uff21\uff4e\uff4e", "made the proposal"),
        ("Aitia", "is a program or a model"),
        ("...", "letter or digit"),
    ],
)
def test_no_look_alike_approves_ones_own(cranes: Yard, name: str, why: str) -> None:
    write = cranes.workspace.writeback
    found = cranes.propose(4).proposal.id
    with pytest.raises(AitiaError, match=why):
        write.decide(found, "approve", "right", Identity(name))
    assert state(write.show(found).proposal) == "needsReview"


@pytest.mark.parametrize("name", ["Qwen3", "QWEN3 ", "qwen-3", "\uff51wen3"])
def test_no_model_approves_under_a_name_like_its_own(cranes: Yard, name: str) -> None:
    write = cranes.workspace.writeback
    write.propose(cranes.asked(3), Proposer("qwen3", AITIA.Model))
    found = cranes.propose(4).proposal.id
    with pytest.raises(Refused, match="is a program or a model"):
        write.decide(found, "approve", "right", Identity(name))


def test_one_person_is_one_however_the_name_is_written(
    two: tuple[Yard, Proven],
) -> None:
    write = two[0].workspace.writeback
    for name in ("Alice", "al1ce", "alice."):
        with pytest.raises(UsageError, match="too like 'alice'"):
            write.new_token(name)
    for days in (float("nan"), float("inf"), 1e12, -1):
        with pytest.raises(UsageError, match="A token lasts from 0 to"):
            write.new_token("erin", days)
    found = two[0].propose(4).proposal.id
    for hours in (float("nan"), float("inf"), 1e9, -5):
        with pytest.raises(UsageError, match="A reservation lasts from 0 to"):
            write.reserve(found, two[1]["bob"], hours)


def test_what_takes_proof_to_accept_takes_proof_to_turn_down(
    two: tuple[Yard, Proven],
) -> None:
    made, people = two
    write, found = made.workspace.writeback, made.propose(4).proposal.id
    for verdict in ("reject", "return"):
        with pytest.raises(Refused, match=f"dave cannot {verdict}"):
            write.decide(found, verdict, "no", DAVE)
    done = write.decide(found, "reject", "a draft", people["carol"])
    assert state(done.proposal) == "rejected"


def test_an_approval_by_a_token_that_was_revoked_counts_no_more(
    two: tuple[Yard, Proven],
) -> None:
    made, people = two
    write, found = made.workspace.writeback, made.propose(4).proposal.id
    write.decide(found, "approve", "read it", people["bob"])
    [old] = [token for token in write.tokens() if token.name == "bob"]
    write.revoke(old.id)
    seen = write.show(found)
    assert seen.counted == 0
    assert seen.uncounted == ("the token that proved it is no longer on file",)
    bob = Identity("bob", write.new_token("bob")[1])
    assert write.show(found).counted == 0, "a new token proves nothing of before"
    assert write.decide(found, "approve", "read it again", bob).missing == 1
    last = write.decide(found, "approve", "read it", people["alice"])
    assert state(last.proposal) == "approved"


@pytest.mark.parametrize("weight", ["nan", "inf", "1e-7", "1e20", "-1", "true"])
def test_a_weight_that_makes_no_sense_is_a_wrong_setting(
    tmp_path: Path, weight: str
) -> None:
    with yard(tmp_path, 6, f"[reviewers]\nbob = {{ weight = {weight} }}\n") as made:
        found = made.propose(4).proposal.id
        with pytest.raises(SettingsError, match=r"reviewers\.bob: the weight"):
            made.workspace.writeback.decide(found, "approve", "right", BOB)


@pytest.mark.parametrize("text", ["{", "{}", "[1]", '[{"name": "bob"}]'])
def test_a_broken_list_of_tokens_is_told(cranes: Yard, text: str) -> None:
    (cranes.workspace.folder / "tokens.json").write_text(text)
    found = cranes.propose(4).proposal.id
    with pytest.raises(SettingsError, match=r"tokens\.json"):
        cranes.workspace.writeback.decide(found, "approve", "x", Identity("bob", "t"))


def test_no_secret_in_a_reason_or_a_text_is_kept(cranes: Yard) -> None:
    secret = "ghp_" + "a1B2" * 10
    write = cranes.workspace.writeback
    made = write.propose(
        Asked("add", f"as {secret} says", text=f"The token is {secret}.")
    )
    write.decide(made.proposal.id, "approve", f"seen with {secret}", BOB)
    write.undo(made.proposal.id, f"not {secret}", DAVE)
    assert "█" in write.show(made.proposal.id).reviews[0].reason
    kept = "".join(map(str, cranes.workspace.store.quads()))
    assert secret not in kept


@pytest.mark.parametrize(("field", "counts"), [("p/*", False), ("text", True)])
def test_ones_fields_bind_texts_too(tmp_path: Path, field: str, counts: bool) -> None:
    settings = f'[reviewers]\nbob = {{ competence = ["{field}"] }}\n'
    with yard(tmp_path, 6, settings) as made:
        write = made.workspace.writeback
        found = write.propose(Asked("add", "seen", text="The gate is green.")).proposal
        done = write.decide(found.id, "approve", "seen too", BOB)
        assert (state(done.proposal) == "approved") is counts


def test_other_proposals_do_not_make_a_change_the_harder(tmp_path: Path) -> None:
    with yard(tmp_path, 6, "[writeback]\nwide_from = 6\n") as made:
        write = made.workspace.writeback
        found = made.propose(4).proposal.id
        for _ in range(8):
            made.propose(4, by="mallory")
        assert write.show(found).needed == 1
