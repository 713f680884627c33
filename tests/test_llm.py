"""Models over a real server: replies, repair, length and budget."""

import json
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from aitia.blobs import Blobs
from aitia.errors import SettingsError
from aitia.llm import BadReply, BudgetSpent, ModelDown, TooLong
from aitia.llm.models import Models
from aitia.settings import load
from tests.asking import (
    GOOD,
    LONG,
    TWO,
    Facts,
    asking,
    call,
    models_of,
    plain,
)
from tests.llm_server import ModelServer, Says, dead_url

PRICED = {"model.prices": {"m": {"input": 2.0, "output": 8}}}


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


# Settings


def test_without_a_model_there_are_none(tmp_path: Path) -> None:
    settings, _ = load(tmp_path, {"model.url": "http://localhost:1/v1"})
    assert Models.of(settings, Blobs(tmp_path), tmp_path) is None


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"model.url": ""}, "not where its server is"),
        ({"model.url": "localhost:8000"}, "no address"),
        ({"model.url": "file:///etc/passwd"}, "no address"),
        ({"model.url": "http://host:99999"}, "no address"),
        ({"model.url": "http://[::1"}, "no address"),
        ({"model.url": "http://a b/v1"}, "no address"),
        ({"model.key_variable": "ODD_KEY"}, "is no key"),
        ({"model.answer_tokens": 9000}, "leaves nothing"),
    ],
)
def test_settings_that_have_no_meaning_are_told(
    tmp_path: Path,
    flags: dict[str, Any],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ODD_KEY", "ключ-0123456789")
    with pytest.raises(SettingsError) as told:
        models_of(tmp_path, "http://localhost:1", flags)
    assert said in str(told.value)


def test_each_tier_has_its_own_server_and_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAN_KEY", "key-of-the-planner")
    flags = {"model.plan.name": "big", "model.plan.key_variable": "PLAN_KEY"}
    with (
        ModelServer([GOOD], key="key-of-the-planner") as plan,
        ModelServer([GOOD]) as work,
        asking(tmp_path, work, {**flags, "model.plan.url": plan.url}) as models,
    ):
        assert (models.name("plan"), models.name("work")) == ("big", "m")
        models.complete(call(tier="plan"))
        models.complete(call())
    assert [body["model"] for body in plan.requests] == ["big"]
    assert [body["model"] for body in work.requests] == ["m"]
    assert "authorization" not in work.headers[0]


def test_a_tier_alone_serves_both(tmp_path: Path) -> None:
    with ModelServer("ok") as server:
        flags = {"model.name": "", "model.plan.name": "p", "model.plan.url": server.url}
        with asking(tmp_path, server, {**flags, "model.url": ""}) as models:
            assert models.complete(plain()).text == "ok"
            assert models.name("work") == "p"


# Replies


def test_a_reply_is_parsed_measured_and_kept(tmp_path: Path) -> None:
    with ModelServer([GOOD]) as server, asking(tmp_path, server, PRICED) as models:
        reply = models.complete(call())
        (body,) = server.requests
    assert isinstance(reply.value, Facts)
    assert reply.value.model_dump() == GOOD
    assert (reply.model, reply.finish, reply.attempts) == ("m", "stop", 1)
    assert reply.input_tokens
    assert reply.output_tokens
    assert reply.tokens == reply.input_tokens + reply.output_tokens
    exact = (2 * reply.input_tokens + 8 * reply.output_tokens) / Decimal(1_000_000)
    assert reply.cost == exact
    blobs = Blobs(tmp_path / "blobs")
    assert json.loads(blobs.text(reply.prompt)) == body
    first, last = blobs.text(reply.raw).splitlines()
    said = json.loads(json.loads(first)["response"])["choices"][0]["message"]
    assert json.loads(said["content"]) == GOOD
    assert json.loads(last)["purpose"] == "extract"


def test_what_is_not_known_is_not_called_nothing(tmp_path: Path) -> None:
    with (
        ModelServer([GOOD], usage=False) as server,
        asking(tmp_path, server, PRICED) as models,
    ):
        reply = models.complete(call())
        assert (reply.input_tokens, reply.output_tokens) == (None, None)
        assert reply.cost is None
        assert reply.tokens > 100
        assert models.spent.tokens == reply.tokens
        assert models.spent.unpriced == 1
    with ModelServer([GOOD]) as server, asking(tmp_path, server) as models:
        assert models.complete(call()).cost is None


def test_reasoning_is_set_apart(tmp_path: Path) -> None:
    thought = "<think>Pump A… B feeds nothing.</think>" + json.dumps(GOOD)
    with (
        ModelServer(thought, reasoning="Let me see.") as server,
        asking(tmp_path, server) as models,
    ):
        reply = models.complete(call())
    assert reply.value.model_dump() == GOOD
    assert reply.reasoning == "Let me see.\n\nPump A… B feeds nothing."
    assert "think" not in reply.text


@pytest.mark.parametrize(
    "bad", ["There are none.", '{"facts":null}', "{}", "", "[NaN]", {"type": "object"}]
)
def test_a_reply_that_cannot_be_used_is_sent_back_once_with_the_reason(
    tmp_path: Path, bad: Any
) -> None:
    with ModelServer([bad, GOOD]) as server, asking(tmp_path, server) as models:
        reply = models.complete(call())
        assert reply.value.model_dump() == GOOD
        assert reply.attempts == 2
        assert reply.repaired in server.prompts[1]
        assert len(Blobs(tmp_path / "blobs").text(reply.raw).splitlines()) == 3
    with ModelServer([bad]) as server, asking(tmp_path, server) as models:
        with pytest.raises(BadReply) as told:
            models.complete(call(LONG + "!"))
        assert len(server.requests) == 2
    assert "after asking 2 times" in str(told.value)
    assert told.value.reply
    assert told.value.reply.raw
    assert told.value.reply.repaired


def test_a_recovered_reply_says_so(tmp_path: Path) -> None:
    fenced = f"Here:\n```json\n{json.dumps(GOOD)}\n```"
    with ModelServer(fenced) as server, asking(tmp_path, server) as models:
        reply = models.complete(call())
        assert len(server.requests) == 1
        # It did not see to the schema: from now on the prompt tells it too.
        models.complete(call("Another text."))
        assert "JSON Schema" in server.prompts[1]
    assert reply.warnings == ("The reply was recovered: taken out of a fenced block.",)


@pytest.mark.parametrize(
    ("says", "why"),
    [
        (Says("half", finish="content_filter"), "the server's filter stopped it"),
        (Says("", refusal="I would rather not."), "would not reply: I would rather"),
    ],
)
def test_a_refusal_and_a_filter_are_told(tmp_path: Path, says: Says, why: str) -> None:
    with (
        ModelServer([says]) as server,
        asking(tmp_path, server) as models,
        pytest.raises(BadReply) as told,
    ):
        models.complete(plain())
    assert why in str(told.value)


# Length


def test_what_is_cut_off_is_asked_for_again_at_greater_length(tmp_path: Path) -> None:
    replies = [Says(TWO, finish="length"), GOOD]
    with ModelServer([*replies]) as server, asking(tmp_path, server) as models:
        reply = models.complete(call())
        first, second = server.requests
    assert reply.value.model_dump() == GOOD
    assert (reply.finish, reply.complete) == ("stop", True)
    assert first["messages"] == second["messages"]
    assert second["max_tokens"] == 4 * first["max_tokens"]
    assert "cut off" in reply.repaired


def test_of_what_stays_cut_off_whole_items_are_had_by_who_wants_them(
    tmp_path: Path,
) -> None:
    with (
        ModelServer(TWO, finish="length") as server,
        asking(tmp_path, server) as models,
    ):
        reply = models.complete(call(partial=True))
        assert (reply.complete, reply.finish) == (False, "length")
        assert reply.value.model_dump() == GOOD
        assert any("incomplete" in text for text in reply.warnings)
        with pytest.raises(BadReply) as told:
            models.complete(call())
        assert told.value.reply
        assert told.value.reply.finish == "length"
        models.complete(call(partial=True))
        # Half a reply is never one to be used again.
        assert len(server.requests) == 6


def test_json_that_is_whole_is_not_cut_off_whatever_the_server_says(
    tmp_path: Path,
) -> None:
    padded = json.dumps(GOOD) + "\n" * 900
    with (
        ModelServer(padded, finish="length") as server,
        asking(tmp_path, server) as models,
    ):
        reply = models.complete(call())
    assert (reply.complete, reply.finish, reply.attempts) == (True, "length", 1)


def test_where_no_greater_length_fits_a_briefer_reply_is_asked_for(
    tmp_path: Path,
) -> None:
    flags = {"model.context": 500, "model.answer_tokens": 400}
    replies = ["On and on and", "On and on, that is, and"]
    with (
        ModelServer([*replies], finish="length") as server,
        asking(tmp_path, server, flags) as models,
    ):
        short = plain("Tell me all.", partial=True)
        reply = models.complete(short)
        assert "more briefly" in server.prompts[1]
    assert (reply.text, reply.complete) == (replies[1], False)


def test_a_prompt_that_does_not_fit_is_not_sent(tmp_path: Path) -> None:
    flags = {"model.context": 300, "model.answer_tokens": 100}
    with ModelServer([GOOD]) as server, asking(tmp_path, server, flags) as models:
        assert models.room("work") == 200
        with pytest.raises(TooLong) as told:
            models.complete(call())
        assert server.requests == []
        assert models.spent.calls == 0
        assert models.complete(call("Pump A feeds tank B.")).value
    assert told.value.most == 200 < told.value.tokens
    assert "more than fit" in str(told.value)


def test_a_server_that_cut_the_prompt_is_warned_about(tmp_path: Path) -> None:
    with (
        ModelServer([GOOD], usage=12) as server,
        asking(tmp_path, server) as models,
    ):
        (told,) = models.complete(call()).warnings
        assert models.complete(call("short")).warnings == ()
    assert "read 12 tokens of a prompt of about" in told


def test_a_count_that_cannot_be_is_not_believed(tmp_path: Path) -> None:
    with (
        ModelServer([GOOD], usage=10**12) as server,
        asking(tmp_path, server) as models,
    ):
        reply = models.complete(call())
        assert models.spent.tokens == reply.tokens < 1000
    assert reply.input_tokens is None
    assert "cannot be" in reply.warnings[0]


# Budget


@pytest.mark.parametrize(
    ("bound", "flags"),
    [
        ("calls", {"budget.calls": 1}),
        ("tokens", {"budget.tokens": 400}),
        ("money", {"budget.money": 0.0009, **PRICED}),
    ],
)
def test_a_spent_budget_is_told_and_nothing_is_sent(
    tmp_path: Path, bound: str, flags: dict[str, Any]
) -> None:
    with ModelServer([GOOD]) as server, asking(tmp_path, server, flags) as models:
        models.complete(call())
        with pytest.raises(BudgetSpent) as told:
            models.complete(call(LONG + "!"))
        assert len(server.requests) == 1
        assert models.complete(call()).cached, "what is known costs nothing"
        models.for_run().complete(call(LONG + "!"))
        assert len(server.requests) == 2
    assert told.value.hint == f"The setting budget.{bound} allows more."
    assert told.value.reply
    assert told.value.reply.raw


def test_a_run_whose_time_is_over_waits_for_no_reply(tmp_path: Path) -> None:
    flags = {"budget.seconds": 0.3, "model.cache": False}
    with (
        ModelServer([GOOD], delay=5) as server,
        asking(tmp_path, server, flags) as models,
        pytest.raises(BudgetSpent) as told,
    ):
        models.complete(call())
    assert "0.3 seconds" in str(told.value)


def test_a_budget_of_money_warns_of_calls_that_it_cannot_count(tmp_path: Path) -> None:
    flags = {"budget.money": 1.0}
    with ModelServer([GOOD]) as server, asking(tmp_path, server, flags) as models:
        (told,) = models.complete(call()).warnings
    assert "does not count in budget.money" in told


AMOUNT = {"input": 1, "output": 1}


@pytest.mark.parametrize(
    "told",
    [
        "cheap",
        {"input": 1},
        AMOUNT | {"input": "x"},
        AMOUNT | {"input": -1},
        AMOUNT | {"output": "NaN"},
        AMOUNT | {"output": "9e999999"},
        AMOUNT | {"input": "1e-999999"},
        AMOUNT | {"input": True},
    ],
)
@pytest.mark.parametrize("name", ["m", "one that is not asked"])
def test_a_price_without_a_meaning_is_told(
    tmp_path: Path, told: Any, name: str
) -> None:
    with pytest.raises(SettingsError, match=r"model\.prices"):
        load(tmp_path, {"model.prices": {name: told}})


def test_many_threads_keep_to_one_budget(tmp_path: Path) -> None:
    def ask(number: int) -> bool:
        try:
            return bool(models.complete(call(f"Text {number}.")).value)
        except BudgetSpent:
            return False

    flags = {"budget.calls": 5}
    with (
        ModelServer([GOOD]) as server,
        asking(tmp_path, server, flags) as models,
        ThreadPoolExecutor(8) as pool,
    ):
        done = list(pool.map(ask, range(16)))
    assert sum(done) == len(server.requests) == models.spent.calls == 5


def test_a_dead_server_is_one_plain_line(tmp_path: Path) -> None:
    url = dead_url()
    with (
        ModelServer() as server,
        asking(tmp_path, server, url=url) as models,
        pytest.raises(ModelDown) as told,
    ):
        models.complete(call())
    assert str(told.value) == (
        f"The model's server at {url} cannot be reached: connection refused."
    )
