"""Write-back on an open workspace: propose, review, accept, undo."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode, Quad

from aitia import inference, terms
from aitia.conflicts.record import Recorded
from aitia.conflicts.standing import standing
from aitia.errors import AitiaError, TooMuch
from aitia.ingest import document as catalog
from aitia.ingest.content import Block
from aitia.ingest.passages import cut
from aitia.methods.base import Reads
from aitia.redact import Redactor
from aitia.upkeep.accepted import Chosen, touched
from aitia.upkeep.recheck import Rechecked, recheck, resting
from aitia.vocab import AITIA
from aitia.writeback import (
    asking,
    policy,
    propose,
    read,
    reserving,
    review,
    reviewers,
    showing,
    tool_results,
    triggers,
)
from aitia.writeback.afresh import shown_now
from aitia.writeback.asking import Asked
from aitia.writeback.desk import Desk, NewText
from aitia.writeback.draft import KINDS, Draft, Proposer
from aitia.writeback.given import Reserved
from aitia.writeback.policy import Calibration
from aitia.writeback.propose import Proposed
from aitia.writeback.queue import Wanted, queue
from aitia.writeback.read import Proposal
from aitia.writeback.review import Decision
from aitia.writeback.reviewers import Identity, Token
from aitia.writeback.showing import Shown

if TYPE_CHECKING:
    from aitia.equipped import Equipped
    from aitia.model.trace import Answer


@dataclass(frozen=True)
class Bulk:
    """One decision of many.

    Attributes:
        proposal: The id of the proposal.
        text: What it asks for.
        decision: What became of it, or None in a dry run or where it was refused.
        refused: Why it was refused, or "".
    """

    proposal: str
    text: str
    decision: Decision | None
    refused: str = ""


class WriteBack:
    """What can be proposed and decided in an open workspace.

    Attributes:
        desk: What every step works with.
        notices: What a person should know of what followed an acceptance.
    """

    def __init__(self, workspace: Equipped) -> None:
        self._agent, self._expired = workspace.settings.agent, False
        self.notices: list[str] = []
        models = workspace.models
        reads = Reads(
            workspace.store,
            workspace.blobs,
            workspace.indexes,
            workspace.settings,
            models.for_run() if models else None,
        )
        self.desk = Desk(
            workspace.store,
            workspace.ledger,
            reads,
            workspace.gate,
            workspace.folder,
            self._as_document,
            lambda: self.notices.extend(settle(workspace)),
        )

    def propose(self, asked: Asked, proposer: Proposer | None = None) -> Proposed:
        """Propose a change; nothing of it is asserted before it is accepted.

        Args:
            asked: The change.
            proposer: Who proposes it; who acts here where None.

        Raises:
            UsageError: It does not make sense.
            NotFound: It names something that is not on record.
            ShapeViolation: The gate refused it, which is on record.
        """
        who = proposer or Proposer(self._agent)
        return self.submit(asking.draft(self.desk, asked, who))

    def draft(self, asked: Asked, proposer: Proposer | None = None) -> Draft:
        """Return what `propose` would put on record, to look at or to alter."""
        return asking.draft(self.desk, asked, proposer or Proposer(self._agent))

    def submit(self, draft: Draft) -> Proposed:
        """Check a draft and put it on record.

        Raises:
            UsageError: It asks for nothing, or is a new version of what was not
                returned.
            ShapeViolation: The gate refused it, which is on record.
        """
        if not self._expired:
            self._expired = True  # once is enough while it is open
            propose.expire(self.desk)
        made = propose.propose(self.desk, draft)
        self._test_resting(made.proposal)
        return made

    def proposals(self, wanted: Wanted | None = None) -> Sequence[Proposal]:
        """Return proposals, those first that a reviewer should look at first."""
        return queue(self.desk, wanted or Wanted())

    def show(self, named: str) -> Shown:
        """Return a proposal with all that a reviewer needs.

        Raises:
            NotFound: There is no such proposal.
            AmbiguousId: More than one is meant.
        """
        return showing.show(self.desk, read.find(self.desk, named))

    def decide(
        self,
        named: str,
        verdict: str,
        reason: str,
        who: Identity | None = None,
        *,
        digest: str = "",
    ) -> Decision:
        """Approve, reject or return a proposal.

        Args:
            named: Its id or the start of it.
            verdict: `approve`, `reject` or `return`.
            reason: Why, in words.
            who: Who decides, with proof; who acts here, asserted, where None.
            digest: Digest, or its start, of what the reviewer was shown.

        Raises:
            NotFound: There is no such proposal.
            Refused: It may not be decided so; the message says why.
            ShapeViolation: The gate refused it, which is on record.
        """
        node = read.find(self.desk, named)
        by = who or Identity(self._agent)
        made = review.decide(self.desk, node, verdict, by, reason, digest=digest)
        self._test_resting(made.proposal)
        return made

    def decide_all(
        self,
        wanted: Wanted,
        verdict: str,
        reason: str,
        who: Identity | None = None,
        *,
        dry_run: bool = False,
    ) -> Iterator[Bulk]:
        """Decide on every waiting proposal that fits; each stands for itself.

        Args:
            wanted: Which proposals.
            verdict: `approve`, `reject` or `return`.
            reason: Why, in words.
            who: Who decides, with a token where proof is needed.
            dry_run: Tell which would be decided, and decide nothing.
        """
        for found in self.proposals(wanted):
            if dry_run:
                yield Bulk(found.id, found.text, None)
                continue
            try:
                decision = self.decide(found.id, verdict, reason, who)
            except AitiaError as error:
                yield Bulk(found.id, found.text, None, str(error))
            else:
                yield Bulk(found.id, found.text, decision)

    def reserve(
        self, named: str, who: Identity | None = None, hours: float = 0
    ) -> Reserved:
        """Let one reviewer have a proposal to himself; see `reserving.reserve`."""
        by = who or Identity(self._agent)
        return reserving.reserve(self.desk, read.find(self.desk, named), by, hours)

    def release(self, named: str, who: Identity | None = None) -> Reserved:
        """Give a reservation up; see `reserving.release`."""
        by = who or Identity(self._agent)
        return reserving.release(self.desk, read.find(self.desk, named), by)

    def undo(self, named: str, reason: str, who: Identity | None = None) -> Decision:
        """Take an acceptance back; the facts are as they were before it.

        It takes as many, as well proven, as to accept it: until then what is asked is
        put on record, and `Decision.missing` tells how many more it takes.

        Raises:
            NotFound: There is no such proposal.
            Refused: It may not be undone by who asks, or was asked for already.
            UsageError: It was not accepted, or something was built on it since.
        """
        by = who or Identity(self._agent)
        made = review.undo(self.desk, read.find(self.desk, named), by, reason)
        if not made.missing:
            self._test_resting(made.proposal)
        return made

    def after_run(self, answer: Answer) -> Sequence[Proposed]:
        """Put on record what a run found missing or wrong, and propose what follows."""
        run = NamedNode(answer.run)
        if answer.abstained:
            triggers.missing(self.desk, run, answer.question)
        made: list[Proposed] = []
        if answer.conflicts and self.desk.settings.conflict:
            inside = f"{answer.run}/"
            found = [
                item
                for item in standing(self.desk.reads)
                if any(record.startswith(inside) for record in item.records)
            ]
            made += triggers.disagreements(self.desk, found, run=run)
        made += tool_results.disagreeing(self.desk, run)
        return [*made, *triggers.derived(self.desk, run)]

    def after_ingest(
        self, found: Sequence[Recorded], taken: Sequence[str]
    ) -> Sequence[Proposed]:
        """Propose what follows from the conflicts that an ingest found.

        Args:
            found: The conflicts.
            taken: IRIs of the documents that were taken in.
        """
        certain = [item for item in found if item.certain]
        if told := triggers.undecided(self.desk, certain, taken):
            self.notices.append(told)
        return triggers.disagreements(self.desk, certain, taken)

    def test_again(
        self, taken: Collection[str], sides: Collection[str]
    ) -> list[Rechecked]:
        """Test the accepted changes again that documents which were taken in touch.

        Args:
            taken: IRIs of the documents.
            sides: IRIs of the versions and documents that are sides of conflicts.
        """
        if next(read.every(self.desk, AITIA.approved), None) is None:
            return []
        only = touched(self.desk, taken, sides)
        return recheck(self.desk, Chosen(only=only))

    def _test_resting(self, proposal: Proposal) -> None:
        """Have what rests on what was just taken out of use reviewed again."""
        if proposal.state in (AITIA.approved, AITIA.undone):
            revisions = self.desk.subjects(AITIA.carriesOut, proposal.node)
            only = resting(self.desk, revisions) - {proposal.node}
            if only:
                recheck(self.desk, Chosen(only=only))

    def calibration(self) -> list[Calibration]:
        """Return for each kind how scores and people's verdicts agree."""
        return [policy.calibration(self.desk, kind) for kind in KINDS]

    def signing(self, named: str, verdict: str, reason: str) -> bytes:
        """Return what a reviewer signs to decide on a proposal as it is shown now."""
        node = read.find(self.desk, named)
        digest = shown_now(self.desk, node)
        return reviewers.signed_text(node.value, verdict, digest, reason)

    def new_token(self, name: str, days: float = 0) -> tuple[Token, str]:
        """Make a token for a reviewer; what comes second is told only once."""
        return reviewers.new_token(self.desk.folder, name, days)

    def tokens(self) -> Sequence[Token]:
        """Return the tokens on file, without the tokens themselves."""
        return reviewers.tokens(self.desk.folder)

    def revoke(self, token: str) -> Token:
        """Take a token off the file.

        Raises:
            NotFound: There is no token of that id.
        """
        return reviewers.revoke(self.desk.folder, token)

    def _as_document(self, text: NewText) -> tuple[NamedNode, list[Quad]]:
        """Keep accepted words as a document of their own, with passages."""
        settings = self.desk.reads.settings
        words, redactions = Redactor(settings).redact(text.text)
        data, when = words.encode("utf-8"), terms.now()
        name = self.desk.reads.blobs.put(data)
        ident = text.proposal.value.rsplit(":", 1)[-1]
        document = terms.document_iri(text.proposal.value, name)
        place = text.proposal.value
        record = catalog.Record(
            document,
            text.title,
            f"write-back/{ident}.txt",
            place,
            name,
            name,
            "text/plain",
            len(data),
            len(words),
            redactions=redactions,
        )
        reading = catalog.Reading(
            NamedNode(f"{terms.BASE}reading:{terms.new_id()}"),
            place,
            text.agent,
            when,
            when,
            "write-back",
            "1",
        )
        quads = [
            *catalog.reading(reading),
            *catalog.document(record, reading.iri, when),
        ]
        blocks = [Block(0, len(words))]
        for order, made in enumerate(cut(words, blocks, settings.passage_chars), 1):
            quads += catalog.passage(document, made, order)
        return document, quads


def settle(workspace: Equipped) -> list[str]:
    """Bring indexes, and inferences where there are any, up to what was accepted.

    Returns:
        What to know where the inferences could not follow; they stay as they were.
    """
    told = []
    # Also where all that was inferred went out before: it may follow again.
    if workspace.store.has_graph(terms.GRAPH_INFERRED):
        try:
            closure = inference.close(workspace.store)
        except TooMuch as error:
            told.append(f"What was inferred before stands as it was: {error}")
        else:
            if closure.contradictions:
                told.append(
                    "What was inferred before stands as it was: the knowledge"
                    " contradicts itself (`aitia infer` tells how)."
                )
            else:
                workspace.ledger.commit(inference.patch(workspace.store, closure))
    workspace.indexes.catch_up(workspace.ledger)
    return told
