"""What evidence carries: what its words say, from sources that stand by themselves."""

import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pyoxigraph import Literal

from aitia.vocab import AITIA, XSD
from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from aitia.writeback.bearing import borne
from aitia.writeback.checks import case_of, run
from aitia.writeback.draft import Cited, Proposer
from aitia.writeback.reviewers import Identity
from aitia.writeback.sources import contained, plain_words
from tests.writeback_desk import Yard, state, yard

BOB = Identity("bob")


@pytest.fixture(scope="module")
def cranes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    with yard(tmp_path_factory.mktemp("bearing"), 6) as made:
        yield made


def said(text: str) -> Cited:
    return Cited(text, None, text, 0, len(text))


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Crane 4 lifts 34 tonnes.", 1),
        ("Notice: k4 lifts 34 tonnes now.", 1),
        ("We saw k4 lifting 34 in May.", 1),
        ("It lifts 34 tonnes.", 0.5),
        ("Crane 4: 34 tonnes.", 0.5),
        ("Crane 5 lifts 34 tonnes.", 0.5),
        ("If crane 4 lifts 34 tonnes, leave.", 0.5),
        ("Nobody has seen crane 4 lift 34 tonnes, ever.", 0.5),
        ("Does crane 4 lift 34 tonnes?", 0.5),
        ("Crane 4 lifts at most 34 tonnes.", 0),
        ("Crane 4 lifts 134 tonnes.", 0),
        ("Crane 4 lifts 12 tonnes, not 34.", 0),
        ("Crane 34 lifts the gate.", 0),
        ("The gate is green.", 0),
        (".", 0),
    ],
)
def test_words_carry_a_fact_as_far_as_they_say_it(
    cranes: Yard, text: str, share: float
) -> None:
    desk, draft = cranes.workspace.writeback.desk, cranes.draft(4)
    assert borne(desk, draft, said(text)).share == share


@pytest.mark.parametrize(
    ("text", "share", "against"),
    [
        ("Crane 4 lifts 9 tonnes.", 1, False),
        ("Crane 4 does not lift 14 tonnes.", 1, False),
        ("Crane 4 was sold.", 0.5, False),
        ("Crane 4 lifts 14 tonnes.", 0, True),
        ("The gate is green.", 0, False),
    ],
)
def test_words_carry_that_a_fact_goes(
    cranes: Yard, text: str, share: float, against: bool
) -> None:
    write = cranes.workspace.writeback
    draft = write.draft(Asked("retract", "old", "k4", "lifts"))
    found = borne(write.desk, draft, said(text))
    assert (found.share, bool(found.against)) == (share, against)


def test_evidence_that_says_otherwise_speaks_against(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    draft = cranes.draft(4)
    other = Literal("77", datatype=XSD.integer)
    case = case_of(
        write.desk, replace(draft, adds=(replace(draft.adds[0], object=other),))
    )
    assert case.confidence is not None
    assert case.confidence.value == 0
    assert "its own evidence" in case.opposed[0].reason


AUTO = """[writeback]
policy = "auto"
auto_score = 0.98
calibration_reviews = 1
[sources]
"*" = "official"
"""


def test_nothing_is_accepted_unseen_on_words_that_do_not_say_it(
    tmp_path: Path,
) -> None:
    with yard(tmp_path, 6) as made:
        folder = made.workspace.folder
    text = (folder / "aitia.toml").read_text().partition("[sources]")[0]
    (folder / "aitia.toml").write_text(text + AUTO)
    with Workspace.open(folder, flags={"agent": "ann"}) as workspace:
        write = workspace.writeback
        _, token = write.new_token("bob")
        paths = [str(made.path(name, 1)) for name in ("notice", "seen")]
        first = replace(made.asked(1), evidence=paths)
        proposed = write.propose(first, Proposer("ann")).proposal
        write.decide(proposed.id, "approve", "right", Identity("bob", token=token))
        for value, quotes in (
            ("99", ("Notice: k2 lifts 32 tonnes now.", "We saw k2 lifting 32 in May.")),
            ("98", (".", ".")),
            ("97", ()),
        ):
            asked = Asked(
                "revise", "r", "k2", "lifts", value, evidence=paths, quotes=quotes
            )
            found = write.propose(asked, Proposer("mallory"))
            assert found.automatic
            assert state(found.proposal) == "needsReview"
        honest = replace(made.asked(2), evidence=paths)
        assert state(write.propose(honest, Proposer("eve")).proposal) == "approved"


TEXT = (
    "Crane 4 lifts 9 tonnes. Der Prüfer Jörg Müller hält die Größe für üblich. Für die"
    " Fähre gäbe es später höhere Löhne, erklärt er möglichst höflich, während Bäcker"
    " Käse über Brücken führen."
)
MORE = " ".join(f"Word{i} more{i} filler{i} text{i}." for i in range(30))
CHINESE = (
    "四号起重机能吊九吨。检查员王先生认为这个尺寸很正常，因为以前的报告也是这样写的。"
)
COPIES = {
    "decomposed": (TEXT, unicodedata.normalize("NFD", TEXT)),
    "soft hyphens": (TEXT, " ".join(w[:2] + "\u00ad" + w[2:] for w in TEXT.split())),
    "no width": (TEXT, " ".join(w[:2] + "\u200b" + w[2:] for w in TEXT.split())),
    "look-alikes": (TEXT, TEXT.replace("e", "\u0435")),
    "more after": (TEXT, f"{TEXT} {MORE}"),
    "more before": (TEXT, f"{MORE} {TEXT}"),
    "upper case": (TEXT, TEXT.upper()),
    "numbered": (TEXT, " ".join(f"{i} {w}" for i, w in enumerate(TEXT.split()))),
    "Chinese": (CHINESE, CHINESE.replace("正常", "普通").replace("报告", "报表")),
}


@pytest.fixture(scope="module")
def copies(
    cranes: Yard,
) -> dict[str, tuple[str, str]]:
    found = {}
    for number, (name, texts) in enumerate(COPIES.items()):
        paths = [cranes.folder / f"{way}{number}.txt" for way in ("one", "two")]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text)
        found[name] = (str(paths[0]), str(paths[1]))
    return found


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_is_no_second_source(
    name: str, copies: dict[str, tuple[str, str]], cranes: Yard
) -> None:
    write = cranes.workspace.writeback
    draft = write.draft(replace(cranes.asked(4), evidence=copies[name]))
    one, two = case_of(write.desk, draft).evidence
    assert one.key == two.key


def test_two_texts_of_their_own_are_two_sources() -> None:
    one = plain_words("Crane 4 lifts 9 tonnes, as the plate on its arm tells us.")
    two = plain_words("We saw in May that crane 4 lifts 9 tonnes and not a bit more.")
    assert contained(one, two) < 0.8


def test_what_write_back_made_is_no_source(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    text = "Crane 4 lifts 34 tonnes, and crane 8 is red."
    made = write.propose(Asked("add", "heard", text=text)).proposal
    asked = cranes.asked(4)
    ground = write.draft(replace(asked, evidence=[made.id]))
    waiting = case_of(write.desk, ground)
    assert [item.unsourced for item in waiting.evidence] == ["a proposal is no source"]
    assert waiting.confidence is None
    write.decide(made.id, "approve", "right", BOB)
    copy = cranes.folder / "copy-of-it.txt"
    copy.write_text(text)
    cranes.workspace.ingest([copy])
    for name in (f"write-back/{made.id}.txt", str(copy)):
        draft = write.draft(replace(asked, evidence=[name]))
        assert all(item.unsourced for item in case_of(write.desk, draft).evidence)


def test_a_run_that_found_nothing_is_no_source(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    answer = cranes.workspace.ask("Who painted the harbour bridge?")
    assert answer.abstained
    draft = write.draft(replace(cranes.asked(4), evidence=[answer.run]))
    [item] = case_of(write.desk, draft).evidence
    assert "no source" in item.unsourced
    assert AITIA.Abstention in write.desk.kinds(item.cited.ground)  # type: ignore[arg-type]


def test_what_a_text_hides_far_from_the_quote_is_told(cranes: Yard) -> None:
    write = cranes.workspace.writeback
    hiding = cranes.folder / "hiding.txt"
    filler = "The yard is open on all days. " * 20
    hiding.write_text(f"Notice: k4 lifts 34 tonnes now. {filler}It is fi\u00adne.\n")
    draft = write.draft(replace(cranes.asked(4), evidence=[str(hiding)]))
    found = run(case_of(write.desk, draft))
    [check] = [one for one in found if one.kind == AITIA.charactersCheck]
    assert "U+00AD" in check.text
