"""An answer as JSON, in a layout that is kept stable."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from aitia.model.trace import Answer, Evidence, Sentence


def layout(answer: Answer) -> dict[str, Any]:
    """Return an answer in the layout of `aitia ask --json`."""
    return {
        "run": answer.run,
        "question": answer.question,
        "answer": answer.text,
        "sentences": [_sentence(item) for item in answer.sentences],
        "confidence": round(answer.confidence, 4),
        "confidence_rule": answer.confidence_rule,
        "conflicts": [
            {
                "reason": item.reason,
                "rule": item.rule,
                "between": [_evidence(one) for one in item.sides],
                "weights": list(item.weights),
                "heaviest": item.heaviest,
            }
            for item in answer.conflicts
        ],
        "abstained": answer.abstained,
        "aborted": answer.aborted,
        "reason": answer.reason,
        "tried": [
            {
                "method": item.method,
                "parameters": dict(item.parameters),
                "status": item.status,
                "result": item.error or item.summary,
            }
            for item in answer.tried
        ],
        "mode": answer.mode,
        "notice": answer.notice,
        "dropped": [_sentence(item) for item in answer.dropped],
        "notices": list(answer.notices),
        "outside": [
            {**asdict(item), "arguments": dict(item.arguments)}
            for item in answer.outside
        ],
    }


def _sentence(item: Sentence) -> dict[str, Any]:
    return {
        "text": item.text,
        "support": item.support,
        "reason": item.reason,
        "judged_by": item.judged_by,
        "evidence": [_evidence(one) for one in item.evidence],
    }


def _evidence(item: Evidence) -> dict[str, Any]:
    return {
        "quote": item.quote,
        "document": item.document,
        "path": item.path,
        "start": item.start,
        "end": item.end,
        "passage": item.passage,
        "statement": item.statement,
        "call": item.result.call if item.result else "",
    }
