"""Asking the question of an earlier run again, on what is known now."""

from __future__ import annotations

from pyoxigraph import Literal, NamedNode

from aitia import lookup, terms
from aitia.errors import UsageError
from aitia.store import Reader
from aitia.vocab import AITIA, RDF


def asked_in(reader: Reader, named: str, question: str = "") -> tuple[NamedNode, str]:
    """Return a run that was asked a question, and the question.

    Args:
        reader: What to read from.
        named: Its id, or that of any part of it.
        question: What is to be asked, where that was told too.

    Raises:
        NotFound: There is no such run.
        UsageError: It was asked nothing, or something else.
    """
    found = lookup.resolve(reader, named)
    run = NamedNode(found.value.partition("/")[0])
    graph = terms.run_graph(run)
    told = reader.quads(None, RDF.type, AITIA.Answer, graph)
    asked = [
        quad.object.value
        for node in reader.quads(None, RDF.type, AITIA.UserInput, graph)
        if isinstance(node.subject, NamedNode)
        for quad in reader.quads(node.subject, AITIA.text, None, graph)
        if isinstance(quad.object, Literal)
    ]
    if not asked or next(told, None) is None:
        raise UsageError(
            f"Nobody asked a question in {lookup.short(found.value)}.",
            hint="`aitia runs` lists the runs with what they were about.",
        )
    if question and question != asked[0]:
        raise UsageError(
            "The question is not the one that the run was asked.",
            hint="Leave the question out: it is taken from the record.",
        )
    return run, asked[0]
