"""Decompositions and retrievals that are kept: not made twice on the same knowledge.

What is kept is good for the state of the knowledge that it was made on. The execution
that uses it says so, and names the execution that it came from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.ask.performing import Ran
from aitia.ask.replay import DECOMPOSITION
from aitia.ask.thinking.mind import Mind
from aitia.llm.calls import Call, Reply
from aitia.methods.base import Method
from aitia.methods.passages import Hits
from aitia.model import Hit
from aitia.reason.offered import Offered
from aitia.reason.operations import Batch, CallTool
from aitia.retrieval.passages import Library, Texts
from aitia.trace import to_json
from aitia.trace.heard import Heard
from aitia.vocab import AITIA

KIND: Final = "retrieval"
PLAN: Final = DECOMPOSITION


@dataclass(frozen=True, kw_only=True)
class KeptHits(Hits):
    """Passages that an earlier execution found.

    Attributes:
        source: The execution.
    """

    source: str = ""

    def told(self) -> dict[str, Any]:
        """Return what the record keeps: the passages, and that they were kept."""
        return super().told() | {"kept": True}


def kept(mind: Mind, method: Method, given: Any) -> Ran[Any] | None:
    """Return an earlier outcome of the same search on the same knowledge, or None."""
    if not _is_search(method):
        return None
    cache, replay, started = mind.aids.cache, mind.aids.replay, terms.now()
    text: str | None = None
    if replay is not None:
        text = replay.kept(method.name, to_json(given))
    elif cache is not None:
        text = cache.get(KIND, _key(mind, method, given))
    if not text:
        return None
    told = json.loads(text)
    output = KeptHits(
        hits=tuple(_hits(mind, told["hits"])),
        summary=told["summary"],
        source=told["execution"],
    )
    return Ran(method, given, {}, started, terms.now(), output)


def _hits(mind: Mind, told: Iterable[Mapping[str, Any]]) -> Iterator[Hit]:
    """Yield the passages that are kept by name, read anew."""
    reads = mind.session.reads
    library = Library(reads.store, Texts(reads.blobs))
    for item in told:
        passage = library.passage(item["passage"])
        if passage is not None:
            yield Hit(passage, item["score"], item["rank"])


def keep(mind: Mind, ran: Ran[Any], execution: NamedNode) -> None:
    """Keep what a search found for the next time, or say where kept hits are from."""
    cache, output = mind.aids.cache, ran.output
    if isinstance(output, KeptHits):
        source = NamedNode(output.source)
        mind.session.trace.say(execution, AITIA.cachedFrom, source)
    elif cache is not None and output is not None and _good(ran):
        mind.session.trace.rely_on([execution])  # a later run links to it
        told = {
            "execution": execution.value,
            "summary": output.summary,
            "hits": output.told()["hits"],
        }
        cache.put(KIND, _key(mind, ran.method, ran.given), json.dumps(told))


def _good(ran: Ran[Any]) -> bool:
    return _is_search(ran.method) and not getattr(ran.output, "failure", "")


def kept_plan(mind: Mind, question: str, call: Call, offered: Offered) -> Heard | None:
    """Return the first batch that was admitted for the same question, or None.

    Args:
        mind: The run.
        question: The question.
        call: What a model would be asked, with the shape of its reply.
        offered: What may be run.
    """
    cache, replay = mind.aids.cache, mind.aids.replay
    key, started = _plan_key(mind, question, offered), terms.now()
    text = replay.plan if replay else cache.get(PLAN, key) if cache else None
    if not text or call.shape is None:
        return None
    told = json.loads(text)
    value = call.shape.model_validate_json(told["text"])
    reply = Reply(**told, value=value, cached=key, parameters=(("kept", PLAN),))
    return Heard(call, reply, started, terms.now())


def keep_plan(mind: Mind, question: str, reply: Reply, offered: Offered) -> None:
    """Keep the first batch of a question for the next time that it is asked.

    One that calls what changes something outside is never kept: it is decided anew
    each time whether that is to be done.
    """
    cache = mind.aids.cache
    if cache is not None and not reply.cached and not _acts(reply.value, offered):
        told = {
            "text": reply.value.model_dump_json(),
            "model": reply.model,
            "raw": reply.raw,
            "prompt": reply.prompt,
        }
        cache.put(PLAN, _plan_key(mind, question, offered), json.dumps(told))


def _plan_key(mind: Mind, question: str, offered: Offered) -> str:
    from aitia.llm.keys import digest

    at_hand = [
        (item.signature(), item.description, item.side_effect)
        for item in (*offered.methods.values(), *offered.tools.values())
    ]
    return digest(
        [
            question,
            at_hand,
            mind.models.name("plan"),
            mind.aids.knowledge,
            mind.aids.session,
            mind.remembered,
            mind.aids.allowed,
        ]
    )


def _acts(batch: Batch, offered: Offered) -> bool:
    """Tell whether a batch calls a tool that changes something outside."""
    return any(
        isinstance(item, CallTool) and offered.tools[item.tool].side_effect
        for item in batch.operations
    )


def _is_search(method: Method) -> bool:
    return isinstance(method.gives, type) and issubclass(method.gives, Hits)


def _key(mind: Mind, method: Method, given: Any) -> str:
    from aitia.llm.keys import digest

    return digest([method.name, to_json(given), mind.aids.knowledge])
