"""Calls on record: what was asked, what came back, who permitted it."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aitia import terms
from aitia.errors import UsageError
from aitia.settings import Settings
from aitia.tools import Tool, tool
from aitia.tools.consent import Consents
from aitia.tools.toolbox import Toolbox
from aitia.vocab import AITIA, PROV
from tests.tool_desk import TOOLS, Desk, desk


@tool
def add(left: int, right: int = 1) -> int:
    """Add two numbers."""
    return left + right


@pytest.fixture
def at_desk(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, Toolbox.load(Settings(), [TOOLS, add])) as made:
        yield made


def test_a_call_is_on_record_with_what_it_returned(at_desk: Desk) -> None:
    done = at_desk.call("order_details", {"order_id": "Q-1001"})
    assert AITIA.ToolCall in at_desk.kinds(done.node)
    tool_iri = terms.method_iri("order_details")
    assert at_desk.value(done.node, AITIA.method) == tool_iri.value
    assert AITIA.Tool in at_desk.kinds(tool_iri)
    assert at_desk.value(tool_iri, AITIA.sideEffect) == "false"
    assert json.loads(at_desk.value(done.node, AITIA.input)) == {"order_id": "Q-1001"}
    assert done.observation is not None
    text = at_desk.value(done.observation, AITIA.text)
    assert json.loads(text) == {"order_id": "Q-1001", "total": 12.5}
    store = at_desk.workspace.store
    assert next(store.quads(done.node, AITIA.produced, done.observation, None))
    assert next(store.quads(at_desk.asked, AITIA.motivates, done.node, None))


def test_a_call_that_fails_is_a_failed_execution(at_desk: Desk) -> None:
    done = at_desk.call("complain", {})
    assert done.observation is None
    assert at_desk.value(done.node, AITIA.status) == AITIA.failed.value
    assert "no such order" in at_desk.value(done.node, AITIA.error)


def test_a_change_outside_needs_somebody_who_permits_it(
    at_desk: Desk, tmp_path: Path
) -> None:
    note = tmp_path / "note.txt"
    arguments = {"path": str(note), "text": "hello"}
    refused = at_desk.call("write_note", arguments)
    assert "--allow write_note" in refused.error
    assert not note.exists()
    asked: list[Any] = []

    def no(tool: Tool, given: Any) -> bool:
        asked.append((tool.name, given))
        return False

    assert at_desk.call("write_note", arguments, Consents(ask=no)).error
    assert asked == [("write_note", arguments)]
    assert not note.exists()
    done = at_desk.call("write_note", arguments, Consents(["write_note"]))
    assert note.read_text("utf-8") == "hello"
    assert done.text == "5 characters"


def test_who_permitted_it_and_when_is_on_record(at_desk: Desk, tmp_path: Path) -> None:
    arguments = {"path": str(tmp_path / "note.txt"), "text": "hello"}
    done = at_desk.call("write_note", arguments, Consents(ask=lambda *_: True))
    (link,) = at_desk.workspace.store.quads(done.node, AITIA.permittedBy, None, None)
    consent = link.object
    assert AITIA.Consent in at_desk.kinds(consent)  # type: ignore[arg-type]
    who = at_desk.value(consent, PROV.wasAttributedTo)  # type: ignore[arg-type]
    assert who == terms.agent_iri(at_desk.workspace.settings.agent).value
    assert at_desk.value(consent, PROV.generatedAtTime)  # type: ignore[arg-type]
    assert at_desk.value(consent, AITIA.consentTo).endswith(":write_note")  # type: ignore[arg-type]
    assert "when asked" in at_desk.value(consent, AITIA.reason)  # type: ignore[arg-type]


def test_no_tool_is_asked_about_that_changes_nothing(at_desk: Desk) -> None:
    def never(*_: Any) -> bool:
        raise AssertionError

    assert at_desk.call("add", {"left": 1}, Consents(ask=never)).value == 2


def test_permission_for_what_is_no_tool_is_wrong_usage() -> None:
    tools = Toolbox.of([add], Settings()).tools
    Consents(["add"]).check(tools)
    with pytest.raises(UsageError, match="no tool 'rm' to allow"):
        Consents(["rm"]).check(tools)


def test_secrets_are_kept_neither_of_arguments_nor_of_results(at_desk: Desk) -> None:
    key = "sk-" + "abcd1234" * 4
    done = at_desk.call("later", {"text": f"the key is {key}"})
    assert key not in done.text
    store = at_desk.workspace.store
    assert all(key not in str(quad) for quad in store.quads(None, None, None, None))


def test_a_call_takes_the_time_that_it_took(at_desk: Desk) -> None:
    before = time.time()
    done = at_desk.call("sleep", {"path": "unused"})
    (start,) = at_desk.workspace.store.quads(done.node, PROV.startedAtTime, None, None)
    (end,) = at_desk.workspace.store.quads(done.node, PROV.endedAtTime, None, None)
    assert str(start.object) < str(end.object)
    assert time.time() > before
