"""What models reply to methods, as pydantic models; imported where one is asked."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Relation = Literal["entails", "contradicts", "unrelated", "cannot tell"]


class Judgement(BaseModel):
    """How a sentence stands to texts.

    Attributes:
        relation: What was found.
        quote: The exact words that it goes by.
        reason: Why, in one sentence.
    """

    model_config = ConfigDict(extra="ignore")

    relation: Relation
    quote: str = Field("", max_length=4000)
    reason: str = Field("", max_length=2000)
