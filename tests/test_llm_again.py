"""Replies kept without secrets, told as they come, and used again."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from aitia.blobs import Blobs
from aitia.errors import NotFound, NotIntact
from aitia.llm import BadReply, BudgetSpent, ModelDown, ModelError
from aitia.llm.replay import NotRecorded, Recorded, Step
from tests.asking import (
    GOOD,
    asking,
    call,
    plain,
)
from tests.llm_server import ModelServer, Says

PRICED = {"model.prices": {"m": {"input": 2.0, "output": 8}}}


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


# Cache


def test_a_reply_is_asked_for_once(tmp_path: Path) -> None:
    with ModelServer([GOOD]) as server:
        with asking(tmp_path, server) as models:
            first = models.complete(call())
        with asking(tmp_path, server) as models:
            again = models.complete(call())
            assert models.spent.calls == 0
        assert len(server.requests) == 1
        for flags in (
            {"model.temperature": 0.7},
            {"model.answer_tokens": 99},
            {"model.name": "other"},
            {"model.cache": False},
        ):
            with asking(tmp_path, server, flags) as models:
                assert models.complete(call()).cached == ""
        assert len(server.requests) == 5
    assert (again.cached, again.raw) == (first.key, first.raw)
    assert again.value == first.value
    assert (again.tokens, again.cost) == (0, Decimal(0))


def test_another_version_of_the_prompt_is_another_question(tmp_path: Path) -> None:

    with ModelServer([GOOD]) as server, asking(tmp_path, server) as models:
        models.complete(call())
        assert models.complete(replace(call(), version="2")).cached == ""
        assert models.complete(replace(call(), version="2")).cached


def test_a_damaged_cache_or_a_lost_blob_is_asked_for_again(tmp_path: Path) -> None:
    with ModelServer([GOOD]) as server:
        with asking(tmp_path, server) as models:
            reply = models.complete(call())
        Blobs(tmp_path / "blobs").remove(reply.raw)
        with asking(tmp_path, server) as models:
            assert models.complete(call()).cached == ""
        (tmp_path / "cache.sqlite").write_bytes(b"no database at all" * 100)
        (tmp_path / "models.json").write_text("{")
        with asking(tmp_path, server) as models:
            assert models.complete(call()).cached == ""
            assert models.complete(call()).cached


# Replay


def test_a_record_is_replayed_without_a_server(tmp_path: Path) -> None:
    def again(text: str) -> Any:
        try:
            return models.complete(call(text))
        except ModelError as error:
            return error

    texts = ("good", "repaired", "bad", "spent", "good", "busy")
    replies = [GOOD, "no", GOOD, "no", "no", Says("", status=503, retry_after="0")]
    flags = {"budget.calls": 5, "model.retries": 1}
    with (
        ModelServer([*replies]) as server,
        asking(tmp_path, server, flags) as real,
    ):
        models: Any = real.for_run()
        first = [again(text) for text in texts[:4]]
        models = real.for_run()
        first += [again(text) for text in texts[4:]]
    _, repaired, bad, spent, cached, busy = first
    assert repaired.repaired
    assert (type(bad), type(spent), type(busy)) == (BadReply, BudgetSpent, ModelDown)
    steps = [_step(item) for item in first]
    models = Recorded(Blobs(tmp_path / "blobs"), steps)
    assert models.name("work") == "m"
    for text, before in zip(texts, first, strict=True):
        found = again(text)
        if isinstance(before, ModelError):
            assert (type(found), str(found)) == (type(before), str(before))
            assert found.reply == before.reply
        else:
            assert found == before
    assert cached.cached
    assert models.left == 0
    with pytest.raises(NotRecorded):
        models.complete(call("good"))


def _step(item: Any) -> Step:
    reply: Any = item.reply if isinstance(item, ModelError) else item
    return Step(reply.raw, bool(reply.cached))


def test_a_record_whose_reply_is_lost_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        Recorded(Blobs(tmp_path), [Step("0" * 64)])
    other = Blobs(tmp_path).put(b'{"no": "reply"}')
    with pytest.raises(NotIntact):
        Recorded(Blobs(tmp_path), [Step(other)])


def test_a_cache_that_cannot_be_used_is_done_without_and_told(tmp_path: Path) -> None:
    (tmp_path / "cache.sqlite").mkdir()
    with ModelServer([GOOD]) as server, asking(tmp_path, server) as models:
        (told,) = models.complete(call()).warnings
        assert models.complete(call()).cached == ""
    assert "cache.sqlite could not be used" in told


# Secrets


def test_no_secret_is_sent_or_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "sk-Ab12Cd34Ef56Gh78Ij90Kl12"
    monkeypatch.setenv("OPENAI_API_KEY", "another-secret-0123456789")
    with (
        ModelServer(f"It is {secret}.") as server,
        asking(tmp_path, server) as models,
    ):
        reply = models.complete(plain(f"My key is {secret}, another-secret-0123456789"))
        assert server.headers[0]["authorization"].endswith("another-secret-0123456789")
        sent = str(server.requests)
    blobs = Blobs(tmp_path / "blobs")
    kept = "".join(map(blobs.text, blobs)) + (tmp_path / "models.json").read_text()
    for text in (sent, kept, reply.text):
        assert secret not in text
        assert "another-secret" not in text


# Streams


def test_a_reply_is_told_as_it_comes(tmp_path: Path) -> None:
    told: list[str] = []
    text = "<think>hm</think>The fee is five euro."
    with ModelServer(text) as server, asking(tmp_path, server) as models:
        reply = models.complete(plain(told=told.append))
        assert server.requests[0]["stream_options"] == {"include_usage": True}
        assert len(told) > 1
        assert "".join(told) == reply.text == "The fee is five euro."
        assert reply.input_tokens
        told.clear()
        models.complete(plain(told=told.append))
    assert told == [reply.text]


def test_a_stream_that_breaks_off_starts_anew_in_one_piece(tmp_path: Path) -> None:
    told: list[str] = []
    with (
        ModelServer("The fee is five euro.", cut=True) as server,
        asking(tmp_path, server) as models,
    ):
        reply = models.complete(plain(told=told.append))
    assert reply.text == "The fee is five euro."
    restarts = len(told) - told[::-1].index("")
    assert "".join(told[restarts:]) == reply.text


def test_a_stream_whose_pieces_are_nonsense_is_asked_for_in_one_piece(
    tmp_path: Path,
) -> None:
    with (
        ModelServer(wrong_body="data: {nonsense\n\n") as server,
        asking(tmp_path, server) as models,
    ):
        with pytest.raises(ModelDown) as told:
            models.complete(plain(told=lambda text: None))
        assert ["stream" in body for body in server.requests] == [True, False]
    assert "does not speak the OpenAI protocol" in str(told.value)


def test_a_stream_ends_with_the_time_of_the_run(tmp_path: Path) -> None:
    told: list[str] = []
    flags = {"budget.seconds": 0.4}
    with (
        ModelServer("On and on. " * 99, piece_delay=0.05) as server,
        asking(tmp_path, server, flags) as models,
        pytest.raises(BudgetSpent),
    ):
        models.complete(plain(told=told.append))
    assert told[-1] == "", "what was told is void"


@pytest.mark.parametrize("fault", ["reject", "ignore"])
@pytest.mark.parametrize("name", ["stream", "stream_options"])
def test_a_server_that_does_not_stream_is_read_whole(
    tmp_path: Path, fault: str, name: str
) -> None:
    told: list[str] = []
    faults: dict[str, Any] = {fault: (name,)}
    with ModelServer("Five.", **faults) as server, asking(tmp_path, server) as models:
        assert models.complete(plain(told=told.append)).text == "Five."
    assert "".join(told) == "Five."
