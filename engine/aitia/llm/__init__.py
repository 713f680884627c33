"""Language models behind the OpenAI protocol: asked, measured, remembered.

Only this room imports the client. What a model replies is data: it is parsed into
what the call asked for, or the call fails with a reason; nothing here writes.
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
]
