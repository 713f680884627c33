"""Whatever a server does, a call ends in a reply or in one plain line."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from aitia.llm import ModelError, Reply
from aitia.llm.models import Models
from tests.asking import GOOD, asking, call
from tests.llm_server import ModelServer, Says


@pytest.fixture(scope="module")
def moody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Models]]:
    """A server whose replies a test changes, and models that ask it."""
    flags = {"model.cache": False, "model.retries": 1, "model.longest_wait": 0}
    flags |= {"budget.calls": 0, "budget.tokens": 0}
    with (
        ModelServer() as server,
        asking(tmp_path_factory.mktemp("moody"), server, flags) as models,
    ):
        yield server, models


MOODS = st.builds(
    Says,
    text=st.text() | st.just(GOOD) | st.dictionaries(st.text(), st.text(), max_size=2),
    finish=st.sampled_from(["", "stop", "length", "content_filter", "tool_calls"]),
    status=st.sampled_from([200, 200, 200, 400, 404, 408, 422, 429, 500, 503]),
    usage=st.sampled_from([None, False, 0, 10**9]),
    reasoning=st.text(max_size=5),
    retry_after=st.sampled_from(["", "0", "x"]),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(MOODS, min_size=1, max_size=4), st.booleans(), st.booleans())
def test_whatever_a_server_does_there_is_a_reply_or_a_plain_error(
    moody: tuple[Any, Models], moods: list[Says], shaped: bool, streamed: bool
) -> None:
    server, models = moody
    server.replies, server.count = moods, 0
    models.server("work").forget()
    told: list[str] = []
    reply: Reply | None
    ask = call(told=told.append if streamed else None)
    try:
        reply = models.complete(ask if shaped else replace(ask, shape=None))
    except ModelError as error:
        reply, line = error.reply, str(error)
    else:
        line = "a reply"
        assert reply.text
        assert bool(reply.value) == shaped
    assert line.splitlines() == [line]
    assert reply
    assert reply.raw
    assert reply.prompt
