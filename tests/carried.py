"""Exports of a workspace, and what the tests of export and import share."""

import io

from pyoxigraph import Quad

from aitia import Workspace
from aitia.interop import Exported

WITH_GRAPHS = ("trig", "nquads", "jsonld")
ENDING = {
    "turtle": "ttl",
    "ntriples": "nt",
    "rdfxml": "rdf",
    "trig": "trig",
    "nquads": "nq",
    "jsonld": "jsonld",
}


def export(
    workspace: Workspace, form: str, what: str = "all", *, enclose: bool = True
) -> tuple[bytes, Exported]:
    out = io.BytesIO()
    told = workspace.export(out, what=what, form=form, enclose=enclose)
    return out.getvalue(), told


def quads(workspace: Workspace) -> set[Quad]:
    return set(workspace.store.quads())
