"""Random edits of a valid world: some leave it valid, most break it in a known way."""

from collections.abc import Callable
from random import Random

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.model import Patch
from aitia.model.links import causal
from aitia.vocab import AITIA, DCTERMS, PROV, RDF, XSD
from tests.world_catalog import Maker
from tests.world_run import RunMaker

CLASSES = (
    AITIA.Document, AITIA.Passage, AITIA.Quote, AITIA.Goal, AITIA.MethodExecution,
    AITIA.Claim, AITIA.Decision, AITIA.Run, AITIA.Statement, AITIA.Hypothesis,
    AITIA.Observation, AITIA.Person, NamedNode("urn:x:Thing"),
)  # fmt: skip
ODD = (
    Literal(""), Literal("x", language="en"), terms.double(1.5), terms.integer(-3),
    Literal("NaN", datatype=XSD.double), Literal("abc", datatype=XSD.integer),
    NamedNode("urn:aitia:nowhere"), AITIA.preferred, NamedNode("urn:x:y"),
    Literal("2026-01-01T00:00:00", datatype=XSD.dateTime), terms.boolean(True),
)  # fmt: skip
ELSEWHERE = terms.GRAPH_CATALOG


class Nothing(Exception):
    """The world holds nothing that the edit could be made on."""


class Editor:
    """Makes edits of what is in a world now.

    Attributes:
        made: Knows how to add documents and runs.
    """

    def __init__(self, rng: Random, quads: list[Quad], made: Maker) -> None:
        self.rng, self.quads, self.made = rng, quads, made

    def pick(self, test: Callable[[Quad], bool]) -> Quad:
        """Return a random quad that passes a test."""
        found = [quad for quad in self.quads if test(quad)]
        if not found:
            raise Nothing
        return self.rng.choice(found)

    def of(self, *predicates: NamedNode) -> Quad:
        """Return a random quad with one of the predicates."""
        return self.pick(lambda q: q.predicate in predicates)

    def node(self) -> NamedNode:
        """Return a random node on record."""
        subject = self.rng.choice(self.quads).subject
        assert isinstance(subject, NamedNode)
        return subject

    def typed(self, *kinds: NamedNode) -> NamedNode:
        """Return a random node of one of the classes."""
        subject = self.pick(
            lambda q: q.predicate == RDF.type and q.object in kinds
        ).subject
        assert isinstance(subject, NamedNode)
        return subject

    # The edits: what goes, what comes

    def missing_property(self) -> Patch:
        quad = self.pick(lambda q: q.predicate != RDF.type)
        return change([quad])

    def wrong_datatype(self) -> Patch:
        quad = self.pick(lambda q: isinstance(q.object, Literal))
        return change([quad], [swap(quad, self.rng.choice(ODD[:4]))])

    def wrong_class_at_end(self) -> Patch:
        quad = self.pick(is_link)
        return change([quad], [swap(quad, self.node())])

    def wrong_link(self) -> Patch:
        kind = self.rng.choice(
            (AITIA.supports, AITIA.derivesFrom, AITIA.usedTool, AITIA.motivates)
        )
        return change([], causal(self.node(), kind, self.node(), ELSEWHERE))

    def dangling_end(self) -> Patch:
        quad = self.pick(is_link)
        gone = NamedNode("urn:aitia:doc:gone")
        if self.rng.random() < 0.5:
            return change([], causal(self.node(), AITIA.derivesFrom, gone, ELSEWHERE))
        return change([quad], [swap(quad, gone)])

    def bad_confidence(self) -> Patch:
        quad = self.of(AITIA.confidence)
        value = self.rng.choice(("1.0001", "-0.1", "NaN", "INF", "7"))
        return change([quad], [swap(quad, Literal(value, datatype=XSD.double))])

    def naive_time(self) -> Patch:
        quad = self.of(PROV.startedAtTime, PROV.endedAtTime, PROV.generatedAtTime)
        text = self.rng.choice(("2026-01-01T00:00:00", "2026-01-01T00:00:00+02:00"))
        return change([quad], [swap(quad, Literal(text, datatype=XSD.dateTime))])

    def second_decision(self) -> Patch:
        run = self.typed(AITIA.Run)
        graph, node = terms.run_graph(run), terms.part(run, "decision", 2)
        quads = [
            Quad(node, RDF.type, AITIA.Decision, graph),
            Quad(node, AITIA.inRun, run, graph),
            Quad(node, AITIA.text, terms.string("another"), graph),
            Quad(node, AITIA.hasClaim, self.typed(AITIA.Claim), graph),
            *causal(self.typed(AITIA.Goal), AITIA.concludes, node, graph),
            *causal(node, AITIA.derivesFrom, self.typed(AITIA.Claim), graph),
        ]
        if self.rng.random() < 0.5:
            quads.append(Quad(run, AITIA.conclusion, node, graph))
        return change([], quads)

    def derivation_cycle(self) -> Patch:
        quad = self.of(AITIA.hasCause)
        effect, cause = quad.subject, quad.object
        for _ in range(self.rng.randint(0, 3)):
            further = [
                q.object
                for q in self.quads
                if q.subject == cause and q.predicate == AITIA.hasCause
            ]
            if further:
                cause = self.rng.choice(further)
        assert isinstance(effect, NamedNode)
        assert isinstance(cause, NamedNode)
        return change([], causal(cause, AITIA.derivesFrom, effect, ELSEWHERE))

    def two_links_close_a_cycle(self) -> Patch:
        one, two = self.typed(AITIA.Claim), self.typed(AITIA.Hypothesis, AITIA.Claim)
        return change(
            [],
            [
                *causal(one, AITIA.derivesFrom, two, ELSEWHERE),
                *causal(two, AITIA.derivesFrom, one, ELSEWHERE),
            ],
        )

    def unknown_status(self) -> Patch:
        quad = self.of(AITIA.status, AITIA.documentState, AITIA.supportState)
        unknown = self.rng.choice(
            (AITIA.normal, NamedNode(AITIA.NS + "sucseeded"), terms.string("done"))
        )
        return change([quad], [swap(quad, unknown)])

    def untyped_target(self) -> Patch:
        pointed = {q.object for q in self.quads if is_link(q)}
        quad = self.pick(lambda q: q.predicate == RDF.type and q.subject in pointed)
        return change([quad])

    def retyped(self) -> Patch:
        quad = self.of(RDF.type)
        return change([quad], [swap(quad, self.rng.choice(CLASSES))])

    def extra_value(self) -> Patch:
        quad = self.pick(lambda q: True)
        value = self.rng.choice((*ODD, self.node()))
        return change([], [swap(quad, value)])

    def ill_typed(self) -> Patch:
        quad = self.pick(
            lambda q: isinstance(q.object, Literal) and q.object.datatype != XSD.string
        )
        assert isinstance(quad.object, Literal)
        text = self.rng.choice(("abc", "", "2026-02-30T00:00:00Z", "1e3", "yes"))
        bad = Literal(text, datatype=quad.object.datatype)
        return change([quad], [swap(quad, bad)])

    def lost_mirror(self) -> Patch:
        return change([self.of(AITIA.hasCause)])

    def lone_mirror(self) -> Patch:
        mirror = Quad(self.node(), AITIA.hasCause, self.node(), ELSEWHERE)
        return change([], [mirror])

    def node_gone(self) -> Patch:
        node = self.node()
        also = self.rng.random() < 0.5
        gone = [
            q for q in self.quads if q.subject == node or (also and q.object == node)
        ]
        return change(gone)

    def two_swapped(self) -> Patch:
        one, two = self.pick(is_link), self.pick(is_link)
        return change([one, two], [swap(one, two.object), swap(two, one.object)])

    def tree_loop(self) -> Patch:
        quad = self.of(AITIA.subgoalOf, AITIA.partOf, AITIA.dependsOn, AITIA.replaces)
        assert isinstance(quad.object, NamedNode)
        back = Quad(quad.object, quad.predicate, quad.subject, quad.graph_name)
        return change([], [back])

    def quote_moved(self) -> Patch:
        quote = self.typed(AITIA.Quote, AITIA.Passage)
        quad = self.pick(
            lambda q: q.subject == quote and q.predicate in (AITIA.start, AITIA.end)
        )
        return change([quad], [swap(quad, terms.integer(self.rng.randint(0, 700)))])

    def link_changed(self) -> Patch:
        quad = self.of(AITIA.linkFrom, AITIA.linkTo, AITIA.linkKind)
        value = AITIA.supports if quad.predicate == AITIA.linkKind else self.node()
        return change([quad], [swap(quad, value)])

    def time_turned(self) -> Patch:
        quad = self.of(PROV.startedAtTime, PROV.endedAtTime)
        year = self.rng.choice(("2020", "2026", "2031"))
        bad = Literal(f"{year}-01-01T00:00:00Z", datatype=XSD.dateTime)
        return change([quad], [swap(quad, bad)])

    def submitted_changed(self) -> Patch:
        node = self.typed(AITIA.Proposal, AITIA.Evidence)
        quad = self.pick(lambda q: q.subject == node and isinstance(q.object, Literal))
        other = swap(quad, terms.string(f"other {self.rng.random()}"))
        return change([quad], self.rng.choice(([], [other])))

    def accepted_by_nobody(self) -> Patch:
        node, graph = NamedNode("urn:x:crane"), terms.GRAPH_CURRENT
        fact = Quad(node, NamedNode("urn:x:lifts"), terms.integer(9), graph)
        return change([], [fact])

    def decided(self) -> Patch:
        """Approve the proposal: as it should be, or short of something."""
        proposal = self.typed(AITIA.Proposal)
        before = len(self.made.quads)
        self.made.graph = terms.GRAPH_CATALOG
        gone = self.made.approved(proposal)
        made = self.made.quads[before:]
        if self.rng.random() < 0.4:
            del made[self.rng.randrange(len(made))]
        return change([gone], made)

    # Edits that leave the world valid, mostly

    def new_run(self) -> Patch:
        before = len(self.made.quads)
        RunMaker(self.made).tell()
        return change([], self.made.quads[before:])

    def part_of_new_run(self) -> Patch:
        adds = list(self.new_run().adds)
        adds.sort(key=str)
        del adds[self.rng.randrange(len(adds))]
        return change([], adds)

    def new_document(self) -> Patch:
        before = len(self.made.quads)
        name = f"new {self.rng.random()}.txt"
        made = self.made
        made.graph = terms.GRAPH_CATALOG
        node = made.describe(name, made.reading(name))
        made.say(node, AITIA.documentState, AITIA.live)
        return change([], made.quads[before:])

    def other_words(self) -> Patch:
        texts = (AITIA.text, AITIA.description, AITIA.why, DCTERMS.title)
        quad = self.of(*texts)
        return change([quad], [swap(quad, terms.string(f"other {self.rng.random()}"))])

    def said_again(self) -> Patch:
        quad = self.rng.choice(self.quads)
        return change([quad], [quad])

    def said_elsewhere(self) -> Patch:
        quad = self.rng.choice(self.quads)
        return change([], [Quad(quad.subject, quad.predicate, quad.object, ELSEWHERE)])

    def said_once_less(self) -> Patch:
        seen = dict.fromkeys(q.triple for q in self.quads)
        copies = [q for q in self.quads if q.graph_name == ELSEWHERE]
        twice = [
            q
            for q in copies
            if sum(o.triple == q.triple for o in self.quads) > 1 and q.triple in seen
        ]
        if not twice:
            raise Nothing
        return change([self.rng.choice(twice)])

    def good_subclass(self) -> Patch:
        quad = self.pick(
            lambda q: (
                q.predicate == RDF.type
                and q.object in (AITIA.MethodExecution, AITIA.ToolCall)
            )
        )
        other = {
            AITIA.MethodExecution: AITIA.ToolCall,
            AITIA.ToolCall: AITIA.MethodExecution,
        }[quad.object]  # type: ignore[index]
        return change([quad], [swap(quad, other)])

    def good_support(self) -> Patch:
        evidence = self.typed(AITIA.Passage, AITIA.Quote)
        claim = self.typed(AITIA.Claim, AITIA.Hypothesis)
        return change([], causal(evidence, AITIA.supports, claim, ELSEWHERE))

    def link_gone(self) -> Patch:
        quad = self.of(AITIA.derivesFrom, AITIA.usedTool)
        assert isinstance(quad.object, NamedNode)
        mirror = Quad(quad.subject, AITIA.hasCause, quad.object, quad.graph_name)
        return change([quad, mirror])

    def confidence_gone(self) -> Patch:
        node = self.of(AITIA.confidence).subject
        both = (AITIA.confidence, AITIA.confidenceRule)
        return change(
            [q for q in self.quads if q.subject == node and q.predicate in both]
        )

    def run_gone(self) -> Patch:
        graph = terms.run_graph(self.typed(AITIA.Run))
        return change([q for q in self.quads if q.graph_name == graph])


EDITS = tuple(
    name
    for name in vars(Editor)
    if not name.startswith("_") and name not in ("pick", "of", "node", "typed")
)


def change(deletes: list[Quad], adds: list[Quad] | None = None) -> Patch:
    """Return a patch."""
    return Patch(frozenset(adds or []), frozenset(deletes))


def swap(quad: Quad, value: object) -> Quad:
    """Return the quad with another object."""
    return Quad(quad.subject, quad.predicate, value, quad.graph_name)  # type: ignore[arg-type]


def is_link(quad: Quad) -> bool:
    """Tell whether a quad ties one node to another, and not to a class."""
    return isinstance(quad.object, NamedNode) and quad.predicate != RDF.type
