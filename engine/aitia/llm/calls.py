"""What is asked of a model, what comes back, and what can go wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from aitia.errors import AitiaError

if TYPE_CHECKING:
    from pydantic import BaseModel

Tier = Literal["plan", "work"]
Role = Literal["system", "user", "assistant"]

REPAIRS: Final = 1
"""How often a reply that is not what was asked for is sent back, with the reason."""


@dataclass(frozen=True)
class Message:
    """One message of a prompt.

    Attributes:
        role: Who speaks.
        text: What is said.
    """

    role: Role
    text: str


@dataclass(frozen=True)
class Call:
    """What is asked of a model.

    Attributes:
        purpose: Name of the prompt, as in `plan`, `extract`, `compose`: stands on
            the record of the step.
        version: Version of the prompt's wording; part of the cache's key.
        messages: The prompt.
        tier: Which of the two models is asked.
        shape: The pydantic model that the reply must be, or None for plain text.
        plain: Reads a reply of plain text as `shape`, or returns None where it is
            none; tried before a reply is sent back for repair.
        told: Is given each piece of a streamed reply as it comes, without what is
            set apart as reasoning. An empty piece says that the reply starts anew
            and that what was told before is void.
        partial: Whether the complete items of a reply that was cut off are worth
            having, where asking again did not help.
        anew: Whether a reply that is kept will not do: what is replied may be acted on
            outside, and is decided each time.
    """

    purpose: str
    version: str
    messages: tuple[Message, ...]
    tier: Tier = "work"
    shape: type[BaseModel] | None = None
    plain: Callable[[str], Any] | None = None
    told: Callable[[str], None] | None = None
    partial: bool = False
    anew: bool = False


@dataclass(frozen=True)
class Reply:
    """What a model replied, parsed and measured.

    Attributes:
        text: Its words, without the reasoning set apart.
        value: The parsed reply: an instance of the call's `shape`, or None.
        reasoning: What it thought aloud before (`<think>` blocks and the like); model
            reasoning, never evidence.
        model: The model that replied, as the server names it.
        raw: Name of the blob with the replies as they came, JSON Lines.
        prompt: Name of the blob with the prompt as it was sent.
        parameters: How it was asked: temperature, most tokens, response format.
        finish: Why it stopped, in the server's word: `stop`, `length`, …; "" unknown.
        seconds: From sending to the last piece, attempts and waiting included.
        input_tokens: Tokens read, as the server counts them; None where it does not.
        output_tokens: Tokens written, likewise.
        tokens: Tokens read and written: as the server counts them, estimated where it
            does not, 0 where the reply is one from the cache.
        cost: In the currency of the prices; None where the price is unknown.
        complete: Whether it is whole; if not, `value` holds its complete items.
        attempts: How often the model was asked.
        cached: Key of the cache entry that it came from, or "".
        key: Key under which it is kept: hash of model, parameters, version and prompt.
        repaired: Why the first reply was sent back, or "".
        warnings: What the reader should know: a prompt cut by the server, a
            recovered reply, an incomplete one.
    """

    text: str
    value: Any = None
    reasoning: str = ""
    model: str = ""
    raw: str = ""
    prompt: str = ""
    parameters: tuple[tuple[str, Any], ...] = ()
    finish: str = ""
    seconds: float = 0.0
    input_tokens: int | None = None
    output_tokens: int | None = None
    tokens: int = 0
    cost: Decimal | None = None
    complete: bool = True
    attempts: int = 1
    cached: str = ""
    key: str = ""
    repaired: str = ""
    warnings: tuple[str, ...] = ()


class ModelError(AitiaError):
    """A model could not be asked or its reply not used; `reply` tells what is known."""

    def __init__(self, message: str, *, hint: str = "", reply: Reply | None = None):
        super().__init__(message, hint=hint)
        self.reply = reply


class ModelDown(ModelError):
    """The server cannot be reached, refuses, or stayed busy to the end."""


class BadReply(ModelError):
    """The reply is not what was asked for, after the repair try too."""


class TooLong(BadReply):
    """The prompt does not fit into the model's context; nothing was sent.

    Attributes:
        tokens: What the prompt is estimated at.
        most: What it may have.
    """

    def __init__(self, message: str, tokens: int, most: int, *, hint: str = ""):
        super().__init__(message, hint=hint)
        self.tokens, self.most = tokens, most


class BudgetSpent(ModelError):
    """The run has used up what it may."""


class Asks(Protocol):
    """What rooms above ask models through; `aitia.llm.models.Models` is it.

    Safe to call from several threads at once.
    """

    def complete(self, call: Call) -> Reply:
        """Ask, and return the parsed reply.

        Raises:
            ModelDown: No reply could be had.
            BadReply: No usable reply came, the repair try included.
            BudgetSpent: Asking would go over the budget; nothing was sent.
        """
        ...

    def name(self, tier: Tier) -> str:
        """Return the name of the model of a tier."""
        ...
