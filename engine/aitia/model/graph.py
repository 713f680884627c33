"""The causal graph behind a node: what `why` found, before it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Place:
    """The exact words of a document that a node stands on.

    Attributes:
        document: The document's IRI.
        path: Its path as given, or "".
        title: Its title, or "".
        start: Offset of the first character in the document's stored text.
        end: Offset after the last one.
        page: The page from 1, or None.
        exact: The words, as the stored text has them now.
        matches: Whether the words on record equal those in the stored text; None
            where the record holds no words of its own, only offsets.
        problem: Why the stored text could not be read, or "".
        state: Local name of the document's state: `live`, `superseded`, `retired`.
    """

    document: str
    path: str = ""
    title: str = ""
    start: int = 0
    end: int = 0
    page: int | None = None
    exact: str = ""
    matches: bool | None = None
    problem: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """One more thing that is told of a node.

    Attributes:
        name: What it is about, in words: `model`, `arguments`, `permitted by`.
        text: What is on record about that, in words.
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class CausalNode:
    """One node of a causal graph.

    Attributes:
        iri: Its IRI.
        kind: Local name of its class, such as `Decision`; "" where it has none.
        label: What it says, in words; "" where nothing is said.
        depth: How many links it is away from the start, by the shortest way.
        confidence: From 0 to 1; None where nothing was measured.
        confidence_rule: How that was measured.
        status: Local name of its status or state, or "".
        error: What went wrong, or "".
        place: Where in a document it stands, or None.
        ending: Why the chain ends here, in words; "" where it goes on.
        hidden: How many direct causes are on record and not part of this graph.
        unrecorded: How many steps behind it were left out of the record.
        agent: IRI of the agent that did or said it, where that is on record, or "": of
            an operation and a batch the model that proposed them.
        details: What else there is to tell of a node of its kind, in order: the model
            of a call, who permitted it, what a decision rejects and what speaks
            against that.
    """

    iri: str
    kind: str = ""
    label: str = ""
    depth: int = 0
    confidence: float | None = None
    confidence_rule: str = ""
    status: str = ""
    error: str = ""
    place: Place | None = None
    ending: str = ""
    hidden: int = 0
    unrecorded: int = 0
    agent: str = ""
    details: tuple[Detail, ...] = ()


@dataclass(frozen=True, slots=True)
class CausalLink:
    """One link of a causal graph, from an effect to one of its causes.

    Attributes:
        effect: IRI of the effect.
        cause: IRI of the cause.
        kind: Local name of the link's property; `hasCause` where no kind is on
            record.
        basis: Local name of the ground it stands on; "" where none is known.
        sign: +1 for, -1 against, 0 without verdict.
        confidence: From 0 to 1; None where nothing was measured.
        confidence_rule: How that was measured.
        reason: Why, in words, or "".
        inferred: It stands in the inferred graph alone.
        node: IRI of the link's own node, or "".
    """

    effect: str
    cause: str
    kind: str
    basis: str = ""
    sign: int = 0
    confidence: float | None = None
    confidence_rule: str = ""
    reason: str = ""
    inferred: bool = False
    node: str = ""


@dataclass(frozen=True)
class CausalGraph:
    """What lies behind a node: each node and each link once.

    Attributes:
        start: IRI of the node that was asked about.
        nodes: IRI → node, in the order of their distance from the start.
        links: The links between them, effect before cause.
        total_nodes: How many nodes lie behind the start in all.
        total_links: How many pairs of effect and cause lie behind it in all.
        imported: For each imported run that any of it is part of, a line that says
            where it came from; nothing of it was observed here.
        stale: Why the node asked about is stale, where it rests on what is no longer
            so, or "".
        refused: IRIs of what was refused in the run that the start is of.
        asker: IRI of the agent that the run is of, or "".
    """

    start: str
    nodes: Mapping[str, CausalNode]
    links: tuple[CausalLink, ...] = ()
    total_nodes: int = 0
    total_links: int = 0
    imported: tuple[str, ...] = ()
    stale: str = ""
    refused: tuple[str, ...] = ()
    asker: str = ""
    _causes: Mapping[str, tuple[CausalLink, ...]] = field(
        init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        found: dict[str, list[CausalLink]] = {}
        for link in self.links:
            found.setdefault(link.effect, []).append(link)
        frozen = {effect: tuple(links) for effect, links in found.items()}
        object.__setattr__(self, "_causes", frozen)

    def causes(self, iri: str) -> tuple[CausalLink, ...]:
        """Return the links to the direct causes of a node."""
        return self._causes.get(iri, ())

    def roots(self) -> list[CausalNode]:
        """Return the nodes at which the chains end, in the order of distance."""
        return [node for node in self.nodes.values() if not self.causes(node.iri)]

    def evidence(self, iri: str) -> tuple[list[CausalLink], list[CausalLink]]:
        """Return the links that speak for a node, and those against it."""
        links = self.causes(iri)
        return [x for x in links if x.sign > 0], [x for x in links if x.sign < 0]
