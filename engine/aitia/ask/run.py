"""The whole of asking, on one screen."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from aitia.ask.aids import NONE, Aids
from aitia.ask.answer import conclude
from aitia.ask.execute import execute
from aitia.ask.perceive import perceive
from aitia.ask.plan import make_plan
from aitia.ask.requests import declined
from aitia.ask.session import Session
from aitia.ask.stream import streamed
from aitia.errors import UsageError
from aitia.memory import join
from aitia.methods.base import Reads
from aitia.model.trace import Answer
from aitia.plain import clean
from aitia.redact import Redactor
from aitia.trace import Commit, RunTrace
from aitia.vocab import AITIA

LONGEST: Final = 4000
"""Characters of a question above which it is refused."""


def ask(
    question: str,
    reads: Reads,
    commit: Commit,
    *,
    agent: str,
    position: int,
    aids: Aids = NONE,
) -> Answer:
    """Answer a question from what is on record, with every step put on record.

    Args:
        question: In plain words; secrets in it are blanked out before anything else.
        reads: What may be read.
        commit: What the record is handed to: `ledger.commit`.
        agent: Name of who asks.
        position: Number of the newest commit that the run can see.
        aids: What the run may use besides. Models are among what may be read: with
            them the run thinks, without them rules answer.

    Raises:
        UsageError: The question is empty or too long.
    """
    text = _accepted(question, reads)
    write = streamed(commit, aids.told)
    trace = RunTrace(write, reads.store, reads.blobs, level=reads.settings.record.level)
    session = Session(reads, trace, told=aids.told)
    replayed = aids.replay is not None
    with session.recording(text, agent, position, replayed=replayed):
        join(trace, aids.session)
        if aids.again is not None:
            trace.say(trace.run, AITIA.asksAgain, aids.again)
        if aids.replay is not None:
            trace.say(trace.run, AITIA.replays, aids.replay.run)
        if reads.models is not None:
            from aitia.ask.thinking import Mind, think

            answer = think(Mind(session, reads.models, write, aids), text)
            done = () if replayed else tuple(trace.deeds.outside)
            return replace(answer, outside=done)
        seen = perceive(session, text)
        if (refused := declined(session, seen.root.node, text)) is not None:
            return refused
        plan = make_plan(session, seen)
        session.trace.step()
        results = execute(session, plan)
        return conclude(session, plan, results, text)


def _accepted(question: str, reads: Reads) -> str:
    """Return the question without control characters and secrets."""
    text = " ".join(clean(question).split())
    if not any(char.isalnum() for char in text):
        raise UsageError(
            "The question is empty.", hint='Write one: aitia ask "What is the fee?"'
        )
    if len(text) > LONGEST:
        raise UsageError(
            f"The question has {len(text):,} characters; at most {LONGEST:,} are read.",
            hint="Ask it in parts.",
        )
    return Redactor(reads.settings).redact(text)[0]
