"""From a question to an answer, with every step on record.

Question → perceive (intent, entities) → plan (goals) → execute (methods, replanned
where a goal fails) → conclude (decision or abstention, answer). `ask` is the whole of
it on one screen.
"""

from aitia.ask.run import ask

__all__ = ["ask"]
