"""One call that is recorded: a block of code, or a function that is wrapped."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from contextvars import ContextVar, Token
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.errors import AitiaError, UsageError
from aitia.recorder.known import Node
from aitia.recorder.taking import Done
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.recorder.recorder import Recorder
    from aitia.recorder.run import Run

Function = TypeVar("Function", bound=Callable[..., Any])
_CURRENT: Final[ContextVar[Call | None]] = ContextVar("aitia_call", default=None)


class Call:
    """A call, recorded from its beginning to its end.

    A context manager, for `with` and `async with`; and a decorator, which makes one
    for each call of the function. Calls inside it are recorded as its parts.

    Attributes:
        result: What it brought forth, once it has ended: the node to rest on.
    """

    def __init__(
        self,
        recorder: Recorder,
        name: str,
        given: Any = None,
        *,
        because: Any = (),
        competence: str = "",
        outer: Call | None = None,
    ) -> None:
        """Make ready; see `Recorder.call`.

        Args:
            recorder: Whose call it is.
            name: The name of what is called.
            given: What it is given.
            because: What the agent says went into it besides.
            competence: What it is good for, in words.
            outer: The call that it is a part of; the one under way in this context,
                where none is given.
        """
        self._recorder, self._name = recorder, name
        self._competence = competence
        self._given, self._because = given, because
        self._outer = outer
        self._done: Done | None = None
        self._token: Token[Call | None] | None = None
        self.result: Node | None = None

    # What is said of it while it runs

    def uses(self, *things: Any) -> None:
        """Say what data flows into it, beyond what it was given; observed by you.

        Raises:
            UsageError: One of them is not on record, or the call has not begun or is
                on record already.
        """
        done = self._under_way()
        if done.node is not None:
            raise UsageError("Say what flows into a call before calls inside it begin.")
        done.uses += [self._recorder.run.known.ground(thing) for thing in things]

    def returns(self, value: Any, text: str = "") -> None:
        """Say what came out, and what that says in words, where it does not itself."""
        done = self._under_way()
        done.returned, done.said = value, text

    def fails(self, reason: str) -> None:
        """Say that it did not reach what it was for; nothing comes out."""
        self._under_way().error = reason

    def measured(self, confidence: float, rule: str) -> None:
        """Say how sure the result is, and by which rule that was measured.

        Raises:
            UsageError: It is no number from 0 to 1, or there is no rule.
        """
        if not rule.strip():
            raise UsageError("Say by which rule the confidence was measured.")
        self._under_way().confidence = self._recorder.sure(confidence, rule)

    def verifies(self, hypothesis: Any) -> None:
        """Say that this call was a test which a hypothesis passed."""
        self._recorder.tested(self._under_way(), hypothesis, AITIA.verifies)

    def refutes(self, hypothesis: Any) -> None:
        """Say that this call was a test which a hypothesis failed."""
        self._recorder.tested(self._under_way(), hypothesis, AITIA.refutes)

    def triggered_by(self, *events: Any) -> None:
        """Say which results set it off, without being its data."""
        known = self._recorder.run.known
        self._under_way().triggers += [known.ground(event) for event in events]

    def fact(self, predicate: NamedNode, value: NamedNode | Literal) -> None:
        """Say something else of the execution, in terms of the ontology."""
        self._under_way().facts[predicate] = value

    # Blocks

    def begin(self) -> Self:
        """Begin, without a `with` block: for handlers that are told of the end later.

        Raises:
            UsageError: It has begun already, or the run is closed or decided.
        """
        if self._done is not None:
            raise UsageError(f"The call of {self._name} has begun already.")
        self._done = self._recorder.begun(
            self._name,
            self._given,
            self._because,
            self._competence,
            self._outer or _CURRENT.get(),
        )
        return self

    def end(self, error: BaseException | None = None) -> Node | None:
        """End, and put on record what happened.

        Returns:
            What it brought forth; None where it failed.

        Raises:
            UsageError: It has not begun or has ended, or the run is closed.
        """
        done = self._under_way()
        if error is not None:
            done.error = f"{type(error).__name__}: {error}"
        done.ended = terms.now()
        self.result = self._recorder.ended(done)
        return self.result

    def on_record(self) -> NamedNode:
        """Put on record that it began, for calls inside it; return its execution."""
        return self._recorder.opened(self._under_way())

    def belongs_to(self, run: Run) -> bool:
        """Tell whether it is a call in a run that has not ended yet."""
        return self._recorder.run is run and self._done is not None

    def inside(self) -> Self:
        """Begin, and let calls that follow in this context be its parts."""
        self.begin()
        self._token = _CURRENT.set(self)
        return self

    def outside(self, error: BaseException | None) -> None:
        """End what `inside` began; a failure to record adds to the error it is about."""
        if self._token is not None:
            _CURRENT.reset(self._token)
            self._token = None
        try:
            self.end(error)
        except AitiaError as besides:
            if error is None:
                raise
            error.add_note(f"It could not be recorded: {besides}")

    def __enter__(self) -> Self:
        return self.inside()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.outside(error)

    async def __aenter__(self) -> Self:
        return self.inside()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.outside(error)

    # Functions

    def __call__(self, function: Function) -> Function:
        """Return a function that records each of its calls under this call's name."""
        return wrapped(self._recorder, function, self._name)

    def _under_way(self) -> Done:
        if self._done is None or self._done.ended is not None:
            state = "has not begun" if self._done is None else "has ended"
            raise UsageError(f"The call of {self._name} {state}.")
        return self._done


def wrapped(recorder: Recorder, function: Function, name: str = "") -> Function:
    """Return a function that records each of its calls; see `Recorder.call`.

    Raises:
        UsageError: It is a generator, whose calls return before anything is done.
    """
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise UsageError(
            f"{function.__name__} is a generator: its call returns before it has run.",
            hint="Record it as a block: with r.call(name) as call: …",
        )
    called = name or getattr(function, "__name__", type(function).__name__)
    says = (inspect.getdoc(function) or "").strip().partition("\n")[0]

    def prepared(args: Any, kwargs: Any) -> tuple[Call, list[Any], dict[str, Any]]:
        given = _arguments(function, args, kwargs)
        call = Call(recorder, called, given, competence=says)
        return (
            call,
            [_value(x) for x in args],
            {k: _value(x) for k, x in kwargs.items()},
        )

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def later(*args: Any, **kwargs: Any) -> Any:
            call, values, named = prepared(args, kwargs)
            async with call:
                result = await function(*values, **named)
                call.returns(result)
            return result

        return later  # type: ignore[return-value]

    @functools.wraps(function)
    def now(*args: Any, **kwargs: Any) -> Any:
        call, values, named = prepared(args, kwargs)
        with call:
            result = function(*values, **named)
            call.returns(result)
        return result

    return now  # type: ignore[return-value]


def _arguments(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """Return arguments by the names of their parameters, as far as there are any."""
    try:
        found = dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        return {**{str(place): value for place, value in enumerate(args)}, **kwargs}
    first = next(iter(found), "")
    if first in ("self", "cls"):
        del found[first]
    return found


def _value(thing: Any) -> Any:
    return thing.value if isinstance(thing, Node) else thing
