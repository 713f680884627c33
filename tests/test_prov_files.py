"""Other people's PROV files: loaded, exported, reloaded, the same again."""

from pathlib import Path

import pytest
from pyoxigraph import (
    BlankNode,
    CanonicalizationAlgorithm,
    Dataset,
    NamedNode,
    Quad,
    RdfFormat,
    Store,
    parse,
)

from aitia import Workspace, terms
from aitia.ingest import Ingest
from aitia.interop import FORMATS
from aitia.interop.incoming import FORMATS as NATIVE
from tests.carried import export, quads
from tests.conftest import shared_folder

SHORT = 13_000
"""Bytes beyond which a PROV file is for the long form."""
PROV_FILES = sorted(
    path
    for path in (shared_folder() / "data" / "prov").rglob("*")
    if path.suffix in (".ttl", ".nt", ".jsonld", ".rdf", ".owl")
)


def _long(path: Path) -> bool:
    return path.stat().st_size > SHORT


@pytest.mark.parametrize(
    "path",
    [pytest.param(x, marks=[pytest.mark.full] if _long(x) else []) for x in PROV_FILES]
    or [None],
    ids=lambda path: path.name[:40] if path else "absent",
)
def test_prov_files_come_back_isomorphic(path: Path | None, tmp_path: Path) -> None:
    """Every PROV file loads, exports and reloads; literals as the store writes them."""
    if path is None:
        pytest.skip("the shared PROV files are not here (set AITIA_SHARED)")
    with Workspace.open(tmp_path / "ws") as workspace:
        task = Ingest(
            workspace.store, workspace.blobs, workspace.ledger, workspace.settings
        )
        (file,) = task.run([str(path)]).files
        assert file.outcome == "added", file.reason
        for form in FORMATS:
            data, told = export(workspace, form, "current")
            assert told.left_out == ()
            found = {quad.triple for quad in parse(data, NATIVE[form])}
            standing = quads(workspace)
            catalog = (terms.GRAPH_CATALOG, terms.GRAPH_LEDGER)
            assert found == {q.triple for q in standing if q.graph_name not in catalog}
        nquads = export(workspace, "ntriples", "current")[0]
    _same_as_the_file(path, nquads)


def _same_as_the_file(path: Path, exported: bytes) -> None:
    """Compare up to names of blank nodes and the literals that the store rewrites."""
    scratch = Store()
    form = {".nt": "ntriples", ".jsonld": "jsonld", ".ttl": "turtle"}[path.suffix]
    base = path.resolve().as_uri()
    scratch.extend(
        Quad(q.subject, q.predicate, q.object)
        for q in parse(path.read_bytes(), NATIVE[form], base_iri=base)
    )
    original = Dataset(scratch)
    again = Dataset(_blank(q) for q in parse(exported, RdfFormat.N_TRIPLES))
    for dataset in (original, again):
        dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    assert set(again) == set(original)


def _blank(quad: Quad) -> Quad:
    """Return the quad with the names that an ingest gave taken back."""

    def back(term: object) -> object:
        if isinstance(term, NamedNode) and term.value.startswith("urn:data:genid/"):
            return BlankNode(term.value.rpartition("/")[2])
        return term

    return Quad(back(quad.subject), quad.predicate, back(quad.object))  # type: ignore[arg-type]
