"""Names of the engine's own methods, which no tool may take.

Methods and tools have the IRI `urn:aitia:method:NAME`: who took the name of another
would speak in its place. What a recorded agent calls has its agent's name before its
own, `urn:aitia:method:AGENT.NAME`.
"""

from __future__ import annotations

from typing import Final

_ENGINE: Final = frozenset(
    [
        "answer_from_facts",
        "answer_from_texts",
        "attribute_check",
        "bridge",
        "claim_check",
        "compare_findings",
        "comparison",
        "composition",
        "computation",
        "confidence_check",
        "conflict_check",
        "contradiction_check",
        "date_check",
        "date_selection",
        "dense_search",
        "entailment_check",
        "entity_lookup",
        "evidence_selection",
        "fact_conflict_check",
        "fact_extraction",
        "filter",
        "find_date",
        "find_rules",
        "follow_chain",
        "fusion",
        "goal_check",
        "graph_query",
        "graph_search",
        "hold_to_limits",
        "hypothetical_answer",
        "inference_step",
        "instruction_check",
        "interpretation",
        "keywords",
        "lexical_search",
        "limit_check",
        "limit_selection",
        "look_up_conditions",
        "look_up_reason",
        "metadata_filter",
        "model_call",
        "name_check",
        "observe",
        "query_rewriting",
        "quote_check",
        "reason_lookup",
        "recall",
        "recursive_retrieval",
        "relevance_check",
        "request_check",
        "rerank",
        "result_check",
        "rule_conditions",
        "rule_selection",
        "statement_check",
        "statement_conflicts",
        "summary",
        "vocabulary_lookup",
    ]
)
_others: Final[set[str]] = set()


def is_reserved(name: str) -> bool:
    """Tell whether a name is that of a method of the engine or of a package."""
    return name in _ENGINE or name in _others


def reserve(name: str) -> None:
    """Take a name for a method that was registered in this process."""
    _others.add(name)
