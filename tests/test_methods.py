"""Methods that a model may have run: offline by rules, better with a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import pytest

from aitia import Workspace
from aitia.blobs import Blobs
from aitia.errors import UsageError
from aitia.llm.calls import BudgetSpent
from aitia.llm.models import Models
from aitia.methods import arguments
from aitia.methods.arguments import NodeRef
from aitia.methods.base import Reads, offered
from aitia.settings import load
from tests.ask_worlds import taken_in
from tests.llm_server import ModelServer, dead_url

NONE: Mapping[str, Any] = MappingProxyType({})
HANDBOOK = (
    "The north crane was built in Lund. Lund lies in Scania. "
    "Scania is governed from Malmo."
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the small shop, and a handbook beside it."""
    made = tmp_path_factory.mktemp("methods")
    taken_in(made)
    with Workspace.open(made / "ws") as workspace:
        (made / "handbook.md").write_text(HANDBOOK)
        workspace.ingest([made / "handbook.md"])
    return made / "ws"


@pytest.fixture(scope="module")
def workspace(folder: Path) -> Iterator[Workspace]:
    with Workspace.open(folder) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def world(workspace: Workspace) -> Reads:
    return Reads(
        workspace.store, workspace.blobs, workspace.indexes, workspace.settings
    )


def run(reads: Reads, name: str, given: dict[str, Any], **nodes: NodeRef) -> Any:
    """Run a method as a model would have it run: arguments as JSON, nodes by label."""
    method = offered()[name]
    return method.run(reads, arguments.arguments(method, given, lambda at: nodes[at]))


class Modelled(Protocol):
    """Returns what may be read, with a model at an address or with scripted replies."""

    def __call__(
        self, reply: Any, url: str = "", more: Mapping[str, Any] = NONE
    ) -> Reads: ...


@pytest.fixture
def modelled(world: Reads) -> Iterator[Modelled]:
    opened: list[ModelServer] = []
    asked: list[Models] = []

    def made(reply: Any, url: str = "", more: Mapping[str, Any] = NONE) -> Reads:
        if not url:
            opened.append(ModelServer(reply).__enter__())
            url = opened[-1].url
        settings, _ = load(None, {"model.url": url, "model.name": "m", **more})
        assert isinstance(world.blobs, Blobs)
        found = Models.of(settings, world.blobs, None)
        assert found is not None
        asked.append(found)
        return replace(world, models=found)

    yield made
    for models in asked:
        models.close()
    for server in opened:
        server.stop()


def passage(reads: Reads, query: str, label: str = "P1") -> NodeRef:
    found = reads.indexes.search(query, k=1)[0].passage
    return NodeRef(
        label,
        found.iri,
        found.text,
        found.document,
        found.start,
        found.end,
        found.title,
    )


def note(text: str, label: str = "S1") -> NodeRef:
    return NodeRef(label, f"urn:aitia:{label}", text)


# Searching


def test_searches_take_a_query_and_a_bounded_number(world: Reads) -> None:
    for name in ("lexical_search", "dense_search", "metadata_filter"):
        found = run(world, name, {"query": "returned orders", "k": 3})
        assert 1 <= len(found.hits) <= 3, name
        assert not found.failure
        assert run(world, name, {"query": "?!"}).failure == "No passage was found."
        with pytest.raises(UsageError, match="less than or equal to 50"):
            run(world, name, {"query": "x", "k": 1000})


def test_conditions_on_documents_are_given_or_read_from_the_question(
    world: Reads, modelled: Modelled
) -> None:
    def paths(found: Any) -> set[str]:
        return {Path(hit.passage.path).name for hit in found.hits}

    found = run(world, "metadata_filter", {"query": "crane", "path": "*.md", "k": 4})
    assert paths(found)
    assert all(name.endswith(".md") for name in paths(found))
    named = run(world, "metadata_filter", {"query": "What does handbook.md say?"})
    assert paths(named) == {"handbook.md"}
    none = run(world, "metadata_filter", {"query": "crane", "path": "*.xyz"})
    assert none.failure == "No document meets the conditions."
    assert run(world, "metadata_filter", {"query": "x", "since": "May"}).failure
    read = modelled({"path": "hand*.md", "media_type": "", "since": "", "until": ""})
    assert paths(run(read, "metadata_filter", {"query": "the crane"})) == {
        "handbook.md"
    }
    lost = modelled({"path": "no-such-*"})
    told = run(lost, "metadata_filter", {"query": "crane"})
    assert told.hits
    assert told.notices == ("No document meets the conditions; all were looked in.",)


def test_queries_are_put_in_other_words(world: Reads, modelled: Modelled) -> None:
    asked = {"question": "When was the north crane built?"}
    found = run(world, "query_rewriting", asked)
    assert found.queries
    assert asked["question"] not in found.queries
    again = run(world, "query_rewriting", asked | {"tried": list(found.queries)})
    assert not set(again.queries) & set(found.queries)
    model = modelled({"queries": ["crane north construction year", found.queries[0]]})
    first = run(model, "query_rewriting", asked).queries[0]
    assert first == "crane north construction year"


def test_a_made_up_answer_finds_passages_and_is_no_evidence(
    world: Reads, modelled: Modelled
) -> None:
    found = run(world, "hypothetical_answer", {"query": "Where was the crane built?"})
    assert found.imagined == "the crane built was in a certain place"
    assert any("Lund" in hit.passage.text for hit in found.hits)
    model = modelled({"text": "The crane was made at the wharf of Lund."})
    assert "wharf" in run(model, "hypothetical_answer", {"query": "Where?"}).imagined


def test_retrieval_goes_on_to_what_was_found(world: Reads, modelled: Modelled) -> None:
    asked = {"question": "Where was the north crane built?", "rounds": 2, "k": 2}
    found = run(world, "recursive_retrieval", asked)
    assert found.hits
    assert 1 <= len(found.queries) <= 2
    model = modelled([{"query": "governed Scania"}, {"query": ""}])
    found = run(model, "recursive_retrieval", asked | {"rounds": 3})
    assert found.queries == (asked["question"], "governed Scania")


def test_facts_about_a_thing_are_found(world: Reads, modelled: Modelled) -> None:
    found = run(world, "graph_search", {"thing": "K-102", "property": "status"})
    assert [fact.object.value for fact in found.facts] == ["delivered"]
    assert "status = delivered" in found.lines[0]
    whole = run(world, "graph_search", {"thing": "K-102"})
    assert {"delivered", "Lund"} <= {
        getattr(f.object, "value", "") for f in whole.facts
    }
    none = run(world, "graph_search", {"thing": "K-999"})
    assert none.failure == "Nothing on record is called K-999."
    every = run(world, "graph_search", {"property": "status"})
    assert {"delivered", "pending"} <= {f.object.value for f in every.facts}
    unknown = run(world, "graph_search", {"property": "wingspan"})
    assert unknown.failure == "No property on record is called wingspan."
    empty = run(world, "graph_search", {})
    assert empty.failure.startswith("No thing is named")
    lacking = run(world, "graph_search", {"thing": "K-102", "property": "weight"})
    assert "has no weight" in lacking.failure
    asked = {"question": "What is the status of order K-103?"}
    assert run(world, "graph_search", asked).facts[0].object.value == "pending"
    model = modelled({"thing": "K-102", "property": "total"})
    assert run(model, "graph_search", {"question": "x?"}).facts[0].object.value == "18"


# Judging what was found


def test_texts_are_sifted_by_what_is_asked(world: Reads, modelled: Modelled) -> None:
    texts = {
        "P1": note("The north crane was built in Lund.", "P1"),
        "P2": note("Refunds are paid within six days.", "P2"),
    }
    asked = {"question": "Where was the north crane built?", "texts": ["P1", "P2"]}
    found = run(world, "relevance_check", asked, **texts)
    assert (found.passed, found.relevant) == (True, ("P1",))
    assert 0 < found.confidence <= 1
    other = run(world, "relevance_check", asked | {"texts": ["P2"]}, **texts)
    assert not other.passed
    assert other.failure.startswith("None of the texts speaks of it.")
    model = modelled({"numbers": [2, 9, 2], "reason": "It names days."})
    assert run(model, "relevance_check", asked, **texts).relevant == ("P2",)


def test_sentences_of_named_passages_are_ordered(world: Reads) -> None:
    found = run(
        world,
        "rerank",
        {"question": "Where was the north crane built?", "passages": ["P1"]},
        P1=passage(world, "north crane"),
    )
    best = found.sentences[0].piece
    assert best.text == "The north crane was built in Lund."
    assert HANDBOOK[best.start : best.end] == best.text


def test_values_of_nodes_are_compared(world: Reads) -> None:
    sides = {
        "S1": note("Order 1 costs 40.50 euro"),
        "S2": note("Order 2 costs 18 euro", "S2"),
    }
    given = {"sides": ["S1", "S2"], "question": "Which is cheaper?"}
    found = run(world, "comparison", given, **sides)
    assert found.first == 1
    assert "smaller" in found.text
    assert run(world, "comparison", {"sides": []}).failure


def test_texts_are_summed_up_in_their_own_words(
    world: Reads, modelled: Modelled
) -> None:
    there = passage(world, "north crane")
    found = run(world, "summary", {"texts": ["P1"], "most": 2}, P1=there)
    assert 1 <= len(found.places) <= 2
    assert all(HANDBOOK[p.start : p.end] == p.exact for p in found.places)
    model = modelled(
        [
            {"sentences": ["Lund lies in Scania.", "The crane is red."]},
            {"relation": "unrelated", "quote": "", "reason": "No colour is told."},
        ]
    )
    found = run(model, "summary", {"texts": ["P1"]}, P1=there)
    assert found.text == "Lund lies in Scania."
    assert found.notices == ("1 sentences that no text bears out were left out.",)


RULE = note("An order can be returned if its status is delivered.", "R1")


@pytest.mark.parametrize(
    ("strategy", "conclusion", "premises", "passed"),
    [
        ("deduction", "Order 7 can be returned.", [RULE, note("The status of order 7 is delivered.")], True),
        ("deduction", "Order 7 can be returned.", [RULE, note("The status of order 7 is pending.")], False),
        ("deduction", "Order 8 can be returned.", [RULE, note("The status of order 7 is delivered.")], False),
        ("deduction", "Lund lies in Scania.", [note("Lund lies in Scania.")], True),
        ("deduction", "Lund lies in Skane.", [note("Lund lies in Scania.")], False),
        ("induction", "Pumps leak in winter.", [note("Pump 1 leaks in winter."), note("Pumps leak in winter.", "S2")], True),
        ("induction", "Pumps leak in winter.", [note("Pumps leak in winter.")], False),
        ("analogy", "The east crane needs oil weekly.", [note("The west crane needs oil weekly."), note("The east crane is like the west crane.", "S2")], True),
        ("abduction", "The valve is shut.", [note("If the valve is shut, the tank stays empty."), note("The tank stays empty.", "S2")], True),
        ("abduction", "The pump is broken.", [note("If the valve is shut, the tank stays empty."), note("The pump and the tank stay empty; broken seals.", "S2")], False),
    ],
)  # fmt: skip
def test_a_step_follows_by_its_strategy_or_not(
    world: Reads,
    strategy: str,
    conclusion: str,
    premises: list[NodeRef],
    passed: bool,
) -> None:
    nodes = {item.label: item for item in premises}
    given = {"conclusion": conclusion, "premises": list(nodes), "strategy": strategy}
    found = run(world, "inference_step", given, **nodes)
    assert found.passed == passed, found.reason
    assert bool(found.failure) != passed
    assert set(found.used) <= set(nodes)


def test_a_model_judges_a_step_only_by_words_of_a_premise(
    modelled: Modelled,
) -> None:
    given = {"conclusion": "It will rain.", "premises": ["S1"], "strategy": "abduction"}
    premise = note("The swallows fly low.")

    def judged(quote: str) -> Any:
        reply = {"relation": "entails", "quote": quote, "reason": "An old rule."}
        return run(modelled(reply), "inference_step", given, S1=premise)

    assert judged("swallows fly low").passed
    assert judged("swallows fly low").used == ("S1",)
    assert "stands in no premise" in judged("the sky is grey").reason


def test_values_count_in_any_way_of_writing_them(modelled: Modelled) -> None:
    text = "The north crane was inspected on 3 May 2026 and lifts 9,000 kg."

    def said(value: str) -> dict[str, str]:
        about = {"subject": "north crane", "predicate": "has", "object": value}
        return about | {"quote": text}

    values = ["2026-05-03", "9 tonnes", "2026-05-04", "8 tonnes", "a red roof"]
    model = modelled({"facts": [said(value) for value in values]})
    found = run(model, "fact_extraction", {"texts": ["S1"]}, S1=note(text))
    assert [item.object for item in found.statements] == values[:2]
    assert len(found.refused) == 3


def test_facts_are_read_with_their_words(world: Reads) -> None:
    there = note("The fee of the course is 30 euro. Ada's city is Lund. It is late.")
    found = run(world, "fact_extraction", {"texts": ["S1"]}, S1=there)
    told = {(item.subject, item.predicate, item.object) for item in found.statements}
    assert told == {("the course", "fee", "30 euro"), ("Ada", "city", "Lund")}
    assert found.by == "rules"
    assert all(item.place.exact in there.text for item in found.statements)
    assert run(world, "fact_extraction", {"texts": []}).failure


# When the model is no help


def test_a_dead_server_is_told_and_rules_do(modelled: Modelled) -> None:
    dead = modelled(None, dead_url(), more={"model.retries": 0})
    found = run(dead, "query_rewriting", {"question": "Where is the crane?"})
    assert found.queries
    assert found.notices[0].startswith(
        "Rules did in place of the model in the step query_rewriting:"
    )
    assert found.told()["notices"] == found.notices


def test_a_spent_budget_goes_through_every_method(modelled: Modelled) -> None:
    poor = modelled({"queries": ["x"]}, more={"budget.calls": 1})
    run(poor, "query_rewriting", {"question": "Where is the crane?"})
    with pytest.raises(BudgetSpent):
        run(poor, "query_rewriting", {"question": "Where is the pump?"})


def test_methods_run_side_by_side_as_one_after_the_other(world: Reads) -> None:
    asked: list[tuple[str, dict[str, Any]]] = [
        ("metadata_filter", {"query": "north crane", "k": 4}),
        ("query_rewriting", {"question": "When was the north crane built?"}),
        ("hypothetical_answer", {"query": "Where was the crane built?"}),
        ("graph_search", {"thing": "K-102"}),
        ("recursive_retrieval", {"question": "Where does the crane come from?"}),
        ("computation", {"expression": "2 ** 10"}),
    ]
    alone = [run(world, name, given) for name, given in asked]
    with ThreadPoolExecutor(max_workers=6) as pool:
        made = [pool.submit(run, world, name, given) for name, given in asked * 4]
        together = [item.result() for item in made]
    assert together == alone * 4
