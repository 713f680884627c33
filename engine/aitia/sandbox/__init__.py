"""Runs people's own SPARQL where it can do no harm.

Each query runs in a child process on a copy of the store that nobody writes to,
with limits on time and memory, after `refuse.check` passed it. A query that brings
its process down ends with a plain sentence here.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from aitia import terms
from aitia.errors import QueryError, QueryLimit, UsageError
from aitia.prefixes import PREFIXES
from aitia.sandbox import order, refuse

SCOPES: Final = ("current", "catalog", "runs", "ledger", "inferred")
MOST_BYTES: Final = 256 << 20
"""So much of a result is taken over from the child."""
_CHILD: Final = Path(__file__).with_name("child.py")


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a result.

    Attributes:
        kind: `uri`, `bnode`, `literal` or `triple`.
        value: The IRI, the label, the text or the triple as N-Triples.
        datatype: IRI of a literal's datatype, "" for plain strings.
        language: A literal's language tag, or "".
    """

    kind: str
    value: str
    datatype: str = ""
    language: str = ""


@dataclass(frozen=True)
class QueryResult:
    """What a query found.

    Attributes:
        form: `select`, `ask` or `graph` (CONSTRUCT and DESCRIBE).
        variables: The columns; `subject`, `predicate`, `object` for a graph.
        rows: The rows, None where a variable is unbound.
        answer: The answer of an ASK query.
        cut: "" where the result is whole, `rows` or `size` where a limit cut it.
    """

    form: str
    variables: tuple[str, ...] = ()
    rows: list[tuple[Term | None, ...]] = field(default_factory=list)
    answer: bool = False
    cut: str = ""


def run(
    path: Path,
    sparql: str,
    *,
    scope: str | None = None,
    seconds: float,
    megabytes: int,
    rows: int = 0,
) -> QueryResult:
    """Return what a query finds.

    Args:
        path: Folder of a store that nobody writes to.
        sparql: A SELECT, ASK, CONSTRUCT or DESCRIBE query.
        scope: One of `SCOPES`, or None for everything.
        seconds: Time it may take.
        megabytes: Memory it may take.
        rows: Rows it may return; 0 for all.

    Raises:
        QueryRefused: It updates, reaches the network, or is too long or too deep.
        QueryLimit: It was stopped at a limit.
        QueryError: It is no SPARQL, or could not be run.
        UsageError: There is no such scope.
    """
    refuse.check(sparql)
    asked = {
        "path": str(path),
        "query": sparql,
        "prefixes": dict(PREFIXES),
        "seconds": seconds,
        "megabytes": megabytes,
        "rows": rows,
        "bytes": MOST_BYTES,
        **_graphs(scope),
    }
    output, code, complaint = _in_child(asked, seconds)
    if code != 0:
        raise _stopped(code, complaint, seconds, megabytes)
    return _ordered(_read(output, megabytes), sparql)


def _ordered(found: QueryResult, sparql: str) -> QueryResult:
    """Return a result with its columns as the query has them."""
    if found.form != "select":
        return found
    places = order.as_written(sparql, found.variables)
    return replace(
        found,
        variables=tuple(found.variables[i] for i in places),
        rows=[tuple(row[i] for i in places) for row in found.rows],
    )


def _graphs(scope: str | None) -> dict[str, Any]:
    """Return which graphs a scope reads, in the child's words."""
    runs = {"run_start": f"{terms.BASE}run:", "run_end": "/trace"}
    named = {
        "catalog": [terms.GRAPH_CATALOG.value],
        "ledger": [terms.GRAPH_LEDGER.value],
        "inferred": [terms.GRAPH_INFERRED.value],
    }
    if scope is None or scope in named:
        return {"graphs": named[scope] if scope else None, "runs": "", **runs}
    if scope == "runs":
        return {"graphs": None, "runs": "only", "without": [], **runs}
    if scope == "current":
        others = [g.value for g in terms.SYSTEM_GRAPHS - {terms.GRAPH_CURRENT}]
        return {"graphs": None, "runs": "none", "without": others, **runs}
    raise UsageError(f"There is no scope {scope!r}: choose from {', '.join(SCOPES)}.")


_FEW_ARENAS: Final = {"MALLOC_ARENA_MAX": "2"}
"""The limit is on address space, of which glibc sets 64 MB aside for each arena, one a
thread: with as many as the store has threads, a small query can fail for want of it."""


def _in_child(asked: Mapping[str, Any], seconds: float) -> tuple[bytes, int, str]:
    """Return the child's output, its exit code and what it complained of."""
    # -P: the child's own folder must not shadow the standard library.
    child = subprocess.Popen(
        [sys.executable, "-P", str(_CHILD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | _FEW_ARENAS,
    )
    try:
        output, complaint = child.communicate(
            json.dumps(asked).encode() + b"\n", timeout=seconds
        )
    except subprocess.TimeoutExpired as error:
        raise QueryLimit(
            f"The query was stopped after {seconds:g} seconds.",
            hint="`--timeout` or the setting query_timeout allows more.",
        ) from error
    finally:
        child.kill()
        child.communicate()
    return output, child.returncode, complaint.decode(errors="replace")


def _stopped(
    code: int, complaint: str, seconds: float, megabytes: int
) -> QueryLimit | QueryError:
    if code in (-signal.SIGXCPU, -signal.SIGALRM):
        return QueryLimit(f"The query was stopped after {seconds:g} seconds.")
    if "memory allocation" in complaint or code == -signal.SIGKILL:
        return _out_of_memory(megabytes)
    if code < 0:
        return QueryLimit(
            f"The query brought its process down (signal {-code}): too deep or too "
            f"large for {megabytes:,} MB."
        )
    last = complaint.strip().splitlines()[-1:] or [f"exit code {code}"]
    return QueryError(f"The query could not be run: {last[0]}")


def _out_of_memory(megabytes: int) -> QueryLimit:
    return QueryLimit(
        f"The query needed more than {megabytes:,} MB of memory.",
        hint="The setting query_memory allows more.",
    )


def _read(output: bytes, megabytes: int) -> QueryResult:
    lines = output.decode("ascii").splitlines()
    last = json.loads(lines[-1]) if lines else {"error": "run", "message": "no result"}
    if "error" in last:
        if last["error"] == "memory":
            raise _out_of_memory(megabytes)
        said = "is not SPARQL" if last["error"] == "syntax" else "could not be run"
        raise QueryError(f"The query {said}: {last['message']}")
    head = json.loads(lines[0])
    return QueryResult(
        form=head["form"],
        variables=tuple(head["variables"]),
        rows=[_row(line) for line in lines[1:-1]],
        answer=bool(last.get("answer")),
        cut="" if last["end"] == "whole" else last["end"],
    )


def _row(line: str) -> tuple[Term | None, ...]:
    return tuple(None if cell is None else Term(*cell) for cell in json.loads(line))
