"""What a run may use besides what is on record: tools, memory, and who is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from aitia.ask.stream import Told, silent

if TYPE_CHECKING:
    from pyoxigraph import NamedNode

    from aitia.ask.replay import Replay
    from aitia.tools.calling import Performed
    from aitia.tools.kinds import Tool


class Keeps(Protocol):
    """Where things are kept for the next time; `aitia.llm.cache.Cache` is it."""

    def get(self, kind: str, key: str) -> str | None:
        """Return what is kept under a key, or None."""
        ...

    def put(self, kind: str, key: str, text: str) -> None:
        """Keep a text, in place of what is there."""
        ...


class Calls(Protocol):
    """Who calls tools; answers from a record where a run is replayed."""

    def __call__(self, name: str, arguments: Mapping[str, Any]) -> Performed:
        """Call a tool; touches no record of the run, and is safe in several threads."""
        ...


@dataclass(frozen=True)
class Aids:
    """What a run may use besides what is on record.

    Attributes:
        tools: The tools that a model may have called, by name.
        call: Calls them; None where there are none.
        allowed: Names of the tools that may change something in the whole run, sorted.
        missing: Tools that are named and not there, and why.
        stop: Ends what is waited for, where the run is interrupted.
        told: Is told what happens while the run goes on.
        session: Name of the session that the run belongs to, or "".
        cache: Where decompositions and retrievals are kept, or None.
        knowledge: Number of the newest commit that changed what is known, not of a run:
            what is kept is good for that state of the knowledge.
        replay: The record of an earlier run that this one follows, or None.
        again: The earlier run whose question this one asks again, or None.
    """

    tools: Mapping[str, Tool] = field(default_factory=dict)
    call: Calls | None = None
    allowed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    stop: Callable[[], None] = lambda: None
    told: Told = silent
    session: str = ""
    cache: Keeps | None = None
    knowledge: int = 0
    replay: Replay | None = None
    again: NamedNode | None = None


NONE: Final = Aids()
