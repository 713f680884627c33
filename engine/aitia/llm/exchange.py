"""One call: asked, read, sent back once where it cannot be used, and kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final

from aitia.blobs import Blobs
from aitia.llm import faults, keeping, reading, tokens, wire
from aitia.llm.apart import Visible, set_apart
from aitia.llm.budget import Budget, Call as Spending
from aitia.llm.calls import BadReply, Call, ModelDown, ModelError, Reply, TooLong
from aitia.llm.keys import canonical
from aitia.llm.patience import OutOfTime, Watch
from aitia.llm.server import Server
from aitia.llm.veil import Veil, Veiled
from aitia.settings.prices import Price

LARGER: Final = 4
"""A reply that was cut off may be so many times as long when it is asked for again."""
WORTH: Final = 1.25
"""With fewer times as many tokens, asking for the same again is not worth it."""
CUT: Final = 50
"""Tokens that a server must have read fewer than half the prompt's, to be told."""
WRONG: Final = 10
"""A count of tokens of more than so many times what is possible is not believed."""
HUGE: Final = 10**12
"""A larger count of tokens is told as that it is larger."""
QUOTED: Final = 2_000
"""Characters of an unusable reply that are sent back with the reason."""

Message = dict[str, str]


@dataclass(frozen=True)
class Means:
    """What a call is made with.

    Attributes:
        server: The server and model.
        budget: The run's.
        price: The model's, or None where it is unknown.
        temperature: Sampling temperature.
        blobs: Where prompt and replies are kept.
        veil: Masks secrets.
        tell: Is told what is being waited for.
    """

    server: Server
    budget: Budget
    price: Price | None
    temperature: float
    blobs: Blobs
    veil: Veil
    tell: Callable[[str], None]


@dataclass
class _Count:
    """What the answers so far came to; None where one of them does not tell."""

    answers: int = 0
    read: int | None = 0
    written: int | None = 0
    cost: Decimal | None = Decimal(0)
    tokens: int = 0


@dataclass
class Exchange:
    """A call from asking to the reply.

    Attributes:
        means: What it is made with.
        call: What is asked.
        prompt: The messages, secrets masked.
        name: Name of what is asked.
        key: Key under which the reply is kept.
    """

    means: Means
    call: Call
    prompt: tuple[Message, ...]
    name: str
    key: str
    _lines: list[dict[str, Any]] = field(default_factory=list)
    _warnings: list[str] = field(default_factory=list)
    _count: _Count = field(default_factory=_Count)
    _answer: wire.Answer = field(default_factory=wire.Answer)
    _body: dict[str, Any] = field(default_factory=dict)
    _text: str = ""
    _thoughts: str = ""
    _repaired: str = ""
    _breaks_off: bool = False
    _complete: bool = True
    _failed: int = 0

    def run(self) -> Reply:
        """Ask, and return the reply, kept.

        Raises:
            ModelError: No usable reply came; what is known of it is kept and told.
        """
        started = time.monotonic()
        try:
            found = self._usable()
        except ModelError as error:
            error.reply = self._reply(None, time.monotonic() - started, error)
            raise
        if found.how and self._complete:
            self._warnings.append(f"The reply was recovered: {found.how}.")
        return self._reply(found.value, time.monotonic() - started)

    def _usable(self) -> reading.Read:
        """Ask, and once more where the reply cannot be used."""
        limit = self.means.server.target.answer_tokens
        try:
            return self._asked(self.prompt, limit)
        except reading.Unusable as error:
            self._repaired = str(error)
        again, more = self._again(self._repaired, limit)
        try:
            return self._asked(again, more)
        except TooLong as error:
            return self._rest(self._repaired, error)
        except reading.Unusable as error:
            return self._rest(str(error), error)

    def _asked(self, prompt: tuple[Message, ...], limit: int) -> reading.Read:
        """Ask, and read the reply.

        Raises:
            Unusable: It is not what was asked for.
        """
        self._answer = self._sent(prompt, limit)
        thoughts, text = set_apart(self._answer.text)
        apart = self._answer.reasoning.strip()
        self._thoughts = "\n\n".join(filter(None, (apart, thoughts)))
        self._text = text
        self._breaks_off = False
        try:
            found = self._read()
        except reading.Unusable as error:
            self._breaks_off = isinstance(error, reading.CutOff)
            self._note_heed(False)
            raise
        self._note_heed(not found.how)
        return found

    def _read(self) -> reading.Read:
        refusal, finish = self._answer.refusal, self._answer.finish
        if refusal and not self._text:
            raise reading.Unusable(f"the model would not reply: {refusal}")
        if finish == "content_filter":
            raise reading.Unusable("the server's filter stopped it")
        if not self._is_cut:
            return reading.read(self.call, self._text)
        told = "it was cut off"
        if self._answer.output_tokens is not None:
            told += f" after {self._answer.output_tokens:,} tokens"
        try:
            found = reading.read(replace(self.call, plain=None), self._text)
        except reading.Unusable as error:
            raise reading.Unusable(told) from error
        # JSON can be whole and be followed by white space up to the limit.
        if self.call.shape is None or found.how:
            raise reading.Unusable(told)
        return found

    @property
    def _is_cut(self) -> bool:
        return self._answer.finish == "length" or self._breaks_off

    def _rest(self, reason: str, cause: Exception) -> reading.Read:
        """Return what may be used all the same of a reply that cannot be."""
        if self.call.partial and self._is_cut:
            return self._part(reason)
        raise self._bad(reason) from cause

    def _part(self, reason: str) -> reading.Read:
        """Return what is complete of a reply that was cut off twice."""
        self._complete = False
        self._warnings.append(f"The reply is incomplete: {reason}.")
        try:
            if self.call.shape is None:
                return reading.read(self.call, self._text)
            return reading.read_part(self.call, self._text)
        except reading.Unusable as error:
            raise self._bad(f"{reason}, and {error}") from error

    def _again(self, reason: str, limit: int) -> tuple[tuple[Message, ...], int]:
        """Return what is sent after a reply that cannot be used, and its limit."""
        if self.call.told is not None:
            self.call.told("")
        if self._is_cut:
            room = self.means.server.target.context - self._estimate(self._body)
            if (more := min(limit * LARGER, room)) >= limit * WORTH:
                return self.prompt, more
            reason += "; reply more briefly"
        told = f"Your reply cannot be used: {reason}. Reply again, as was asked."
        if not self._text:
            last = self.prompt[-1]
            return (
                *self.prompt[:-1],
                {**last, "content": f"{last['content']}\n\n{told}"},
            ), limit
        quoted = {"role": "assistant", "content": self._text[:QUOTED]}
        return (*self.prompt, quoted, {"role": "user", "content": told}), limit

    def _sent(self, prompt: tuple[Message, ...], limit: int) -> wire.Answer:
        means = self.means
        veiled = Veiled(self.call.told, means.veil) if self.call.told else None
        told = Visible(veiled) if veiled else None
        question = wire.Question(
            means.server.target.name,
            prompt,
            self.call.shape,
            limit,
            means.temperature,
            told,
        )
        self._check(question.body(means.server.can))
        estimate = self._estimate(self._body)
        with means.budget.call(estimate, means.price) as spending:
            found = self._answered(question, spending)
            self._spend(found, spending)
        if told is not None and veiled is not None:
            told.end()
            veiled.end()
        return found

    def _answered(self, question: wire.Question, spending: Spending) -> wire.Answer:
        budget = self.means.budget
        watch = Watch(self._note, self._check, self.means.tell, lambda: budget.left)
        try:
            return self.means.server.ask(question, watch)
        except OutOfTime as error:
            spending.unanswered()
            raise budget.over() from error
        except TooLong:
            spending.unsent()
            raise
        except ModelDown:
            spending.unanswered()
            raise

    def _note(self, line: dict[str, Any]) -> None:
        # Finding out what a server takes is no try of the model.
        self._failed += line.get("status") not in faults.REFUSED
        self._lines.append(line)

    def _check(self, body: dict[str, Any]) -> None:
        """Refuse a prompt that does not fit into the context."""
        self._body = body
        target = self.means.server.target
        estimate, most = self._estimate(body), target.room
        if estimate > most:
            raise TooLong(
                f"The prompt has about {estimate:,} tokens, {estimate - most:,} more"
                f" than fit: {target.context:,} less {target.answer_tokens:,} for the"
                " answer.",
                estimate,
                most,
                hint="The setting model.context allows more, if the model does.",
            )

    def _estimate(self, body: dict[str, Any]) -> int:
        return tokens.of_messages(body["messages"])

    def _spend(self, found: wire.Answer, spending: Spending) -> None:
        """Count what an answer used, and warn of a prompt that was cut."""
        self._lines.append(found.line())
        estimate = self._estimate(found.body)
        written = tokens.estimate(found.text) + tokens.estimate(found.reasoning)
        self._doubt(found, estimate)
        read, wrote = found.input_tokens, found.output_tokens
        spending.tokens = (estimate if read is None else read) + (
            written if wrote is None else wrote
        )
        spending.cost = None
        if self.means.price and read is not None and wrote is not None:
            spending.cost = self.means.price.of(read, wrote)
        self._add(found, spending)
        if read is not None and 2 * read < estimate and estimate - read >= CUT:
            self._warnings.append(
                f"The server read {read:,} tokens of a prompt of about {estimate:,}:"
                " it may have cut it. Set model.context to what it takes."
            )
        if spending.cost is None and self.means.budget.bounds.money:
            self._warnings.append(
                "What this call cost is unknown: it does not count in budget.money."
            )

    def _doubt(self, found: wire.Answer, estimate: int) -> None:
        """Take no count that cannot be right: it would spend the budget of the run."""
        limit = self.means.server.target.context
        counts = (found.input_tokens or 0, found.output_tokens or 0)
        if counts[0] > WRONG * (estimate + limit) or counts[1] > WRONG * limit:
            self._warnings.append(
                f"The server counts {_amount(counts[0])} tokens read and"
                f" {_amount(counts[1])} written, which cannot be: they are estimated"
                " instead."
            )
            found.input_tokens = found.output_tokens = None

    def _add(self, found: wire.Answer, spending: Spending) -> None:
        count = self._count
        count.answers += 1
        count.tokens += spending.tokens
        count.read = _sum(count.read, found.input_tokens)
        count.written = _sum(count.written, found.output_tokens)
        known = count.cost is not None and spending.cost is not None
        count.cost = (
            (count.cost or Decimal(0)) + (spending.cost or Decimal(0))
            if known
            else None
        )

    def _note_heed(self, heeded: bool) -> None:
        """Remember a server that takes a schema and does not see to it."""
        can = self.means.server.can
        sees_to = can.format == "json_schema" and can.heeds
        if self.call.shape and not heeded and not self._is_cut and sees_to:
            self.means.server.learn(replace(can, heeds=False))

    def _bad(self, reason: str) -> BadReply:
        name = self.means.server.target.name
        return BadReply(
            f"The reply of the model {name} cannot be used, after asking"
            f" {self._count.answers} times: {reason}."
        )

    def _reply(
        self, value: Any, seconds: float, error: ModelError | None = None
    ) -> Reply:
        count, sent = self._count, self._answer.body or self._body
        known = count.answers > 0
        made = Reply(
            self._text,
            value,
            self._thoughts,
            self._answer.model or self.means.server.target.name,
            prompt=self.means.blobs.put(canonical(sent).encode("utf-8")),
            parameters=tuple(_parameters(sent)),
            finish=self._answer.finish,
            seconds=seconds,
            input_tokens=count.read if known else None,
            output_tokens=count.written if known else None,
            tokens=count.tokens,
            cost=count.cost if known else None,
            complete=self._complete,
            attempts=max(1, count.answers + self._failed),
            key=self.key,
            repaired=self._repaired,
            warnings=tuple(dict.fromkeys(self._warnings)),
        )
        lines = self.means.veil.hide_value(self._lines)
        target = self.means.server.target.name
        raw = keeping.keep(
            self.means.blobs, lines, self.call, self.name, target, made, error
        )
        return replace(made, raw=raw)


def _amount(count: int) -> str:
    """Return a count in words that stay short, whatever a server counts."""
    return f"{count:,}" if count < HUGE else f"more than {HUGE:,}"


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _parameters(body: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return how a model was asked, the prompt left out."""
    names = ("temperature", "stream", "max_tokens", "max_completion_tokens")
    told: dict[str, Any] = {key: body[key] for key in names if key in body}
    if "response_format" in body:
        told["response_format"] = body["response_format"]["type"]
    elif "tools" in body:
        told["response_format"] = "tool"
    return sorted(told.items())
