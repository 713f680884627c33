"""What OWL 2 RL finds inconsistent, through `aitia.inference`, as conflicts.

The reasoner reads a neighbourhood: the facts about the things a statement links, and
the axioms that the terms of these facts lead to. What it names is told as a conflict;
its sides are the facts between the things it names, its premises those and the axioms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode, Triple

from aitia import terms
from aitia.conflicts.axioms import Axioms
from aitia.conflicts.found import Found
from aitia.inference import owl
from aitia.inference.relevant import relevant
from aitia.methods.facts import Fact
from aitia.prefixes import compact
from aitia.vocab import OWL, RDF, RDFS

MOST_FACTS: Final = 200
"""Facts about one thing that the reasoner reads."""
_SCHEMA: Final = (RDF.NS, RDFS.NS, OWL.NS)
_RULES: Final = (
    ("'sameAs' and 'differentFrom'", "eq-diff1"),
    ("'sameAs' and 'AllDifferent'", "eq-diff2"),
    ("Irreflexive property", "prp-irp"),
    ("asymmetric property", "prp-asyp"),
    ("'AllDisjointProperties'", "prp-adp"),
    ("disjoint properties", "prp-pdw"),
    ("Negative (", "prp-npa"),
    ("of type 'Nothing'", "cls-nothing2"),
    ("complementarity", "cls-com"),
    ("allValuesFrom", "cls-avf"),
    ("maximum cardinality", "cls-maxc1"),
    ("qualified cardinality", "cls-maxqc1"),
    ("Disjoint classes", "cax-dw"),
)
"""Words of owlrl's messages → the rule of the OWL 2 RL profile that they are of."""
_NO_CONFLICT: Final = "Lexical value of the literal"
"""owlrl says so of doubles too that are well formed."""
_IRI: Final = re.compile(r"(?<=[\s(,'])[A-Za-z][\w+.-]*:[^\s,()']+")


def around(axioms: Axioms, fact: Fact, most: int) -> Iterator[Found]:
    """Yield the inconsistencies that a statement brings about.

    Args:
        axioms: Axioms and facts.
        fact: The statement, which need not stand yet.
        most: Triples that the reasoner may read; where there are more, the farthest
            axioms are left out.
    """
    known = neighbourhood(axioms, fact, most)
    triple = fact.quad().triple
    if not relevant([*known, triple]):
        return
    _, messages = owl.expand({*known, triple})
    if messages:
        _, before = owl.expand(known - {triple})
        yield from _told(axioms, set(messages) - set(before), {*known, triple}, fact)


def beside(axioms: Axioms, facts: Iterable[Fact], most: int) -> set[Triple]:
    """Return what the reasoner must read to tell what some new facts contradict.

    That is what axioms speak of, of these facts and of those about the things that they
    link; nothing where no axiom speaks of their terms.

    Args:
        axioms: Axioms and facts.
        facts: The new facts.
        most: Axioms that are followed.
    """
    new = list(facts)
    kinds = [x.object for x in new if x.predicate == RDF.type]
    found = _axioms(
        axioms, dict.fromkeys([x.predicate for x in new]) | dict.fromkeys(kinds), most
    )
    if not found:
        return set()
    told = relevant({*found, *(x.quad().triple for x in new)}) - found
    ends = {end for t in told for end in (t.subject, t.object)}
    known = {
        x.quad().triple
        for end in ends
        if isinstance(end, NamedNode)
        for x in islice(axioms.facts(end), MOST_FACTS)
    }
    return relevant({*found, *told, *known})


def everywhere(axioms: Axioms, premises: Iterable[Triple]) -> Iterator[Found]:
    """Yield the inconsistencies of these premises."""
    known = set(premises)
    _, messages = owl.expand(known)
    yield from _told(axioms, messages, known, None)


def neighbourhood(axioms: Axioms, fact: Fact, most: int) -> set[Triple]:
    """Return the facts about what a statement links, and the axioms they lead to."""
    ends = [x for x in (fact.subject, fact.object) if isinstance(x, NamedNode)]
    facts = {
        x.quad().triple for end in ends for x in islice(axioms.facts(end), MOST_FACTS)
    }
    facts |= {
        x.quad().triple for x in islice(axioms.facts(None, None, fact.subject), 50)
    }
    spoken_of: list[object] = [t.predicate for t in (*facts, fact.quad().triple)]
    spoken_of += [t.object for t in facts if t.predicate == RDF.type]
    if fact.predicate == RDF.type and isinstance(fact.object, NamedNode):
        spoken_of.append(fact.object)
    return facts | _axioms(axioms, spoken_of, most - len(facts))


def _axioms(axioms: Axioms, start: Iterable[object], most: int) -> set[Triple]:
    found: set[Triple] = set()
    ahead = [x for x in dict.fromkeys(start) if _is_term(x)]
    seen = set(ahead)
    while ahead and len(found) < most:
        term = ahead.pop(0)
        assert isinstance(term, NamedNode)
        for fact in _of_schema(axioms, term):
            found.add(fact.quad().triple)
            for end in (fact.subject, fact.object):
                if _is_term(end) and end not in seen:
                    seen.add(end)
                    ahead.append(end)
    return found


def _of_schema(axioms: Axioms, term: NamedNode) -> Iterator[Fact]:
    """Yield the axioms that speak of a class, a property, a restriction, a list."""
    for fact in islice(axioms.facts(term), MOST_FACTS):
        if _is_axiom(fact):
            yield fact
    for link in (
        RDFS.subClassOf,
        OWL.equivalentClass,
        OWL.disjointWith,
        RDF.first,
        RDF.rest,
        OWL.members,
        OWL.onProperty,
        OWL.complementOf,
        OWL.inverseOf,
        RDFS.subPropertyOf,
        OWL.propertyDisjointWith,
        OWL.equivalentProperty,
    ):
        yield from islice(axioms.facts(None, link, term), 50)


def _is_axiom(fact: Fact) -> bool:
    of_kind = fact.predicate == RDF.type and str(fact.object).startswith(
        tuple(f"<{name}" for name in _SCHEMA)
    )
    schema = fact.predicate.value.startswith(_SCHEMA) and fact.predicate not in (
        RDF.type,
        RDFS.label,
        RDFS.comment,
        OWL.sameAs,
        OWL.differentFrom,
    )
    return of_kind or schema


def _is_term(term: object) -> bool:
    return isinstance(term, NamedNode) and not term.value.startswith(_SCHEMA)


def _told(
    axioms: Axioms, messages: Iterable[str], known: set[Triple], fact: Fact | None
) -> Iterator[Found]:
    for message in sorted(messages):
        if message.startswith(_NO_CONFLICT):
            continue
        rule = next((rule for words, rule in _RULES if words in message), "owl2rl")
        named = {NamedNode(iri) for iri in _IRI.findall(message)}
        between = sorted((t for t in known if _between(t, named)), key=str)
        stated = [x for t in between for x in _stated(axioms, t)]
        sides = dict.fromkeys([fact] if fact is not None else [])
        sides |= dict.fromkeys(x for x in stated if not _is_axiom(x))
        reason = _IRI.sub(lambda found: _called(axioms, found.group()), message)
        yield Found(rule, " ".join(reason.split()), tuple(sides), tuple(between))


def _called(axioms: Axioms, iri: str) -> str:
    label = axioms.label(NamedNode(iri))
    return label or compact(iri)


def _between(triple: Triple, named: set[NamedNode]) -> bool:
    """Tell whether a triple is about things and terms that a message names."""
    ends = {triple.subject, triple.object}
    if triple.predicate == RDF.type:
        return triple.subject in named and bool(ends & named - {triple.subject})
    return len(ends & named) == 2 or (
        triple.subject in named
        and triple.predicate in named
        and isinstance(triple.object, Literal)
    )


def _stated(axioms: Axioms, triple: Triple) -> Iterator[Fact]:
    subject, value = triple.subject, triple.object
    if isinstance(subject, NamedNode) and isinstance(value, (NamedNode, Literal)):
        found = axioms.facts(subject, triple.predicate, value)
        yield from islice((x for x in found if terms.is_current(x.graph)), 2)
