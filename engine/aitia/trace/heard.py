"""What models were asked on the way, and how that comes on record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.llm.calls import Asks, Call, ModelError, Reply, Tier
from aitia.store import Reader
from aitia.trace.model_call import record_call
from aitia.trace.run import RunTrace
from aitia.vocab import AITIA

METHOD: Final = "model_call"
COMPETENCE: Final = "Asks a language model; what it replies is a proposal, never proof."


@dataclass(frozen=True)
class Heard:
    """A call of a model, and what came of it.

    Attributes:
        call: What was asked.
        reply: What came back, as far as it is known; None where nothing is.
        started: When it was asked.
        ended: When that was over.
        trouble: Why the reply is of no use, or "".
    """

    call: Call
    reply: Reply | None
    started: datetime
    ended: datetime
    trouble: str = ""


@dataclass
class Listening:
    """Models, with a note of each call; for the record, which is written later."""

    models: Asks
    heard: list[Heard] = field(default_factory=list)

    def complete(self, call: Call) -> Reply:
        """Ask as the models do, and note it.

        Raises:
            ModelError: As the models raise it; noted too.
        """
        started = terms.now()
        try:
            reply = self.models.complete(call)
        except ModelError as error:
            told = Heard(call, error.reply, started, terms.now(), str(error))
            self.heard.append(told)
            raise
        self.heard.append(Heard(call, reply, started, terms.now()))
        return reply

    def name(self, tier: Tier) -> str:
        """Return the name of the model of a tier."""
        return self.models.name(tier)


def record_heard(
    trace: RunTrace,
    reader: Reader,
    heard: Heard,
    goal: NamedNode,
    *,
    uses: Iterable[NamedNode] = (),
    part_of: NamedNode | None = None,
    attempt: int = 1,
) -> NamedNode:
    """Put a call of a model on record; returns the execution.

    Args:
        trace: The record.
        reader: The store, for the first call of a reply that was kept.
        heard: The call.
        goal: The goal that it served.
        uses: What it surely made use of.
        part_of: The execution that made it.
        attempt: Which try it was.
    """
    call, reply = heard.call, heard.reply
    trace.method(METHOD, COMPETENCE)
    parameters: dict[str, Any] = dict(reply.parameters) if reply else {}
    with trace.execution(
        METHOD,
        goal,
        {"purpose": call.purpose, "messages": len(call.messages)},
        {"tier": call.tier} | parameters,
        uses=uses,
        part_of=part_of,
        attempt=attempt,
    ) as running:
        running.started, running.finished = heard.started, heard.ended
        if reply is not None:
            record_call(trace, running, call, reply)
        first = _first(reader, reply) if reply is not None and reply.cached else None
        if first is not None:
            trace.say(running.node, AITIA.cachedFrom, first)
        running.returns(_told(call, reply), _summary(call, reply))
        if heard.trouble:
            running.failed(heard.trouble)
    return running.node


def _first(reader: Reader, reply: Reply) -> NamedNode | None:
    """Return the call that a kept reply came from: the one of it without a source."""
    blob = terms.string(reply.raw)
    found = (quad.subject for quad in reader.quads(None, AITIA.replyBlob, blob))
    return next(
        (
            node
            for node in found
            if isinstance(node, NamedNode)
            and next(reader.quads(node, AITIA.cachedFrom, None), None) is None
        ),
        None,
    )


def _told(call: Call, reply: Reply | None) -> dict[str, Any]:
    """Return what the record keeps of a reply; all of it stands in its blob."""
    told: dict[str, Any] = {"summary": _summary(call, reply)}
    if reply is not None and reply.repaired:
        told["repaired"] = reply.repaired
    if reply is not None and reply.warnings:
        told["warnings"] = list(reply.warnings)
    if reply is not None and "kept" in dict(reply.parameters):
        told["reply"] = reply.text
    return told


def _summary(call: Call, reply: Reply | None) -> str:
    if reply is None:
        return f"no reply to {call.purpose}"
    tokens = f", {reply.output_tokens} tokens" if reply.output_tokens else ""
    return f"{call.purpose} by {reply.model or 'the model'}{tokens}"
