"""Searching: what is found, by which index, and what never is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from aitia.errors import UsageError
from aitia.workspace import Workspace
from tests import shelf


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder: Path = tmp_path_factory.mktemp("search") / "ws"
    with Workspace.open(folder) as workspace:
        shelf.put(
            workspace,
            "zh/阀门.txt",
            [("", "甲泵向乙罐供水。"), ("", "丁阀在三月被更换。")],
        )
        shelf.put(
            workspace,
            "policies/fees.md",
            [
                ("Fees", "The return fee is 5 euro for order #W2890441."),
                ("Animals > Dogs", "Puppies are small hounds."),
            ],
            media_type="text/markdown",
        )
        workspace.indexes.catch_up(workspace.ledger)
        yield workspace


def texts(workspace: Workspace, query: str, mode: str, k: int = 3) -> list[str]:
    return [hit.passage.text for hit in workspace.search(query, k, mode)]


@pytest.mark.parametrize("query", ["丁阀什么时候被更换?", "更换", "阀"])
@pytest.mark.parametrize("mode", ["lexical", "fused"])
def test_chinese_queries_find_chinese_text(
    world: Workspace, query: str, mode: str
) -> None:
    assert texts(world, query, mode)[0] == "丁阀在三月被更换。"


@pytest.mark.parametrize("query", ["#W2890441", "w2890441", "2890441"])
def test_an_id_is_found_whole_and_in_parts(world: Workspace, query: str) -> None:
    assert texts(world, query, "lexical") == [
        "The return fee is 5 euro for order #W2890441."
    ]


def test_dense_search_finds_meaning_without_shared_words(world: Workspace) -> None:
    assert texts(world, "What does a young canine look like?", "dense")[0] == (
        "Puppies are small hounds."
    )


def test_a_query_that_is_no_text_is_refused(world: Workspace) -> None:
    for query in ("", " \n\t", "x" * 1_000_000):
        with pytest.raises(UsageError):
            world.search(query)
