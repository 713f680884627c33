"""What a model may write, and what is made of it."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel

from aitia.llm import recover, shapes, tokens, wire
from aitia.llm.apart import Visible, set_apart
from aitia.llm.reading import CutOff, Unusable, read, read_part
from aitia.llm.veil import Veil
from tests.asking import GOOD, TWO, Fact, Facts, call, plain

WHOLE = Facts(facts=[Fact(s="Pump A", p="feeds", o="Tank B")])

PARTS = (
    "choices",
    "message",
    "delta",
    "content",
    "refusal",
    "reasoning",
    "tool_calls",
    "function",
    "arguments",
    "finish_reason",
    "usage",
    "prompt_tokens",
    "error",
    "model",
    "text",
)
RECOVERED = {
    "fenced, with a trailing comma and chatter": (
        'Sure! Here it is:\n```json\n{"facts":[{"s":"Pump A","p":"feeds","o":"Tank B",'
        "}]}\n```\nHope it helps {not json}"
    ),
    "bare list": '[{"s":"Pump A","p":"feeds","o":"Tank B"}]',
    "amid chatter": f"I think that {json.dumps(GOOD)} is what you want.",
    "single quotes": "{'facts': [{'s': 'Pump A', 'p': 'feeds', 'o': 'Tank B'}]}",
    "a list of the one object": json.dumps([GOOD]),
    "comments": '{"facts": [{"s": "Pump A", // it\n"p": "feeds", "o": "Tank B"}]}',
    "after a bracket that is none": "As in {x, " + json.dumps(GOOD),
    "fence that is not closed": f"```\n{json.dumps(GOOD)}",
}
REFUSED = {
    '{"type":"object","properties":{"facts":{"type":"array"}}}': "the schema itself",
    "{'facts': [{'s': 'Pump A', 'p': 'feeds', 'o': NaN}]}": "NaN",
    '{"facts": [{"s": "a", "p": "b", "o": Infinity}]}': "NaN and infinities",
    '{"facts": [{"s": "a", "p": "b", "o": 1e999}]}': "NaN and infinities",
    '{"facts": null}': "facts: Input should be a valid list",
    '{"facts": [{"s": "a"}]}': "facts.0.p: Field required",
    "{}": "none of the keys facts",
    '{"result": []}': "none of the keys facts",
    "": "empty",
    "null": "no JSON object",
    "There are no facts.": "no JSON in it",
    "[1, 2]": "a list, not the object",
    "[" * 5000: "no JSON in it",
    '{"a":' * 300 + "1" + "}" * 300: "no JSON in it",
}


@pytest.mark.parametrize("text", RECOVERED.values(), ids=RECOVERED)
def test_json_is_recovered_and_said_so(text: str) -> None:
    found = read(call(), text)
    assert found.value == WHOLE
    assert found.how


def test_json_as_it_stands_is_not_called_recovered() -> None:
    found = read(call(), json.dumps(GOOD))
    assert (found.value, found.how) == (WHOLE, "")


@pytest.mark.parametrize(("text", "said"), REFUSED.items())
def test_what_is_not_what_was_asked_for_is_refused_with_the_reason(
    text: str, said: str
) -> None:
    with pytest.raises(Unusable) as refused:
        read(call(), text)
    assert said in str(refused.value)


def test_json_that_breaks_off_is_never_completed() -> None:
    with pytest.raises(CutOff):
        read(call(), TWO)
    assert read_part(call(), TWO).value == WHOLE
    with pytest.raises(Unusable):
        read_part(call(), '{"facts":[{"s":"Pu')


def test_plain_text_is_tried_before_a_reply_is_refused() -> None:
    def words(text: str) -> Facts | None:
        return WHOLE if text == "Pump A feeds tank B" else None

    assert read(call(plain=words), "Pump A feeds tank B").value == WHOLE
    with pytest.raises(Unusable):
        read(call(plain=words), "no")
    assert read(plain(), "anything").value is None


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for what in (call(), plain()):
        try:
            assert read(what, text) is not None
        except Unusable:
            continue


@given(st.lists(st.builds(Fact, s=st.text(), p=st.text(), o=st.text())), st.data())
def test_what_is_cut_off_yields_only_items_that_were_whole(
    facts: list[Fact], data: Any
) -> None:
    whole = Facts(facts=facts).model_dump_json()
    cut = whole[: data.draw(st.integers(0, len(whole)))]
    try:
        found = read_part(call(), cut).value
    except Unusable:
        return
    assert found.facts == facts[: len(found.facts)]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_valid_json_comes_out_as_it_is(value: Any) -> None:
    first = next(recover.values(json.dumps(value)))
    assert (first.value, first.how) == (value, "")


# Reasoning


THOUGHTS = {
    "<think>hm</think>\n\nfour": ("hm", "four"),
    "<THINK>hm</think>four": ("hm", "four"),
    "<think>a</think><reasoning>b</reasoning> four": ("a\n\nb", "four"),
    "hm</think>four": ("hm", "four"),
    "<think>never ended": ("never ended", ""),
    '{"text": "</think>"}': ("", '{"text": "</think>"}'),
    "say <think>x</think>": ("", "say <think>x</think>"),
    "four": ("", "four"),
}


@pytest.mark.parametrize(("text", "parts"), THOUGHTS.items())
def test_reasoning_at_the_beginning_is_set_apart(
    text: str, parts: tuple[str, str]
) -> None:
    assert set_apart(text) == parts


@pytest.mark.parametrize(
    "text", [x for x in THOUGHTS if not x.startswith("hm")], ids=repr
)
@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_stream_tells_what_is_no_reasoning(text: str, size: int) -> None:
    told: list[str] = []
    visible = Visible(told.append)
    for start in range(0, len(text), size):
        visible(text[start : start + size])
    visible.end()
    assert "".join(told).strip() == set_apart(text)[1]


# Responses


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(PARTS), inner, max_size=4)
    ),
)


@given(JSON)
def test_any_response_is_read_or_refused(told: Any) -> None:
    try:
        found = wire.answer(json.dumps(told), {}, 50, Veil())
    except wire.NotSpoken:
        return
    assert len(found.text) <= 50
    assert found.text.encode().decode() == found.text


@given(st.lists(st.dictionaries(st.sampled_from(PARTS), JSON, max_size=4)))
def test_any_stream_is_read_or_breaks_off(pieces: list[dict[str, Any]]) -> None:
    told: list[str] = []
    try:
        found = wire.streamed(pieces, {}, 50, told.append, Veil())
    except wire.BrokenOff:
        return
    assert "".join(told).startswith(found.text)


# Schemas and tokens


class Loose(BaseModel):
    arguments: dict[str, str]
    title: str = ""


def test_a_schema_is_strict_only_where_servers_take_it() -> None:
    strict = shapes.response_format(Facts)["json_schema"]
    assert strict["strict"] is True
    assert strict["schema"]["additionalProperties"] is False
    loose = shapes.response_format(Loose)["json_schema"]
    assert loose["strict"] is False
    assert "title" in loose["schema"]["properties"]


def test_tokens_are_estimated_rather_too_many() -> None:
    text = "The quick brown fox jumps over the lazy dog."
    # As byte-pair vocabularies count them: nine words and a full stop.
    assert 10 <= tokens.estimate(text) <= 13
    assert tokens.estimate("规则七取代了规则三。") == 10
    assert tokens.estimate("") == 0
