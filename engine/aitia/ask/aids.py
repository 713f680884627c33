"""What a run may use besides what is on record: tools, memory, and who is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from aitia.ask.stream import Told, silent

if TYPE_CHECKING:
    from pyoxigraph import NamedNode

    from aitia.llm.cache import Cache
    from aitia.tools.consent import Consents
    from aitia.tools.toolbox import Toolbox


@dataclass(frozen=True)
class Aids:
    """What a run may use besides what is on record.

    Attributes:
        toolbox: The tools that a model may have called, or None.
        consents: Who permits a tool to change something outside, or None.
        told: Is told what happens while the run goes on.
        session: Name of the session that the run belongs to, or "".
        cache: Where decompositions and retrievals are kept, or None.
        knowledge: Number of the newest commit that changed what is known, not of a run:
            what is kept is good for that state of the knowledge.
        replays: The run whose recorded replies this one uses, or None.
    """

    toolbox: Toolbox | None = None
    consents: Consents | None = None
    told: Told = silent
    session: str = ""
    cache: Cache | None = None
    knowledge: int = 0
    replays: NamedNode | None = None


NONE: Final = Aids()
