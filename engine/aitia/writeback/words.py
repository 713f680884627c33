"""What a change says, in words."""

from __future__ import annotations

from pyoxigraph import NamedNode

from aitia.methods.facts import Facts
from aitia.store import Reader, Term
from aitia.writeback.draft import Change, Draft

_CHARS = 200


def fact(reader: Reader, change: Change) -> str:
    """Return a triple in words: "Crane 4: lifts 9"."""
    facts = Facts(reader)
    subject = facts.label(change.subject)
    predicate = facts.label(change.predicate).replace("_", " ")
    return f"{subject}: {predicate} {value(facts, change.object)}"


def value(facts: Facts, term: Term) -> str:
    """Return a value in words."""
    return facts.label(term) if isinstance(term, NamedNode) else term.value


def sentence(reader: Reader, draft: Draft) -> str:
    """Return what a proposal asks for, in one line."""
    new = "; ".join(fact(reader, change) for change in draft.adds)
    old = "; ".join(fact(reader, change) for change in draft.withdraws)
    old = old or "; ".join(f"“{item.text[:_CHARS]}”" for item in draft.words)
    new = new or (f"“{draft.text[:_CHARS]}”" if draft.text else "")
    said = f"{new} (in place of {old})" if new and old else new or old
    whose = f", as {draft.opinion_of} sees it" if draft.opinion_of else ""
    return f"{draft.kind}: {said}{whose}"


def claim(reader: Reader, draft: Draft) -> str:
    """Return what would hold afterwards, as a sentence that evidence can carry."""
    facts = Facts(reader)
    said = [
        f"{facts.label(change.subject)} {facts.label(change.predicate)}"
        f" {value(facts, change.object)}."
        for change in draft.adds or draft.withdraws
    ]
    return " ".join(said) or draft.text or " ".join(item.text for item in draft.words)
