"""Recorded replies in place of a model: the same run again, without a server."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass

from aitia.blobs import Blobs
from aitia.errors import NotIntact
from aitia.llm import keeping, reading
from aitia.llm.calls import Call, ModelError, Reply, Tier
from aitia.llm.differs import Messages, differs, messages
from aitia.llm.models import again
from aitia.redact import Redactor, Rules


class NotRecorded(ModelError):
    """The record holds no reply to what is asked: the run takes another course."""


@dataclass(frozen=True)
class Step:
    """A call of a model as it stands on record.

    Attributes:
        raw: Name of the blob with the replies.
        cached: Whether it was one from the cache.
    """

    raw: str
    cached: bool = False


class Recorded:
    """Replies as they are on record. Safe to use from several threads at once."""

    def __init__(
        self, blobs: Blobs, steps: Iterable[Step], rules: Rules | None = None
    ) -> None:
        """Read the replies of a run.

        Args:
            blobs: Where they are kept.
            steps: The calls in the order of the record, those that failed included.
            rules: What the user calls a secret; as when the run was recorded.

        Raises:
            NotFound: A blob is missing.
            NotIntact: One is damaged.
        """
        redactor = Redactor(rules)
        self._mask = lambda text: redactor.redact(text)[0]
        self._lock = threading.Lock()
        self._left: dict[str, deque[keeping.Kept]] = defaultdict(deque)
        self._names: dict[str, str] = {}
        self._blobs = blobs
        self._found: list[keeping.Kept] = []
        for step in steps:
            found = _kept(blobs, step)
            self._found.append(found)
            self._left[found.asked].append(found)
            self._names.setdefault(found.tier, found.target)

    @property
    def left(self) -> int:
        """How many recorded replies nobody asked for yet."""
        return sum(map(len, self._left.values()))

    def name(self, tier: Tier) -> str:
        """Return the name of the model of a tier; "" where none was asked."""
        return self._names.get(tier, "")

    def complete(self, call: Call) -> Reply:
        """Return the reply that is on record, or raise what was raised.

        The same question asked several times gets the replies in their order.

        Raises:
            NotRecorded: There is none.
            ModelError: As it was raised.
        """
        prompt = keeping.messages(call, self._mask)
        name = keeping.asked(call, prompt)
        with self._lock:
            if not (waiting := self._left.get(name)):
                raise NotRecorded(
                    f"The record holds no reply to this prompt ({call.purpose}).",
                    hint=differs(call, prompt, self._asked(call)),
                )
            found = waiting.popleft()
        if found.error is not None:
            raise found.error
        try:
            return again(call, found.reply)
        except reading.Unusable as error:
            told = f"The recorded reply ({call.purpose}) cannot be read: {error}."
            raise NotRecorded(told, reply=found.reply) from error

    def _asked(self, call: Call) -> list[tuple[str, Messages]]:
        """Return version and messages of the recorded prompts of a purpose."""
        return [
            (found.version, messages(self._blobs.text(found.reply.prompt)))
            for found in self._found
            if found.purpose == call.purpose and found.reply.prompt
        ]


def _kept(blobs: Blobs, step: Step) -> keeping.Kept:
    from dataclasses import replace

    try:
        found = keeping.kept(blobs, step.raw)
    except ValueError as error:
        raise NotIntact(str(error), [str(error)]) from error
    if not step.cached:
        return found
    return replace(found, reply=keeping.from_cache(found.reply))
