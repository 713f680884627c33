"""Short ids: what a person types for a node, and the node it means.

An id is the node's IRI, the IRI without `urn:aitia:` (`run:k3f9x2ab`), the same
without its kind (`k3f9x2ab`), a unique start of one of these, `last` for the newest
run, the number of a commit, a document's path, or the label of a record in people's
data. A part of a run or document is its whole's id with the part behind it
(`k3f9x2ab/claim/1`); a part alone (`claim/1`) is one of the newest run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pyoxigraph import NamedNode

from aitia import resources, terms
from aitia.errors import AmbiguousId, NotFound
from aitia.prefixes import compact, expand
from aitia.store import Reader
from aitia.vocab import AITIA, RDFS

LAST: Final = "last"
KINDS: Final = (
    "run",
    "doc",
    "statement",
    "reading",
    "import",
    "agent",
    "method",
    "commit",
    "link",
    "graph",
    "proposal",
    "gap",
    "revision",
    "review",
)
"""The kinds of nodes of our own, as they stand in their IRIs."""
_HINT: Final = (
    "An id is `last`, the id of a run or document or the start of one, a commit's "
    "number, a document's path, a record's label or a full IRI; `aitia runs` lists the "
    "runs."
)
_SHOWN: Final = 80
_COMMIT: Final = re.compile(r"(?:commit:|#)?([0-9]{1,12})")


def resolve(reader: Reader, text: str) -> NamedNode:
    """Return the node that `text` names.

    Raises:
        NotFound: There is no such node.
        AmbiguousId: More than one node is meant.
    """
    asked = text.strip()
    if not _is_text(asked):
        raise NotFound("An id cannot be empty or hold broken characters.", hint=_HINT)
    if asked == LAST:
        return newest_run(reader)
    for candidate in _exact(asked):
        if exists(reader, candidate):
            return candidate
    found = (
        _document(reader, asked)
        or _labelled(reader, asked)
        or _of_newest_run(reader, asked)
        or _start_of(reader, asked)
    )
    if found is None:
        raise NotFound(f"Nothing on record is called {_shown(asked)}.", hint=_HINT)
    return found


def newest_run(reader: Reader) -> NamedNode:
    """Return the run that started last.

    Raises:
        NotFound: There is no run yet.
    """
    rows = reader.select(resources.query("lookup", "newest_run"))
    run = rows[0]["run"] if rows else None
    if not isinstance(run, NamedNode):
        raise NotFound("There is no run yet.", hint="`aitia ask QUESTION` makes one.")
    return run


def exists(reader: Reader, node: NamedNode) -> bool:
    """Return whether a node is on record, in any place of a quad."""
    return any(
        next(reader.quads(*place), None) is not None
        for place in (
            (node, None, None, None),
            (None, None, node, None),
            (None, None, None, node),
            (None, node, None, None),
        )
    )


def short(iri: str) -> str:
    """Return an IRI as people type it: without the base of our own ids."""
    return iri.removeprefix(terms.BASE)


def name(iri: str) -> str:
    """Return an IRI as people read it: a short id, or a name with a known prefix."""
    return short(iri) if iri.startswith(terms.BASE) else compact(iri)


def _is_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return bool(text)


def _exact(text: str) -> Iterator[NamedNode]:
    """Yield the nodes that `text` names in full, one way or another."""
    if commit := _COMMIT.fullmatch(text):
        yield terms.commit_iri(int(commit[1]))
    bare = text[1:-1] if text.startswith("<") and text.endswith(">") else text
    if whole := expand(bare):
        bare = whole
    heads = ("", terms.BASE, *(f"{terms.BASE}{kind}:" for kind in KINDS), terms.DATA)
    for head in heads:
        try:
            yield NamedNode(head + bare)
        except ValueError:
            continue  # not an IRI, so not the name of a node either


def _document(reader: Reader, text: str) -> NamedNode | None:
    """Return the document of that path, the version in use before older ones."""
    bound = {"text": terms.string(text)}
    rows = reader.select(resources.query("lookup", "by_path"), bound)
    live = [row for row in rows if row["state"] == AITIA.live]
    return _only(text, [row["node"] for row in live or rows])


def _labelled(reader: Reader, text: str) -> NamedNode | None:
    """Return the node of people's data that has this label."""
    quads = reader.quads(None, RDFS.label, terms.string(text))
    subjects = (quad.subject for quad in quads)
    return _only(
        text,
        [
            subject
            for subject in subjects
            if isinstance(subject, NamedNode)
            and not subject.value.startswith(terms.BASE)
        ],
    )


def _start_of(reader: Reader, text: str) -> NamedNode | None:
    """Return the node whose id starts with `text`, or the part of such a node."""
    head, tail = _parted(text)
    bound = {"text": terms.string(head), "base": terms.string(terms.BASE)}
    rows = reader.select(resources.query("lookup", "by_prefix"), bound) if head else []
    whole = _only(head, [row["node"] for row in rows])
    if whole is None:
        return None
    return _part(reader, whole, tail) if tail else whole


def _of_newest_run(reader: Reader, text: str) -> NamedNode | None:
    """Return the part of the newest run that is called so, whole: `answer`, `claim/1`.

    It comes before ids that merely start with the text: a method's may.
    """
    try:
        return _part(reader, newest_run(reader), f"/{text}")
    except NotFound:
        return None


def _part(reader: Reader, whole: NamedNode, tail: str) -> NamedNode | None:
    try:
        part = NamedNode(whole.value + tail)
    except ValueError:
        return None
    return part if exists(reader, part) else None


def _parted(text: str) -> tuple[str, str]:
    """Part an id before the first slash or hash: the whole, and the part."""
    at = min((i for i in (text.find("/"), text.find("#")) if i >= 0), default=len(text))
    return text[:at], text[at:]


def _only(text: str, found: Iterable[object]) -> NamedNode | None:
    """Return the one node found, or None.

    Raises:
        AmbiguousId: There are more.
    """
    nodes = sorted({node for node in found if isinstance(node, NamedNode)}, key=str)
    if len(nodes) > 1:
        raise AmbiguousId(
            f"{_shown(text)} fits {len(nodes)} nodes.",
            [short(node.value) for node in nodes],
        )
    return nodes[0] if nodes else None


def _shown(text: str) -> str:
    whole = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return f"“{whole}”"
