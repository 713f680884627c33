"""What a run is given before it starts: models, tools, caches, an earlier record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from aitia.ask.aids import Aids, Calls
from aitia.ask.knowledge import Records, knowledge
from aitia.ask.replay import Replay
from aitia.ask.stream import Told, silent
from aitia.redact import Redactor

if TYPE_CHECKING:
    from pyoxigraph import NamedNode

    from aitia.llm.models import Models
    from aitia.settings import Settings
    from aitia.tools.consent import Consents
    from aitia.tools.kinds import Tool
    from aitia.tools.toolbox import Toolbox


@dataclass(frozen=True)
class Asking:
    """How a question is asked.

    Attributes:
        toolbox: The tools that a model may have called, or None.
        consents: Who permits a tool to change something outside, or None for nobody.
        told: Is told what happens while the run goes on.
        session: Name of the session that the run belongs to, or "".
        replay: The record of the run that is replayed, or None.
        again: The run whose question is asked again, or None.
    """

    toolbox: Toolbox | None = None
    consents: Consents | None = None
    told: Told = silent
    session: str = ""
    replay: Replay | None = None
    again: NamedNode | None = None

    def check(self) -> None:
        """Refuse permission for what is no tool.

        Raises:
            UsageError: A name that was permitted is no tool.
        """
        if self.consents is not None and self.toolbox is not None:
            self.consents.check(self.toolbox.tools)

    def aids(self, ledger: Records, models: Models | None, settings: Settings) -> Aids:
        """Return what the run may use.

        Args:
            ledger: Tells when the knowledge changed last.
            models: The models, whose cache is used.
            settings: The settings in force.
        """
        tools: Mapping[str, Tool] = self.toolbox.tools if self.toolbox else {}
        cache = models.cache if models is not None and self.replay is None else None
        return Aids(
            tools=tools,
            call=self._calls(tools, settings),
            allowed=self.consents.allowed if self.consents is not None else (),
            missing=self.toolbox.notes if self.toolbox else (),
            stop=partial(self._stop, models),
            told=self.told,
            session=self.session or settings.memory.session,
            cache=cache,
            knowledge=knowledge(ledger, cache) if cache is not None else 0,
            replay=self.replay,
            again=self.again,
        )

    def _stop(self, models: Models | None) -> None:
        if models is not None:
            models.stop()
        if self.toolbox is not None:
            self.toolbox.close()

    def _calls(self, tools: Mapping[str, Tool], settings: Settings) -> Calls | None:
        if self.replay is not None:
            return self.replay.caller(tools)
        if self.toolbox is None:
            return None
        from aitia.tools.calling import perform
        from aitia.tools.consent import NOBODY

        def call(name: str, arguments: Mapping[str, Any]) -> Any:
            return made(name, arguments, consents, redactor)

        made = partial(perform, self.toolbox)
        consents, redactor = self.consents or NOBODY, Redactor(settings)
        return call
