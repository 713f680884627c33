"""Flags, `config` and `doctor`: which model is asked, shown and found to answer."""

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from aitia.settings import Settings, load
from aitia.workspace import Workspace
from aitia_cli.context import Context
from aitia_cli.main import cli
from aitia_cli.modelflags import model_flags
from tests.llm_server import ModelServer, dead_url

SECRET = "hidden-0123456789-value"


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@click.command()
@click.argument("words", nargs=-1)
@click.pass_obj
@model_flags
def verb(context: Context, words: tuple[str, ...]) -> None:
    """Tell which models would be asked."""
    settings, _ = load(context.folder, context.flags)
    click.echo(json.dumps([words, _models(settings)]))


def _models(settings: Settings) -> list[Any]:
    from aitia.llm.tiers import targets

    model = settings.model
    found = targets(model) or {}
    return [{t: [x.url, x.name] for t, x in found.items()}, model.cache]


def asked(folder: Path, *words: str, code: int = 0) -> Any:
    context = Context(folder, {"agent": "Ada"}, False)
    done = CliRunner().invoke(verb, list(words), obj=context)
    assert done.exit_code == code, done.output
    return json.loads(done.stdout) if not code else done.stderr


def run(folder: Path, *words: str, code: int = 0) -> Result:
    done = CliRunner().invoke(cli, ["--workspace", str(folder), *words])
    assert done.exit_code == code, done.output
    return done


# Flags


def test_flags_say_which_model_is_asked_whatever_the_file_says(tmp_path: Path) -> None:
    (tmp_path / "aitia.toml").write_text(
        '[model]\nurl = "http://one/v1"\nname = "a"\n'
        '[model.plan]\nurl = "http://two/v1"\nname = "b"\n'
    )
    plan, work = ["http://two/v1", "b"], ["http://one/v1", "a"]
    assert asked(tmp_path, "x") == [["x"], [{"plan": plan, "work": work}, True]]
    three = ["http://three", "c"]
    told = asked(tmp_path, "--llm-url", three[0], "--model", three[1])
    assert told[1][0] == {"plan": three, "work": three}
    assert asked(tmp_path, "--no-llm")[1] == [{}, True]
    assert asked(tmp_path, "--no-cache")[1][1] is False


def test_flags_that_make_no_sense_are_told(tmp_path: Path) -> None:
    assert "--model NAME" in asked(tmp_path, "--llm-url", "http://x", code=2)
    assert "--no-llm" in asked(tmp_path, "--no-llm", "--model", "m", code=2)


def test_a_workspace_has_the_models_that_its_settings_name(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "none") as workspace:
        assert workspace.models is None
    with ModelServer("ok") as server:
        flags = {"model.url": server.url, "model.name": "m"}
        with Workspace.open(tmp_path / "one", flags=flags) as workspace:
            assert workspace.models
            assert workspace.models.name("plan") == "m"
        assert server.paths == []


@pytest.mark.parametrize("verb", ["ask", "ingest"])
def test_who_waits_for_a_server_is_told(tmp_path: Path, verb: str) -> None:
    (tmp_path / "a.txt").write_text("Pump A feeds tank B.")
    run(tmp_path / "ws", "ingest", str(tmp_path / "a.txt"))
    (tmp_path / "b.txt").write_text("Pump C feeds tank D.")
    what = {"ask": "What feeds tank B?", "ingest": str(tmp_path / "b.txt")}[verb]
    with ModelServer("no", fail_first=1, retry_after="0") as server:
        words = (verb, what, "--llm-url", server.url, "--model", "m")
        done = CliRunner().invoke(cli, ["--workspace", str(tmp_path / "ws"), *words])
    told = "aitia: the model's server is busy (429): asking again in 0 s"
    assert done.stderr.count(told) == 1


# config


def test_config_shows_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", "an-environment-value-1234")
    (tmp_path / "aitia.toml").write_text(
        f"""
        [model]
        url = "http://ada:{SECRET}@host/v1?api_key={SECRET}"
        key_variable = "MY_TOKEN"
        prices."a-model" = {{ input = 0.5, output = 2 }}
        [tools.mcp.one]
        command = "serve"
        args = ["--port", "80", "--api-key", "{SECRET}", "--token={SECRET}"]
        env = {{ SERVICE_PASSWORD = "{SECRET}", PLACE = "an-environment-value-1234" }}
        [tools.mcp.two]
        url = "http://host/mcp"
        headers = {{ Authorization = "Bearer {SECRET}" }}
        """
    )
    for form in ("--json", ""):
        told = run(tmp_path, *filter(None, ("config", form))).stdout
        assert SECRET not in told
        assert "an-environment" not in told
        for kept in ("ada", "host", "MY_TOKEN", "serve", "--port", "80", "a-model"):
            assert kept in told


# doctor


def doctor(folder: Path, code: int = 0) -> dict[str, tuple[str, str]]:
    told = json.loads(run(folder, "doctor", "--json", code=code).stdout)
    return {item["about"]: (item["state"], item["text"]) for item in told}


def configure(monkeypatch: pytest.MonkeyPatch, url: str, name: str = "m") -> None:
    monkeypatch.setenv("AITIA_MODEL_URL", url)
    monkeypatch.setenv("AITIA_MODEL_NAME", name)


def test_doctor_says_nothing_of_models_where_none_is_configured(
    tmp_path: Path,
) -> None:
    assert not [about for about in doctor(tmp_path / "ws") if "model (" in about]


def test_doctor_tells_that_a_model_answers_and_what_its_server_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "ws"
    with ModelServer({"ready": True}, calls_tools=True) as server:
        configure(monkeypatch, server.url)
        state, text = doctor(folder)["model (plan, work)"]
        assert not folder.exists()
        assert state == "good"
        assert "JSON by json_schema, tools, counts tokens" in text
        with Workspace.open(folder):
            pass
        doctor(folder)
        assert '"tools": true' in (folder / "models.json").read_text()
    with ModelServer({"ready": True}, reject=("response_format", "tools")) as server:
        configure(monkeypatch, server.url)
        _, text = doctor(folder)["model (plan, work)"]
    assert "JSON by plain, no tools" in text


def test_doctor_tells_each_tier_apart_and_which_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer({"ready": True}) as server:
        configure(monkeypatch, server.url)
        monkeypatch.setenv("AITIA_MODEL_PLAN_URL", dead_url())
        told = doctor(tmp_path / "ws", code=1)
    assert told["model (work)"][0] == "good"
    assert told["model (plan)"][0] == "wrong"
    assert "cannot be reached" in told["model (plan)"][1]


def test_doctor_tells_of_models_that_are_half_configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AITIA_MODEL_NAME", "m")
    state, text = doctor(tmp_path / "ws", code=1)["model"]
    assert (state, "not where its server is" in text) == ("wrong", True)
