"""Calls of tools, each on record: the call, what it returned, who permitted it.

A call is made by `perform`, which touches no record and may run beside others, and
put on record by `record`, in the order of the operations that asked for it. `call`
does both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from pyoxigraph import NamedNode

from aitia import terms
from aitia.errors import UsageError
from aitia.model.trace import Outside
from aitia.redact import Redactor
from aitia.tools.consent import NOBODY, Consent, Consents
from aitia.tools.kinds import Tool, ToolFailed, as_text, plain
from aitia.tools.toolbox import Toolbox
from aitia.trace import RunTrace
from aitia.vocab import AITIA, PROV


@dataclass(frozen=True)
class Performed:
    """A call that was made, or that was not permitted.

    Attributes:
        tool: What was called.
        arguments: With what, secrets blanked out.
        started: When.
        ended: When it was over.
        value: What it returned as JSON values, secrets blanked out; None on failure.
        text: The same in words; "" on failure.
        error: What went wrong, or "".
        consent: Who permitted it, where that was needed and given.
    """

    tool: Tool
    arguments: Mapping[str, Any]
    started: datetime
    ended: datetime
    value: Any = None
    text: str = ""
    error: str = ""
    consent: Consent | None = None


@dataclass(frozen=True)
class Called:
    """A call on record.

    Attributes:
        node: The execution, an `aitia:ToolCall`.
        observation: What it returned, an `aitia:Observation`; None on failure.
        value: What it returned as JSON values.
        text: The same in words.
        error: What went wrong, or "".
    """

    node: NamedNode
    observation: NamedNode | None
    value: Any
    text: str
    error: str


def call(
    trace: RunTrace,
    toolbox: Toolbox,
    goal: NamedNode,
    name: str,
    arguments: Mapping[str, Any],
    because: Iterable[NamedNode],
    consents: Consents = NOBODY,
    *,
    redactor: Redactor,
    uses: Iterable[NamedNode] = (),
    attempt: int = 1,
) -> Called:
    """Call a tool and put that on record.

    Args:
        trace: The record of the run.
        toolbox: The tools.
        goal: The goal that the call serves.
        name: Which tool.
        arguments: What it is called with.
        because: What asked for it: the operation that was admitted.
        consents: Who permits a change outside.
        redactor: Blanks secrets out of what is kept.
        uses: What the arguments were taken from.
        attempt: Which try it is, from 1.

    Raises:
        UsageError: There is no such tool.
    """
    done = perform(toolbox, name, arguments, consents, redactor)
    return record(trace, done, goal, because, uses=uses, attempt=attempt)


def perform(
    toolbox: Toolbox,
    name: str,
    arguments: Mapping[str, Any],
    consents: Consents,
    redactor: Redactor,
) -> Performed:
    """Call a tool; touches no record, so that calls may run beside each other.

    What goes wrong in the tool is told in what is returned.

    Raises:
        UsageError: There is no such tool.
    """
    tool = toolbox.tools.get(name)
    if tool is None:
        raise UsageError(f"There is no tool {name!r}.")
    kept, _ = redactor.redact_value(dict(arguments))
    consent = consents.given(tool, arguments) if tool.side_effect else None
    started = terms.now()
    try:
        _permitted(tool, consent)
        value = toolbox.call(tool, arguments)
        value, _ = redactor.redact_value(value)
        text = as_text(value)
    except ToolFailed as error:
        told = f"{error} {error.hint}".strip()
        said, _ = redactor.redact(plain(told))
        return Performed(tool, kept, started, terms.now(), error=said, consent=consent)
    return Performed(tool, kept, started, terms.now(), value, text, consent=consent)


def record(
    trace: RunTrace,
    done: Performed,
    goal: NamedNode,
    because: Iterable[NamedNode],
    *,
    uses: Iterable[NamedNode] = (),
    attempt: int = 1,
) -> Called:
    """Put a call on record.

    Args:
        trace: The record of the run.
        done: The call.
        goal: The goal that it serves.
        because: What asked for it.
        uses: What the arguments were taken from.
        attempt: Which try it was, from 1.
    """
    tool = done.tool
    trace.tool(tool.name, tool.description, tool.side_effect)
    with trace.execution(
        tool.name,
        goal,
        done.arguments,
        {"source": tool.source},
        uses=uses,
        attempt=attempt,
        kind=AITIA.ToolCall,
    ) as running:
        running.started, running.finished = done.started, done.ended
        if done.error:
            running.failed(done.error)
        else:
            running.returns(done.value, done.text)
    trace.links(because, AITIA.motivates, running.node)
    if done.consent is not None:
        _permission(trace, running.node, done.consent)
        trace.deeds.changed(_outside(trace, running.node, done, done.consent))
    seen = None
    if not done.error:
        seen = trace.produced(running.node, AITIA.Observation, "observation", done.text)
    return Called(running.node, seen, done.value, done.text, done.error)


def _permitted(tool: Tool, consent: Consent | None) -> None:
    if tool.side_effect and consent is None:
        raise ToolFailed(
            f"{tool.name} changes something outside and nobody permitted it.",
            hint=f"`--allow {tool.name}` permits it.",
        )


def _outside(
    trace: RunTrace, node: NamedNode, done: Performed, consent: Consent
) -> Outside:
    """Return a call that may have changed something, as it is told to the asker."""
    return Outside(
        node=node.value,
        tool=done.tool.name,
        arguments=done.arguments,
        result=done.text,
        error=done.error,
        permitted_by=unquote(trace.agent.value.rpartition(":")[2]),
        how=consent.how,
    )


def _permission(trace: RunTrace, execution: NamedNode, consent: Consent) -> None:
    """Record who permitted a call, when and how."""
    made = trace.node(AITIA.Consent, "consent")
    trace.say(made, AITIA.reason, terms.string(consent.how))
    trace.say(made, AITIA.consentTo, terms.method_iri(consent.tool))
    trace.say(made, PROV.wasAttributedTo, trace.agent)
    trace.say(made, PROV.generatedAtTime, terms.time(consent.time))
    trace.say(execution, AITIA.permittedBy, made)
