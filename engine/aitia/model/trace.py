"""What a run of `ask` passes between its rooms, and what it returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pyoxigraph import NamedNode


@dataclass(frozen=True)
class Goal:
    """A node of the planning tree.

    Attributes:
        node: Its IRI in the run.
        order: Place in the plan, from 1.
        description: What is to be found out.
        why: The reason for which it was set.
        question: The part of the question that it answers.
        way: How it is pursued: the name of a strategy in `aitia.ask.execute`.
        parameters: What the strategy is told besides; changed by replanning.
        parent: The goal it is a part of, or None.
        depends: Goals that must be reached before it.
        replaces: The failed goal it stands in for, or None.
    """

    node: NamedNode
    order: int
    description: str
    why: str
    question: str
    way: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    parent: NamedNode | None = None
    depends: tuple[NamedNode, ...] = ()
    replaces: NamedNode | None = None


@dataclass(frozen=True)
class Plan:
    """The goals of a run, in the order in which they are pursued.

    Attributes:
        root: The goal that all others are parts of.
        goals: The goals to pursue, in order.
        combine: How their results become one answer: `each`, `compare` or `rule`.
    """

    root: Goal
    goals: tuple[Goal, ...]
    combine: str = "each"


@dataclass(frozen=True)
class Execution:
    """One execution of a method, as it ended.

    Attributes:
        node: Its IRI in the run.
        method: Name of the method.
        goal: The goal it served.
        parameters: What it was told besides its input.
        status: `succeeded` or `failed`.
        started: When it started.
        ended: When it ended.
        summary: What came out, in one line.
        error: What went wrong, or "".
        confidence: From 0 to 1, or None where nothing was measured.
        confidence_rule: How the confidence was computed, or "".
    """

    node: NamedNode
    method: str
    goal: NamedNode
    parameters: Mapping[str, Any]
    status: str
    started: datetime
    ended: datetime
    summary: str = ""
    error: str = ""
    confidence: float | None = None
    confidence_rule: str = ""


@dataclass(frozen=True)
class ToolResult:
    """How a result came about.

    Attributes:
        call: The call in words: `pressure(station="Mill Street")`; "" for a reckoning.
        means: What the tool says of itself; of a reckoning, what it was made from.
        arguments: The texts and numbers that it was called with.
    """

    call: str
    means: str = ""
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """What an answer sentence rests on: exact words, a recorded statement, or both.

    Attributes:
        quote: The exact words in the document's stored text, or "".
        document: IRI of the document.
        title: The document's title.
        path: The document's path as given.
        start: Offset of the quote's first character in the stored text.
        end: Offset after its last character.
        passage: IRI of the passage that holds the quote, or "".
        statement: The statement in words, or "" where the evidence is text alone.
        node: IRI of the quote or statement in the run.
        words: IRI of the quote beside a statement, or "".
        unseen: True where the statement's value was looked for in its source's stored
            text and not found there: it supports nothing.
        result: How it came about, where it is the result of a tool.
        confidence: How sure an accepted fact was when it was accepted; None for others.
        accepted_by: Who let an accepted fact in, in words, or "".
    """

    quote: str
    document: str
    title: str
    path: str
    start: int
    end: int
    passage: str
    statement: str
    node: str
    words: str = ""
    unseen: bool = False
    result: ToolResult | None = None
    confidence: float | None = None
    accepted_by: str = ""


@dataclass(frozen=True)
class Sentence:
    """One sentence of an answer: a claim with what it rests on.

    Attributes:
        text: The sentence.
        support: `supported`, `unsupported` or `contradicted`.
        evidence: What it rests on, or what contradicts it.
        node: IRI of the claim.
        reason: How a check came to that, or "".
        judged_by: The model by whose judgement it counts as it does; "" where rules
            found it so.
    """

    text: str
    support: str
    evidence: tuple[Evidence, ...]
    node: str
    reason: str = ""
    judged_by: str = ""


@dataclass(frozen=True)
class Disagreement:
    """Sources that disagree about one thing.

    Attributes:
        reason: About what, and how they differ.
        sides: The disagreeing evidence, two or more.
        node: IRI of the conflict.
        rule: The rule by which it was found, or "".
        weights: How far each side's source is trusted, in words.
        heaviest: Index of the side whose source counts more than the others, or None.
    """

    reason: str
    sides: tuple[Evidence, ...]
    node: str
    rule: str = ""
    weights: tuple[str, ...] = ()
    heaviest: int | None = None


@dataclass(frozen=True)
class Outside:
    """A call of a tool that changes something outside, made with permission.

    Attributes:
        node: IRI of the call.
        tool: Name of the tool.
        arguments: What it was called with, secrets blanked out.
        result: What it returned, in words.
        error: What went wrong, or "": then too something may have been changed.
        permitted_by: Name of who permitted it.
        how: In which way, in words.
    """

    node: str
    tool: str
    arguments: Mapping[str, Any]
    result: str
    error: str
    permitted_by: str
    how: str


@dataclass(frozen=True)
class Answer:
    """What `ask` returns.

    Attributes:
        run: IRI of the run, to ask why with.
        question: The question, with secrets blanked out.
        text: The answer as one text.
        sentences: Its sentences, each with what it rests on.
        confidence: From 0 to 1.
        confidence_rule: How the confidence was computed.
        conflicts: Sources that disagree.
        abstained: True where the evidence did not carry an answer.
        reason: Why it abstained, or "".
        tried: The executions that were tried, in order.
        mode: `extractive`: the words are those of the sources; `generative`: a model
            found the words, and each sentence was checked.
        notice: What the reader should know about how it was answered.
        dropped: Sentences that a model proposed and a check found contradicted.
        notices: What else happened on the way: fallbacks, warnings.
        aborted: True where the run broke off: its budget is spent, or a model ended it.
        outside: What was done outside on the way, in order, whatever the run ended in;
            nothing in a replay, which does nothing.
    """

    run: str
    question: str
    text: str
    sentences: tuple[Sentence, ...]
    confidence: float
    confidence_rule: str
    conflicts: tuple[Disagreement, ...] = ()
    abstained: bool = False
    reason: str = ""
    tried: tuple[Execution, ...] = ()
    mode: str = "extractive"
    notice: str = ""
    dropped: tuple[Sentence, ...] = ()
    notices: tuple[str, ...] = ()
    aborted: bool = False
    outside: tuple[Outside, ...] = ()
