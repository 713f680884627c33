"""The sets of shapes that judge: our own, those for models, and the users'."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pyoxigraph import NamedNode

from aitia import resources
from aitia.gate.rulebook import RULES
from aitia.gate.shapes import MODEL_FILE, Ontology, Shapes, version_of


@cache
def ontology() -> Ontology:
    """Return what the gate needs of the ontology, read once."""
    return Ontology()


@cache
def own() -> Shapes:
    """Return aitia's own shapes, read once."""
    return Shapes(_texts(model=False), ontology())


@cache
def for_models() -> Shapes:
    """Return the closed shapes for what models propose, read once."""
    return Shapes(_texts(model=True), ontology())


@cache
def of_user(
    name: str,
    text: str,
    stored: bool = True,
    base: str | None = None,
    users_only: bool = True,
) -> Shapes:
    """Return one file of a user's shapes, read once.

    Args:
        name: Its name.
        text: The file, in Turtle.
        stored: Take its literals and datatypes as the store will hold them; else as
            they are written, to judge a file's own literals.
        base: What relative IRIs in it refer to.
        users_only: Judge users' data alone; else everything on record.
    """
    return Shapes(
        {name: text}, ontology(), stored=stored, base=base, users_only=users_only
    )


def all_of(user_shapes: Mapping[str, str], *, stored: bool = True) -> list[Shapes]:
    """Return our own shapes and the users', each file of theirs by itself."""
    theirs = (of_user(n, text, stored) for n, text in sorted(user_shapes.items()))
    return [own(), *theirs]


def version(user_shapes: Mapping[str, str]) -> str:
    """Return the version of all that judges: shapes, class axioms, users' shapes."""
    return _version(tuple(sorted(user_shapes.items())))


@cache
def _version(user_shapes: tuple[tuple[str, str], ...]) -> str:
    texts = {**_texts(model=False), **_texts(model=True)}
    texts |= {f"user/{name}": text for name, text in user_shapes}
    return version_of({**texts, **resources.turtle("ontology")})


@cache
def rule_labels() -> dict[NamedNode, str]:
    """Return rule IRI → its name for people."""
    return {iri: rule.label for iri, rule in RULES.items()}


def _texts(*, model: bool) -> dict[str, str]:
    found = resources.turtle("shapes")
    return {name: text for name, text in found.items() if (name == MODEL_FILE) == model}
