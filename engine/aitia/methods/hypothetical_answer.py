"""Hypothetical answer: looks for passages that are near a made-up answer.

A question and its answer are worded differently; a text that looks like the answer is
nearer to it in meaning. What is made up serves the search alone: it is never evidence
and is not shown as an answer. Without a model it is the question turned into a
statement with a blank where the answer stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.base import Reads, method
from aitia.methods.cues import DATE, PERSON, PLACE, QUANTITY, read_cues
from aitia.methods.found import Search, found, look
from aitia.methods.passages import Hits

if TYPE_CHECKING:
    from aitia.methods.replies import Passage

VERSION: Final = "1"
_BLANKS: Final = {
    DATE: "on a certain date",
    QUANTITY: "a certain number of",
    PERSON: "a certain person",
    PLACE: "in a certain place",
}
_ASKS: Final = re.compile(
    r"^\W*(?:(?:what|which|who|whom|when|where|why|how)(?:\s+(?:many|much|long|often|far))?"
    r"\s*)?(?:(?P<verb>is|are|was|were|does|do|did|can|may|must|will|has|have)\s+)?",
    re.I,
)
_SYSTEM: Final = (
    "You write the short passage of a document that would answer a question. Write it "
    "as such a document would, in two sentences at most; make up what you do not know. "
    f"Answer with JSON: `text`. {DATA}"
)


@dataclass(frozen=True)
class Imagined(Hits):
    """Passages near a made-up answer.

    Attributes:
        imagined: What was searched with; never evidence.
    """

    imagined: str = ""

    def told(self) -> dict[str, Any]:
        """Return what the record keeps: the passages, and what was searched with."""
        return {**super().told(), "imagined": self.imagined}


@method(
    "hypothetical_answer",
    "Finds passages that are near in meaning to what an answer would look like.",
    offered=True,
)
def hypothetical_answer(reads: Reads, given: Search) -> Imagined:
    """Return the passages nearest to a made-up answer of a question."""
    asked = _asked(reads, given.query)
    imagined = asked.value.text if asked.value else statement(given.query)
    hits = found(look(reads, imagined, given.k, "dense"))
    return Imagined(
        hits=hits.hits,
        summary=hits.summary,
        failure=hits.failure,
        imagined=imagined,
        notices=asked.notices,
    )


def statement(question: str) -> str:
    """Return a question as a statement with a blank where its answer stands.

    "When was the crane inspected?" becomes "the crane inspected was on a certain date".
    """
    blank = _BLANKS.get(read_cues(question).wants, "")
    asks = _ASKS.match(question)
    verb = asks["verb"] if asks and asks["verb"] else ""
    rest = question[asks.end() if asks else 0 :].strip().rstrip("?？!. ")
    helping = verb.lower() in ("does", "do", "did", "has", "have")
    return " ".join(filter(None, (rest or question, "" if helping else verb, blank)))


def _asked(reads: Reads, question: str) -> Asked[Passage]:
    if reads.models is None:
        return Asked()
    from aitia.methods.replies import Passage

    return ask_model(
        reads,
        Passage,
        purpose="hypothetical_answer",
        version=VERSION,
        system=_SYSTEM,
        text=f"Question:\n{data(question)}",
    )
