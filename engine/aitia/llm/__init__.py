"""Language models behind the OpenAI protocol: asked, measured, remembered.

Only this room imports the client. What a model replies is data: it is parsed into
what the call asked for, or the call fails with a reason; nothing here writes.

`models.Models` asks real servers, `replay.Recorded` tells what they replied once; both
are imported from there, so that who only needs the words loads nothing more.
"""

from aitia.llm.calls import (
    Asks,
    BadReply,
    BudgetSpent,
    Call,
    Message,
    ModelDown,
    ModelError,
    Reply,
    Tier,
    TooLong,
)

__all__ = [
    "Asks",
    "BadReply",
    "BudgetSpent",
    "Call",
    "Message",
    "ModelDown",
    "ModelError",
    "Reply",
    "Tier",
    "TooLong",
]
