"""Settings of language models: which server, which model, and how it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aitia.settings.kinds import LONGEST, number, table


@dataclass(frozen=True)
class TierSettings:
    """One tier of models; what is empty here is taken from `[model]`.

    Attributes:
        url: Base address of an OpenAI-compatible server.
        name: The model's name there.
        key_variable: Name of the environment variable that holds the key.
        context: Tokens that the model reads and writes at most; 0 as in `[model]`.
        answer_tokens: Tokens that one reply may have; 0 as in `[model]`.
    """

    url: str = ""
    name: str = ""
    key_variable: str = ""
    context: int = number(0, 0)
    answer_tokens: int = number(0, 0)


@dataclass(frozen=True)
class ModelSettings:
    """Which model answers, and how it is asked.

    Attributes:
        url: Base address of an OpenAI-compatible server, with or without `/v1`;
            OPENAI_BASE_URL where nothing else is set.
        name: The model's name there. Without one, no model is asked.
        key_variable: Name of the environment variable that holds the key; a local
            server needs none.
        plan: The tier that plans and decides.
        work: The tier that does the single steps: extraction, checks, wording.
        context: Tokens that the model reads and writes at most.
        answer_tokens: Tokens that one reply may have.
        temperature: Sampling temperature.
        timeout: Seconds to wait for one reply, or for the next piece of one that is
            told as it comes.
        retries: How often a busy or failing server is asked again.
        longest_wait: Seconds that a server may make us wait before it is asked again;
            a longer Retry-After counts as this.
        cache: Whether replies, decompositions and retrievals are kept and used again.
        prices: Model name → {"input", "output"}: price of a million tokens. A model
            that is not named costs "unknown".
        currency: What the prices are in.
    """

    url: str = ""
    name: str = ""
    key_variable: str = "OPENAI_API_KEY"
    plan: TierSettings = field(default_factory=TierSettings)
    work: TierSettings = field(default_factory=TierSettings)
    context: int = number(8192, 256)
    answer_tokens: int = number(1024, 16)
    temperature: float = number(0.0, 0, 2)
    timeout: float = number(60.0, 0.1, LONGEST)
    retries: int = number(3, 0, 20)
    longest_wait: float = number(30.0, 0, LONGEST)
    cache: bool = True
    prices: Mapping[str, Any] = table()
    currency: str = "EUR"

    @property
    def key_variables(self) -> tuple[str, ...]:
        """Environment variables that hold the keys of both tiers."""
        named = (part.key_variable for part in (self, self.plan, self.work))
        return tuple(dict.fromkeys(filter(None, named)))


@dataclass(frozen=True)
class BudgetSettings:
    """What one run may use up; 0 sets no bound. A spent budget ends the run in an Abort.

    Attributes:
        calls: Calls of a model.
        tokens: Tokens read and written together.
        money: In the currency of the prices; calls of unknown price do not count.
        seconds: From the start of the run.
    """

    calls: int = number(60, 0)
    tokens: int = number(200_000, 0)
    money: float = number(0.0, 0)
    seconds: float = number(600.0, 0, LONGEST)
