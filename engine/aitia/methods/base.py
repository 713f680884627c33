"""Methods as nodes: what a method is, how it is registered, what it may read.

A method is a function from one typed input to one typed output, in a file of its
own, registered by `@method` under a name and with a sentence on what it is good for.
Both stand in the catalog, so that the record can say which method an execution
followed. Methods only read, and may run in several threads at once; what they find is
recorded by whoever executes them.

A method that is `offered` may also be run because a model proposed it; its arguments
then come as JSON and are read by `aitia.methods.arguments`. Other packages add methods
by the entry point group `aitia.methods`: each entry names a module that registers them.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, get_type_hints

from aitia.blobs import Blobs
from aitia.errors import UsageError
from aitia.llm.calls import Asks
from aitia.model import Hit
from aitia.settings import Settings
from aitia.store import Reader
from aitia.trace.reserved import reserve

if TYPE_CHECKING:
    from aitia.methods.schema import Schema


class Searches(Protocol):
    """What methods ask of the indexes."""

    def search(
        self, query: str, k: int = 10, mode: str = "fused", filters: Any = None
    ) -> list[Hit]:
        """Return the passages that fit best."""
        ...

    def resources(self, query: str, k: int = 10) -> list[Any]:
        """Return the resources whose literals share words with the query."""
        ...

    def embed(self, texts: Iterable[str]) -> Any:
        """Return one unit vector per text, as rows of a matrix."""
        ...

    def embed_kept(self, texts: Iterable[str]) -> Any:
        """Return the same, and keep it for texts that come up again."""
        ...


@dataclass(frozen=True)
class Reads:
    """All that a method may read.

    Attributes:
        store: The store.
        blobs: The documents' texts.
        indexes: The search indexes.
        settings: The settings in force.
        models: The language models, or None where none is configured.
    """

    store: Reader
    blobs: Blobs
    indexes: Searches
    settings: Settings
    models: Asks | None = None

    @cached_property
    def schema(self) -> Schema:
        """The classes and properties in use, read once."""
        from aitia.methods.schema import read_schema

        return read_schema(self.store)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What every method returns beside its own fields.

    Attributes:
        summary: What came out, in one line.
        failure: Why it did not reach what it was for, or "".
        confidence: From 0 to 1, or None where nothing was measured.
        confidence_rule: How the confidence was computed.
        notices: What the reader should know: that a model did not answer and rules
            did in its place, and the like.
    """

    summary: str = ""
    failure: str = ""
    confidence: float | None = None
    confidence_rule: str = ""
    notices: tuple[str, ...] = ()

    def told(self) -> dict[str, Any]:
        """Return what the record keeps of it: its own fields, and the summary."""
        skipped = {"confidence", "confidence_rule"}
        if not self.notices:
            skipped.add("notices")
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in skipped
        }


Given = TypeVar("Given")
Found = TypeVar("Found", bound=Outcome)


@dataclass(frozen=True)
class Method:
    """A registered method.

    Attributes:
        name: Its name, as in its IRI.
        competence: What it is good for, in one sentence.
        run: The function: what it may read, its input, its parameters by keyword.
        takes: Type of its input.
        gives: Type of its output.
        asks: The dataclass that a model's arguments are read as, or None where the
            method is not offered to models.
    """

    name: str
    competence: str
    run: Callable[..., Any]
    takes: Any
    gives: type
    asks: type | None = None


GROUP: Final = "aitia.methods"
"""Entry point group by which other packages add methods."""

_REGISTRY: Final[dict[str, Method]] = {}
_FUNCTIONS: Final[dict[Callable[..., Any], Method]] = {}


def method(
    name: str, competence: str, *, offered: type | bool = False
) -> Callable[[Callable[..., Found]], Callable[..., Found]]:
    """Register a function `(reads, given, **parameters) -> Outcome` as a method.

    Args:
        name: Its name; unique.
        competence: What it is good for, in one sentence; models choose by it.
        offered: Whether a model may have it run. True: its input is what the model's
            arguments are read as; a dataclass: that one, which its input type includes.

    Raises:
        UsageError: The name is taken, or input or output carry no type.
    """

    def register(function: Callable[..., Found]) -> Callable[..., Found]:
        hints = get_type_hints(function)
        if name in _REGISTRY:
            raise UsageError(f"There are two methods of the name {name!r}.")
        if "given" not in hints or "return" not in hints:
            raise UsageError(f"The method {name!r} must type its input and output.")
        takes = hints["given"]
        asks = takes if offered is True else offered or None
        if asks is not None and not is_dataclass(asks):
            raise UsageError(f"What the method {name!r} is asked with is no dataclass.")
        made = Method(name, competence, function, takes, hints["return"], asks)
        reserve(name)
        _REGISTRY[name] = _FUNCTIONS[function] = made
        return function

    return register


def registered(function: Callable[..., Any]) -> Method:
    """Return the method that a function was registered as."""
    return _FUNCTIONS[function]


def registry() -> dict[str, Method]:
    """Return every method by name: those of this folder, then of other packages.

    Raises:
        UsageError: A package's methods cannot be loaded; the message names the package.
    """
    package = import_module("aitia.methods")
    for found in pkgutil.iter_modules(package.__path__):
        import_module(f"aitia.methods.{found.name}")
    _load_others()
    return dict(sorted(_REGISTRY.items()))


def offered() -> dict[str, Method]:
    """Return the methods that a model may have run, by name."""
    return {name: item for name, item in registry().items() if item.asks is not None}


@cache
def _load_others() -> None:
    """Import what other packages name as methods, once a process."""
    for entry in entry_points(group=GROUP):
        try:
            entry.load()
        except Exception as error:
            raise UsageError(
                f"The methods {entry.name!r} of {_package(entry)} cannot be loaded: "
                f"{type(error).__name__}: {error}",
                hint="Mend or uninstall that package.",
            ) from error


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.value
