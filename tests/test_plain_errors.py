"""What goes wrong is told in a plain sentence, whatever it was."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from aitia.errors import SettingsError
from aitia.redact import Redactor
from aitia.settings import Settings, load
from aitia_cli.main import cli


def gives_nothing(text: str) -> None:
    """A hook that returns no list."""


def gives_words(text: str) -> list[str]:
    return ["secret"]


@pytest.mark.parametrize("hook", ["gives_nothing", "gives_words"])
def test_a_hook_that_returns_no_spans_is_told(hook: str) -> None:
    settings = Settings(redact_hook=f"tests.test_plain_errors:{hook}")
    with pytest.raises(SettingsError, match="not a list of") as caught:
        Redactor(settings).redact("a text")
    assert "Error(" not in str(caught.value)


@pytest.mark.parametrize("value", ["inf", "nan", "-1"])
def test_a_timeout_is_a_finite_number(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AITIA_QUERY_TIMEOUT", value)
    with pytest.raises(SettingsError, match="a finite number of at least 0"):
        load(None)


@pytest.mark.parametrize(
    ("name", "folder"), [("lock", True), ("published", False), ("indexes", False)]
)
def test_a_path_of_the_wrong_kind_is_told(
    tmp_path: Path, name: str, folder: bool
) -> None:
    (tmp_path / "ws").mkdir()
    place = tmp_path / "ws" / name
    place.mkdir() if folder else place.write_text("x", "utf-8")
    (tmp_path / "a.txt").write_text("A pump.", "utf-8")
    args = ["--workspace", str(tmp_path / "ws"), "ingest", str(tmp_path / "a.txt")]
    ran = CliRunner().invoke(cli, args)
    assert ran.exit_code != 0
    assert "Errno" not in ran.output
    assert str(place) in ran.output


def test_a_question_from_a_closed_input(tmp_path: Path) -> None:
    command = f"{sys.executable} -m aitia_cli --workspace {tmp_path} ask - <&-"
    ran = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 2
    assert "it is closed" in ran.stderr


def test_ctrl_c_while_it_loads_leaves_no_traceback() -> None:
    stopped = (
        "import sys, signal, os, runpy\n"
        "class Stop:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'aitia_cli.main':\n"
        f"            os.kill(os.getpid(), {int(signal.SIGINT)})\n"
        "sys.meta_path.insert(0, Stop())\n"
        "runpy.run_module('aitia_cli', run_name='__main__')\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", stopped], capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 130
    assert ran.stderr == ""
