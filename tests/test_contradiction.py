"""Two sentences: whether they contradict, by which rule, and where neither can be told."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings as law, strategies as st

from aitia.errors import SettingsError
from aitia.methods.base import Reads
from aitia.methods.contradiction.rules import judge
from aitia.methods.contradiction.sentences import read
from aitia.methods.contradiction.values import values
from aitia.methods.contradiction.weights import BIAS, WEIGHTS
from aitia.methods.contradiction_check import Pair, contradiction_check
from aitia.retrieval import nli
from aitia.settings import Settings
from aitia.settings.sources import ConflictSettings
from tests.conflictdev.fever import cases, development
from tests.conflictdev.fit import embedding, fit, measures
from tests.conflictdev.score import reads, score

CONTRADICT = [
    ("The fee is 5 euro.", "The fee is 7 euro.", "number"),
    ("Limit is 10.", "Limit is 20.", "number"),
    ("Crane 4 lifts 9 tonnes.", "Crane 4 lifts 12 tonnes.", "number"),
    ("The tank holds 5 litres.", "The tank holds 5,500 ml.", "number"),
    (
        "Returns are accepted within 14 days.",
        "Returns are accepted within 30 days.",
        "number",
    ),
    ("At least 5 people are needed.", "4 people are needed.", "number"),
    ("The shop opens at 9:00.", "The shop opens at 10 am.", "number"),
    ("费用是五元。", "费用是七元。", "number"),
    ("The deadline is 5 May 2024.", "The deadline is 6 May 2024.", "date"),
    ("The firm was founded in 1998.", "The firm was founded in 1999.", "date"),
    ("Staff may enter the lab.", "Staff may not enter the lab.", "denial"),
    ("The shop is open on Sundays.", "The shop is closed on Sundays.", "opposites"),
    (
        "Smoking is allowed in the hall.",
        "Smoking is forbidden in the hall.",
        "opposites",
    ),
    (
        "The chair of the board is Ada Pell.",
        "The chair of the board is Ben Oduya.",
        "slot",
    ),
    ("The capital of France is Paris.", "The capital of France is Lyon.", "slot"),
]
DO_NOT = [
    # Different things, or different times.
    ("Crane 4 lifts 9 tonnes.", "Crane 5 lifts 12 tonnes."),
    ("Crane 4 lifts 9 tonnes.", "Crane 5 lifts 9 tonnes."),
    ("Unit 1 belongs to group 1.", "Unit 2 belongs to group 2."),
    ("Pump A feeds tank B.", "Pump C feeds tank B."),
    ("Order K-101 was cancelled.", "Order K-102 was not cancelled."),
    ("In 2019 the chair of the board was Ada Pell.", "In 2020 the chair of the board was Ben Oduya."),
    ("In 2019 the fee was 5 euro.", "In 2020 the fee was 5 euro."),
    ("In 2019 the fee was 5 euro.", "In 2020 the fee was 7 euro."),
    ("Node 3 feeds node 4.", "Node 4 feeds node 5."),
    # The same in other words.
    ("Crane 4 lifts 9 tonnes.", "Crane 4 lifts 9,000 kg."),
    ("The warranty lasts 2 years.", "The warranty lasts 24 months."),
    ("The tank holds six litres.", "The tank holds 6 l."),
    ("At least 5 people are needed.", "7 people are needed."),
    ("The fee is about 5 euro.", "The fee is 5.20 euro."),
    ("Ada Pell was born on 3 May 1980.", "Ada Pell was born in 1980."),
    # Both can hold, or nothing tells.
    ("Mercury is a planet.", "Mercury is a metal."),
    ("The price is 5 euro.", "The price is 5 dollars."),
    ("It costs 5 euro.", "It costs 6 euro."),
    ("The shop is not open on Sundays.", "The shop is closed on Sundays."),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "rule"), CONTRADICT)
def test_sentences_that_contradict(one: str, other: str, rule: str) -> None:
    for a, b in ((one, other), (other, one)):
        found = judge(read(a), read(b))
        assert found is not None
        assert (found.verdict, found.rule) == ("contradicts", rule)
        assert found.reason


@pytest.mark.parametrize(("one", "other"), DO_NOT)
def test_sentences_that_do_not(one: str, other: str) -> None:
    for a, b in ((one, other), (other, one)):
        found = judge(read(a), read(b))
        assert found is None or found.verdict != "contradicts"


SENTENCES = [text for pair in (*CONTRADICT, *DO_NOT) for text in pair[:2]]
texts = st.one_of(
    st.sampled_from(SENTENCES),
    st.lists(st.sampled_from(" ".join(SENTENCES).split()), max_size=12).map(" ".join),
    st.text(max_size=60),
)


@given(texts, texts)
@law(deadline=None, max_examples=150)
def test_which_is_asked_about_first_makes_no_difference(one: str, other: str) -> None:
    there, back = judge(read(one), read(other)), judge(read(other), read(one))
    assert (there and there.verdict) == (back and back.verdict)


@given(texts)
@law(deadline=None, max_examples=100)
def test_nothing_contradicts_itself(text: str) -> None:
    found = judge(read(text), read(text))
    assert found is None or found.verdict == "agrees"


@given(texts)
@law(deadline=None, max_examples=100)
def test_values_stand_where_they_say_and_agree_with_themselves(text: str) -> None:
    found = values(text)
    for value in found:
        assert text[value.start : value.end].strip() == value.text.strip()
        assert value.agrees(value) is not False
    for one, other in product(found, found):
        assert one is other or one.end <= other.start or other.end <= one.start


def test_words_and_meaning_give_odds_and_no_certainty() -> None:
    able = reads()
    found = contradiction_check(
        able,
        Pair(
            "Telemundo is a Spanish-language network.",
            "Telemundo, an American terrestrial network, broadcasts in English.",
        ),
    )
    assert found.by == "weights"
    assert found.confidence is not None
    assert found.confidence_rule
    assert not found.contradicts
    other = contradiction_check(
        able, Pair("Bees make honey.", "The harbour froze over in January.")
    )
    assert other.verdict == "unrelated"


def test_the_figures_on_the_development_pairs(shared_data: Path) -> None:
    """A share of the pairs; the bench reports all, and those of the test file."""
    found = score(cases(shared_data, "dev")[::18])
    assert found.accuracy >= 0.55, found
    assert found.sure >= 0.7, found


@pytest.mark.full
def test_the_weights_are_the_fitted_ones(shared_data: Path) -> None:
    rows, right = measures(development(shared_data))
    kept = [BIAS, *WEIGHTS.values()]
    assert max(abs(a - b) for a, b in zip(fit(rows, right), kept, strict=True)) < 0.3


# A local NLI model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder with the labels of NLI; its weights are of chance."""
    import torch
    from transformers import (
        BertConfig,
        BertForSequenceClassification,
        PreTrainedTokenizerFast,
    )

    from aitia.retrieval.embedder import Packaged

    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("nli")
    config = BertConfig(
        vocab_size=30522,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        id2label={0: "CONTRADICTION", 1: "ENTAILMENT", 2: "NEUTRAL"},
        label2id={"CONTRADICTION": 0, "ENTAILMENT": 1, "NEUTRAL": 2},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer: Any = PreTrainedTokenizerFast
    tokenizer(
        tokenizer_file=str(Packaged()._tokens),
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        unk_token="[UNK]",
    ).save_pretrained(folder)
    return folder


@pytest.fixture(autouse=True)
def _no_model_is_kept() -> Iterator[None]:
    yield
    nli.load.cache_clear()


def able(folder: str) -> Reads:
    given: Any = None

    class Embeds:
        embed = staticmethod(embedding())

    indexes: Any = Embeds()
    made = Settings(conflicts=ConflictSettings(nli=folder))
    return Reads(given, given, indexes, made)


@pytest.mark.filterwarnings("ignore")
def test_a_local_nli_model_judges_where_rules_cannot_tell(model: Path) -> None:
    pair = Pair("The harbour is busy.", "Few ships call at the port.")
    found = contradiction_check(able(str(model)), pair)
    assert found.by == "nli"
    assert found.verdict in ("contradicts", "agrees", "cannot tell")
    assert 0 <= (found.confidence or -1) <= 1
    ruled = contradiction_check(
        able(str(model)), Pair("The fee is 5 euro.", "The fee is 7 euro.")
    )
    assert ruled.by == "rules"


def test_an_nli_model_that_is_not_there_is_told() -> None:
    pair = Pair("The harbour is busy.", "Few ships call at the port.")
    with pytest.raises(SettingsError, match="no-such-model"):
        contradiction_check(able("no-such-model"), pair)


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("0.5 of it", "50% of it", True),
        ("0.5 of it", "60% of it", False),
        ("5 of it", "500% of it", False),
        ("1.500 m", "1500 m", True),
        ("1.500 m", "1.5 m", True),
        ("1.500 m", "1.5 km", True),
        ("1.500 m", "1600 m", False),
        ("0.500 m", "500 m", False),
        ("1.50 m", "150 m", False),
    ],
)
def test_what_reads_in_two_ways_agrees_in_either(
    one: str, other: str, agree: bool
) -> None:
    (mine,), (theirs,) = values(one), values(other)
    assert mine.agrees(theirs) is agree
    assert theirs.agrees(mine) is agree
