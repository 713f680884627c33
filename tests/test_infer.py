"""Inference: what follows, what is filtered, and by which premises."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, parse

from aitia import Workspace, terms
from aitia.errors import TooMuch
from aitia.inference import close, patch
from aitia.inference.premises import Step, is_asserted, proof, rules, steps
from aitia.store import OxigraphStore
from tests.causes import store_of

HEAD = """@prefix e: <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
GRAPH = NamedNode("http://e/graph")


def knowledge(text: str) -> OxigraphStore:
    quads = parse(HEAD + text, RdfFormat.TURTLE)
    return store_of(Quad(q.subject, q.predicate, q.object, GRAPH) for q in quads)


def inferred(store: OxigraphStore) -> list[Triple]:
    """Infer into the store; return what was inferred, in a fixed order."""
    closure = close(store)
    quads = list(patch(store, closure).adds)
    from aitia.model import Admitted, Patch

    store.apply(Admitted(Patch(frozenset(quads)), "test"), [])
    return sorted((quad.triple for quad in quads), key=str)


def triple(text: str) -> Triple:
    found: list[Quad] = list(parse(HEAD + text, RdfFormat.TURTLE))
    assert len(found) == 1
    return found[0].triple


CASES = {
    "cax-sco": ("e:A rdfs:subClassOf e:B . e:x a e:A .", "e:x a e:B ."),
    "cax-eqc1": ("e:A owl:equivalentClass e:B . e:x a e:A .", "e:x a e:B ."),
    "cax-eqc2": ("e:A owl:equivalentClass e:B . e:x a e:B .", "e:x a e:A ."),
    "prp-dom": ("e:p rdfs:domain e:A . e:x e:p e:y .", "e:x a e:A ."),
    "prp-rng": ("e:p rdfs:range e:A . e:x e:p e:y .", "e:y a e:A ."),
    "prp-spo1": ("e:p rdfs:subPropertyOf e:q . e:x e:p 5 .", "e:x e:q 5 ."),
    "prp-spo2": (
        "e:q owl:propertyChainAxiom ( e:p e:r ) . e:x e:p e:y . e:y e:r e:z .",
        "e:x e:q e:z .",
    ),
    "prp-eqp1": ("e:p owl:equivalentProperty e:q . e:x e:p 'v' .", "e:x e:q 'v' ."),
    "prp-eqp2": ("e:p owl:equivalentProperty e:q . e:x e:q 'v' .", "e:x e:p 'v' ."),
    "prp-symp": ("e:p a owl:SymmetricProperty . e:x e:p e:y .", "e:y e:p e:x ."),
    "prp-trp": (
        "e:p a owl:TransitiveProperty . e:x e:p e:y . e:y e:p e:z .",
        "e:x e:p e:z .",
    ),
    "prp-inv1": ("e:p owl:inverseOf e:q . e:x e:p e:y .", "e:y e:q e:x ."),
    "prp-inv2": ("e:q owl:inverseOf e:p . e:x e:p e:y .", "e:y e:q e:x ."),
    "prp-fp": (
        "e:p a owl:FunctionalProperty . e:x e:p e:y, e:z .",
        "e:y owl:sameAs e:z .",
    ),
    "prp-ifp": (
        "e:p a owl:InverseFunctionalProperty . e:x e:p e:v . e:y e:p e:v .",
        "e:x owl:sameAs e:y .",
    ),
    "eq-sym": ("e:x owl:sameAs e:y .", "e:y owl:sameAs e:x ."),
    "eq-trans": ("e:x owl:sameAs e:y . e:y owl:sameAs e:z .", "e:x owl:sameAs e:z ."),
    "eq-rep-s": ("e:x owl:sameAs e:y . e:x e:p 'v' .", "e:y e:p 'v' ."),
    "eq-rep-p": ("e:p owl:sameAs e:q . e:x e:p 'v' .", "e:x e:q 'v' ."),
    "eq-rep-o": ("e:x owl:sameAs e:y . e:z e:p e:x .", "e:z e:p e:y ."),
    "scm-sco": (
        "e:A rdfs:subClassOf e:B . e:B rdfs:subClassOf e:C .",
        "e:A rdfs:subClassOf e:C .",
    ),
    "scm-eqc1": ("e:A owl:equivalentClass e:B .", "e:B rdfs:subClassOf e:A ."),
    "scm-eqc2": (
        "e:A rdfs:subClassOf e:B . e:B rdfs:subClassOf e:A .",
        "e:A owl:equivalentClass e:B .",
    ),
    "scm-spo": (
        "e:p rdfs:subPropertyOf e:q . e:q rdfs:subPropertyOf e:r .",
        "e:p rdfs:subPropertyOf e:r .",
    ),
    "scm-eqp1": ("e:p owl:equivalentProperty e:q .", "e:p rdfs:subPropertyOf e:q ."),
    "scm-eqp2": (
        "e:p rdfs:subPropertyOf e:q . e:q rdfs:subPropertyOf e:p .",
        "e:p owl:equivalentProperty e:q .",
    ),
    "scm-dom": (
        "e:p rdfs:domain e:A . e:A rdfs:subClassOf e:B .",
        "e:p rdfs:domain e:B .",
    ),
    "scm-rng": (
        "e:p rdfs:range e:A . e:q rdfs:subPropertyOf e:p .",
        "e:q rdfs:range e:A .",
    ),
    "cls-hv1": (
        "e:R owl:hasValue e:v ; owl:onProperty e:p . e:x a e:R .",
        "e:x e:p e:v .",
    ),
    "cls-hv2": (
        "e:R owl:hasValue e:v ; owl:onProperty e:p . e:x e:p e:v .",
        "e:x a e:R .",
    ),
    "cls-svf1": (
        "e:R owl:someValuesFrom e:A ; owl:onProperty e:p . e:x e:p e:y . e:y a e:A .",
        "e:x a e:R .",
    ),
    "cls-svf2": (
        "e:R owl:someValuesFrom owl:Thing ; owl:onProperty e:p . e:x e:p e:y .",
        "e:x a e:R .",
    ),
    "cls-avf": (
        "e:R owl:allValuesFrom e:A ; owl:onProperty e:p . e:x a e:R ; e:p e:y .",
        "e:y a e:A .",
    ),
    "cls-int1": (
        "e:R owl:intersectionOf ( e:A e:B ) . e:x a e:A , e:B .",
        "e:x a e:R .",
    ),
    "cls-int2": ("e:R owl:intersectionOf ( e:A e:B ) . e:x a e:R .", "e:x a e:B ."),
    "cls-uni": ("e:R owl:unionOf ( e:A e:B ) . e:x a e:B .", "e:x a e:R ."),
    "cls-oo": ("e:R owl:oneOf ( e:x e:y ) .", "e:x a e:R ."),
    "scm-int": ("e:R owl:intersectionOf ( e:A e:B ) .", "e:R rdfs:subClassOf e:A ."),
    "scm-uni": ("e:R owl:unionOf ( e:A e:B ) .", "e:A rdfs:subClassOf e:R ."),
}


def named(text: str) -> OxigraphStore:
    """A store of the text, its lists named as an ingest names them."""
    names: dict[str, NamedNode] = {}

    def name(term: object) -> object:
        if isinstance(term, NamedNode | Literal):
            return term
        return names.setdefault(str(term), NamedNode(f"http://e/list{len(names)}"))

    quads = parse(HEAD + text, RdfFormat.TURTLE)
    return store_of(
        Quad(name(q.subject), q.predicate, name(q.object), GRAPH)  # type: ignore[arg-type]
        for q in quads
    )


def test_every_rule_has_a_case() -> None:
    assert sorted(CASES) == list(rules())


@pytest.mark.parametrize("rule", sorted(CASES))
def test_a_rule_names_the_premises_of_what_owlrl_infers(rule: str) -> None:
    text, follows = CASES[rule]
    store, goal = named(text), triple(follows)
    assert goal in inferred(store), "owlrl does not infer it"
    found = [step for step in steps(store, goal) if step.rule == rule]
    assert found
    assert any(all(is_asserted(store, p) for p in step.premises) for step in found)
    (last,) = [step for t, step in proof(store, goal).items() if t == goal]
    assert all(x != goal for x in last.premises)


ONTOLOGY = """
e:A rdfs:subClassOf e:B . e:B rdfs:subClassOf e:C . e:C rdfs:subClassOf e:A2 .
e:near a owl:SymmetricProperty , owl:TransitiveProperty .
e:near rdfs:domain e:C ; rdfs:range e:C . e:name rdfs:subPropertyOf rdfs:label .
e:x a e:A ; e:name "n" ; e:unspoken "u" ; e:near e:y . e:y e:near e:z . e:z e:near e:x .
e:x owl:sameAs e:x2 . e:x2 e:unspoken "v" ; e:when "2024-01-01T00:00:00Z"^^xsd:dateTime .
"""


def test_every_inferred_triple_has_a_proof_from_what_is_asserted() -> None:
    store = knowledge(ONTOLOGY)
    found = inferred(store)
    assert len(found) > 20
    for goal in found:
        told = proof(store, goal)
        assert goal in told, goal
        assert _grounded(store, goal, told)


def _grounded(store: OxigraphStore, goal: Triple, told: dict[Triple, Step]) -> bool:
    """Whether a proof ends in what is asserted and never comes back to itself."""

    def ends(one: Triple, above: frozenset[Triple]) -> bool:
        if one not in told:
            return is_asserted(store, one)
        return one not in above and all(
            ends(premise, above | {one}) for premise in told[one].premises
        )

    return ends(goal, frozenset())


def test_nothing_trivial_or_illegal_is_inferred() -> None:
    for found in inferred(knowledge(ONTOLOGY)):
        assert isinstance(found.subject, NamedNode)
        assert isinstance(found.object, NamedNode | Literal)
        assert not found.subject.value.startswith("http://www.w3.org/")
        assert found.subject != found.object or found.predicate.value == "http://e/near"


def test_literals_come_back_as_they_went_in() -> None:
    store = knowledge(
        "e:p rdfs:subPropertyOf e:q ."
        ' e:x e:p "2024-01-01T00:00:00Z"^^xsd:dateTime, "0.5"^^xsd:decimal, "x"@en-gb .'
    )
    given = {q.object for q in store.quads(None, NamedNode("http://e/p"))}
    assert {t.object for t in inferred(store)} == given


def test_what_no_axiom_speaks_of_is_not_read() -> None:
    facts = " ".join(f'e:r{i} e:field "{i}" .' for i in range(300))
    closure = close(knowledge("e:A rdfs:subClassOf e:B . e:x a e:A ." + facts))
    assert (closure.read, closure.unread) == (2, 300)
    assert len(closure.triples) == 1


def test_equality_found_on_the_way_widens_what_is_read() -> None:
    store = knowledge(
        "e:id a owl:InverseFunctionalProperty . e:x e:id 'k' . e:y e:id 'k' ."
        " e:x e:unspoken 'u' ."
    )
    assert triple("e:y e:unspoken 'u' .") in inferred(store)


@settings(max_examples=10, deadline=None)
@given(st.data())
def test_reading_only_what_matters_loses_nothing(data: st.DataObject) -> None:
    lines = [
        line + " ."
        for line in ONTOLOGY.replace("\n", " ").split(" . ")
        if line.strip(" .")
    ]
    chosen = data.draw(st.lists(st.sampled_from(lines), unique=True, min_size=3))
    store = knowledge(" ".join(chosen).replace(". .", "."))
    assert close(store).triples == _whole(store)


def _whole(store: OxigraphStore) -> frozenset[Triple]:
    """The closure when the reasoner reads everything."""
    from aitia.inference import owl
    from aitia.inference.closure import _says_something
    from aitia.inference.relevant import current

    known = current(store)
    found, _ = owl.expand(known)
    return frozenset(t for t in found - set(known) if _says_something(t))


def test_contradictions_are_told() -> None:
    closure = close(knowledge("e:A owl:disjointWith e:B . e:x a e:A , e:B ."))
    assert any("e/x" in text for text in closure.contradictions)


def test_too_much_to_read_is_refused_with_the_way_out() -> None:
    with pytest.raises(TooMuch) as caught:
        close(knowledge(ONTOLOGY), most=3)
    assert "--limit" in caught.value.hint


def _ingest(workspace: Workspace, folder: Path, text: str) -> None:
    (folder / "o.ttl").write_text(HEAD + text, "utf-8")
    workspace.ingest([folder / "o.ttl"])


def _subjects(quads: Iterable[Quad]) -> set[str]:
    return {quad.subject.value for quad in quads if isinstance(quad.subject, NamedNode)}


def test_inferring_again_replaces_by_net_effect(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "ws") as workspace:
        _ingest(
            workspace, tmp_path, "e:A rdfs:subClassOf e:B . e:x a e:A . e:y a e:A ."
        )
        first = workspace.infer()
        assert (first.added, first.deleted) == (2, 0)
        again = workspace.infer()
        assert (again.added, again.deleted, again.commit) == (0, 0, 0)
        _ingest(
            workspace, tmp_path, "e:A rdfs:subClassOf e:B . e:z a e:A . e:y a e:A ."
        )
        third = workspace.infer()
        assert (third.added, third.deleted) == (1, 1)
        graph = terms.GRAPH_INFERRED
        standing = workspace.store.quads(None, None, None, graph)
        assert _subjects(standing) == {"http://e/y", "http://e/z"}
        assert workspace.ledger.verify().findings == ()


def _statement(workspace: Workspace, predicate: str) -> str:
    """The IRI that a run's record gives the statement of this fact."""
    (quad,) = workspace.store.quads(None, NamedNode(predicate))
    parts = [str(part) for part in (*quad.triple, quad.graph_name)]
    return terms.statement_iri(*parts).value


def test_why_shows_the_premises_of_an_inferred_fact(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "ws") as workspace:
        _ingest(
            workspace, tmp_path, "e:A rdfs:subClassOf e:B .\ne:x a e:A ; e:n 'v' .\n"
        )
        workspace.infer()
        graph = workspace.why_fact("http://e/x", "type", "http://e/B")
        top = graph.causes(graph.start)
        assert {link.basis for link in top} == {"inferred"}
        assert {link.kind for link in top} == {"followsFrom"}
        assert {link.reason for link in top} == {"rule cax-sco"}
        assert len(top) == 2
        assert {node.kind for node in graph.roots()} == {"Passage"}
        asserted = workspace.why_fact("http://e/x", "e:n".removeprefix("e:"), "v")
        (link,) = asserted.causes(asserted.start)
        assert (link.kind, link.basis) == ("statedIn", "observed")
        place = asserted.nodes[link.cause].place
        assert place is not None
        assert "'v'" in place.exact
        assert asserted.start == _statement(workspace, "http://e/n")
        of_resource = workspace.why("http://e/x")
        kinds = {link.kind for link in of_resource.causes("http://e/x")}
        assert kinds == {"statedIn", "isSaidBy"}
