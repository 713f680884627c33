"""JSON-LD by our context; nothing is fetched from anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NoReturn

from pyoxigraph import Quad, RdfFormat, serialize

from aitia import resources
from aitia.errors import ReadError


def text(quads: Iterable[Quad]) -> str:
    """Return quads as JSON-LD, compacted by `ontology/context.jsonld`.

    The context stands in the document itself, so that it can be read offline. The
    quads come sorted by graph and subject.
    """
    from pyld import jsonld

    expanded = json.loads(serialize(quads, format=RdfFormat.JSON_LD) or b"[]")
    context = json.loads(resources.text("ontology", "context.jsonld"))
    options = {"documentLoader": _refuse, "graph": True}
    compacted: dict[str, Any] = jsonld.compact(expanded, context, options)
    return json.dumps(compacted, ensure_ascii=False, indent=1) + "\n"


def _refuse(url: str, _options: object = None) -> NoReturn:
    raise ReadError(f"Nothing is fetched: the context at {url} was asked for.")
