"""Agents of LangChain and LangGraph, recorded on the real packages."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import (
    FakeMessagesListChatModel,
    GenericFakeChatModel,
)
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from pyoxigraph import NamedNode

from aitia import Workspace
from aitia.recorder.langchain import RecorderCallback
from aitia.vocab import AITIA
from tests.recording import chain, links

QUESTION = "What does tea cost?"
ANSWER = "Tea costs 12 EUR."
ASKS = [{"name": "price", "args": {"item": "tea"}, "id": "c1"}]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path / "workspace") as opened:
        yield opened
        assert opened.validate().violations == ()
        assert opened.verify().findings == ()


# LangChain and LangGraph


@tool
def price(item: str) -> str:
    """Look up what an item costs."""
    if item != "tea":
        raise ValueError(f"no {item} here")
    return "12 EUR"


class State(TypedDict):
    messages: Annotated[list[BaseMessage], add_messages]


def shop(replies: Sequence[BaseMessage]) -> Any:
    """A graph of a model and a tool, as agents are built with LangGraph."""
    model = FakeMessagesListChatModel(responses=list(replies))

    def think(state: State) -> dict[str, Any]:
        return {"messages": [model.invoke(state["messages"])]}

    def act(state: State) -> dict[str, Any]:
        last = state["messages"][-1]
        assert isinstance(last, AIMessage)
        return {"messages": [price.invoke(call) for call in last.tool_calls]}

    def onward(state: State) -> str:
        last = state["messages"][-1]
        return "act" if isinstance(last, AIMessage) and last.tool_calls else END

    graph = StateGraph(State)
    graph.add_node("think", think)
    graph.add_node("act", act)
    graph.add_edge(START, "think")
    graph.add_conditional_edges("think", onward)
    graph.add_edge("act", "think")
    return graph.compile()


def replies() -> list[BaseMessage]:
    spent = {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13}
    return [
        AIMessage("", tool_calls=ASKS),
        AIMessage(
            ANSWER,
            usage_metadata=spent,
            response_metadata={"model_name": "tea-1", "finish_reason": "stop"},
        ),
    ]


@pytest.mark.parametrize("mode", ["call", "async"])
@pytest.mark.parametrize("chains", [False, True])
def test_a_langgraph_agent(chains: bool, mode: str, workspace: Workspace) -> None:
    with workspace.record("tea", agent="shopper", mode=mode) as r:
        handler = RecorderCallback(r, chains=chains)
        state = shop(replies()).invoke(
            {"messages": [HumanMessage(QUESTION)]}, config={"callbacks": [handler]}
        )
        last = state["messages"][-1]
        r.decide(last.content, because=last)
    graph = workspace.why("last")
    model = "shopper.FakeMessagesListChatModel"
    assert links(graph) >= {
        (ANSWER, "produced", model, "observed"),
        (model, "usedTool", "12 EUR", "observed"),
        (model, "usedTool", QUESTION, "observed"),
        ("12 EUR", "produced", "shopper.price", "observed"),
        ("shopper.price", "triggers", 'calls price {"item": "tea"}', "observed"),
        ('calls price {"item": "tea"}', "produced", model, "observed"),
    }
    asked = next(workspace.store.quads(None, AITIA.model)).subject
    assert isinstance(asked, NamedNode)
    facts = {q.predicate: q.object for q in workspace.store.quads(asked)}
    assert facts[AITIA.model] == NamedNode("urn:aitia:agent:tea-1")
    assert str(facts[AITIA.tokens].value) == "13"  # type: ignore[union-attr]
    assert any(workspace.store.quads(None, AITIA.partOf)) is chains


def test_a_langgraph_agent_that_does_not_wait(workspace: Workspace) -> None:
    async def run(handler: RecorderCallback) -> Any:
        return await shop(replies()).ainvoke(
            {"messages": [HumanMessage(QUESTION)]}, config={"callbacks": [handler]}
        )

    with workspace.record("tea", agent="shopper") as r:
        state = asyncio.run(run(RecorderCallback(r)))
        r.decide(ANSWER, because=state["messages"][-1])
    assert "Observation 12 EUR" in chain(workspace.why("last"))


def test_a_tool_that_fails_is_on_record(workspace: Workspace) -> None:
    asks = [{"name": "price", "args": {"item": "milk"}, "id": "c1"}]

    def run() -> None:
        with workspace.record("milk", agent="shopper") as r:
            shop([AIMessage("", tool_calls=asks)]).invoke(
                {"messages": [HumanMessage(QUESTION)]},
                config={"callbacks": [RecorderCallback(r, chains=True)]},
            )

    with pytest.raises(ValueError, match="no milk here"):
        run()
    [ended] = workspace.runs()
    assert (ended.conclusion, ended.answer) == ("Abort", "ValueError: no milk here")
    errors = {str(q.object) for q in workspace.store.quads(None, AITIA.error)}
    assert errors == {'"ValueError: no milk here"'}


class Shelf(BaseRetriever):
    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return [Document("Tea: 12 EUR"), Document("Milk: 2 EUR")]


def test_a_langchain_chain_with_a_retriever(workspace: Workspace) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(ANSWER)]))

    def prompt(found: list[Document]) -> list[BaseMessage]:
        return [HumanMessage(f"Say what tea costs: {found[0].page_content}")]

    runnable = Shelf() | RunnableLambda(prompt) | model
    with workspace.record("tea", agent="reader") as r:
        handler = RecorderCallback(r, chains=True)
        reply = runnable.invoke("tea", config={"callbacks": [handler]})
        r.decide(ANSWER, because=reply)
    graph = workspace.why("last")
    named = "reader.GenericFakeChatModel"
    assert links(graph) >= {
        (ANSWER, "produced", "reader.RunnableSequence", "observed"),
        ("reader.RunnableSequence", "usedTool", ANSWER, "observed"),
        (ANSWER, "produced", named, "observed"),
    }
    told = chain(graph)
    assert "MethodExecution reader.prompt" in told
    assert "Observation Tea: 12 EUR Milk: 2 EUR" in [" ".join(x.split()) for x in told]
    assert "MethodExecution reader.Shelf" in told


def test_a_streamed_reply_of_a_langchain_model(workspace: Workspace) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(ANSWER, id="m1")]))
    with workspace.record("tea", agent="reader") as r:
        config: Any = {"callbacks": [RecorderCallback(r)]}
        pieces = list(model.stream([HumanMessage(QUESTION)], config=config))
        assert len(pieces) > 1
        r.decide(ANSWER, because=ANSWER)
    assert f"Observation {QUESTION}" in chain(workspace.why("last"))


def test_what_a_tool_said_is_known_by_the_call_that_it_answers(
    workspace: Workspace,
) -> None:
    model = FakeMessagesListChatModel(responses=replies())
    with workspace.record("tea", agent="shopper") as r:
        config: Any = {"callbacks": [RecorderCallback(r)]}
        asked = HumanMessage(QUESTION)
        first = model.invoke([asked], config=config)
        assert isinstance(first, AIMessage)
        said = price.invoke(first.tool_calls[0], config=config)
        again = ToolMessage(said.content, tool_call_id=said.tool_call_id)
        last = model.invoke([asked, first.model_copy(), again], config=config)
        r.decide(ANSWER, because=last)
    told = chain(workspace.why("last"))
    assert told.count("Observation 12 EUR") == 1
    assert told.count(f"Observation {QUESTION}") == 1
