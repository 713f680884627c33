"""The model that README's page is tested with: a script that plays one.

`python -m tests.readme_model`, from the checkout, plays it until Ctrl-C.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tests.llm_server import ModelServer
from tests.model_desk import (
    Player,
    batch,
    call,
    conclude,
    entails,
    goal,
    hypothesis,
    label,
    method,
    reached,
)

PORT = 8642
"""The port that the README names."""


def _plan(prompt: str) -> Any:
    return batch(
        goal("G2", "Find out whether the order may be cancelled"),
        goal("G3", "Cancel the order", depends=["G2"]),
        hypothesis("H1", "The status of order Q-1030 is shipped.", because=["Q1"]),
        method("G2", "dense_search", query="cancel a pending order free of charge"),
        call("G2", "order_details", tests="H1", order_id="Q-1030"),
    )


def _act(prompt: str) -> Any:
    rule = label(prompt, "can be cancelled free of charge")
    given = {"order_id": "Q-1030", "reason": "ordered by mistake"}
    return batch(
        reached("G2", because=[rule]),
        call("G3", "cancel_pending_order", **given),
        addresses="G3",
    )


def _conclude(prompt: str) -> Any:
    rule = label(prompt, "can be cancelled free of charge")
    done = label(prompt, '"status": "cancelled"')
    return batch(
        reached("G3"),
        conclude(
            ("A pending order can be cancelled free of charge.", [rule]),
            ("The status of order Q-1030 is cancelled.", [done]),
            rejects=["H1"],
        ),
        addresses="G3",
    )


def _entailment(prompt: str) -> Any:
    told = '"status": "cancelled"'
    if "is cancelled" in prompt.split("Texts:")[0] and told in prompt:
        return entails(told)
    return {
        "relation": "contradicts",
        "quote": '"status": "pending"',
        "reason": "the status is another",
    }


PERCEIVED = {
    "intent": "factLookup",
    "asks": "to have an order cancelled",
    "entities": [{"mention": "order Q-1030"}],
}


@contextmanager
def serving() -> Iterator[ModelServer]:
    """Play the model at the README's address."""
    player = Player([_plan, _act, _conclude], PERCEIVED, _entailment)
    with ModelServer(player, at=PORT) as server:
        yield server


def main() -> None:
    """Play the model until Ctrl-C."""
    with serving() as server, suppress(KeyboardInterrupt):
        print(f"Playing a model at {server.url} until Ctrl-C.", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
