"""Several things done at once, and their outcomes in the order of the asking."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, Final, TypeVar

Made = TypeVar("Made")

AT_ONCE: Final = 8
"""How many are under way at once."""


def together(
    tasks: Sequence[Callable[[], Made]], stop: Callable[[], None]
) -> list[Made]:
    """Do tasks beside each other, and return what they made, in their order.

    Which one ends first makes no difference to what is returned. Tasks touch no
    record: whoever asked for them writes it afterwards, in the order of the tasks.

    Args:
        tasks: What is to be done.
        stop: Ends what the tasks wait for; called where they are interrupted, since
            threads cannot be left behind.

    Raises:
        Exception: What the first task in order that failed raised, when all have ended.
    """
    if len(tasks) < 2:
        return [task() for task in tasks]
    made = _outside_a_loop(lambda: asyncio.run(_all(tasks, stop)))
    for item in made:
        if isinstance(item, BaseException):
            raise item
    return [item for item in made if not isinstance(item, BaseException)]


async def _all(
    tasks: Sequence[Callable[[], Made]], stop: Callable[[], None]
) -> list[Made | BaseException]:
    free = asyncio.Semaphore(AT_ONCE)

    async def one(task: Callable[[], Made]) -> Made:
        async with free:
            return await asyncio.to_thread(task)

    try:
        return await asyncio.gather(*map(one, tasks), return_exceptions=True)
    except asyncio.CancelledError:
        stop()
        raise


def _outside_a_loop(work: Callable[[], Any]) -> Any:
    """Do work that starts an event loop, also where the caller runs in one already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(copy_context().run, work).result()
