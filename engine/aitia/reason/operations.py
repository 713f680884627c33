"""The closed set of operations that a model may propose, and their JSON schema.

Only the form is held here: what an operation is made of. Whether it makes sense, of
what is on the board and with the methods and tools at hand, is for
`aitia.reason.judge`; so what does not is refused with a reason, and on record.
"""

from __future__ import annotations

import json
import operator
from functools import cache, reduce
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
    create_model,
    model_validator,
)
from pyoxigraph import NamedNode

from aitia.methods.arguments import LABEL
from aitia.reason import kinds
from aitia.reason.offered import Offered
from aitia.vocab import AITIA

TEXT_CHARS: Final = 20_000
"""Characters of one text; the gate's shapes for models hold to the same."""

WORDS: Final = {
    "label": "A label that was shown, such as G1 or O3.",
    "new": "A label that is not used yet, such as G7; later operations may refer to it.",
}


def _one_of(names: list[str]) -> Any:
    """Return a text whose JSON schema lists what it may be; the judge holds it to it."""
    return Annotated[str, WithJsonSchema({"type": "string", "enum": names})]


def _label(value: Any) -> Any:
    """Take `[g1]` for G1: models write labels as they stand in a text."""
    return value.strip(" []()<>").upper() if isinstance(value, str) else value


def _listed(value: Any) -> Any:
    """Take one value where a list is asked for."""
    return [value] if isinstance(value, str) else value


def _object(value: Any) -> Any:
    """Take arguments that were written as a text of JSON."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


Label: TypeAlias = Annotated[
    str,
    BeforeValidator(_label),
    StringConstraints(pattern=LABEL, max_length=12),
    Field(description=WORDS["label"]),
]
Labels: TypeAlias = Annotated[list[Label], BeforeValidator(_listed)]
Text: TypeAlias = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=TEXT_CHARS),
]
Words: TypeAlias = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=TEXT_CHARS)
]
Arguments: TypeAlias = Annotated[
    dict[str, Any], BeforeValidator(_object), WithJsonSchema({"type": "object"})
]
Kind: TypeAlias = _one_of([kinds.name(kind) for kind in kinds.ADDED])  # type: ignore[valid-type]
LinkKind: TypeAlias = _one_of([kinds.name(kind) for kind in kinds.link_kinds()])  # type: ignore[valid-type]
Status: TypeAlias = _one_of([kinds.name(kind) for kind in kinds.CLOSING])  # type: ignore[valid-type]
Strategy: TypeAlias = _one_of(list(kinds.kinds(AITIA.Strategy)))  # type: ignore[valid-type]


class Form(BaseModel):
    """What every part of a reply keeps to: nothing beside what is asked for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: Any) -> Any:
        """Take null for a field that was left out."""
        if not isinstance(value, dict):
            return value
        return {key: item for key, item in value.items() if item is not None}


class AddNode(Form):
    """Add a goal, a hypothesis or a claim.

    Attributes:
        label: What later operations and replies call it.
        kind: Goal, Hypothesis or Claim.
        text: What is to be found out, or what is held to be so.
        why: Of a goal: the reason for which it is set.
        success_test: Of a goal: what must hold for it to be reached.
        parent: Of a goal: the goal it is a part of.
        depends: Of a goal: goals that must be reached before it.
        replaces: Of a goal: the failed goal it stands in for.
        strategy: Of a hypothesis or a claim: how it was arrived at.
        reason: Of a hypothesis or a claim: why it is held.
        because: Nodes that it rests on.
    """

    op: Literal["addNode"]
    label: Annotated[Label, Field(description=WORDS["new"])]
    kind: Kind
    text: Text
    why: Words = ""
    success_test: Words = ""
    parent: Label | None = None
    depends: Labels = []
    replaces: Label | None = None
    strategy: Strategy | None = None
    reason: Words = ""
    because: Labels = []


class AddLink(Form):
    """Claim a link between two nodes.

    Attributes:
        source: Where it starts.
        kind: What it says.
        target: Where it ends.
        reason: Why, in words.
    """

    op: Literal["addLink"]
    source: Label
    kind: LinkKind
    target: Label
    reason: Words = ""


class RunMethod(Form):
    """Run a method for a goal.

    Attributes:
        goal: The goal that it serves.
        method: Its name.
        arguments: What it is called with.
        tests: The hypothesis that its outcome verifies or refutes.
        strategy: The strategy of reasoning that it follows.
        reason: Why this, and why now.
        because: Nodes that led to it.
    """

    op: Literal["runMethod"]
    goal: Label
    method: str
    arguments: Arguments = {}
    tests: Label | None = None
    strategy: Strategy | None = None
    reason: Words = ""
    because: Labels = []


class CallTool(Form):
    """Call a tool for a goal.

    Attributes:
        goal: The goal that it serves.
        tool: Its name.
        arguments: What it is called with.
        tests: The hypothesis that its outcome verifies or refutes.
        reason: Why this, and why now.
        because: Nodes that led to it.
    """

    op: Literal["callTool"]
    goal: Label
    tool: str
    arguments: Arguments = {}
    tests: Label | None = None
    reason: Words = ""
    because: Labels = []


class SetGoalStatus(Form):
    """Declare a goal reached, failed or abandoned.

    Attributes:
        goal: The goal.
        status: What it has come to.
        reason: Why, in words.
        because: Nodes that show it.
    """

    op: Literal["setGoalStatus"]
    goal: Label
    status: Status
    reason: Words = ""
    because: Labels = []


class Sentence(Form):
    """One sentence of an answer.

    Attributes:
        text: The sentence.
        cites: Nodes that it rests on.
    """

    text: Text
    cites: Labels = []


class Conclude(Form):
    """End the run: with an answer, or without sentences by saying why there is none.

    Attributes:
        sentences: The answer, sentence by sentence.
        accepts: Hypotheses that it accepts.
        rejects: Hypotheses that it rejects.
        reason: Why there is no answer, or how it was arrived at.
    """

    op: Literal["conclude"]
    sentences: list[Sentence] = []
    accepts: Labels = []
    rejects: Labels = []
    reason: Words = ""


class AbortRun(Form):
    """Break the run off.

    Attributes:
        reason: Why it cannot go on.
    """

    op: Literal["abortRun"]
    reason: Text


Operation = (
    AddNode | AddLink | RunMethod | CallTool | SetGoalStatus | Conclude | AbortRun
)
Offering = RunMethod | CallTool


class Batch(Form):
    """Operations that are proposed together.

    Attributes:
        addresses: The most uncertain goal or hypothesis, or the two ends of a link that
            is missing: what the operations are about.
        rationale: Why this is the most uncertain, and why these operations.
        operations: What is to be done, in order.
    """

    addresses: Annotated[Labels, Field(min_length=1, max_length=2)]
    rationale: Text
    operations: Annotated[
        list[Annotated[Operation, Field(discriminator="op")]], Field(min_length=1)
    ]


def kind_of(operation: Operation) -> NamedNode:
    """Return the kind of an operation, as the ontology has it."""
    return kinds.term(operation.op)


def batch_type(offered: Offered) -> type[Batch]:
    """Return the form of a batch with these methods and tools at hand.

    An operation for which nothing is offered is left out of it.
    """
    return _batch_type(tuple(offered.methods), tuple(offered.tools))


@cache
def _batch_type(methods: tuple[str, ...], tools: tuple[str, ...]) -> type[Batch]:
    choices: list[Any] = [AddNode, AddLink]
    if methods:
        choices.append(_naming(RunMethod, "method", methods))
    if tools:
        choices.append(_naming(CallTool, "tool", tools))
    choices += [SetGoalStatus, Conclude, AbortRun]
    one: Any = Annotated[reduce(operator.or_, choices), Field(discriminator="op")]
    several: Any = Annotated[list[one], Field(min_length=1)]
    return create_model("Batch", __base__=Batch, operations=(several, ...))


def _naming(form: type[Form], field: str, names: tuple[str, ...]) -> type[Form]:
    """Return a form whose JSON schema lists the names that a field may have."""
    listed: Any = (_one_of(list(names)), ...)
    made: Any = create_model(form.__name__, __base__=form, **{field: listed})
    made.__doc__ = form.__doc__
    return made  # type: ignore[no-any-return]
