"""The store and the blobs: what is bound, what is refused, what is kept."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from pyoxigraph import Literal, Quad

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import AitiaError, Locked, NotFound, NotIntact, QueryError, UsageError
from aitia.model import Admitted, Patch
from aitia.store import OxigraphStore
from aitia.vocab import RDFS
from tests.making import GRAPH, ex, fact

ONE = "SELECT ?s WHERE { #bind\n GRAPH ?g { ?s ?p ?o } }"


def holding(*quads: Quad) -> OxigraphStore:
    store = OxigraphStore()
    store.apply(Admitted(Patch(frozenset(quads)), "none"), [])
    return store


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_bound_value_is_data_whatever_it_holds(text: str) -> None:
    store = holding(fact("a", Literal(text)), fact("b", "other"))
    rows = store.select(ONE, {"o": Literal(text)})
    expected = {ex("a")} | ({ex("b")} if text == "other" else set())
    assert {row["s"] for row in rows} == expected


def test_several_values_may_be_bound() -> None:
    store = holding(fact("a", "1"), fact("b", "2"), fact("c", "3"))
    rows = store.select(ONE, {"o": [Literal("1"), Literal("3")]})
    assert {row["s"] for row in rows} == {ex("a"), ex("c")}
    assert store.select(ONE, {"o": []}) == []


def test_the_place_of_bound_values_must_be_marked() -> None:
    store = holding(fact("a", "1"))
    with pytest.raises(QueryError, match="#bind"):
        store.select("SELECT * WHERE { ?s ?p ?o }", {"o": Literal("1")})
    marked = "# Which #binding?\nSELECT ?s WHERE { #bind\n ?s ?p ?o }"
    assert len(store.select(marked, {"o": Literal("1")})) == 1
    inside = "SELECT ?s WHERE { #bind\n ?s <http://e/x#bind> ?o }"
    assert store.select(inside, {"o": Literal("1")}) == []


def test_queries_see_the_union_of_all_graphs() -> None:
    store = holding(fact("a", "1"), fact("a", "1", ex("other")))
    query = "SELECT DISTINCT ?s WHERE { ?s ?p ?o }"
    assert store.select(query) == [{"s": ex("a")}]
    assert store.ask("ASK { ?s ?p '1' }")
    assert len(store.construct("CONSTRUCT WHERE { ?s ?p ?o }")) >= 1
    assert store.select(query, graphs=[ex("nowhere")]) == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT * WHERE {", "is not SPARQL"),
        ("ASK { ?s ?p ?o }", "SELECT query was expected"),
    ],
)
def test_a_query_that_cannot_be_run_is_told(query: str, said: str) -> None:
    with pytest.raises(QueryError, match=said):
        OxigraphStore().select(query)


def test_an_update_is_no_query() -> None:
    store = holding(fact("a", "1"))
    with pytest.raises(QueryError):
        store.select("DELETE WHERE { ?s ?p ?o }")
    assert fact("a", "1") in store


def test_a_change_is_made_as_one() -> None:
    store = holding(fact("a", "1"))
    patch = Patch(frozenset({fact("a", "2")}), frozenset({fact("a", "1")}))
    label = Quad(ex("a"), RDFS.label, Literal('x"} } ; DROP ALL #'), GRAPH)
    store.apply(Admitted(patch, "none"), [label])
    assert set(store.quads()) == {fact("a", "2"), label}


def test_one_opener_per_folder_and_it_is_named(tmp_path: Path) -> None:
    first = OxigraphStore(tmp_path / "store")
    with pytest.raises(Locked, match="open elsewhere"):
        OxigraphStore(tmp_path / "store")
    first.close()
    OxigraphStore(tmp_path / "store").close()


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = OxigraphStore(tmp_path / "store")
    store.close()
    store.close()
    with pytest.raises(AitiaError, match="closed"):
        list(store.quads())


def test_a_store_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "CURRENT").write_text("nonsense")
    with pytest.raises(AitiaError, match="cannot be opened"):
        OxigraphStore(tmp_path / "store")


def test_a_backup_is_the_store_as_it_was(tmp_path: Path) -> None:
    store = OxigraphStore(tmp_path / "store")
    store.apply(Admitted(Patch(frozenset({fact("a", "1")})), "none"), [])
    store.backup(tmp_path / "backup")
    store.apply(Admitted(Patch(frozenset({fact("a", "2")})), "none"), [])
    copy = OxigraphStore(tmp_path / "backup", read_only=True)
    assert list(copy.quads()) == [fact("a", "1")]
    assert len(store) == 2
    store.close()


# Terms that the store would stumble over.


@pytest.mark.parametrize(
    "make", [terms.string, terms.any_uri, terms.slug, terms.agent_iri]
)
def test_a_lone_surrogate_is_a_clear_error(make: Callable[[str], object]) -> None:
    with pytest.raises(UsageError, match="lone surrogate at character 4"):
        make("bad \ud800 text")


def test_a_location_with_a_lone_surrogate_has_an_iri() -> None:
    """Names of files may hold bytes that are no text."""
    str(terms.document_iri("file:///bad\udcff", "0")).encode()


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_names_make_iris_that_the_store_takes(text: str) -> None:
    if not text.strip():
        return
    node = terms.agent_iri(text)
    assert node == terms.agent_iri(f"  {text} ")
    holding(Quad(node, RDFS.label, terms.string(text), GRAPH))


# Blobs.


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(tmp_path / "blobs")


@pytest.mark.parametrize("data", [b"", b"text", b"x" * 3_000_000, os.urandom(1000)])
def test_a_blob_comes_back_as_it_was_kept(blobs: Blobs, data: bytes) -> None:
    name = blobs.put(data)
    assert blobs.get(name) == data
    assert name in blobs
    assert list(blobs) == [name]
    assert blobs.put(data) == name
    blobs.flush()
    assert blobs.get(name) == data


def test_everything_kept_since_is_forced_onto_the_disk(
    blobs: Blobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []

    def fsync(descriptor: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{descriptor}"))

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "sync", lambda: synced.append("all"))
    names = [blobs.put(text.encode()) for text in "abc"]
    blobs.remove(names.pop())
    blobs.flush()
    for name in names:
        assert str(blobs.folder / name[:2] / name) in synced
        assert str(blobs.folder / name[:2]) in synced
    synced.clear()
    blobs.flush()
    assert synced == []
    for number in range(300):
        blobs.put(str(number).encode())
    blobs.flush()
    assert synced == ["all"]


def test_a_blob_that_is_not_there(blobs: Blobs) -> None:
    assert list(blobs) == []
    with pytest.raises(NotFound, match="no blob abc"):
        blobs.get("abc")


@pytest.mark.parametrize("left", [b"", b"x\x9c broken"])
def test_a_damaged_blob_is_told_and_mended_by_keeping_it_again(
    blobs: Blobs, left: bytes
) -> None:
    """A power loss can leave an empty file under the right name."""
    name = blobs.put(b"the text")
    (blobs.folder / name[:2] / name).write_bytes(left)
    with pytest.raises(NotIntact, match="damaged"):
        blobs.get(name)
    blobs.put(b"the text")
    assert blobs.get(name) == b"the text"


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "", ".."])
def test_a_name_never_leads_out_of_the_folder(blobs: Blobs, name: str) -> None:
    with pytest.raises(NotFound):
        blobs.get(name)
    assert name not in blobs


def test_unfinished_blobs_are_not_listed(blobs: Blobs) -> None:
    name = blobs.put(b"the text")
    (blobs.folder / name[:2] / f"{name}.123.tmp").write_bytes(b"half")
    assert list(blobs) == [name]
    assert blobs.unfinished() == [blobs.folder / name[:2] / f"{name}.123.tmp"]
