"""One server and model: asks, waits while it is busy, and learns what it can do."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from aitia.llm import faults, wire
from aitia.llm.abilities import Abilities, Memory
from aitia.llm.calls import ModelDown, ModelError
from aitia.llm.connection import Connection
from aitia.llm.patience import Patience, Watch
from aitia.llm.tiers import Target
from aitia.llm.veil import Veil
from aitia.settings.model import ModelSettings

UNREAD: Final = 10_000
"""So many characters of what is no reply are kept at most."""
LISTED: Final = 8
"""So many of a server's models are told at most."""


class Refused(Exception):
    """A request failed for good.

    Attributes:
        error: What went wrong, as the client tells it.
        tries: How often it was sent.
    """

    def __init__(self, error: Exception, tries: int = 1) -> None:
        super().__init__(str(error))
        self.error, self.tries = error, tries


class Server:
    """A server and one of its models. Safe to use from several threads at once."""

    def __init__(
        self,
        target: Target,
        settings: ModelSettings,
        memory: Memory,
        stop: threading.Event,
        veil: Veil,
    ) -> None:
        """Make ready to ask; nothing is sent yet.

        Args:
            target: Address, model and key.
            settings: How it is asked.
            memory: What was found out about it earlier.
            stop: Set when nothing is to be waited for any more.
            veil: Masks secrets in what it says.
        """
        self.target, self._settings, self._memory = target, settings, memory
        self._stop, self._veil = stop, veil
        self._line = Connection(target, settings.timeout, veil)

    @property
    def can(self) -> Abilities:
        """What it can do, as far as is known."""
        return self._memory.get(self.target.url, self.target.name)

    def learn(self, found: Abilities) -> None:
        """Remember what it can do."""
        if found != self.can:
            self._memory.put(self.target.url, self.target.name, found)

    def ask(self, question: wire.Question, watch: Watch) -> wire.Answer:
        """Ask in the best way that the server takes.

        Args:
            question: What is asked.
            watch: What is told on the way, and how long there is.

        Raises:
            ModelDown: No reply could be had.
            OutOfTime: The time was over before one came.
        """
        can, bases = self.can, self._bases()
        first: Exception | None = None
        while True:
            can = replace(can, path=urlsplit(bases[0]).path)
            try:
                found = self._attempt(question, can, bases[0], watch)
            except wire.BrokenOff:
                # In one piece it comes whole or not at all.
                question = replace(question, streams=False)
            except (wire.NotSpoken, Refused) as error:
                first = first or error
                if lower := self._lower(question, can, error):
                    can = lower
                elif not self._is_elsewhere(error):
                    raise self._plain(error) from error
                elif not (bases := bases[1:]):
                    raise self._plain(first) from error
            else:
                self.learn(_learnt(can, question, found))
                return found

    def calls_tools(self, question: wire.Question, watch: Watch) -> bool:
        """Find out whether the model replies by calling a tool, and remember it.

        Args:
            question: One with a shape, to be replied to as a tool's arguments.
            watch: What is told on the way.

        Raises:
            ModelDown: No reply could be had, for another reason than the tool.
        """
        can = replace(self.can, format="tool")
        try:
            called = self._attempt(question, can, self._bases()[0], watch).called
        except Refused as error:
            if faults.status(error.error) not in faults.REFUSED:
                raise self._plain(error) from error
            called = False
        self.learn(replace(self.can, tools=called))
        return called

    def forget(self) -> None:
        """Find out anew what it can do."""
        self._memory.forget(self.target.url, self.target.name)

    def models(self) -> list[str]:
        """Return the names of the models that the server lists; none where it does not.

        Raises:
            ModelDown: It cannot be reached, or refuses.
        """
        for base in self._bases():
            try:
                return self._line.models(base)
            except faults.api_error() as error:
                if not self._is_elsewhere(refused := Refused(error)):
                    raise self._plain(refused) from error
            except ValueError:
                continue
        return []

    def close(self) -> None:
        """Give its connections free."""
        self._line.close()

    def _lower(
        self, question: wire.Question, can: Abilities, error: Exception
    ) -> Abilities | None:
        """Return what else to try after a refusal, or None."""
        if not isinstance(error, Refused):
            return None
        return faults.adapted(can, question.body(can), error.error)

    def _is_elsewhere(self, error: Exception) -> bool:
        """Tell whether the protocol may be spoken at another address."""
        if isinstance(error, Refused):
            return faults.is_elsewhere(error.error, self.target.name)
        return isinstance(error, wire.NotSpoken)

    def _plain(self, error: Exception) -> ModelError:
        if not isinstance(error, Refused):
            told = f"does not speak the OpenAI protocol: {error}"
            return ModelDown(f"The model's server at {self.target.place} {told}.")
        seconds = self._settings.timeout
        made = faults.plain(error.error, self.target, error.tries, seconds, self._veil)
        if faults.status(error.error) == 404 and (names := self._listed()):
            made.hint = f"It has {names}."
        return made

    def _listed(self) -> str:
        try:
            names = self.models()
        except ModelDown:
            return ""
        more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
        return self._veil.hide(", ".join(names[:LISTED])) + more

    def _bases(self) -> tuple[str, ...]:
        """Return the addresses to try, the one that is known first."""
        known = self.can.path
        bases = self.target.bases
        return tuple(sorted(bases, key=lambda base: urlsplit(base).path != known))

    def _attempt(
        self, question: wire.Question, can: Abilities, base: str, watch: Watch
    ) -> wire.Answer:
        """Send a question until it is answered, refused, or given up."""
        body = question.body(can)
        watch.check(body)
        patience = Patience(self._settings, watch, self._stop, self._veil)
        try:
            return patience.run(lambda: self._line.send(question, base, body, watch))
        except wire.BrokenOff as error:
            watch.note({"error": str(error)})
            raise
        except wire.NotSpoken as error:
            watch.note({"unreadable": wire.proper(error.text[:UNREAD])})
            raise
        except faults.api_error() as error:
            raise Refused(error, patience.tries) from error


def _learnt(can: Abilities, question: wire.Question, found: wire.Answer) -> Abilities:
    """Return abilities with what an answer shows of them."""
    if "stream" not in found.body or can.stream_usage:
        can = replace(can, usage=found.input_tokens is not None)
    if question.shape is None or can.format != "tool":
        return can
    return replace(can, tools=True) if found.called else can.lower() or can
