"""Several things done at once, and their outcomes in the order of the asking."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Thread
from typing import Any, Final, TypeVar

Made = TypeVar("Made")
Came = tuple[Any, BaseException | None]
"""What a task made, and what it raised, if it did."""

AT_ONCE: Final = 8
"""How many are under way at once."""
LOOK: Final = 0.5
"""Seconds after which an interrupt is noticed at the latest."""


def together(
    tasks: Sequence[Callable[[], Made]], stop: Callable[[], None]
) -> list[Made]:
    """Do tasks beside each other, and return what they made, in their order.

    Which one ends first makes no difference to what is returned. Tasks touch no
    record: whoever asked for them writes it afterwards, in the order of the tasks.
    Where an interrupt ends the waiting, tasks that wait for a server are left behind,
    and what they come to is not looked at.

    Args:
        tasks: What is to be done.
        stop: Ends what the tasks wait for; called where they are interrupted.

    Raises:
        Exception: What the first task in order that failed raised, when all have ended.
    """
    if len(tasks) < 2:
        return [task() for task in tasks]
    made: list[Came] = _outside_a_loop(lambda: asyncio.run(_all(tasks, stop)), stop)
    for _, error in made:
        if error is not None:
            raise error
    return [item for item, _ in made]


async def _all(
    tasks: Sequence[Callable[[], Made]], stop: Callable[[], None]
) -> list[Came]:
    free = asyncio.Semaphore(AT_ONCE)

    async def one(task: Callable[[], Made]) -> Came:
        async with free:
            return await _in_a_thread(task)

    try:
        return await asyncio.gather(*map(one, tasks))
    except asyncio.CancelledError:
        stop()
        raise


async def _in_a_thread(task: Callable[[], Made]) -> Came:
    """Do a task in a thread that nobody waits for where this is cancelled.

    Threads of a pool would be waited for at the end of the loop: an interrupt would
    last as long as the server that they wait for.
    """
    loop = asyncio.get_running_loop()
    came: asyncio.Future[Came] = loop.create_future()

    def tell(outcome: Came) -> None:
        if not came.done():
            came.set_result(outcome)

    def work() -> None:
        outcome = _outcome(task)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(tell, outcome)

    _start(work)
    return await came


def _outcome(task: Callable[[], Any]) -> Came:
    try:
        return task(), None
    except BaseException as error:
        return None, error


def _start(work: Callable[[], None]) -> None:
    Thread(target=partial(copy_context().run, work), daemon=True).start()


def _outside_a_loop(work: Callable[[], Any], stop: Callable[[], None]) -> Any:
    """Do work that starts an event loop, also where the caller runs in one already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    came: Future[Came] = Future()
    try:
        _start(lambda: came.set_result(_outcome(work)))
        # A signal that comes right before a wait without end does not end it.
        while not came.done():
            wait([came], timeout=LOOK)
    except KeyboardInterrupt:
        stop()
        raise
    made, error = came.result()
    if error is not None:
        raise error
    return made
