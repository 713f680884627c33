"""The ranking of passages whose heading the query names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from aitia.retrieval.fusion import Ranking
from aitia.retrieval.lexical import Match
from aitia.retrieval.words import STOP_WORDS, all_tokens

_REMARK: Final = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")


def named(query: str, matches: Sequence[Match]) -> Ranking:
    """Return the matches whose heading stands word for word in the query.

    A heading that a query names says more about its passage than the same words
    scattered in running text, and more than nearness of meaning. The longer the
    heading, the higher it ranks; equally long ones keep the order of `matches`.

    Args:
        query: What a person typed.
        matches: What the word index found, best first, each with its heading stored.
    """
    asked = f" {' '.join(all_tokens(query))} "
    found = []
    for match in matches:
        terms = all_tokens(_REMARK.sub("", match.stored.rpartition(" > ")[2]))
        telling = any(term not in STOP_WORDS for term in terms)
        if telling and f" {' '.join(terms)} " in asked:
            found.append((match.iri, float(len(terms))))
    return sorted(found, key=lambda item: -item[1])
