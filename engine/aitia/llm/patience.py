"""Sends a request again while what went wrong may pass, for as long as there is time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aitia.llm import faults, wire
from aitia.llm.veil import Veil
from aitia.settings.model import ModelSettings

if TYPE_CHECKING:
    import tenacity

Note = Callable[[dict[str, Any]], None]


class OutOfTime(Exception):
    """The time that a call may take is over."""


@dataclass(frozen=True)
class Watch:
    """What happens around a request.

    Attributes:
        note: Is told of each response, for the record.
        check: Is given each body before it is sent; raises where it must not be.
        tell: Is told in plain words what is being waited for.
        left: Tells the seconds that there are, or None without bound.
    """

    note: Note
    check: Callable[[dict[str, Any]], None]
    tell: Callable[[str], None]
    left: Callable[[], float | None]


class Patience:
    """Sends a request again while what went wrong may pass.

    Attributes:
        tries: How often it was sent.
    """

    def __init__(
        self,
        settings: ModelSettings,
        watch: Watch,
        stop: threading.Event,
        veil: Veil,
    ) -> None:
        """Start the clock.

        Args:
            settings: How often, and how long is waited between.
            watch: Who is told.
            stop: Set when nothing is to be waited for any more.
            veil: Masks secrets in what is told.
        """
        self._settings, self._watch, self._stop = settings, watch, stop
        self._veil = veil
        self.tries = self._late = 0
        self._over = False

    def run(self, send: Callable[[], wire.Answer]) -> wire.Answer:
        """Send, and return the answer.

        Raises:
            OutOfTime: The next try would come too late.
            APIError: What went wrong does not pass, or did not.
        """
        import tenacity

        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(faults.is_passing),
            wait=self._pause,
            stop=self._ends,
            sleep=tenacity.sleep_using_event(self._stop),
            before_sleep=self._tell,
            reraise=True,
        )
        try:
            return retrying(self._once, send)
        except faults.api_error() as error:
            if self._over or (faults.timed_out(error) and self._watch.left() == 0.0):
                raise OutOfTime from error
            raise

    def _once(self, send: Callable[[], wire.Answer]) -> wire.Answer:
        self.tries += 1
        if self._watch.left() == 0.0:
            raise OutOfTime
        try:
            return send()
        except faults.api_error() as error:
            self._late += faults.timed_out(error)
            said = faults.message(error, self._veil)
            self._watch.note({"status": faults.status(error), "error": said})
            raise

    def _pause(self, state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        longest = self._settings.longest_wait
        return faults.pause(error, state.attempt_number, longest)

    def _ends(self, state: tenacity.RetryCallState) -> bool:
        # Who took too long twice is not waited for a third time.
        if self._stop.is_set() or self._late > 1:
            return True
        if state.attempt_number > self._settings.retries:
            return True
        left = self._watch.left()
        self._over = left is not None and state.upcoming_sleep >= left
        return self._over

    def _tell(self, state: tenacity.RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        code = faults.status(error) if error else 0
        why = f"is busy ({code})" if code else "did not reply"
        seconds = f"{state.upcoming_sleep:.3g}"
        self._watch.tell(f"the model's server {why}: asking again in {seconds} s")
