"""Summary: says shortly what texts say, each sentence standing on words of theirs.

Without a model it is made of the sentences nearest to the middle of what all say; with
one, of its sentences, each of which is held against the texts: one that they do not bear
out is left out, which is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final

from annotated_types import Ge, Le

from aitia.methods.arguments import NodeRef
from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.base import Outcome, Reads, method
from aitia.methods.entailment_check import Entailed, Place, entailment_check, sentences

if TYPE_CHECKING:
    from aitia.methods.replies import Short

VERSION: Final = "1"
SHOWN: Final = 6000  # characters of all texts that a model is shown
LOOKED_AT: Final = 200  # sentences that are compared
TWICE: Final = 0.92
"""Cosine from which two sentences say the same."""
_SYSTEM: Final = (
    "You say shortly what texts say, in sentences that each stand on the texts alone. "
    f"Answer with JSON: `sentences`, a list. {DATA}"
)


@dataclass(frozen=True)
class ToSum:
    """Texts, and how many sentences to say them in."""

    texts: tuple[NodeRef, ...]
    most: Annotated[int, Ge(1), Le(12)] = 3


@dataclass(frozen=True)
class Summed(Outcome):
    """A short text.

    Attributes:
        text: Its sentences, parted by spaces.
        places: For each sentence, the words that it stands on.
    """

    text: str = ""
    places: tuple[Place, ...] = field(default=())


@method("summary", "Says shortly what texts say, on their own words.", offered=True)
def summary(reads: Reads, given: ToSum) -> Summed:
    """Return the texts in a few sentences."""
    found = [place for text in given.texts for place, _ in sentences(text)]
    if not found:
        return Summed(failure="There is nothing to sum up.", summary="nothing")
    asked = _asked(reads, given)
    told: dict[str, Any] = {"notices": asked.notices}
    if asked.value is not None:
        kept, lost = _held(reads, given, asked.value.sentences)
        if lost:
            told["notices"] += (
                f"{lost} sentences that no text bears out were left out.",
            )
        if kept:
            text = " ".join(sentence for sentence, _ in kept)
            return Summed(
                text=text, places=tuple(p for _, p in kept), summary=text[:200], **told
            )
    places = _central(reads, found[:LOOKED_AT], given.most)
    text = " ".join(" ".join(place.exact.split()) for place in places)
    return Summed(text=text, places=tuple(places), summary=text[:200], **told)


def _central(reads: Reads, found: Sequence[Place], most: int) -> list[Place]:
    """Return the sentences nearest to the mean of all, in order, none said twice."""
    vectors = reads.indexes.embed([place.exact for place in found])
    middle = vectors.mean(axis=0)
    ranked = sorted(range(len(found)), key=lambda at: -float(vectors[at] @ middle))
    chosen: list[int] = []
    for at in ranked:
        same = any(float(vectors[at] @ vectors[other]) >= TWICE for other in chosen)
        if not same and len(chosen) < most:
            chosen.append(at)
    return [found[at] for at in sorted(chosen)]


def _held(
    reads: Reads, given: ToSum, proposed: Sequence[str]
) -> tuple[list[tuple[str, Place]], int]:
    """Return the sentences that texts bear out, and how many they do not."""
    kept: list[tuple[str, Place]] = []
    lost = 0
    for sentence in proposed[: given.most]:
        checked = entailment_check(reads, Entailed(sentence, given.texts))
        if checked.relation == "entails" and checked.places:
            kept.append((sentence.strip(), checked.places[0]))
        else:
            lost += 1
    return kept, lost


def _asked(reads: Reads, given: ToSum) -> Asked[Short]:
    if reads.models is None:
        return Asked()
    from aitia.methods.replies import Short

    texts = "\n\n".join(item.text for item in given.texts)[:SHOWN]
    return ask_model(
        reads,
        Short,
        purpose="summary",
        version=VERSION,
        system=f"{_SYSTEM} At most {given.most} sentences.",
        text=data(texts),
    )
