"""A method as it is run: apart from the record, so that several may run at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from aitia import terms
from aitia.methods.base import Method, Outcome, Reads
from aitia.trace.heard import Heard, Listening

Found = TypeVar("Found", bound=Outcome)


@dataclass(frozen=True)
class Ran(Generic[Found]):
    """A method that was run, and is not on record yet.

    Attributes:
        method: What was run.
        given: Its input.
        parameters: What it was told besides.
        started: When.
        ended: When it was over.
        output: What it returned; None where it broke off.
        trouble: What broke it off, or None.
        heard: The models that were asked on the way.
    """

    method: Method
    given: Any
    parameters: Mapping[str, Any]
    started: datetime
    ended: datetime
    output: Found | None = None
    trouble: Exception | None = None
    heard: tuple[Heard, ...] = ()


def run(
    reads: Reads, method: Method, given: Any, parameters: Mapping[str, Any]
) -> Ran[Any]:
    """Run a method and return how that went; touches no record and raises nothing."""
    reads, listening = _listened(reads)
    started = terms.now()
    output: Any = None
    trouble: Exception | None = None
    try:
        output = method.run(reads, given, **parameters)
    except Exception as error:
        trouble = error
    heard = tuple(listening.heard) if listening else ()
    return Ran(method, given, parameters, started, terms.now(), output, trouble, heard)


def _listened(reads: Reads) -> tuple[Reads, Listening | None]:
    """Return what may be read, with a note of each model that is asked."""
    if reads.models is None:
        return reads, None
    listening = Listening(reads.models)
    made = replace(reads, models=listening)
    # The schema is read once for all methods of a run, whatever models they ask.
    made.__dict__["schema"] = reads.schema
    return made, listening
