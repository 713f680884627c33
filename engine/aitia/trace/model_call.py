"""What is on record of one call of a model: who replied, how, and at what price."""

from __future__ import annotations

from pyoxigraph import NamedNode

from aitia import terms
from aitia.llm.calls import Call, Reply
from aitia.trace.run import RunTrace
from aitia.trace.running import Running
from aitia.vocab import AITIA


def record_call(trace: RunTrace, running: Running, call: Call, reply: Reply) -> None:
    """Put a call of a model on record at the execution that made it.

    Prompt and replies are blobs already; reasoning that the model wrote down is kept
    as one here. A figure that the server does not tell is not on record.

    Args:
        trace: The run's record.
        running: The execution.
        call: What was asked.
        reply: What came back.
    """
    node = running.node
    if reply.model:
        agent = terms.agent_iri(reply.model)
        trace.introduce(agent, AITIA.Model, reply.model)
        trace.say(node, AITIA.model, agent)
    version = f"{call.purpose} {call.version}"
    trace.say(node, AITIA.promptVersion, terms.string(version))
    trace.say(node, AITIA.latency, terms.double(reply.seconds))
    _count(trace, node, reply)
    if reply.cost is not None:
        trace.say(node, AITIA.cost, terms.decimal(reply.cost))
    if reply.finish:
        trace.say(node, AITIA.finishReason, terms.string(reply.finish))
    reasoning = trace.blob(reply.reasoning) if reply.reasoning else ""
    for predicate, blob in (
        (AITIA.promptBlob, reply.prompt),
        (AITIA.replyBlob, reply.raw),
        (AITIA.reasoningBlob, reasoning),
    ):
        if blob:
            trace.say(node, predicate, terms.string(blob))


def _count(trace: RunTrace, node: NamedNode, reply: Reply) -> None:
    """State the tokens that the server counted, and their sum, estimated if need be."""
    counted = (reply.input_tokens, reply.output_tokens)
    for predicate, count in zip(
        (AITIA.inputTokens, AITIA.outputTokens), counted, strict=True
    ):
        if count is not None:
            trace.say(node, predicate, terms.integer(count))
    if reply.tokens or reply.cached:
        trace.say(node, AITIA.tokens, terms.integer(reply.tokens))
