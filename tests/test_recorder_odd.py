"""What agents hand to the recorder that is odd: it is kept, or refused in plain words."""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import Literal

from aitia import Recorder, UsageError, Workspace, terms
from aitia.recorder.told import as_json
from aitia.vocab import AITIA


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path / "workspace") as opened:
        yield opened
        assert opened.validate().violations == ()
        assert opened.verify().findings == ()


@pytest.fixture
def r(workspace: Workspace) -> Iterator[Recorder]:
    with workspace.record("loan decision", agent="underwriter-1") as recorder:
        yield recorder


class Ends:
    """An object that ends the program where it is told."""

    def __repr__(self) -> str:
        raise SystemExit(3)


def test_an_object_that_ends_the_program_where_it_is_told_is_kept(r: Recorder) -> None:
    ends = Ends()
    assert "SystemExit" in as_json(ends)
    node = r.observe(ends)
    r.decide("Done", because=[node])
    with pytest.raises(UsageError, match="Nothing on record stands for an object"):
        r.ref(Ends())


def test_a_number_that_is_none_is_named_by_its_node(r: Recorder) -> None:
    node = r.observe(math.nan, "no number")
    with pytest.raises(UsageError) as told:
        r.decide("Done", because=math.nan)
    assert "pass the node" in told.value.hint
    r.decide("Done", because=node)


def test_a_foreign_agent_does_not_speak_for_a_method_of_the_name(
    workspace: Workspace,
) -> None:
    def lexical_search(words: str) -> str:
        """Hijacked."""
        return words

    with workspace.record("run", agent="a") as r:
        found = r.call(lexical_search)("x")
        r.decide("Done", because=r.observe(found, "It was found."))
    ours, theirs = map(terms.method_iri, ("lexical_search", "a.lexical_search"))
    assert not list(workspace.store.quads(ours))
    (said,) = workspace.store.quads(theirs, AITIA.competence)
    assert said.object == Literal("Hijacked.")
