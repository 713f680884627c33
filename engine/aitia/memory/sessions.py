"""Sessions: runs that belong together, because their asker says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aitia import resources, terms
from aitia.store import Reader
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.trace import RunTrace


@dataclass
class SessionSummary:
    """One session in a list.

    Attributes:
        name: Its name.
        iri: Its IRI.
        runs: IRIs of its runs, newest first.
        first: When its first run started, ISO 8601 in UTC.
        last: When its newest run started.
        about: What the newest run was about.
        agents: Names of those who asked, sorted.
    """

    name: str
    iri: str
    runs: list[str] = field(default_factory=list)
    first: str = ""
    last: str = ""
    about: str = ""
    agents: list[str] = field(default_factory=list)


def sessions(reader: Reader) -> list[SessionSummary]:
    """Return the sessions, the one with the newest run first."""
    found: dict[str, SessionSummary] = {}
    for row in reader.select(resources.query("memory", "sessions")):
        iri, run, started = (row[x].value for x in ("session", "run", "started"))
        session = found.setdefault(iri, SessionSummary(row["name"].value, iri))
        if run not in session.runs:
            session.runs.append(run)
            session.first = started
            if not session.last:
                session.last = started
                session.about = row["about"].value if "about" in row else ""
        if "agent" in row and row["agent"].value not in session.agents:
            session.agents = sorted([*session.agents, row["agent"].value])
    return list(found.values())


def join(trace: RunTrace, name: str) -> None:
    """Put a run into a session, which is made where there is none of that name.

    Args:
        trace: The record of the run; nothing is committed here.
        name: The session's name; for "" nothing is done.

    Raises:
        UsageError: The name has no visible character.
    """
    if not name:
        return
    session = terms.session_iri(name)
    trace.introduce(session, AITIA.Session, name.strip())
    trace.say(trace.run, AITIA.inSession, session)
