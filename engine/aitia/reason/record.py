"""What the engine puts on record of a proposal: the batch, or that it was refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from aitia import terms
from aitia.reason.board import Board
from aitia.reason.judge import Problem
from aitia.reason.operations import Batch
from aitia.reason.words import plain
from aitia.trace import RunTrace
from aitia.vocab import AITIA, PROV, RDF, SH

RULES: Final = "https://w3id.org/aitia/shapes#judge-"
"""Where the rules of the judge have their names, beside the shapes."""
_REASON_CHARS: Final = 2000
_PREFIXES: Final = {"sh": SH.NS, "xsd": "http://www.w3.org/2001/XMLSchema#"}


def batch(
    trace: RunTrace, execution: NamedNode, board: Board, proposed: Batch
) -> NamedNode:
    """Put a batch on record that the judge found nothing wrong with.

    Its rationale is a model's reasoning: a batch is no ground, so nothing can rest on
    it; it only motivates what is done because of it.

    Args:
        trace: The run's record.
        execution: The call of the model that it came from.
        board: What its labels stand for.
        proposed: The batch.

    Returns:
        Its node.
    """
    node = trace.node(AITIA.Batch, "batch")
    trace.link(execution, AITIA.produced, node)
    for label in proposed.addresses:
        trace.say(node, AITIA.addresses, board.node(label))
    trace.say(node, AITIA.rationale, terms.string(proposed.rationale))
    return node


def refuse(
    trace: RunTrace,
    execution: NamedNode,
    author: NamedNode,
    proposal: str,
    problems: Sequence[Problem],
) -> NamedNode:
    """Put on record that the judge refused what a model proposed, with the report.

    Args:
        trace: The run's record.
        execution: The call of the model that it came from.
        author: The model, an agent on record.
        proposal: What it proposed, as it was replied.
        problems: What is wrong with it.

    Returns:
        The node of the refusal.
    """
    node = trace.node(AITIA.RefusedOperation, "refusal")
    trace.link(execution, AITIA.produced, node)
    words = plain(problems)
    if len(words) > _REASON_CHARS:
        words = words[: _REASON_CHARS - 1] + "…"
    trace.say(node, AITIA.reason, terms.string(words))
    trace.say(node, AITIA.proposedBy, author)
    trace.say(node, AITIA.patchBlob, terms.string(trace.blob(_writable(proposal))))
    trace.say(node, AITIA.reportBlob, terms.string(trace.blob(report(problems, node))))
    trace.say(node, PROV.generatedAtTime, terms.time(terms.now()))
    return node


def report(problems: Sequence[Problem], focus: NamedNode) -> str:
    """Return what the judge found as a `sh:ValidationReport` in Turtle."""
    whole = BlankNode("report")
    triples = [
        Triple(whole, RDF.type, SH.ValidationReport),
        Triple(whole, SH.conforms, terms.boolean(not problems)),
    ]
    for number, problem in enumerate(problems, 1):
        node, rule = BlankNode(f"result{number}"), NamedNode(RULES + problem.rule)
        triples += [
            Triple(whole, SH.result, node),
            Triple(node, RDF.type, SH.ValidationResult),
            Triple(node, SH.focusNode, focus),
            Triple(node, SH.resultSeverity, SH.Violation),
            Triple(node, SH.sourceShape, rule),
            Triple(node, SH.resultMessage, Literal(_writable(problem.line()))),
        ]
    data = serialize(triples, format=RdfFormat.TURTLE, prefixes=_PREFIXES)
    return (data or b"").decode()


def _writable(text: str) -> str:
    """Return a text with half characters told as `?`: nothing can hold them."""
    return text.encode("utf-8", "replace").decode()
