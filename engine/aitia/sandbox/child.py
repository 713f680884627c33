"""Runs one query in a process of its own; started by aitia.sandbox, never imported.

Reads a request as one line of JSON from standard input and writes lines of JSON:
{"form": …, "variables": […]}, then one list of terms a row, then {"end": …}.
A term is [kind, value] or [kind, value, datatype or language], or null.
"""

import ctypes
import json
import math
import os
import resource
import signal
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import pyoxigraph as ox

XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"


def main() -> None:
    """Answer the one request."""
    _end_with_the_starter()
    asked = json.loads(sys.stdin.buffer.readline())
    _cut_off()
    _limit(asked["seconds"], asked["megabytes"])
    try:
        found = _query(asked)
        for line in _lines(found, asked["rows"], asked["bytes"]):
            sys.stdout.write(line)
    except SyntaxError as error:
        _say({"error": "syntax", "message": str(error)})
    except MemoryError:
        _say({"error": "memory", "message": ""})
    except (OSError, RuntimeError, ValueError) as error:
        _say({"error": "run", "message": str(error)})
    sys.stdout.flush()


def _end_with_the_starter() -> None:
    """Let the kernel end this process with the one that started it, and on Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    die_with_parent = 1
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(die_with_parent, signal.SIGKILL)


def _cut_off() -> None:
    """Leave the network, where the kernel lets us: a second wall behind the first.

    The first is that aitia.sandbox.refuse passes no query with SERVICE; nothing
    relies on this one, so a kernel that forbids it is no failure.
    """
    if sys.platform != "linux":
        return
    new_network, new_user = 0x40000000, 0x10000000
    alone = new_network if os.getuid() == 0 else new_network | new_user
    ctypes.CDLL(None).unshare(alone)


def _limit(seconds: float, megabytes: int) -> None:
    """Bound memory, computing time and time; the last even if the starter is gone."""
    whole = math.ceil(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole))
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(whole)


def _query(asked: dict[str, Any]) -> Any:
    store = ox.Store.read_only(asked["path"])
    graphs = _graphs(store, asked)
    if graphs is None:
        return store.query(
            asked["query"],
            prefixes=asked["prefixes"],
            use_default_graph_as_union=True,
        )
    return store.query(
        asked["query"],
        prefixes=asked["prefixes"],
        default_graph=graphs,
        named_graphs=graphs,
    )


def _graphs(store: ox.Store, asked: dict[str, Any]) -> list[Any] | None:
    """Return the graphs that may be read, or None for all."""
    if asked["graphs"] is not None:
        return [ox.NamedNode(iri) for iri in asked["graphs"]]
    if not asked["runs"]:
        return None
    return [
        graph
        for graph in store.named_graphs()
        if _is_run(graph, asked) == (asked["runs"] == "only")
        and graph.value not in asked["without"]
    ]


def _is_run(graph: Any, asked: dict[str, Any]) -> bool:
    name = graph.value
    return bool(name.startswith(asked["run_start"]) and name.endswith(asked["run_end"]))


def _lines(found: Any, rows: int, size: int) -> Iterator[str]:
    if isinstance(found, ox.QueryBoolean):
        yield _line({"form": "ask", "variables": []})
        yield _line({"end": "whole", "answer": bool(found)})
        return
    if isinstance(found, ox.QuerySolutions):
        yield _line({"form": "select", "variables": [v.value for v in found.variables]})
        solutions: Iterable[Iterable[Any]] = found
    else:
        variables = ["subject", "predicate", "object"]
        yield _line({"form": "graph", "variables": variables})
        solutions = ((t.subject, t.predicate, t.object) for t in found)
    written, end = 0, "whole"
    for number, row in enumerate(solutions):
        line = _line([_term(term) for term in row])
        written += len(line)
        if (rows and number >= rows) or written > size:
            end = "rows" if rows and number >= rows else "size"
            break
        yield line
    yield _line({"end": end})


def _term(term: Any) -> Any:
    if term is None:
        return None
    if isinstance(term, ox.NamedNode):
        return ["uri", term.value]
    if isinstance(term, ox.BlankNode):
        return ["bnode", term.value]
    if isinstance(term, ox.Literal):
        if term.language:
            return ["literal", term.value, "", term.language]
        kind = term.datatype.value
        return ["literal", term.value, "" if kind == XSD_STRING else kind]
    return ["triple", str(term)]


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")) + "\n"


def _say(value: Any) -> None:
    sys.stdout.write(_line(value))


if __name__ == "__main__":
    main()
