"""The words in which nodes and links are told, the same in every format."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from aitia.lookup import short as short_id
from aitia.model.graph import CausalGraph, CausalLink, CausalNode, Place
from aitia.terms import BASE

LINK_WORDS: Final = {
    "derivesFrom": "derives from",
    "supports": "supported (+) by",
    "contradicts": "contradicted (−) by",
    "verifies": "verified (+) by",
    "refutes": "refuted (−) by",
    "triggers": "triggered by",
    "motivates": "motivated by",
    "concludes": "concludes",
    "usedTool": "used",
    "produced": "produced by",
    "hasCause": "has cause",
    "followsFrom": "follows from",
    "statedIn": "stated in",
    "isSaidBy": "described by",
}
"""Kind of link → how it reads from the effect to the cause."""


MOST_DETAILS: Final = 8
"""Lines of details of one node; JSON has all of them."""


class Rules:
    """The rules by which confidences were computed, each told once, as a note."""

    def __init__(self) -> None:
        self._notes: dict[str, str] = {}

    def sure(self, confidence: float, rule: str) -> str:
        """Return a confidence with the mark of its rule."""
        mark = self._notes.setdefault(rule, f"r{len(self._notes) + 1}")
        return (
            f"confidence {confidence:.3g} by {mark}" if rule else sure(confidence, "")
        )

    def notes(self) -> list[str]:
        """Return a line for each rule that was marked."""
        return [f"{mark}: {rule}" for rule, mark in self._notes.items() if rule]


def link_words(link: CausalLink, rules: Rules | None = None) -> str:
    """Return a link in words, with its basis and how sure it is."""
    told = LINK_WORDS.get(link.kind) or spaced(link.kind)
    marks = [link.basis or "basis unknown"]
    if link.confidence is not None:
        tell = rules.sure if rules else sure
        marks.append(tell(link.confidence, link.confidence_rule))
    if link.reason:
        marks.append(link.reason)
    return f"{told} [{', '.join(marks)}]"


def kind_words(node: CausalNode) -> str:
    """Return what kind of node it is, in words."""
    ours = node.iri.startswith(BASE)
    return (spaced(node.kind) if ours else node.kind) or "node"


def state_words(node: CausalNode, rules: Rules | None = None) -> str:
    """Return a node's status and confidence, or ""."""
    told = [spaced(node.status)] if node.status else []
    if node.status == "open" and any(x.name == "accepted by" for x in node.details):
        told = ["accepted, and no test has decided it"]
    if node.confidence is not None:
        tell = rules.sure if rules else sure
        told.append(tell(node.confidence, node.confidence_rule))
    return ", ".join(told)


def unrecorded(node: CausalNode) -> str:
    """Return that steps behind a node were left out of the record, in words."""
    left = node.unrecorded
    what = "step behind it was" if left == 1 else "steps behind it were"
    return f"{left:,} {what} not recorded"


def agents(graph: CausalGraph) -> frozenset[str]:
    """Return the agents that are to be named: all where there are several.

    The one that a run is of is not, where nobody else did or said anything.
    """
    found = frozenset(node.agent for node in graph.nodes.values() if node.agent)
    return found if len(found | {graph.asker} - {""}) > 1 else frozenset()


def details(node: CausalNode) -> list[str]:
    """Return what else there is to tell of a node, a line each; the first few of many.

    That a hypothesis was accepted is told by its state and by the link to it.
    """
    told = [
        f"{detail.name}: {detail.text}"
        for detail in node.details
        if detail.name != "accepted by"
    ]
    more = len(told) - MOST_DETAILS
    return [*told[:MOST_DETAILS], *([f"… {more:,} more (--json)"] if more > 0 else [])]


def author(node: CausalNode, named: frozenset[str]) -> str:
    """Return who did or said what a node is, in words; "" where it is told already."""
    told = any(detail.name in ("model", "proposed by") for detail in node.details)
    by = node.agent in named and not told
    return f"by {short_id(node.agent)}" if by else ""


def sure(confidence: float, rule: str) -> str:
    """Return a confidence with the rule by which it was computed."""
    return f"confidence {confidence:.3g}" + (f" ({rule})" if rule else "")


def place_words(place: Place) -> str:
    """Return where words stand: path, page, characters, and if it is out of use."""
    where = place.path or place.title or short_id(place.document)
    page = f", page {place.page}" if place.page is not None else ""
    state = f", {place.state}" if place.state not in ("", "live") else ""
    return f"{where}{page}, characters {place.start} to {place.end}{state}"


def check_words(place: Place) -> str:
    """Return whether the document's stored text still says what the record says."""
    if place.problem:
        return f"NOT CHECKED: {place.problem}"
    if place.matches is False:
        return "is not what the stored text says there"
    return "checked against the stored text" if place.matches else ""


def summary(graph: CausalGraph) -> list[str]:
    """Return how much was found and how much of it is shown, as lines.

    That it is stale comes first, then what was imported: it is claimed by others.
    """
    shown = len(graph.nodes)
    lines = [f"stale: {graph.stale}"] if graph.stale else []
    lines += graph.imported
    if shown < graph.total_nodes:
        lines.append(f"showing {shown:,} of {graph.total_nodes:,} nodes")
    if graph.refused:
        what = count(len(graph.refused), "proposal")
        were = "was" if len(graph.refused) == 1 else "were"
        lines.append(
            f"{what} of the run {were} refused: "
            f"`aitia show {short_id(graph.refused[0])} --texts`"
            + (f", and {len(graph.refused) - 1:,} more" if graph.refused[1:] else "")
        )
    ends = Counter(
        re.split(r" of |, ", node.ending)[0] for node in graph.roots() if node.ending
    )
    told = "; ".join(f"{count} × {ending}" for ending, count in sorted(ends.items()))
    counts = f"{count(graph.total_nodes, 'node')}, {count(graph.total_links, 'link')}"
    lines.append(f"{counts}; chains end at: {told}" if told else counts)
    return lines


def count(number: int, what: str) -> str:
    """Return a number with its noun: `1 node`, `2 nodes`."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def spaced(name: str) -> str:
    """Return a local name as words: `MethodExecution` → `method execution`."""
    if not re.fullmatch(r"[A-Za-z]+", name):
        return name
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
