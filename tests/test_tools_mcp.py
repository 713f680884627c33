"""Tools of MCP servers, spoken to as they are: over pipes and over HTTP."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from aitia.errors import SettingsError
from aitia.settings import Settings
from aitia.settings.acting import ToolSettings
from aitia.tools import ToolFailed
from aitia.tools.consent import Consents
from aitia.tools.toolbox import Toolbox
from aitia.vocab import AITIA
from aitia_cli.main import cli
from tests.tool_desk import desk

SERVER = str(Path(__file__).parent / "tooling" / "mcp_shop.py")
KEY = "shop-pass-1"
BEARER = {"Authorization": f"Bearer {KEY}"}
STDIO = {"command": sys.executable, "args": [SERVER]}


def settings(seconds: float = 20.0, **servers: Any) -> Settings:
    return Settings(tools=ToolSettings(mcp=servers, seconds=seconds))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server over HTTP."""
    child = subprocess.Popen(
        [sys.executable, SERVER, "http"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"SHOP_BEARER": KEY},
    )
    assert child.stdout is not None
    with child.stdout:
        yield f"http://127.0.0.1:{child.stdout.readline().strip()}/mcp"
        child.kill()
        child.wait()


@pytest.fixture(scope="module", params=["stdio", "http"])
def toolbox(request: pytest.FixtureRequest, address: str) -> Iterator[Toolbox]:
    named = STDIO if request.param == "stdio" else {"url": address, "headers": BEARER}
    with Toolbox.load(settings(shop=named)) as found:
        assert found.notes == ()
        yield found


def call(toolbox: Toolbox, called: str, /, **arguments: Any) -> Any:
    return toolbox.call(toolbox.tools[called], arguments)


def test_a_server_offers_its_tools(toolbox: Toolbox) -> None:
    details = toolbox.tools["shop.order_details"]
    assert details.description == "Tell what an order holds."
    assert details.schema["required"] == ["order_id"]
    assert details.source == "mcp:shop"
    assert details.problems({"order_id": 1})
    changing = [name for name, item in toolbox.tools.items() if item.side_effect]
    assert changing == ["shop.cancel"]


def test_results_come_back_as_values(toolbox: Toolbox) -> None:
    order = call(toolbox, "shop.order_details", order_id="Q-1")
    assert order == {"order_id": "Q-1", "total": 12.5}
    assert call(toolbox, "shop.shout", text="你好 a") == "你好 A"


def test_what_goes_wrong_is_one_error(toolbox: Toolbox) -> None:
    with pytest.raises(ToolFailed, match="no such order"):
        call(toolbox, "shop.complain")
    with pytest.raises(ToolFailed, match="200,000 characters; at most 100,000"):
        call(toolbox, "shop.long", size=200_000)
    assert call(toolbox, "shop.shout", text="on") == "ON"


def test_calls_from_several_threads_each_get_their_own_answer(toolbox: Toolbox) -> None:
    answers: dict[int, str] = {}

    def ask(number: int) -> None:
        answers[number] = call(toolbox, "shop.shout", text=f"n{number}")

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: f"N{number}" for number in range(6)}


def test_a_call_that_hangs_is_given_up_and_the_server_started_anew() -> None:
    with Toolbox.load(settings(shop=STDIO)) as toolbox:
        slow = replace(toolbox.tools["shop.wait"], seconds=0.5)
        with pytest.raises(ToolFailed, match=r"stopped after 0\.5 seconds"):
            toolbox.call(slow, {"seconds": 60})
        assert call(toolbox, "shop.shout", text="on") == "ON"


def test_a_server_that_dies_is_started_anew() -> None:
    with Toolbox.load(settings(shop=STDIO)) as toolbox:
        with pytest.raises(ToolFailed, match="server failed"):
            call(toolbox, "shop.leave")
        assert call(toolbox, "shop.shout", text="on") == "ON"


@pytest.mark.parametrize(
    "named",
    [
        {"command": "there-is-no-such-program"},
        {"command": sys.executable, "args": ["-c", "print('hello')"]},
        {"url": "http://127.0.0.1:9/mcp"},
    ],
)
def test_a_server_that_is_down_is_told_and_the_rest_goes_on(
    named: dict[str, Any],
) -> None:
    with Toolbox.load(settings(5.0, down=named, shop=STDIO)) as toolbox:
        assert "shop.shout" in toolbox.tools
        (said,) = toolbox.notes
        assert "The MCP server 'down' cannot be reached" in said
        assert "Its tools are missing" in said


def test_a_server_that_floods_its_connection_is_not_waited_for() -> None:
    began = time.monotonic()
    with Toolbox.load(settings(1.0, flood={"command": "yes"})) as toolbox:
        taken = time.monotonic() - began
        (said,) = toolbox.notes
    assert "did not answer in time" in said
    assert taken < 4


def test_a_server_that_does_not_know_us_or_never_answers_is_down(address: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        quiet = {"url": f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"}
        named = {"quiet": quiet, "strange": {"url": address}}
        with Toolbox.load(settings(1.0, **named)) as toolbox:
            assert not toolbox.tools
            first, second = toolbox.notes
    assert "'quiet' cannot be reached: it did not answer in time" in first
    assert "'strange' cannot be reached" in second


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({}, "needs either a command or a url"),
        ({"command": "a", "url": "b"}, "needs either a command or a url"),
        ({"comand": "a"}, r"tools\.mcp\.shop\.comand"),
        ({"command": "a", "args": "b"}, r"tools\.mcp\.shop\.args"),
        ({"url": "http://h", "headers": {"A": "${NOT_SET_ANYWHERE}"}}, "NOT_SET"),
        ("python", r"tools\.mcp\.shop"),
    ],
)
def test_a_server_that_is_named_wrongly_is_one_error(named: Any, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        Toolbox.load(settings(shop=named))


def test_a_variable_fills_in_what_the_file_should_not_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SHOP_PASSPHRASE", "open sesame")
    named = {**STDIO, "env": {"WORD": "${SHOP_PASSPHRASE}"}, "reads": ["cancel"]}
    with Toolbox.load(settings(shop=named)) as toolbox:
        assert call(toolbox, "shop.variable", name="WORD") == "open sesame"
        assert call(toolbox, "shop.variable", name="SHOP_PASSPHRASE") == ""
        assert not toolbox.tools["shop.cancel"].side_effect


def test_a_call_of_a_server_is_on_record_like_any_other(tmp_path: Path) -> None:
    with desk(tmp_path, Toolbox.load(settings(shop=STDIO))) as at_desk:
        done = at_desk.call("shop.order_details", {"order_id": "Q-1"})
        assert done.observation is not None
        refused = at_desk.call("shop.cancel", {"order_id": "Q-1"})
        assert "--allow shop.cancel" in refused.error
        allowed = Consents(["shop.cancel"])
        done = at_desk.call("shop.cancel", {"order_id": "Q-1"}, allowed)
        assert done.text == "Q-1 cancelled"
        assert AITIA.ToolCall in at_desk.kinds(done.node)


def test_the_doctor_tells_which_tools_can_be_had(tmp_path: Path) -> None:
    def doctor(toml: str) -> str:
        (tmp_path / "aitia.toml").write_text(toml, "utf-8")
        words = ["--workspace", str(tmp_path), "doctor", "--json"]
        done = CliRunner().invoke(cli, words)
        told = json.loads(done.stdout)
        return "\n".join(
            f"{item['state']} {item['text']}"
            for item in told
            if item["about"] == "tools"
        )

    server = f"command = {json.dumps(sys.executable)}\nargs = [{json.dumps(SERVER)}]\n"
    down = '[tools.mcp.down]\nurl = "http://127.0.0.1:9/mcp"\n'
    told = doctor(f"[tools.mcp.shop]\n{server}{down}")
    assert "good shop.cancel, shop.complain" in told
    assert "wrong The MCP server 'down' cannot be reached" in told
    assert "needs either a command or a url" in doctor("[tools.mcp.shop]\nargs = []\n")
    assert doctor("") == ""
