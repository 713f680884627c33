"""Tools keep apart from the run: whatever they raise, and whatever they are called."""

import re
from pathlib import Path
from typing import Any

import pytest

import aitia
from aitia.errors import UsageError
from aitia.methods.base import registry
from aitia.settings import Settings
from aitia.tools import tool
from aitia.tools.toolbox import Toolbox
from aitia.trace import reserved
from tests.test_tools import failure, lambda_like

ENGINE = Path(aitia.__file__).parent


class Odd(BaseException):
    """What no `except Exception` catches, and what cannot be told."""

    def __str__(self) -> str:
        raise SystemExit


@pytest.mark.parametrize("raised", [Odd(), KeyboardInterrupt(), GeneratorExit()])
def test_whatever_a_function_of_the_program_raises_fails_the_call(
    raised: BaseException,
) -> None:
    @tool
    def bad() -> str:
        """Raise."""
        raise raised

    @tool
    def odd() -> Any:
        """Return what cannot be told."""
        return Odd()

    toolbox = Toolbox.of([bad, odd], Settings())
    assert type(raised).__name__ in failure(toolbox, "bad")
    assert "no form in JSON" in failure(toolbox, "odd")


@pytest.mark.parametrize("name", ["lexical_search", "model_call", "find_rules"])
def test_no_tool_has_the_name_of_a_method(name: str) -> None:
    with pytest.raises(UsageError, match="is the name of a method"):
        Toolbox.of([tool(name=name)(lambda_like())], Settings())


def test_the_names_of_all_methods_and_strategies_are_taken() -> None:
    files = (ENGINE / "ask").rglob("*.py")
    text = "".join(file.read_text("utf-8") for file in files)
    named = r'^(?:NAME|RULES|CONDITIONS|RECALL): Final = "(\w+)"$'
    strategies = re.findall(named, text, re.MULTILINE)
    assert len(strategies) > 5
    own = [
        name
        for name, item in registry().items()
        if item.run.__module__.startswith("aitia.methods.")
    ]
    assert {*own, *strategies} <= reserved._ENGINE
