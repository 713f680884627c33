"""Everything this package raises.

AitiaError                  exit 1
├── UsageError              exit 2  the call itself is wrong
│   ├── SettingsError       exit 2  a setting has no meaning
│   ├── AmbiguousId         exit 2  a short id fits more than one node
│   └── CannotReckon        exit 2  an expression that is not reckoned
├── NotFound                exit 1  no node, file or workspace of that name
├── ReadError               exit 1  a file could not be read as what it is
│   └── NoReader            exit 1  no reader reads files of that kind
├── QueryError              exit 1  SPARQL the store would not run
│   ├── QueryRefused        exit 2  an update, SERVICE or LOAD, or too deep
│   └── QueryLimit          exit 1  a query stopped at its time or memory limit
├── TooMuch                 exit 1  more than a bound allows at once
├── Locked                  exit 1  another process is writing
├── IndexMismatch           exit 1  an index does not fit the model or the store
├── ToolFailed              exit 1  a tool could not be loaded or called
├── ModelError              exit 1  no reply of a model could be had or used
│   ├── ModelDown           exit 1  its server cannot be reached or stays busy
│   ├── BadReply            exit 1  not what was asked for, after the repair try too
│   │   └── TooLong         exit 1  the prompt does not fit; nothing was sent
│   ├── BudgetSpent         exit 1  the run has used up what it may
│   └── NotRecorded         exit 1  a replayed run asks what the record does not hold
├── Refused                 exit 1  a decision over a proposal that may not be made
├── Denied                  exit 1  the gate refused what a model proposed in a run
├── ShapeViolation          exit 4  a patch the gate refused
└── NotIntact               exit 4  ledger, store, blobs or indexes do not agree

Those that are not below are defined beside what raises them. A run of `ask` catches
what models and tools do wrong, goes on or ends, and puts it on record; of these errors
it lets only `NotRecorded` out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from aitia.model import Violation


class AitiaError(Exception):
    """Base class of every error this package raises.

    Attributes:
        hint: What the reader can do about it, or an empty string.
        exit_code: What the command line exits with.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(AitiaError):
    """The call itself is wrong."""

    exit_code = 2


class SettingsError(UsageError):
    """A setting has no meaning."""


class AmbiguousId(UsageError):
    """A short id fits more than one node; `candidates` lists them."""

    def __init__(self, message: str, candidates: Sequence[str]) -> None:
        super().__init__(message, hint="Type more of it: " + ", ".join(candidates[:5]))
        self.candidates = tuple(candidates)


class NotFound(AitiaError):
    """There is no node, file or workspace of that name."""


class ReadError(AitiaError):
    """A file could not be read as what it is; the message says where and why."""


class QueryError(AitiaError):
    """SPARQL the store would not run."""


class QueryRefused(QueryError):
    """A query that was refused before it ran: an update, SERVICE, LOAD, too deep."""

    exit_code = 2


class QueryLimit(QueryError):
    """A query that was stopped at its time or memory limit."""


class TooMuch(AitiaError):
    """More than a bound allows at once; the hint says how to allow more."""


class Locked(AitiaError):
    """Another process is writing; the message names it."""


class IndexMismatch(AitiaError):
    """An index does not fit the model or the store; the hint mends it."""


class ShapeViolation(AitiaError):
    """A patch the gate refused.

    Attributes:
        violations: All of them, each with what a person can act on.
        report: The `sh:ValidationReport` as Turtle.
    """

    exit_code = 4

    def __init__(
        self, message: str, violations: Sequence[Violation], report: str = ""
    ) -> None:
        super().__init__(message)
        self.violations = tuple(violations)
        self.report = report


class NotIntact(AitiaError):
    """Ledger, store, blobs or indexes do not agree; `findings` says where."""

    exit_code = 4

    def __init__(self, message: str, findings: Sequence[str]) -> None:
        super().__init__(message)
        self.findings = tuple(findings)
