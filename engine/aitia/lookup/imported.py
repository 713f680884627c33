"""Runs that came in with a file: others claim them, nobody observed them here."""

from __future__ import annotations

from urllib.parse import unquote

from pyoxigraph import NamedNode

from aitia import resources, terms
from aitia.lookup import short
from aitia.store import Reader, Row
from aitia.vocab import AITIA

_RUN = f"{terms.BASE}run:"


def imported(reader: Reader) -> dict[str, str]:
    """Return the IRI of each run that was imported → from where, by whom and when."""
    if next(reader.quads(None, AITIA.importedBy), None) is None:
        return {}
    found: dict[str, list[str]] = {}
    for row in reader.select(resources.query("lookup", "imported")):
        found.setdefault(row["run"].value, []).append(_words(row))
    return {
        run: f"imported {', and '.join(dict.fromkeys(told))}: claimed, not observed here"
        for run, told in found.items()
    }


def of_node(reader: Reader, node: NamedNode) -> str:
    """Return how the run that a node is, or is part of, was imported; "" if not."""
    told = imported(reader)
    if not told:
        return ""
    runs = [run_of(node.value)]
    runs += [
        str(getattr(q.object, "value", "")) for q in reader.quads(node, AITIA.inRun)
    ]
    return next((told[run] for run in runs if run in told), "")


def graphs(reader: Reader) -> set[str]:
    """Return the IRIs of the graphs of imported runs."""
    subjects = (quad.subject for quad in reader.quads(None, AITIA.importedBy))
    return {terms.run_graph(x).value for x in subjects if isinstance(x, NamedNode)}


def run_of(iri: str) -> str:
    """Return the run that an IRI is, or is part of by its name; "" for none."""
    return iri.partition("/")[0] if iri.startswith(_RUN) else ""


def _words(row: Row) -> str:
    location = row["location"].value if "location" in row else "a file"
    agent = row["agent"].value if "agent" in row else "somebody"
    name = row["name"].value if "name" in row else short(agent)
    when = row["ended"].value[:10] if "ended" in row else "a day not told"
    path = unquote(location.removeprefix("file://"))
    return f"from {path} by {name} on {when}"
