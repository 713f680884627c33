"""Valid proposals pass; altered in any of many ways they are refused or flagged.

The short form alters five proposals in each way, the long form a hundred; nothing of
what is altered is ever written.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pyoxigraph import Literal, NamedNode

from aitia.errors import AitiaError, ShapeViolation
from aitia.model import Patch
from aitia.vocab import AITIA, XSD
from aitia.writeback.asking import Asked
from aitia.writeback.draft import Base, Change, Cited, Draft
from aitia.writeback.evidence import cite
from aitia.writeback.propose import against_now
from aitia.writeback.refusals import Refused
from aitia.writeback.reviewers import Identity
from tests.writeback_desk import Yard, state, yard

Alter = Callable[[Yard, int, Draft], Draft]
SHORT, FULL, VALID = 5, 100, 500


def evidence(draft: Draft, **changes: object) -> Draft:
    first = replace(draft.evidence[0], **changes)  # type: ignore[arg-type]
    return replace(draft, evidence=(first, *draft.evidence[1:]))


def change(draft: Draft, **changes: object) -> Draft:
    return replace(draft, adds=(replace(draft.adds[0], **changes),))  # type: ignore[arg-type]


def more_evidence(yard: Yard, draft: Draft, *named: str) -> Draft:
    desk = yard.workspace.writeback.desk
    subject = draft.adds[0].subject.value.rsplit("/", 1)[-1]
    wanted = [[str(draft.adds[0].object.value), subject]]
    found = tuple(cite(desk, name, "", wanted) for name in named)
    return replace(draft, evidence=(*draft.evidence, *found))


def no_evidence(yard: Yard, number: int, draft: Draft) -> Draft:
    return replace(draft, evidence=())


def one_character(yard: Yard, number: int, draft: Draft) -> Draft:
    quote = draft.evidence[0].quote
    at = number % len(quote)
    other = "x" if quote[at] != "x" else "y"
    return evidence(draft, quote=quote[:at] + other + quote[at + 1 :])


def other_place(yard: Yard, number: int, draft: Draft) -> Draft:
    cited, by = draft.evidence[0], 1 + number % 9
    return evidence(draft, start=cited.start + by, end=cited.end + by)


def wrong_type(yard: Yard, number: int, draft: Draft) -> Draft:
    values = [
        Literal("heavy"),
        Literal("soon", datatype=XSD.integer),
        NamedNode("http://example.org/heavy"),
        Literal("2026-01-31", datatype=XSD.date),
    ]
    return change(draft, object=values[number % len(values)])


def unknown_subject(yard: Yard, number: int, draft: Draft) -> Draft:
    node = NamedNode(f"http://example.org/nobody{number}")
    return replace(change(draft, subject=node), withdraws=(), kind="add")


def not_standing(yard: Yard, number: int, draft: Draft) -> Draft:
    gone = Literal("999", datatype=XSD.integer)
    return replace(draft, withdraws=(replace(draft.withdraws[0], object=gone),))


def too_sure(yard: Yard, number: int, draft: Draft) -> Draft:
    return replace(draft, confidence=1.2, confidence_rule="a guess")


def old_base(yard: Yard, number: int, draft: Draft) -> Draft:
    if number % 2:
        return replace(draft, base=Base(draft.base.commit + 1_000, draft.base.digest))
    return replace(draft, base=Base(1, "0" * 64))


def hidden_characters(yard: Yard, number: int, draft: Draft) -> Draft:
    hidden = ["fine\u200b so", "\u202efine", "\u0441rane 4 is fine", "fi\u00adne"]
    return replace(draft, reason=hidden[number % len(hidden)])


def copied_source(yard: Yard, number: int, draft: Draft) -> Draft:
    return more_evidence(yard, draft, yard.path("copy", number))


def preferred_opinion(yard: Yard, number: int, draft: Draft) -> Draft:
    return replace(draft, opinion_of="Ann")


def no_reason(yard: Yard, number: int, draft: Draft) -> Draft:
    return replace(draft, kind="retract", adds=(), reason="")


def told_what_to_do(yard: Yard, number: int, draft: Draft) -> Draft:
    return more_evidence(yard, draft, yard.path("bad", number))


def twice(yard: Yard, number: int, draft: Draft) -> Draft:
    first = yard.workspace.writeback.submit(draft)
    assert state(first.proposal) == "needsReview"
    return draft


def own_ground(yard: Yard, number: int, draft: Draft) -> Draft:
    first = yard.workspace.writeback.submit(draft).proposal
    yard.workspace.writeback.decide(first.id, "return", "which?", Identity("bob"))
    cited = Cited("as was said", first.node)
    return replace(draft, evidence=(cited,), revision_of=first.node)


def far_away(yard: Yard, number: int, draft: Draft) -> Draft:
    far = cite(yard.workspace.writeback.desk, "https://example.org/cranes")
    return replace(draft, evidence=(far,))


def other_value(yard: Yard, number: int, draft: Draft) -> Draft:
    value = Literal(str(60 + number % 9), datatype=XSD.integer)
    return change(draft, object=value)


def empty_words(yard: Yard, number: int, draft: Draft) -> Draft:
    cited = draft.evidence[0]
    at = cited.start + cited.quote.index(".")
    return evidence(draft, text=".", quote=".", start=at, end=at + 1)


def words_put_in_its_mouth(yard: Yard, number: int, draft: Draft) -> Draft:
    first = yard.workspace.writeback.submit(draft).proposal
    said = draft.evidence[0].quote
    here = bool(number % 2)
    forged = Cited(said, first.node, said, 0, len(said), reached=here)
    return replace(draft, evidence=(forged,))


def a_proposal_as_source(yard: Yard, number: int, draft: Draft) -> Draft:
    said = draft.evidence[0].quote
    asked = Asked("add", "so it is", text=f"{said} Really.")
    first = yard.workspace.writeback.propose(asked).proposal
    desk = yard.workspace.writeback.desk
    return replace(draft, evidence=(cite(desk, first.id),))


def its_own_words(yard: Yard, number: int, draft: Draft) -> Draft:
    said = draft.evidence[0].quote
    asked = Asked("add", "so it is", text=f"{said} It was seen by many in the yard.")
    yard.workspace.writeback.propose(asked)
    path = yard.folder / f"said{number}.txt"
    path.write_text(asked.text)
    return replace(draft, evidence=(cite(yard.workspace.writeback.desk, str(path)),))


ALTERED: dict[str, tuple[Alter, str, str]] = {
    # name: (what is done, the state it ends in or the error, words of the reason)
    "no evidence": (no_evidence, "needsReview", "no evidence is given"),
    "one character of a quote": (one_character, "rejected", "does not say"),
    "shifted offsets": (other_place, "rejected", "does not say"),
    "wrong type": (
        wrong_type,
        "rejected|ShapeViolation",
        "elsewhere|datatype demands",
    ),
    "unknown subject": (unknown_subject, "rejected", "nothing on record describes"),
    "what does not stand": (not_standing, "rejected", "does not stand"),
    "confidence above 1": (too_sure, "ShapeViolation", "confidence"),
    "evidence that is the proposal": (own_ground, "rejected", "asks for the same"),
    "stale base": (old_base, "rejected", "has changed since commit"),
    "hidden characters": (hidden_characters, "needsReview", "U\\+|look alike"),
    "a copy as second source": (copied_source, "needsReview", "are copies"),
    "an opinion preferred": (preferred_opinion, "ShapeViolation", "opinion"),
    "no reason": (no_reason, "ShapeViolation", "reason"),
    "instructions in evidence": (told_what_to_do, "needsReview", "says: Ignore all"),
    "proposed already": (twice, "rejected", "asks for it already"),
    "evidence of another value": (other_value, "needsReview", "its own evidence"),
    "a quote of nothing": (empty_words, "needsReview", "does not name the value"),
    "a quote of a node": (words_put_in_its_mouth, "rejected", "does not say"),
    "a proposal as source": (a_proposal_as_source, "needsReview", "is no source"),
    "its own words": (its_own_words, "needsReview", "says the words of"),
    "evidence not looked at": (far_away, "needsReview", "not looked at"),
}


@pytest.fixture(scope="module")
def cranes(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Yard]:
    full = bool(request.config.getoption("--full"))
    count = FULL if full else SHORT
    number = (len(ALTERED) + len(DECISIONS)) * count + (VALID if full else 20)
    with yard(tmp_path_factory.mktemp("yard"), number) as made:
        yield made


def submitted(yard: Yard, draft: Draft) -> tuple[str, str]:
    """The state that a draft ends in, or the error, and every reason given."""
    try:
        found = yard.workspace.writeback.submit(draft)
    except ShapeViolation as error:
        return "ShapeViolation", str(error)
    bad = [c.text for c in found.checks if not c.outcome.value.endswith("passed")]
    return state(found.proposal), "; ".join(bad)


def numbers(request: pytest.FixtureRequest, place: int) -> range:
    count = FULL if request.config.getoption("--full") else SHORT
    return range(place * count, (place + 1) * count)


@pytest.mark.parametrize("name", ALTERED)
def test_what_is_altered_is_not_let_through(
    name: str, cranes: Yard, request: pytest.FixtureRequest
) -> None:
    alter, wanted, words = ALTERED[name]
    before = cranes.facts()
    for number in numbers(request, list(ALTERED).index(name)):
        draft = alter(cranes, number, cranes.draft(number))
        end, reason = submitted(cranes, draft)
        assert end in wanted.split("|"), (number, reason)
        assert re.search(words, reason), (number, reason)
    assert cranes.facts() == before


def by_its_author(yard: Yard, proposal: str) -> None:
    names = ["ann", "Ann", "ANN", "ａｎｎ"]
    who = Identity(names[int(proposal, 36) % len(names)])
    yard.workspace.writeback.decide(proposal, "approve", "mine", who)


def by_a_model(yard: Yard, proposal: str) -> None:
    desk = yard.workspace.writeback.desk
    quads = frozenset(desk.agent("tiny-model", AITIA.Model))
    desk.ledger.commit(Patch(quads))
    yard.workspace.writeback.decide(proposal, "approve", "ok", Identity("tiny-model"))


def by_a_wrong_token(yard: Yard, proposal: str) -> None:
    who = Identity("bob", token="aitia_made_up")
    yard.workspace.writeback.decide(proposal, "approve", "ok", who)


def without_a_reason(yard: Yard, proposal: str) -> None:
    yard.workspace.writeback.decide(proposal, "approve", " ", Identity("bob"))


def as_it_was(yard: Yard, proposal: str) -> None:
    who = Identity("bob")
    yard.workspace.writeback.decide(proposal, "approve", "ok", who, digest="0" * 12)


DECISIONS: dict[str, tuple[Callable[[Yard, str], None], str]] = {
    "by its author": (by_its_author, "cannot approve it"),
    "by a model": (by_a_model, "only people decide"),
    "by a wrong token": (by_a_wrong_token, "token is not one of bob"),
    "without a reason": (without_a_reason, "needs a reason"),
    "as it was": (as_it_was, "has changed since it was shown"),
}


@pytest.mark.parametrize("name", DECISIONS)
def test_a_decision_that_may_not_be_made_writes_nothing(
    name: str, cranes: Yard, request: pytest.FixtureRequest
) -> None:
    decide, words = DECISIONS[name]
    place = len(ALTERED) + list(DECISIONS).index(name)
    before = cranes.facts()
    for number in numbers(request, place):
        found = cranes.workspace.writeback.submit(cranes.draft(number)).proposal
        with pytest.raises((Refused, AitiaError), match=words):
            decide(cranes, found.id)
        after = cranes.workspace.writeback.show(found.id)
        assert state(after.proposal) == "needsReview"
        assert after.reviews == ()
    assert cranes.facts() == before


def test_none_of_the_valid_ones_is_refused(
    cranes: Yard, request: pytest.FixtureRequest
) -> None:
    full = bool(request.config.getoption("--full"))
    count = FULL if full else SHORT
    first = (len(ALTERED) + len(DECISIONS)) * count
    for number in range(first, first + (VALID if full else 20)):
        draft = valid(cranes, number)
        found = cranes.workspace.writeback.submit(draft)
        told = [c.text for c in found.checks if c.outcome.value.endswith("failed")]
        assert state(found.proposal) == "needsReview", told
        assert told == []
        assert not found.refused


def valid(yard: Yard, number: int) -> Draft:
    """A valid draft; of five kinds, in turn."""
    kind = number % 5
    if kind == 0:
        return more_evidence(yard, yard.draft(number), yard.path("seen", number))
    if kind == 1:
        return replace(yard.draft(number), kind="deprecate", adds=())
    if kind == 2:
        draft = yard.draft(number)
        seen = Change(
            draft.adds[0].subject, NamedNode("http://example.org/note"), Literal("ok")
        )
        return yard_base(yard, replace(draft, kind="add", adds=(seen,), withdraws=()))
    if kind == 3:
        draft = yard.draft(number)
        low = change(draft, rank=AITIA.normal)
        return yard_base(yard, replace(low, opinion_of="Ann", withdraws=(), kind="add"))
    return yard.draft(number, by=f"author {number}")


def yard_base(yard: Yard, draft: Draft) -> Draft:
    return against_now(yard.workspace.writeback.desk, draft)


def test_there_are_twelve_ways_at_least() -> None:
    assert len(ALTERED) + len(DECISIONS) >= 12
