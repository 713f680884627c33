"""Validation of everything at once: a store with its shapes, or files with theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from pyoxigraph import NamedNode, Quad, Triple

from aitia.errors import UsageError
from aitia.gate import rules, sets
from aitia.gate.change import Change
from aitia.gate.graphs import is_ours
from aitia.gate.index import Index, Term
from aitia.gate.judgement import TOLD, batches, in_words, index_of
from aitia.gate.lint import lint, shape_name
from aitia.gate.neighbourhood import Focus, fetch, subjects_of
from aitia.gate.overlay import Overlay, Quads
from aitia.gate.report import Report
from aitia.gate.result import Result, ordered
from aitia.gate.rulebook import LEDGER_ALONE
from aitia.gate.shacl import sh
from aitia.gate.shapes import Shapes, read
from aitia.model import Patch
from aitia.vocab import OWL, RDF

_IMPORTS: Final = NamedNode(OWL.NS + "imports")


def validate_store(
    store: Quads, judges: list[Shapes], *, with_rules: bool = True
) -> Report:
    """Check every focus node in a store, and every rule.

    Args:
        store: What to check; inferred triples are left out.
        judges: The sets of shapes to check by.
        with_rules: Ask the rules that are no shapes, too.
    """
    results: list[Result] = []
    checked: Counter[str] = Counter()
    for shapes in judges:
        focus = all_targets(shapes, store)
        for shape in shapes.reads.targets:
            checked[shape_name(shapes.index, shape)] += len(focus.get(shape, ()))
        for part in batches(focus):
            facts = fetch(shapes.reads, _over(store, shapes.users_only), part)
            results += shapes.judge.judge(facts, part)
    overlay = _over(store)
    if with_rules:
        results += _all_rules(store, overlay)
    results = ordered(results)
    index = index_of(judges)
    words = tuple(in_words(results, index, overlay))
    return Report(words, dict(checked), -1, tuple(results), index)


def _over(store: Quads, users_only: bool = False) -> Overlay:
    """Return a store as it is, with nothing laid over it."""
    return Overlay(store, (), (), sets.ontology().types, users_only=users_only)


def all_targets(shapes: Shapes, store: Quads) -> Focus:
    """Return every focus node of every shape in a store."""
    overlay = _over(store, shapes.users_only)
    focus: Focus = {}
    for shape, target in shapes.reads.targets.items():
        nodes: set[Term] = set(target.nodes)
        for kind in target.classes:
            nodes |= {q.subject for q in store.quads(None, RDF.type, kind)}
        for predicate in target.subjects_of:
            nodes |= {q.subject for q in store.quads(None, predicate)}
        for predicate in target.objects_of:
            nodes |= {q.object for q in store.quads(None, predicate)}
        # What is outside, such as inferred triples, was found as well.
        nodes = {node for node in nodes if target.is_hit(overlay, node)}
        if nodes:
            focus[shape] = nodes
    return focus


def _all_rules(store: Quads, overlay: Overlay) -> Iterator[Result]:
    """Ask the rules of each of our graphs in turn, as if all in it were new."""
    graphs = dict.fromkeys(quad.graph_name for quad in store.quads())
    for graph in graphs:
        if not is_ours(graph) or not isinstance(graph, NamedNode):
            continue
        change = Change(Patch(frozenset(store.quads(None, None, None, graph))))
        for result in rules.in_our_graphs(change, overlay, sets.ontology()):
            if result.shape != LEDGER_ALONE.iri:
                yield result
        subjects = subjects_of(change.our_adds)
        yield from rules.covered(subjects, overlay, sets.own().reads)


def validate(
    data: Iterable[Quad | Triple],
    texts: Mapping[str, str],
    bases: Mapping[str, str] | None = None,
) -> Report:
    """Check data by shapes as SHACL has it, all of it, as it stands.

    Class axioms in the data count. SPARQL constraints and paths without end are run.

    Args:
        data: The data, its literals as they were written.
        texts: Name → Turtle of the shapes.
        bases: Name → the IRI that relative IRIs of the shapes refer to.

    Raises:
        UsageError: The shapes cannot be trusted to check what they say, or cannot be
            run; the message says why.
    """
    from aitia.gate.judge import Judge
    from aitia.gate.network import reaching
    from aitia.gate.rdf import Facts, FactsView, Terms, quiet

    index = Index(
        triple
        for name, text in texts.items()
        for triple in read(text, name, (bases or {}).get(name))
    )
    name = ", ".join(texts)
    refuse(lint(index, for_gate=False), name)
    refuse(reaching(index), name)
    _import_prefixes(index)
    terms = Terms()
    with quiet():
        graph = Facts(
            (terms.there(t.subject), terms.there(t.predicate), terms.there(t.object))
            for t in data
        )
    try:
        found, checked = Judge(index, terms).judge_all(graph)
    except Exception as error:
        raise UsageError(f"The shapes could not be run: {_plain(error)}") from error
    results = ordered(found)
    words = tuple(in_words(results, index, FactsView(graph, terms)))
    return Report(words, checked, -1, tuple(results), index)


def _import_prefixes(index: Index) -> None:
    """Give sh:prefixes what its ontology imports, which pySHACL does not follow."""
    for holder in index.subjects(sh("prefixes")):
        todo = index.nodes(holder, sh("prefixes"))
        seen = set[Term](todo)
        for node in todo:
            for declared in index.objects(node, sh("declare")):
                for start in index.nodes(holder, sh("prefixes")):
                    index.add(Triple(start, sh("declare"), declared))
            for further in index.nodes(node, _IMPORTS):
                if further not in seen:
                    seen.add(further)
                    todo.append(further)


def refuse(problems: list[str], name: str) -> None:
    """Refuse shapes that cannot be trusted.

    Raises:
        UsageError: There are problems; the message lists them.
    """
    if problems:
        raise UsageError(
            f"{name} cannot be used as shapes: " + "\n  ".join(problems[:TOLD]),
            hint="What pySHACL passes over in silence is refused here.",
        )


def _plain(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "a path or a shape goes too deep."
    return " ".join(str(error).split()) or type(error).__name__
