"""Questions about the retail data of tau2-bench, answered from its two files.

What is expected is computed from db.json by plain Python.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from aitia import Workspace
from tests.eval.expected import holds

Database = dict[str, Any]
Facts = Callable[[Database], list[str]]
ORDER = "#W2890441"
USER = "yara_sanchez_1902"
BUSY = "mei_davis_8935"


def count(status: str) -> Facts:
    return lambda db: [str(sum(o["status"] == status for o in db["orders"].values()))]


def orders_of(user: str, **where: str) -> Facts:
    def found(db: Database) -> list[str]:
        return [
            key
            for key, order in db["orders"].items()
            if order["user_id"] == user
            and all(order[name] == value for name, value in where.items())
        ]

    return found


FROM_DATABASE: dict[str, Facts] = {
    f"What is the status of order {ORDER}?": lambda db: [db["orders"][ORDER]["status"]],
    f"Which user placed order {ORDER}?": lambda db: [db["orders"][ORDER]["user_id"]],
    f"In which city does {USER} live?": lambda db: [
        db["users"][USER]["address"]["city"]
    ],
    f"What is the email of {USER}?": lambda db: [db["users"][USER]["email"]],
    f"What is the zip code of {USER}?": lambda db: [
        db["users"][USER]["address"]["zip"]
    ],
    f"Which orders does {BUSY} have?": orders_of(BUSY),
    "How many orders are pending?": count("pending"),
    "How many orders have the status delivered?": count("delivered"),
    f"Which orders of {BUSY} are delivered?": orders_of(BUSY, status="delivered"),
    f"What is the email of the user who placed order {ORDER}?": lambda db: [
        db["users"][db["orders"][ORDER]["user_id"]]["email"]
    ],
    "What is the name of product 8310926033?": lambda db: [
        db["products"]["8310926033"]["name"]
    ],
    "What is the product id of the Espresso Machine?": lambda db: [
        key for key, p in db["products"].items() if p["name"] == "Espresso Machine"
    ],
    f"What is the tracking id of order {ORDER}?": lambda db: db["orders"][ORDER][
        "fulfillments"
    ][0]["tracking_id"],
    f"In which state does the user of order {ORDER} live?": lambda db: [
        db["users"][db["orders"][ORDER]["user_id"]]["address"]["state"]
    ],
}
FROM_POLICY = {
    "Under which condition can an order be cancelled?": ["status is 'pending'"],
    "How many business days does the refund of a cancelled order take?": [
        "5 to 7 business days"
    ],
}


@pytest.fixture(scope="module")
def retail(shared_data: Path) -> Path:
    return shared_data / "tau2_bench_retail"


@pytest.fixture(scope="module")
def database(retail: Path) -> Database:
    loaded: Database = json.loads((retail / "db.json").read_text("utf-8"))
    return loaded


@pytest.fixture(scope="module")
def workspace(
    retail: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("tau2") / "ws"
    with Workspace.open(folder) as opened:
        opened.ingest([str(retail / "policy.md"), str(retail / "db.json")])
        yield opened


@pytest.mark.parametrize("question", FROM_DATABASE)
def test_facts_are_answered_as_the_database_has_them(
    question: str, workspace: Workspace, database: Database
) -> None:
    expected = FROM_DATABASE[question](database)
    assert expected
    answer = workspace.ask(question)
    assert not answer.abstained, answer.reason
    for fact in expected:
        assert holds(answer.text, fact), answer.text


@pytest.mark.parametrize("question", FROM_POLICY)
def test_policy_is_answered_in_its_own_words(
    question: str, workspace: Workspace, retail: Path
) -> None:
    answer = workspace.ask(question)
    assert not answer.abstained, answer.reason
    policy = (retail / "policy.md").read_text("utf-8")
    for fact in FROM_POLICY[question]:
        assert fact in policy
        assert holds(answer.text, fact), answer.text
    quotes = [item for x in answer.sentences for item in x.evidence if item.quote]
    assert any(item.quote in policy for item in quotes)


def test_an_order_that_is_not_there_is_not_made_up(workspace: Workspace) -> None:
    assert workspace.ask("What is the status of order #W0000001?").abstained
