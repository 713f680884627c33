"""Programs that use the OpenAI client, recorded on the real package."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from pydantic import BaseModel
from pyoxigraph import NamedNode

from aitia import Workspace
from aitia.recorder.openai_client import recorded
from aitia.vocab import AITIA
from tests.llm_server import ModelServer, dead_url
from tests.recording import chain, links

QUESTION = "What does tea cost?"
ANSWER = "Tea costs 12 EUR."


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path / "workspace") as opened:
        yield opened
        assert opened.validate().violations == ()
        assert opened.verify().findings == ()


def conversation() -> list[Any]:
    return [
        {"role": "system", "content": "Answer briefly."},
        {"role": "user", "content": QUESTION},
    ]


def test_an_openai_client(workspace: Workspace) -> None:
    with (
        ModelServer(["12 EUR", ANSWER]) as server,
        workspace.record("tea", agent="shopper") as r,
    ):
        plain = openai.OpenAI(base_url=server.url, api_key="none")
        client = recorded(plain, r)
        messages = conversation()
        first = client.chat.completions.create(model="m", messages=messages)
        messages += [
            {"role": "assistant", "content": first.choices[0].message.content},
            {"role": "user", "content": "As a sentence."},
        ]
        last = client.chat.completions.create(model="m", messages=messages)
        assert last.choices[0].message.content == ANSWER
        r.decide(ANSWER, because=last.choices[0].message)
        plain.chat.completions.create(model="m", messages=messages)
        assert len(r.run.nodes) == 9
    graph = workspace.why("last")
    model = "shopper.openai-chat"
    assert links(graph) >= {
        (ANSWER, "produced", model, "observed"),
        (model, "usedTool", "12 EUR", "observed"),
        (model, "usedTool", QUESTION, "observed"),
        (model, "usedTool", "As a sentence.", "observed"),
        ("12 EUR", "produced", model, "observed"),
    }
    asked = {q.object for q in workspace.store.quads(None, AITIA.model)}
    assert asked == {NamedNode("urn:aitia:agent:m")}
    assert len(list(workspace.store.quads(None, AITIA.finishReason))) == 2


TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": "price",
            "parameters": {
                "type": "object",
                "properties": {"item": {"type": "string"}},
            },
        },
    }
]


@pytest.mark.parametrize("stream", [False, True])
def test_tool_calls_through_an_openai_client(
    stream: bool, workspace: Workspace
) -> None:
    def play(body: dict[str, Any]) -> Any:
        return {"item": "tea"} if "tools" in body else ANSWER

    with (
        ModelServer(play, calls_tools=True) as server,
        workspace.record("tea", agent="shopper") as r,
    ):
        client = recorded(openai.OpenAI(base_url=server.url, api_key="none"), r)

        @r.call
        def lookup(item: str) -> str:
            return f"{item}: 12 EUR"

        messages = conversation()
        called = _called(client, messages, stream)
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [called]},
            {
                "role": "tool",
                "tool_call_id": called["id"],
                "content": lookup(**json.loads(called["function"]["arguments"])),
            },
        ]
        last = client.chat.completions.create(model="m", messages=messages)
        r.decide(ANSWER, because=last.choices[0].message)
    found = links(workspace.why("last"))
    model = "shopper.openai-chat"
    asked = next(effect for effect, *_ in found if effect.startswith("calls price"))
    assert found >= {
        (model, "usedTool", asked, "observed"),
        (model, "usedTool", "tea: 12 EUR", "observed"),
        ("observe", "usedTool", "tea: 12 EUR", "claimed"),
        ("tea: 12 EUR", "produced", "shopper.lookup", "observed"),
    }


def _called(client: openai.OpenAI, messages: list[Any], stream: bool) -> dict[str, Any]:
    """Return the tool call that the model makes, put together where it is streamed."""
    if not stream:
        reply = client.chat.completions.create(
            model="m", messages=messages, tools=TOOLS
        )
        [call] = reply.choices[0].message.tool_calls or []
        return call.model_dump()
    made: dict[str, Any] = {"id": "", "type": "function"}
    function = {"name": "", "arguments": ""}
    for piece in client.chat.completions.create(
        model="m", messages=messages, tools=TOOLS, stream=True
    ):
        for choice in piece.choices:
            for part in choice.delta.tool_calls or ():
                made["id"] = part.id or made["id"]
                if part.function is not None:
                    function["name"] += part.function.name or ""
                    function["arguments"] += part.function.arguments or ""
    return made | {"function": function}


@pytest.mark.parametrize("whole", [True, False])
def test_a_streamed_reply_of_an_openai_client(
    whole: bool, workspace: Workspace
) -> None:
    with (
        ModelServer([ANSWER]) as server,
        workspace.record("tea", agent="shopper") as r,
    ):
        client = recorded(openai.OpenAI(base_url=server.url, api_key="none"), r)
        with client.chat.completions.create(
            model="m", messages=conversation(), stream=True
        ) as stream:
            said = ""
            for piece in stream:
                said += "".join(x.delta.content or "" for x in piece.choices)
                if not whole:
                    break
        assert (said == ANSWER) is whole
        r.decide("done", because=said)
    assert f"Observation {QUESTION}" in chain(workspace.why("last"))


def test_an_openai_client_that_does_not_wait(workspace: Workspace) -> None:
    async def run(url: str) -> Any:
        async with openai.AsyncOpenAI(base_url=url, api_key="none") as plain:
            client = recorded(plain, r)
            reply = await client.chat.completions.create(
                model="m", messages=conversation()
            )
            pieces = await client.chat.completions.create(
                model="m", messages=conversation(), stream=True
            )
            async for _ in pieces:
                pass
            return reply.choices[0].message

    with (
        ModelServer([ANSWER]) as server,
        workspace.record("tea", agent="shopper") as r,
    ):
        r.decide(ANSWER, because=asyncio.run(run(server.url)))
    assert f"Observation {QUESTION}" in chain(workspace.why("last"))
    assert len(list(workspace.store.quads(None, AITIA.model))) == 2


def test_a_model_that_cannot_be_reached_is_on_record(workspace: Workspace) -> None:
    with workspace.record("tea", agent="shopper") as r:
        plain = openai.OpenAI(base_url=dead_url(), api_key="none", max_retries=0)
        client = recorded(plain, r)
        with pytest.raises(openai.APIConnectionError):
            client.chat.completions.create(model="m", messages=conversation())
        r.abort("nobody answers")
    [error] = workspace.store.quads(None, AITIA.error)
    assert "APIConnectionError" in str(error.object)


class Price(BaseModel):
    item: str
    euro: int


def test_a_parsed_reply_of_an_openai_client(workspace: Workspace) -> None:
    async def later(url: str) -> Any:
        async with openai.AsyncOpenAI(base_url=url, api_key="none") as plain:
            return await recorded(plain, r).chat.completions.parse(
                model="m", messages=conversation(), response_format=Price
            )

    with (
        ModelServer({"item": "tea", "euro": 12}) as server,
        workspace.record("tea", agent="shopper") as r,
    ):
        client = recorded(openai.OpenAI(base_url=server.url, api_key="none"), r)
        now = client.chat.completions.parse(
            model="m", messages=conversation(), response_format=Price
        )
        said = now.choices[0].message
        assert said.parsed == Price(item="tea", euro=12)
        assert asyncio.run(later(server.url)).choices[0].message.parsed == said.parsed
        r.decide("Tea costs 12 EUR.", because=said)
    found = links(workspace.why("last"))
    words = '{"item": "tea", "euro": 12}'
    model = "shopper.openai-chat"
    assert (words, "produced", model, "observed") in found
    assert (model, "usedTool", QUESTION, "observed") in found
    assert len(list(workspace.store.quads(None, AITIA.model))) == 2


@pytest.mark.parametrize("stream", [False, True])
def test_responses_of_an_openai_client(stream: bool, workspace: Workspace) -> None:
    with (
        ModelServer(["12 EUR", ANSWER]) as server,
        workspace.record("tea", agent="shopper") as r,
    ):
        client = recorded(openai.OpenAI(base_url=server.url, api_key="none"), r)

        def ask(**given: Any) -> Any:
            if not stream:
                return client.responses.create(model="m", **given)
            made = client.responses.create(model="m", stream=True, **given)
            events = list(made)
            assert events[-1].type == "response.completed"
            return events[-1].response

        first = ask(input=QUESTION)
        last = ask(
            previous_response_id=first.id,
            input=[{"role": "user", "content": "As a sentence."}],
        )
        assert last.output_text == ANSWER
        r.decide(ANSWER, because=last)
    model = "shopper.openai-response"
    assert links(workspace.why("last")) >= {
        (ANSWER, "produced", model, "observed"),
        (model, "usedTool", "12 EUR", "observed"),
        (model, "usedTool", "As a sentence.", "observed"),
        ("12 EUR", "produced", model, "observed"),
        (model, "usedTool", QUESTION, "observed"),
    }
    asked = {q.object for q in workspace.store.quads(None, AITIA.model)}
    assert asked == {NamedNode("urn:aitia:agent:m")}
    assert len(list(workspace.store.quads(None, AITIA.tokens))) == 2


def test_tools_called_in_responses_of_an_openai_client(workspace: Workspace) -> None:
    def play(body: dict[str, Any]) -> Any:
        return {"item": "tea"} if "tools" in body else ANSWER

    async def run(url: str) -> Any:
        async with openai.AsyncOpenAI(base_url=url, api_key="none") as plain:
            client = recorded(plain, r)
            given: list[Any] = [{"role": "user", "content": QUESTION}]
            offered: Any = [
                {"type": "function", **TOOLS[0]["function"], "strict": None}
            ]
            first = await client.responses.create(model="m", input=given, tools=offered)
            [called] = first.output
            assert called.type == "function_call"
            result = lookup(**json.loads(called.arguments))
            given += [
                called.model_dump(),
                {
                    "type": "function_call_output",
                    "call_id": called.call_id,
                    "output": result,
                },
            ]
            return await client.responses.create(model="m", input=given)

    with (
        ModelServer(play, calls_tools=True) as server,
        workspace.record("tea", agent="shopper") as r,
    ):

        @r.call
        def lookup(item: str) -> str:
            return f"{item}: 12 EUR"

        last = asyncio.run(run(server.url))
        r.decide(ANSWER, because=last.output[0])
    model = "shopper.openai-response"
    assert links(workspace.why("last")) >= {
        (ANSWER, "produced", model, "observed"),
        (model, "usedTool", 'calls price {"item": "tea"}', "observed"),
        ('calls price {"item": "tea"}', "produced", model, "observed"),
        (model, "usedTool", "tea: 12 EUR", "observed"),
        ("tea: 12 EUR", "produced", "shopper.lookup", "observed"),
    }
