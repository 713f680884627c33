"""An open folder with indexes, models and tools, and questions asked of it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from aitia import lookup, terms
from aitia.errors import AitiaError, UsageError
from aitia.looking import Looking
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.ask.asking import Asking
    from aitia.ask.replay import Replay
    from aitia.ask.stream import Told
    from aitia.llm.models import Models
    from aitia.model.trace import Answer
    from aitia.monitor import Alert
    from aitia.retrieval import Indexes
    from aitia.reviewing import WriteBack
    from aitia.tools.consent import Consents
    from aitia.tools.toolbox import Given, Toolbox


class Equipped(Looking):
    """An open folder that can search, ask models and call tools.

    Attributes:
        indexes: What finds passages and resources; opened when first asked for.
        models: The language models, or None where none is named.
        toolbox: The tools; started when first asked for.
        alerts: The alerts that were raised since it was opened.
    """

    @cached_property
    def indexes(self) -> Indexes:
        """The indexes over this state of the store; opened when first asked for."""
        from aitia.retrieval import Indexes

        folder = self.folder / "indexes"
        return Indexes(folder, self.settings, self.store, self.blobs)

    @cached_property
    def models(self) -> Models | None:
        """The language models, made ready when first asked for; nothing is sent yet.

        Raises:
            SettingsError: A model is named, but not where its server is.
        """
        from aitia.llm.models import Models

        return Models.of(self.settings, self.blobs, self.folder)

    @cached_property
    def toolbox(self) -> Toolbox:
        """The tools that are configured or installed; started when first asked for.

        Raises:
            ToolFailed: A module that was named cannot be loaded.
            UsageError: Two tools have one name, one has that of a method, or a
                setting has no meaning.
        """
        from aitia.methods.base import registry
        from aitia.tools.toolbox import Toolbox

        registry()  # No tool may have the name of a method, of other packages too.
        return Toolbox.load(self.settings)

    @cached_property
    def alerts(self) -> list[Alert]:
        """The alerts that were raised since the workspace was opened."""
        return []

    @cached_property
    def writeback(self) -> WriteBack:
        """Proposals to change the knowledge, their reviews, and what they write."""
        from aitia.reviewing import WriteBack

        return WriteBack(self)

    def ask(
        self,
        question: str = "",
        *,
        tools: Iterable[Given] = (),
        consents: Consents | None = None,
        session: str = "",
        told: Told | None = None,
        replay: str = "",
        again: str = "",
    ) -> Answer:
        """Answer a question from what was taken in, with every step on record.

        Where a model is configured it thinks the question over and words the answer;
        else rules answer in the words of the sources.

        Args:
            question: In plain words.
            tools: Functions marked with `@tool`, modules or files by name: tools that
                may be called in this run, besides those that are configured.
            consents: Who permits a tool to change something outside; nobody for None.
            session: Name of the session that the run belongs to; the setting for "".
            told: Is told each step as it is committed, and words as they come.
            replay: Id of a run whose recorded replies and results are to be used: no
                server is asked and no tool is called. The question may be left out.
            again: Id of a run whose question is to be asked again on what is known
                now; the new run says so (`aitia:asksAgain`), and the earlier one is
                no longer listed as stale. The question may be left out.

        Returns:
            The answer, or an abstention with what was tried.

        Raises:
            UsageError: The question is empty or too long, or is not that of `replay`
                or `again`.
            NotFound: There is no such run, or its replies are no longer kept.
            IndexMismatch: The indexes do not fit the model or are broken.
            ModelError: The record of `replay` holds no reply to what is asked.
        """
        from aitia.ask.again import asked_in
        from aitia.ask.asking import Asking

        self.indexes.catch_up(self.ledger)
        run = None
        if again:
            run, question = asked_in(self.store, again, question)
        earlier = self._replay(question, replay) if replay else None
        if earlier is None and self.models is None:
            asking = Asking(session=session, again=run)
        elif given := list(tools):
            from aitia.methods.base import registry
            from aitia.tools.toolbox import Toolbox

            registry()
            with Toolbox.load(self.settings, given) as toolbox:
                asking = Asking(
                    toolbox, consents, session=session, replay=earlier, again=run
                )
                return self._ask(question, asking, told)
        else:
            asking = Asking(
                self.toolbox, consents, session=session, replay=earlier, again=run
            )
        return self._ask(question, asking, told)

    def _ask(self, question: str, asking: Asking, told: Told | None) -> Answer:
        from dataclasses import replace

        from aitia.ask import ask
        from aitia.llm.calls import Asks
        from aitia.methods.base import Reads
        from aitia.writeback.opinions import marked

        if told is not None:
            asking = replace(asking, told=told)
        asking.check()
        models = self.models.for_run() if self.models is not None else None
        aids = asking.aids(self.ledger, models, self.settings)
        replay = asking.replay
        asked: Asks | None = replay.models if replay is not None else models
        head = self.ledger.head()
        position = head.number if head else 0
        try:
            answer = ask(
                question or (replay.question if replay else ""),
                Reads(self.store, self.blobs, self.indexes, self.settings, asked),
                self.ledger.commit_or_record,
                agent=self.settings.agent,
                position=position,
                aids=aids,
            )
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                # The tools were ended with the run; the next one starts them again.
                self.__dict__.pop("toolbox", None)
            with suppress(AitiaError):
                self._watch_since(position)
            raise
        self.watch(NamedNode(answer.run))
        self.writeback.after_run(answer)
        return marked(self.writeback.desk, answer)

    def watch(self, run: NamedNode) -> list[Alert]:
        """Compare a run that ended with the thresholds of `[alerts]`.

        What it passed is put on record, returned, and added to `alerts`.
        """
        from aitia.monitor import watch

        settings = self.settings
        raised = watch(
            self.store,
            settings.alerts,
            self.ledger.commit,
            run,
            currency=settings.model.currency,
        )
        self.alerts.extend(raised)
        return raised

    def _watch_since(self, position: int) -> None:
        """Watch the run that began at a position of the ledger, if one did."""
        began = terms.integer(position)
        for quad in list(self.store.quads(None, AITIA.ledgerPosition, began)):
            if isinstance(quad.subject, NamedNode):
                self.watch(quad.subject)

    def _replay(self, question: str, run: str) -> Replay:
        """Return the record of a run that is to be asked again."""
        from aitia.ask.replay import Replay

        found = lookup.resolve(self.store, run)
        node = NamedNode(found.value.partition("/")[0])
        made = Replay(self.store, self.blobs, node, self.settings)
        if question and question != made.question:
            raise UsageError(
                "The question is not the one that the run was asked.",
                hint="Leave the question out: it is taken from the record.",
            )
        return made

    def close(self) -> None:
        """Publish what was committed and give the folder free. Safe to call twice.

        Raises:
            AitiaError: What was committed is kept, but could not be published.
        """
        try:
            if "toolbox" in self.__dict__:
                self.toolbox.close()
            if self.__dict__.get("models") is not None:
                self.__dict__["models"].close()
            if "indexes" in self.__dict__:
                self.indexes.close()
        finally:
            super().close()
