"""An answer as text: its sentences numbered to their evidence, and what else to know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aitia_cli.render import clean, quoted, short

if TYPE_CHECKING:
    from aitia.model.trace import Answer, Evidence

TRIED = 12  # executions that an abstention lists
EXTRACTIVE = "Extractive answer: in the words of the sources, not of a language model."


def lines(answer: Answer) -> list[str]:
    """Return an answer as the lines that are printed."""
    if answer.aborted:
        told = [clean(answer.text, lines=True)]
    else:
        told = _abstention(answer) if answer.abstained else _sentences(answer)
    told += [*_dropped(answer), *_conflicts(answer), *_outside(answer)]
    return [*told, "", _run(answer), *filter(None, [_notice(answer)])]


def _run(answer: Answer) -> str:
    """Return the run and how sure its answer is; `why` tells by which rule."""
    run = f"Run: {answer.run.rsplit(':', 1)[-1]}"
    if not answer.confidence_rule:
        return f"{run}   Why: aitia why last"
    return f"Confidence: {answer.confidence:.2f}   {run}   How and why: aitia why last"


def _notice(answer: Answer) -> str:
    """Return which way of answering it was; what that means is in JSON and docs."""
    from aitia.ask.answer import NOTICE

    if not answer.notice.endswith(NOTICE):
        return answer.notice
    return f"{answer.notice.removesuffix(NOTICE)}{EXTRACTIVE}"


def _dropped(answer: Answer) -> Iterator[str]:
    """Yield what a model said and the sources contradict."""
    for item in answer.dropped:
        yield ""
        yield f"Left out, since contradicted: {clean(item.text)}"
        yield f"  {clean(item.reason)}"
        for side in item.evidence:
            yield f"  {_source(side)}"


def _outside(answer: Answer) -> Iterator[str]:
    """Yield what was done outside: that stands, whatever the run ended in."""
    from aitia.ask.outside import told

    if answer.outside:
        yield from ("", "Done outside:")
        yield from (f"  {clean(text)}" for text in told(answer.outside))


def _conflicts(answer: Answer) -> Iterator[str]:
    for conflict in answer.conflicts:
        yield ""
        yield f"Sources disagree: {clean(conflict.reason)}"
        for at, side in enumerate(conflict.sides):
            weight = f" ({clean(conflict.weights[at])})" if conflict.weights else ""
            yield f"  {_source(side)}{weight}"
        if conflict.weights and conflict.heaviest is not None:
            heaviest = conflict.sides[conflict.heaviest]
            name = clean(heaviest.path or heaviest.document)
            yield f"  By the weights of its source, {name} counts more."


def _sentences(answer: Answer) -> list[str]:
    """Return the sentences with the numbers of their evidence, then the evidence."""
    numbers: dict[Evidence, int] = {}
    told = []
    for sentence in answer.sentences:
        marks = [
            f"[{numbers.setdefault(item, len(numbers) + 1)}]"
            for item in sentence.evidence
        ]
        why = f": {clean(sentence.reason)}" if sentence.reason else ""
        supported = sentence.support == "supported"
        mark = "" if supported else f" ({sentence.support}{why})"
        if supported and sentence.judged_by:
            mark = f" (judged by model {clean(sentence.judged_by)})"
        told.append(f"{clean(sentence.text)}{mark} {''.join(marks)}".rstrip())
    told.append("")
    told += [f"[{number}] {_source(item)}" for item, number in numbers.items()]
    return told


def _source(item: Evidence) -> str:
    words = quoted(item.quote) or short(clean(item.statement), 400)
    if item.result is not None and item.result.call:
        return f"{clean(item.result.call)} -> {words}"
    place = f", characters {item.start}–{item.end}" if item.quote else ""
    by = f", accepted by {clean(item.accepted_by)}" if item.accepted_by else ""
    return f"{words} — {clean(item.path or item.document)}{place}{by}"


def _abstention(answer: Answer) -> list[str]:
    told = [clean(answer.text, lines=True), "", "Tried:"]
    tried = [item for item in answer.tried if item.error] or list(answer.tried)
    steps = [
        f"  {item.method}: {short(item.error or item.summary, 120)}" for item in tried
    ]
    return [*told, *list(dict.fromkeys(steps))[:TRIED]]
