"""`aitia ask` with a model, as a person types it; cases C30 and C32 among it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from aitia.llm.calls import Call
from aitia_cli.main import cli
from tests.llm_server import ModelServer, dead_url
from tests.model_desk import Player, batch
from tests.model_pumps import FEEDS, SEARCH, copy, made, told

Run = Callable[..., Result]
CRANES = (
    "Crane 4 lifts 12 tonnes [2]. It was painted red [7]. It was inspected in May [1]."
)


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("ready"))


@pytest.fixture
def ask(ready: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `aitia` in a folder whose workspace knows the pumps; no key is set."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    copy(ready, tmp_path / "ws")

    def run(*words: str) -> Result:
        return CliRunner().invoke(cli, ["--workspace", "ws", *words])

    return run


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(Player([batch(SEARCH), told])) as found:
        yield found


def model(server: ModelServer) -> list[str]:
    return ["--llm-url", server.url, "--model", "m"]


def test_c32_each_sentence_is_checked_against_what_it_cites(
    ask: Run, tmp_path: Path
) -> None:
    texts = tmp_path / "b32"
    texts.mkdir()
    (texts / "a.txt").write_text("Crane 4 lifts 9 tonnes. It was inspected in May.\n")
    (texts / "b.txt").write_text("Crane 5 lifts 12 tonnes.\n")
    ask("ingest", "b32")
    with ModelServer(CRANES) as server:
        done = ask("ask", *model(server), "Tell me about crane 4")
        assert done.exit_code == 3
        answer, _, rest = done.stdout.partition("\n\n")
        assert answer.splitlines() == [
            "It was painted red. (unsupported: It cites [7], which is no source.)",
            "It was inspected in May. [1]",
        ]
        assert "[1] “It was inspected in May.” — b32/a.txt, characters 24–48" in rest
        assert "Left out, since contradicted: Crane 4 lifts 12 tonnes." in rest
        assert "12 tonnes against 9 tonnes" in rest
        shown = json.loads(ask("ask", *model(server), "--json", "crane 4?").stdout)
        supports = [item["support"] for item in shown["sentences"]]
        assert supports == ["unsupported", "supported"]
        assert shown["dropped"][0]["support"] == "contradicted"
        assert shown["dropped"][0]["evidence"][0]["path"] == "b32/a.txt"
    rows = ask(
        "query", "--json", "SELECT ?s { ?c a aitia:Claim ; aitia:supportState ?s }"
    )
    found = json.loads(rows.stdout)["results"]["bindings"]
    states = {row["s"]["value"].rpartition("#")[2] for row in found}
    assert states == {"supported", "unsupported", "contradicted"}
    hamlet = ask("ask", "Who wrote Hamlet?")
    assert hamlet.exit_code == 5
    assert "Tried:" in hamlet.stdout


def test_c32_nothing_found_is_never_worded(ask: Run) -> None:
    with ModelServer("William Shakespeare wrote Hamlet [1].") as server:
        done = ask("ask", *model(server), "Who wrote Hamlet?")
        assert done.exit_code == 5
        assert "Shakespeare" not in done.stdout


def test_c30_a_dead_server_gives_one_plain_line_and_the_offline_answer(
    ask: Run,
) -> None:
    done = ask("ask", "--llm-url", dead_url(), "--model", "m", "What does pump A feed?")
    assert done.exit_code == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("aitia: No model answered, so rules did: ")
    assert done.stdout.splitlines()[0] == f"{FEEDS} [1]"
    assert "No model answered" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize("form", ["{base}/v1", "{base}/v1/", "{base}"])
def test_c30_any_form_of_the_address_will_do(
    ask: Run, server: ModelServer, form: str
) -> None:
    server.reject = ("response_format",)
    url = form.format(base=server.base)
    done = ask("ask", "--llm-url", url, "--model", "m", "What does pump A feed?")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"{FEEDS} [1]")
    assert "Generative answer: m worded it." in done.stdout


def test_no_llm_asks_no_model(
    ask: Run, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AITIA_MODEL_URL", server.url)
    monkeypatch.setenv("AITIA_MODEL_NAME", "m")
    done = ask("ask", "--no-llm", "What does pump A feed?")
    assert "Extractive answer" in done.stdout
    assert server.requests == []
    assert "Generative answer" in ask("ask", "What does pump A feed?").stdout


def test_json_lines_tell_steps_and_then_the_answer(
    ask: Run, server: ModelServer
) -> None:
    done = ask("ask", *model(server), "--json-lines", "What does pump A feed?")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[-1]["event"] == "answer"
    assert lines[-1]["answer"] == FEEDS
    assert {line["event"] for line in lines[:-1]} <= {"step", "notice", "piece"}
    steps = [line for line in lines if line["event"] == "step"]
    assert {"Goal", "Batch", "MethodExecution", "Decision"} <= {
        x["kind"] for x in steps
    }
    numbers = [line["commit"] for line in steps]
    assert numbers == sorted(numbers)
    assert all(line["node"].startswith(lines[-1]["run"]) for line in steps)


def test_stream_shows_steps_and_words_as_they_come(ask: Run) -> None:
    with ModelServer(["no", "no", "no", "no", f"{FEEDS[:-1]} [1]."]) as server:
        done = ask("ask", *model(server), "--stream", "What does pump A feed?")
        assert done.stdout.splitlines()[0] == f"{FEEDS} [1]"
        assert "MethodExecution [succeeded]: lexical_search" in done.stderr
        assert f"{FEEDS[:-1]} [1]." in done.stderr
        assert any(body.get("stream") for body in server.requests)


def test_a_replay_asks_nobody(ask: Run, server: ModelServer) -> None:
    first = ask("ask", *model(server), "What does pump A feed?")
    asked = len(server.requests)
    again = ask("ask", "--replay", "last")
    assert again.exit_code == 0
    assert again.stdout.splitlines()[:3] == first.stdout.splitlines()[:3]
    assert len(server.requests) == asked
    other = ask("ask", "--replay", "last", "What does tank B feed?")
    assert other.exit_code == 2
    assert "not the one that the run was asked" in other.stderr


def test_a_replay_of_what_no_longer_fits_says_so(
    ask: Run, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask("ask", *model(server), "What does pump A feed?")
    monkeypatch.setattr("aitia.reason.prompts.PLAN", ("plan", "changed"))
    done = ask("ask", "--replay", "last")
    assert done.exit_code == 1
    assert "The record holds no reply" in done.stderr
    assert "The wording of the prompt differs: version 2, now changed." in done.stderr
    runs = json.loads(ask("runs", "--json").stdout)
    assert runs[0]["conclusion"] == "Abort"


def test_a_replay_says_which_tool_is_new(
    ask: Run, server: ModelServer, tmp_path: Path
) -> None:
    ask("ask", *model(server), "What does pump A feed?")
    file = tmp_path / "extra_tools.py"
    file.write_text(
        "from aitia.tools import tool\n\n\n@tool\ndef depth(tank: str) -> int:\n"
        '    """Tell the depth of a tank."""\n    return 3\n'
    )
    done = ask("ask", "--replay", "last", "--tools", str(file))
    assert done.exit_code == 1
    assert "What is offered" in done.stderr
    assert "depth(tank: string)" in done.stderr


def test_a_session_is_joined(ask: Run, server: ModelServer) -> None:
    ask("ask", *model(server), "--session", "desk", "What does pump A feed?")
    ask("ask", "--no-llm", "--session", "desk", "What does pump A feed?")
    (session,) = json.loads(ask("sessions", "--json").stdout)
    assert (session["name"], len(session["runs"])) == ("desk", 2)


def test_a_spent_budget_exits_with_1(
    ask: Run, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AITIA_BUDGET_CALLS", "1")
    done = ask("ask", *model(server), "What does pump A feed?")
    assert done.exit_code == 1
    assert "The run was broken off: " in done.stdout
    assert "budget" in done.stdout


def test_a_tool_file_is_named_and_allowed(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "valves.py").write_text(
        "from aitia.tools import tool\n"
        "@tool(side_effect=True)\n"
        "def close_valve(name: str) -> str:\n"
        "    'Close a valve.'\n"
        "    return f'Valve {name} is closed.'\n",
        "utf-8",
    )
    operation = {
        "op": "callTool",
        "goal": "G1",
        "tool": "close_valve",
        "arguments": {"name": "9"},
    }

    def end(prompt: str) -> Any:
        told = [{"text": "Valve 9 is closed.", "cites": ["O1"]}]
        if "is closed" not in prompt:
            return batch({"op": "conclude", "reason": "It was not permitted."})
        return batch({"op": "conclude", "sentences": told})

    flags = ["--tools", "valves.py"]
    for allow, code in ((["--allow", "close_valve"], 0), ([], 5)):
        with ModelServer(Player([batch(operation), end])) as server:
            words = ["--no-cache", *flags, *allow, "Close valve 9."]
            assert ask("ask", *model(server), *words).exit_code == code
    unknown = ask("ask", *model(server), *flags, "--allow", "open_valve", "Open it.")
    assert unknown.exit_code == 2


def test_a_question_or_a_run_is_needed(ask: Run) -> None:
    assert ask("ask").exit_code == 2
    assert ask("ask", "--stream", "--json", "x").exit_code == 2


def test_what_is_asked_of_a_model_has_a_name_and_a_version() -> None:
    from aitia.ask.thinking import compose, reading

    call = reading.call("What does pump A feed?")
    assert isinstance(call, Call)
    assert (call.purpose, compose.PURPOSE) == ("perceive", "compose")
