"""One run of a random valid world: perception, both trees, evidence, conclusion."""

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.vocab import AITIA, DCTERMS, PROV, RDF, RDFS
from tests.world_catalog import Maker

INTENTS = (
    AITIA.factLookup,
    AITIA.listing,
    AITIA.counting,
    AITIA.comparison,
    AITIA.textQuestion,
)
ENDS = ("decision", "abstention", "abort", "running")


class RunMaker:
    """Makes one run in a graph of its own.

    Attributes:
        world: The world that it is made in.
        run: Its IRI.
    """

    def __init__(self, world: Maker) -> None:
        self.world, self.rng = world, world.rng
        key = "".join(self.rng.choices("abcdefghijkmnpqrstuvwxyz23456789", k=8))
        self.run = terms.run_iri(key)
        world.graph = terms.run_graph(self.run)
        self.say, self.link = world.say, world.link
        self.numbers: dict[str, int] = {}
        self.executions: list[NamedNode] = []
        self.goals: list[NamedNode] = []

    def tell(self) -> None:
        """Make the run; it is running still, or ended in one of three ways."""
        how = self.rng.choice(ENDS)
        self.begin()
        self.perceive()
        for _ in range(self.rng.randint(1, 3)):
            self.pursue(self.subgoal())
        if how == "decision":
            self.decide()
        elif how == "abstention":
            self.abstain()
        elif how == "abort":
            self.abort()
        self.end(how)

    # Nodes

    def node(self, kind: NamedNode, name: str, *, numbered: bool = True) -> NamedNode:
        """Make a node of the run."""
        number = self.numbers[name] = self.numbers.get(name, 0) + 1
        made = terms.part(self.run, name, number if numbered else None)
        self.say(made, RDF.type, kind)
        return self.say(made, AITIA.inRun, self.run)

    def worded(self, kind: NamedNode, name: str, *, numbered: bool = True) -> NamedNode:
        """Make a node of the run that says something."""
        made = self.node(kind, name, numbered=numbered)
        return self.say(made, AITIA.text, self.world.text())

    def begin(self) -> None:
        """Open the run."""
        graph = self.world.graph
        self.say(graph, RDF.type, PROV.Bundle, AITIA.Trace)
        self.say(graph, AITIA.inRun, self.run)
        self.say(self.run, RDF.type, AITIA.Run)
        self.say(self.run, RDFS.label, self.world.text())
        self.say(self.run, PROV.startedAtTime, self.world.tick())
        self.say(self.run, PROV.wasAssociatedWith, self.rng.choice(self.world.agents))
        self.say(self.run, AITIA.ledgerPosition, terms.integer(self.rng.randint(0, 9)))
        self.say(self.run, AITIA.softwareVersion, terms.string("0.1.0"))

    def end(self, how: str) -> None:
        """State the run's status, and its end where it has one."""
        if how == "running":
            self.say(self.run, AITIA.status, AITIA.running)
            return
        failed = how == "abort"
        self.say(self.run, AITIA.status, AITIA.failed if failed else AITIA.succeeded)
        self.say(self.run, PROV.endedAtTime, self.world.tick())

    # Perception and plan

    def perceive(self) -> None:
        """Record input, intent, entities and the root goal."""
        asked = self.worded(AITIA.UserInput, "input", numbered=False)
        intent = self.worded(AITIA.Intent, "intent", numbered=False)
        self.say(intent, AITIA.intentKind, self.rng.choice(INTENTS))
        self.link(asked, AITIA.motivates, intent)
        self.entities = [self.entity(asked) for _ in range(self.rng.randint(0, 2))]
        self.root = self.goal(intent)

    def entity(self, asked: NamedNode) -> NamedNode:
        """Record a mention."""
        made = self.node(AITIA.Entity, "entity")
        self.say(made, AITIA.mention, self.world.text(1))
        self.say(made, AITIA.start, terms.integer(3))
        self.say(made, AITIA.end, terms.integer(9))
        self.world.maybe(
            lambda: self.say(made, AITIA.linkedTo, NamedNode("urn:data:order:7"))
        )
        self.world.sure(made)
        self.link(asked, AITIA.motivates, made)
        return made

    def goal(self, motive: NamedNode) -> NamedNode:
        """Record a goal."""
        made = self.node(AITIA.Goal, "goal")
        self.goals.append(made)
        self.say(made, AITIA.description, self.world.text())
        self.say(made, AITIA.why, self.world.text())
        self.say(made, AITIA.order, terms.integer(len(self.goals)))
        status = (AITIA.pending, AITIA.running, AITIA.succeeded, AITIA.abandoned)
        self.say(made, AITIA.status, self.rng.choice(status))
        self.link(motive, AITIA.motivates, made)
        return made

    def subgoal(self) -> NamedNode:
        """Record a part of the root goal."""
        earlier = self.goals[-1]
        made = self.goal(self.root)
        self.say(made, AITIA.subgoalOf, self.root)
        if earlier != self.root:
            self.world.maybe(lambda: self.say(made, AITIA.dependsOn, earlier))
        return made

    # Executions

    def execution(self, goal: NamedNode, status: NamedNode) -> NamedNode:
        """Record an execution."""
        kind = self.rng.choice((AITIA.MethodExecution, AITIA.ToolCall))
        made = self.node(kind, "exec")
        self.say(made, AITIA.method, self.rng.choice(self.world.methods))
        self.say(made, AITIA.serves, goal)
        self.say(made, AITIA.status, status)
        self.say(made, AITIA.attempt, terms.integer(1))
        self.say(made, PROV.startedAtTime, self.world.tick())
        self.said(made, AITIA.input, AITIA.inputBlob)
        self.world.maybe(lambda: self.say(made, AITIA.parameters, terms.string("{}")))
        self.link(goal, AITIA.motivates, made)
        self.link(made, AITIA.usedTool, *self.entities)
        if status == AITIA.succeeded:
            self.said(made, AITIA.output, AITIA.outputBlob)
        if status == AITIA.failed:
            self.say(made, AITIA.error, self.world.text())
        if status in (AITIA.succeeded, AITIA.failed):
            self.say(made, PROV.endedAtTime, self.world.tick())
            self.executions.append(made)
        self.world.sure(made)
        return made

    def said(self, node: NamedNode, inline: NamedNode, blob: NamedNode) -> None:
        """State an input or output, inline or by blob."""
        if self.rng.random() < 0.8:
            self.say(node, inline, Literal('{"k": 5}'))
        else:
            self.say(node, blob, self.world.digest())

    def pursue(self, goal: NamedNode) -> None:
        """Record how a goal was pursued: a failure replanned, then evidence."""
        if self.rng.random() < 0.4:
            goal = self.replan(goal)
        search = self.execution(goal, AITIA.succeeded)
        found = self.worded(AITIA.Observation, "obs")
        self.link(search, AITIA.produced, found)
        passage = self.rng.choice(self.world.passages)
        self.link(search, AITIA.usedTool, passage[0])
        child = self.execution(goal, AITIA.succeeded)
        self.say(child, AITIA.partOf, search)
        self.link(child, AITIA.usedTool, found)
        quote = self.quote(child, *passage)
        self.hypothesis(child, goal, quote, self.statement(child, passage[0]))
        self.world.maybe(lambda: self.execution(goal, AITIA.running))

    def replan(self, goal: NamedNode) -> NamedNode:
        """Record a failed execution and the goal that it led to instead."""
        failed = self.execution(goal, AITIA.failed)
        made = self.goal(self.root)
        self.say(made, AITIA.replaces, goal)
        self.link(failed, AITIA.triggers, made)
        return made

    # Evidence

    def quote(
        self, execution: NamedNode, passage: NamedNode, start: int, end: int
    ) -> NamedNode:
        """Record exact words of a passage."""
        made = self.node(AITIA.Quote, "quote")
        self.say(made, AITIA.exact, self.world.text())
        self.say(made, AITIA.start, terms.integer(start))
        self.say(made, AITIA.end, terms.integer(end))
        self.say(made, DCTERMS.isPartOf, passage)
        self.link(made, AITIA.derivesFrom, passage)
        self.link(execution, AITIA.produced, made)
        return made

    def statement(self, execution: NamedNode, passage: NamedNode) -> NamedNode:
        """Record a triple that was read; runs share it."""
        subject = NamedNode(f"urn:data:order:{self.rng.randint(1, 3)}")
        predicate, graph = NamedNode("urn:p:status"), NamedNode("urn:g:1")
        value = terms.string("pending")
        made = terms.statement_iri(
            subject.value, predicate.value, value.value, graph.value
        )
        self.say(made, RDF.type, AITIA.Statement)
        self.say(made, AITIA.inRun, self.run)
        self.say(made, RDF.subject, subject)
        self.say(made, RDF.predicate, predicate)
        self.say(made, RDF.object, value)
        self.say(made, AITIA.inGraph, graph)
        self.say(made, AITIA.rank, AITIA.normal)
        self.say(made, AITIA.text, self.world.text())
        self.link(made, AITIA.derivesFrom, passage)
        self.link(execution, AITIA.produced, made)
        return made

    def hypothesis(
        self,
        execution: NamedNode,
        goal: NamedNode,
        quote: NamedNode,
        statement: NamedNode,
    ) -> None:
        """Record a candidate answer and how it was checked."""
        made = self.worded(AITIA.Hypothesis, "hyp")
        self.link(execution, AITIA.produced, made)
        self.world.sure(made)
        self.world.weighed(quote, AITIA.supports, made, AITIA.tested)
        self.world.maybe(
            lambda: self.world.weighed(
                statement, AITIA.contradicts, made, AITIA.claimed
            )
        )
        state = self.rng.choice((AITIA.open, AITIA.verified, AITIA.refuted))
        self.say(made, AITIA.hypothesisState, state)
        if state == AITIA.open:
            return
        test = self.execution(goal, AITIA.succeeded)
        verdict = AITIA.verifies if state == AITIA.verified else AITIA.refutes
        self.link(test, verdict, made)

    # Conclusions

    def decide(self) -> None:
        """Record claims, the decision, the answer, and now and then a conflict."""
        sides = self.evidence_of_run()
        claims = [self.claim(order, sides) for order in (1, 2)]
        made = self.conclude(AITIA.Decision, "decision")
        self.say(made, AITIA.text, self.world.text())
        self.say(made, AITIA.hasClaim, *claims)
        self.world.sure(made)
        self.link(made, AITIA.derivesFrom, *claims)
        for hypothesis in self.all_of(AITIA.Hypothesis):
            stand = self.rng.choice((AITIA.accepts, AITIA.rejects))
            self.say(made, stand, hypothesis)
            if stand == AITIA.accepts:
                self.link(made, AITIA.derivesFrom, hypothesis)
        if len(sides) > 1 and self.rng.random() < 0.5:
            conflict = self.node(AITIA.Conflict, "conflict")
            self.say(conflict, AITIA.between, *sides[:2])
            self.say(conflict, AITIA.reason, self.world.text())
        self.answer(made, claims)

    def claim(self, order: int, grounds: list[NamedNode]) -> NamedNode:
        """Record one sentence of the answer."""
        made = self.worded(AITIA.Claim, "claim")
        self.say(made, AITIA.order, terms.integer(order))
        self.world.sure(made)
        if self.rng.random() < 0.7:
            self.say(made, AITIA.supportState, AITIA.supported)
            self.link(made, AITIA.derivesFrom, self.rng.choice(grounds))
        else:
            self.say(made, AITIA.supportState, AITIA.unsupported)
        return made

    def answer(self, conclusion: NamedNode, claims: list[NamedNode]) -> None:
        """Record what was told."""
        made = self.worded(AITIA.Answer, "answer", numbered=False)
        mode = self.rng.choice((AITIA.extractive, AITIA.generative))
        self.say(made, AITIA.answerMode, mode)
        self.say(made, AITIA.hasClaim, *claims)
        self.link(made, AITIA.derivesFrom, conclusion)

    def abstain(self) -> None:
        """Record that the evidence did not carry an answer."""
        made = self.conclude(AITIA.Abstention, "abstention")
        self.say(made, AITIA.reason, self.world.text())
        self.say(made, AITIA.tried, *self.executions)
        self.answer(made, [])

    def abort(self) -> None:
        """Record that the run could not go on, and what the gate refused."""
        made = self.conclude(AITIA.Abort, "abort")
        self.say(made, AITIA.reason, self.world.text())
        refused = self.node(AITIA.RefusedOperation, "refused")
        self.say(refused, AITIA.reason, self.world.text())
        self.say(refused, AITIA.patchBlob, self.world.digest())
        self.say(refused, AITIA.reportBlob, self.world.digest())
        self.world.authored(refused)

    def conclude(self, kind: NamedNode, name: str) -> NamedNode:
        """Record the conclusion of the run."""
        made = self.node(kind, name, numbered=False)
        self.say(self.run, AITIA.conclusion, made)
        self.link(self.root, AITIA.concludes, made)
        return made

    def evidence_of_run(self) -> list[NamedNode]:
        """Return the quotes, statements and hypotheses of this run."""
        kinds = (AITIA.Quote, AITIA.Statement, AITIA.Hypothesis)
        return [node for kind in kinds for node in self.all_of(kind)]

    def all_of(self, kind: NamedNode) -> list[NamedNode]:
        """Return the nodes of a class that this run states."""
        return [
            quad.subject
            for quad in dict.fromkeys(self.world.quads)
            if quad.graph_name == self.world.graph
            and quad.predicate == RDF.type
            and quad.object == kind
            and isinstance(quad.subject, NamedNode)
        ]
