"""Tools from modules and programs: what they are, how they are called and recorded."""

import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

import psutil
import pytest
from hypothesis import given, settings as hypothesis_settings, strategies as st

from aitia.errors import UsageError
from aitia.settings import Settings, load
from aitia.settings.acting import ToolSettings
from aitia.tools import Tool, ToolFailed, tool
from aitia.tools.declare import describe
from aitia.tools.hosted import Hosted
from aitia.tools.toolbox import Toolbox
from tests.tool_desk import TOOLS


@tool
def add(left: int, right: int = 1) -> int:
    """Add two numbers."""
    return left + right


@tool(side_effect=True)
def paint(colour: Literal["red", "blue"], day: date) -> dict[str, str]:
    """Paint it.

    Longer words about it.

    Args:
        colour: Which paint
            to take.
        day: When.
    """
    return {"colour": colour, "day": day.strftime("%d.%m.%Y")}


@pytest.fixture(scope="module")
def hosted() -> Iterator[Toolbox]:
    """The tools of tooling/bench_tools.py, for all tests of this file."""
    with Toolbox.load(Settings(), [TOOLS]) as toolbox:
        yield toolbox


def failure(toolbox: Toolbox, name: str, **arguments: Any) -> str:
    with pytest.raises(ToolFailed) as caught:
        toolbox.call(toolbox.tools[name], arguments)
    return f"{caught.value}"


def test_a_function_says_by_hints_and_docstring_what_it_takes() -> None:
    found = describe(paint, "program")
    assert (found.name, found.side_effect) == ("paint", True)
    assert found.description == "Paint it.\n\nLonger words about it."
    assert found.schema == {
        "type": "object",
        "additionalProperties": False,
        "required": ["colour", "day"],
        "properties": {
            "colour": {
                "type": "string",
                "enum": ["red", "blue"],
                "description": "Which paint to take.",
            },
            "day": {"type": "string", "format": "date", "description": "When."},
        },
    }
    assert paint("red", date(2026, 5, 2)) == {"colour": "red", "day": "02.05.2026"}


def test_arguments_become_what_the_hints_say() -> None:
    toolbox = Toolbox.of([paint], Settings())
    arguments = {"colour": "red", "day": "2026-05-02"}
    assert toolbox.call(toolbox.tools["paint"], arguments)["day"] == "02.05.2026"
    assert "day" in failure(toolbox, "paint", colour="red", day="soon")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "'left' is a required property"),
        ({"left": "1"}, "left: '1' is not of type 'integer'"),
        ({"left": 1, "more": 2}, "'more' was unexpected"),
        ({"left": 1, "right": 2}, ""),
    ],
)
def test_arguments_are_judged_before_a_call(
    arguments: dict[str, Any], said: str
) -> None:
    problems = describe(add, "program").problems(arguments)
    assert bool(problems) == bool(said)
    assert said in " ".join(problems)


def test_a_schema_is_fetched_from_nowhere() -> None:
    far = Tool("far", "x", {"properties": {"a": {"$ref": "http://127.0.0.1:9/s.json"}}})
    with pytest.raises(Exception, match="Unresolvable"):
        far.problems({"a": 1})


def test_what_cannot_be_described_is_refused() -> None:
    def bare(text: str) -> str:
        return text

    def untyped(text) -> str:  # type: ignore[no-untyped-def]
        """Do something."""
        return str(text)

    def rest(*texts: str) -> str:
        """Do something."""
        return "".join(texts)

    for function, said in ((bare, "docstring"), (untyped, "type"), (rest, "by name")):
        with pytest.raises(UsageError, match=said):
            tool(function)
    with pytest.raises(UsageError, match="mark it with @tool"):
        describe(bare, "program")
    with pytest.raises(UsageError, match="no name for a tool"):
        Toolbox.of([tool(name="two words")(lambda_like())], Settings())
    with pytest.raises(UsageError, match="Two tools are called 'add'"):
        Toolbox.of([add, tool(name="add")(lambda_like())], Settings())


def lambda_like() -> Any:
    def nothing() -> None:
        """Do nothing."""

    return nothing


def test_a_module_is_loaded_in_a_process_of_its_own(hosted: Toolbox) -> None:
    details = hosted.tools["order_details"]
    assert details.schema["properties"]["order_id"]["description"]
    assert hosted.call(details, {"order_id": "Q-1"}) == {
        "order_id": "Q-1",
        "total": 12.5,
    }
    assert hosted.call(hosted.tools["later"], {"text": "今"}) == "今"


def test_what_a_module_keeps_stays_until_a_call_has_to_be_stopped() -> None:
    with Toolbox.load(Settings(), [TOOLS]) as toolbox:
        count = toolbox.tools["count_calls"]
        assert [toolbox.call(count, {}) for _ in range(2)] == [1, 2]
        assert "stopped after 0.3 seconds" in failure(toolbox, "spin")
        assert toolbox.call(count, {}) == 1


def test_a_call_that_hangs_is_stopped_and_does_nothing_afterwards(
    hosted: Toolbox, tmp_path: Path
) -> None:
    late = tmp_path / "late"
    assert "stopped after 0.3" in failure(hosted, "sleep", path=str(late))
    assert not late.exists()


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("crash", {}, "ended (signal 11)"),
        ("leave", {}, "ended (exit code 3)"),
        ("complain", {}, "LookupError: no such order"),
        ("interrupt", {}, "KeyboardInterrupt: stop it"),
        ("scribble", {"text": "a"}, "wrote what is no answer"),
        ("flood", {"text": "a" * 10_000}, "wrote what is no answer"),
        ("odd", {}, "no form in JSON"),
        ("unfit", {}, "no form in JSON"),
        ("deep", {}, "no form in JSON"),
        ("talk", {"size": 200_000}, "200,000 characters; at most 100,000"),
        ("order_details", {"order_id": 3}, "should be a valid string"),
    ],
)
def test_whatever_a_tool_does_is_one_error(
    hosted: Toolbox, name: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in failure(hosted, name, **arguments)
    assert hosted.call(hosted.tools["later"], {"text": "alive"}) == "alive"


def test_what_a_tool_forks_answers_nothing(hosted: Toolbox) -> None:
    fork, later = hosted.tools["fork"], hosted.tools["later"]
    for text in ("a", "b", "c"):
        assert hosted.call(fork, {"text": text}) == text
        assert hosted.call(later, {"text": text * 2}) == text * 2
    time.sleep(0.3)
    assert hosted.call(later, {"text": "d"}) == "d"


def test_what_a_tool_prints_is_no_answer(hosted: Toolbox) -> None:
    assert hosted.call(hosted.tools["talk"], {"size": 3}) == "yyy"
    assert hosted.call(hosted.tools["half"], {}) == "a?b"


def test_calls_from_several_threads_each_get_their_own_answer(hosted: Toolbox) -> None:
    later, answers = hosted.tools["later"], {}

    def ask(number: int) -> None:
        answers[number] = hosted.call(later, {"text": f"text {number}"})

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: f"text {number}" for number in range(8)}


def test_a_function_of_the_program_that_hangs_is_given_up() -> None:
    released = threading.Event()

    @tool(seconds=0.1)
    def hang() -> str:
        """Wait for ever."""
        released.wait(60)
        return "late"

    toolbox = Toolbox.of([hang, add], Settings())
    assert "stopped after 0.1 seconds" in failure(toolbox, "hang")
    assert toolbox.call(toolbox.tools["add"], {"left": 2}) == 3
    released.set()


def test_a_module_is_found_by_name_in_the_folder_and_by_setting(tmp_path: Path) -> None:
    source = "from aitia.tools import tool\n@tool\ndef hi() -> str:\n    'Say hi.'\n"
    (tmp_path / "greeting_tools.py").write_text(source + "    return 'hi'\n", "utf-8")
    settings = Settings(tools=ToolSettings(modules=("greeting_tools",)))
    with Toolbox.load(settings, folder=tmp_path) as toolbox:
        assert list(toolbox.tools) == ["hi"]
        assert toolbox.tools["hi"].source == "greeting_tools"
        assert toolbox.call(toolbox.tools["hi"], {}) == "hi"


def test_a_call_that_was_broken_off_leaves_no_answer_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Toolbox.load(Settings(), [TOOLS]) as toolbox:
        later, line = toolbox.tools["later"], Hosted._line

        def interrupted(*_: Any) -> bytes:
            raise KeyboardInterrupt

        monkeypatch.setattr(Hosted, "_line", interrupted)
        with pytest.raises(KeyboardInterrupt):
            toolbox.call(later, {"text": "first"})
        monkeypatch.setattr(Hosted, "_line", line)
        assert toolbox.call(later, {"text": "second"}) == "second"


def test_a_tool_ends_with_the_run_that_was_killed(tmp_path: Path) -> None:
    written = tmp_path / "pid"
    (tmp_path / "hang.py").write_text(
        "import os, pathlib, time\nfrom aitia.tools import tool\n"
        "@tool(seconds=0.2)\ndef hang() -> str:\n    'Hang.'\n"
        f"    pathlib.Path({str(written)!r}).write_text(str(os.getpid()))\n"
        "    time.sleep(600)\n    return ''\n",
        "utf-8",
    )
    script = (
        "import os, threading, pathlib\nfrom aitia.settings import Settings\n"
        "from aitia.tools.toolbox import Toolbox\n"
        "box = Toolbox.load(Settings(), ['hang.py'])\n"
        "hang = box.tools['hang']\n"
        "threading.Thread(target=box.call, args=(hang, {})).start()\n"
        f"while not pathlib.Path({str(written)!r}).exists(): pass\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=False)
    host = int(written.read_text())
    until = time.monotonic() + 30
    while running(host) and time.monotonic() < until:
        time.sleep(0.05)
    assert not running(host)


def running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_tools_of_installed_packages_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shelf_tools.py").write_text(
        "from aitia.tools import tool\n"
        "@tool\ndef shelf(sku: str) -> str:\n    'Tell the shelf.'\n    return sku[0]\n",
        "utf-8",
    )
    info = tmp_path / "shelf-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shelf\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[aitia.tools]\nshelf = shelf_tools\nbroken = no_such_module\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Toolbox.load(Settings()) as toolbox:
        assert toolbox.call(toolbox.tools["shelf"], {"sku": "B-12"}) == "B"
        (note,) = toolbox.notes
        assert "broken offers no tools" in note


def test_a_file_may_be_called_like_a_module_that_is_needed(tmp_path: Path) -> None:
    source = "from aitia.tools import tool\n@tool\ndef hi() -> str:\n    'Say hi.'\n"
    (tmp_path / "json.py").write_text(source + "    return 'hi'\n", "utf-8")
    with Toolbox.load(Settings(), ["json.py"], tmp_path) as toolbox:
        assert toolbox.call(toolbox.tools["hi"], {}) == "hi"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 / 0\n", "ZeroDivisionError"),
        ("x = 1\n", "has no tools"),
        ("raise SystemExit(2)\n", "SystemExit"),
        ("def broken(:\n", "SyntaxError"),
        ("while True: pass\n", "stopped after 1 seconds"),
    ],
)
def test_a_module_that_cannot_be_loaded_is_one_error(
    tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "bad.py").write_text(text, "utf-8")
    settings = Settings(tools=ToolSettings(seconds=1.0))
    with pytest.raises(ToolFailed, match=said):
        Toolbox.load(settings, ["bad.py"], tmp_path)
    with pytest.raises(ToolFailed, match="No module named"):
        Toolbox.load(settings, ["there_is_no_such_module"], tmp_path)


@pytest.mark.checkout
def test_the_examples_of_the_manual_work(tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "docs" / "tools.md").read_text("utf-8")
    blocks = re.findall(r"```(python|toml)\n(.*?)```", text, re.DOTALL)
    (code,) = (body for kind, body in blocks if kind == "python")
    (tmp_path / "shelf_tools.py").write_text(code, "utf-8")
    toml = "\n".join(body for kind, body in blocks if kind == "toml")
    (tmp_path / "aitia.toml").write_text(toml, "utf-8")
    settings, _ = load(tmp_path)
    assert set(settings.tools.mcp) == {"catalogue", "crm"}
    assert settings.alerts.spending == 5.0
    module = replace(settings, tools=replace(settings.tools, mcp={}))
    with Toolbox.load(module) as toolbox:
        more = toolbox.tools["order_more"]
        assert more.side_effect
        assert toolbox.call(more, {"sku": "P-1", "quantity": 2})["day"] == "None"


Json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(Json)
@hypothesis_settings(deadline=None, max_examples=60)
def test_any_result_comes_back_as_it_was(value: Any) -> None:
    @tool
    def give() -> Any:
        """Give it."""
        return value

    toolbox = Toolbox.of([give], Settings())
    assert toolbox.call(toolbox.tools["give"], {}) == value
