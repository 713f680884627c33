"""The care for what is known: conflicts, rechecks, and how healthy it is."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from aitia.equipped import Equipped
from aitia.errors import AitiaError

if TYPE_CHECKING:
    from aitia.conflicts.disputes import Disputes
    from aitia.ingest import IngestReport
    from aitia.upkeep.accepted import Chosen
    from aitia.upkeep.health import Health, Limits
    from aitia.upkeep.recheck import Rechecked


class Tended(Equipped):
    """An open folder whose knowledge is looked after.

    What is taken in is held against what was there; what was accepted is tested again.
    """

    @cached_property
    def conflicts(self) -> Disputes:
        """Conflicts on record: which stand, a check of everything, dismissals."""
        from aitia.conflicts.disputes import Disputes
        from aitia.methods.base import Reads

        return Disputes(
            Reads(self.store, self.blobs, self.indexes, self.settings),
            lambda: self.models.for_run() if self.models is not None else None,
            self.ledger.commit_or_record,
            self.settings.agent,
            lambda: record.number if (record := self.ledger.head()) else 0,
        )

    def recheck(
        self, which: Chosen | None = None, *, dry_run: bool = False
    ) -> list[Rechecked]:
        """Test accepted changes again; what fails is proposed to be taken back.

        Args:
            which: Which of them; all in force for None.
            dry_run: Tell what is found; put nothing on record and propose nothing.

        Raises:
            UsageError: A choice has no meaning.
        """
        from aitia.upkeep.recheck import recheck

        if self.mode == "write":
            self.indexes.catch_up(self.ledger)
        return recheck(self.writeback.desk, which, dry_run=dry_run)

    def inspect(self, limits: Limits | None = None) -> Health:
        """Return how healthy what is known is: counts and lists; nothing is changed.

        Args:
            limits: From where on something deserves a look.
        """
        from aitia.methods.base import Reads
        from aitia.upkeep.health import inspect

        reads = Reads(self.store, self.blobs, self.indexes, self.settings)
        return inspect(reads, limits)

    def follow_up(self, report: IngestReport) -> None:
        """Do what an ingest asks for: find conflicts, and test accepted changes again.

        Args:
            report: What became of the files; what is found is told there.
        """
        self._withdraw_again(report)
        self._compare(report)
        self._test_again(report)

    def _withdraw_again(self, report: IngestReport) -> None:
        """Tell what documents state again though it was withdrawn, and propose it to go.

        This is done whatever the settings are, and for what an interrupted ingest took
        in too: it is not looked at again.
        """
        from aitia.writeback.restated import restated

        taken = [
            x.document
            for x in report.files
            if (x.commit or x.statements) and x.document
        ]
        try:
            found = restated(self.writeback.desk, taken) if taken else []
        except (AitiaError, OSError) as error:
            told = f"What was withdrawn may be stated again, which was not checked: {error}"
            report.unfinished = " ".join(filter(None, (report.unfinished, told)))
            return
        report.notices += [again.told() for again in found]

    def _compare(self, report: IngestReport) -> None:
        """Have what was taken in held against what was there; tell what disagrees."""
        taken = [
            x.document
            for x in report.files
            if (x.commit or x.statements) and x.document
        ]
        if not taken or report.interrupted:
            return
        try:
            found = self.conflicts.after_ingest(taken)
        except (AitiaError, OSError) as error:
            told = f"It was not checked whether what was taken in disagrees: {error}"
            report.unfinished = " ".join(filter(None, (report.unfinished, told)))
            return
        report.conflicts = found.found
        report.notices += found.notices
        self.writeback.after_ingest(found.found, taken)
        report.notices += self.writeback.notices
        self.writeback.notices.clear()

    def _test_again(self, report: IngestReport) -> None:
        """Have the accepted changes tested again that what was taken in touches."""
        if report.interrupted or not self.settings.writeback.recheck_after_ingest:
            return
        taken = [x.document for x in report.files if x.commit and x.document]
        sides = {
            iri
            for item in report.conflicts
            for side in item.sides
            for iri in (side.version, side.document, side.passage)
            if iri
        }
        try:
            found = self.writeback.test_again(taken, sides)
        except (AitiaError, OSError) as error:
            told = f"Accepted changes were not tested again: {error}"
            report.unfinished = " ".join(filter(None, (report.unfinished, told)))
            return
        report.notices += [item.told() for item in found if item.reasons]
