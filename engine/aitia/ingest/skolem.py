"""Blank nodes become IRIs that are the same whenever the same file is read.

The IRI is made of the hash of the file's bytes and the canonical label that RDFC-1.0
(RDF Dataset Canonicalization) gives the blank node. Canonical labels can take time
that grows exponentially with blank nodes that look alike, so that anything but the
simple case is worked out in a process of its own that is stopped at a time limit.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator

from pyoxigraph import (
    BlankNode,
    CanonicalizationAlgorithm,
    Dataset,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    RdfFormat,
    parse,
    serialize,
)

from aitia import terms
from aitia.errors import ReadError

BASE = terms.DATA + "genid/"
MOST = 100_000
"""Blank nodes that a file may have."""
SECONDS = 20.0
"""Time that finding their canonical labels may take."""

_CHILD = """
import sys
from pyoxigraph import CanonicalizationAlgorithm, Dataset, RdfFormat, parse, serialize
found = Dataset(parse(sys.stdin.buffer, format=RdfFormat.N_QUADS))
found.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
serialize(found, sys.stdout.buffer, format=RdfFormat.N_QUADS)
"""


def skolemised(quads: Iterable[Quad], content_hash: str) -> list[Quad]:
    """Return the quads with an IRI in place of each blank node.

    Args:
        quads: What a file states.
        content_hash: SHA-256 of the file.

    Raises:
        ReadError: There are too many blank nodes, or they are too alike.
    """
    plain, blank = list[Quad](), list[Quad]()
    for quad in quads:
        (blank if any(_blanks(quad)) else plain).append(quad)
    if not blank:
        return plain
    count = len({node for quad in blank for node in _blanks(quad)})
    if count > MOST:
        raise ReadError(
            f"it has {count:,} blank nodes, more than {MOST:,}",
            hint="Give the nodes IRIs.",
        )
    base = f"{BASE}{content_hash[:12]}/"
    made = (_named(quad, base) for quad in _canonical(blank, count))
    return [*plain, *made]


def _canonical(quads: list[Quad], count: int) -> Iterable[Quad]:
    if _all_different(quads):
        found = Dataset(quads)
        found.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
        return found
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _CHILD],
            input=serialize(quads, format=RdfFormat.N_QUADS),
            capture_output=True,
            timeout=SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise ReadError(
            f"its {count:,} blank nodes are so alike that they could not be told "
            f"apart in {SECONDS:.0f} seconds",
            hint="Give the nodes IRIs, or say something different of each.",
        ) from error
    except subprocess.CalledProcessError as error:
        raise ReadError("its blank nodes could not be told apart") from error
    return parse(done.stdout, format=RdfFormat.N_QUADS)


def _all_different(quads: list[Quad]) -> bool:
    """Say whether what is said of each blank node tells it from every other.

    These are the first-degree hashes of RDFC-1.0; where they all differ, the labels
    follow from them in linear time.
    """
    said: dict[BlankNode, list[str]] = defaultdict(list)
    for quad in quads:
        for node in set(_blanks(quad)):
            said[node].append(" ".join(_seen_from(node, quad)))
    hashes = {
        hashlib.sha256("\n".join(sorted(lines)).encode()).digest()
        for lines in said.values()
    }
    return len(hashes) == len(said)


def _seen_from(node: BlankNode, quad: Quad) -> Iterator[str]:
    for term in (quad.subject, quad.predicate, quad.object, quad.graph_name):
        if isinstance(term, BlankNode):
            yield "_:a" if term == node else "_:z"
        else:
            yield str(term)


def _blanks(quad: Quad) -> Iterator[BlankNode]:
    for term in (quad.subject, quad.object, quad.graph_name):
        if isinstance(term, BlankNode):
            yield term


def _named(quad: Quad, base: str) -> Quad:
    subject, obj, graph = (
        NamedNode(base + term.value) if isinstance(term, BlankNode) else term
        for term in (quad.subject, quad.object, quad.graph_name)
    )
    assert isinstance(subject, NamedNode)
    assert isinstance(obj, NamedNode | Literal)
    assert isinstance(graph, NamedNode | DefaultGraph)
    return Quad(subject, quad.predicate, obj, graph)
