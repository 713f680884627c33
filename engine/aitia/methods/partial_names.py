"""Names given in part: "the Ridge tent" for "Ridge two-person tent"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.methods.base import Reads
from aitia.methods.mentions import ENTITY, Mention
from aitia.methods.words import Word
from aitia.retrieval.words import tokens

LOOKED_AT: Final = 8  # resources of the index that are looked at
LEAST: Final = 0.5  # share of a name that must be given
LONGEST_NAME: Final = 12  # terms above which a literal is no name


def by_part(
    reads: Reads, text: str, asked: Sequence[Word], found: Sequence[Mention]
) -> Iterator[Mention]:
    """Return the resources that words which name nothing yet name in part."""
    for run in _open_runs(asked, found):
        start, end = run[0].start, run[-1].end
        best = _best(reads, text[start:end])
        if best:
            quality = max(best.values())
            targets = tuple(
                sorted(iri for iri, share in best.items() if share == quality)
            )
            yield Mention(ENTITY, text[start:end], start, end, targets, quality=quality)


def _open_runs(
    asked: Sequence[Word], found: Sequence[Mention]
) -> Iterator[Sequence[Word]]:
    """Return runs of content words outside mentions that have a capital or digit."""
    run: list[Word] = []
    for word in [*asked, None]:
        taken = word is None or any(
            item.start < word.end and word.start < item.end for item in found
        )
        if word is not None and word.content and not taken:
            run.append(word)
            continue
        if any(item.naming for item in run):
            yield run
        run = []


def _best(reads: Reads, name: str) -> dict[str, float]:
    """Return the resources that have a literal with all the words, and its share."""
    wanted = set(tokens(name))
    found: dict[str, float] = {}
    for hit in reads.indexes.resources(name, k=LOOKED_AT):
        for fact in reads.schema.facts(NamedNode(hit.iri)):
            if isinstance(fact.object, Literal):
                terms = set(tokens(fact.object.value))
                if wanted <= terms and len(terms) <= LONGEST_NAME:
                    share = len(wanted) / len(terms)
                    found[hit.iri] = max(share, found.get(hit.iri, 0.0))
    return {iri: share for iri, share in found.items() if share >= LEAST}
