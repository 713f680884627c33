"""Request check: whether an input asks for something to be done, not for an answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from aitia.methods.base import Reads, method
from aitia.methods.quote_check import Checked

_POLITE: Final = r"\s*(?:please,?\s+|kindly\s+|now\s+|then\s+)?"
_OBJECT: Final = (
    r"(?:the|my|this|that|these|those|all|our|his|her|their|its|it|them|a|an)\b"
)
_SURE: Final = (
    r"cancel|delete|remove|erase|email|notify|disable|enable|activate|deactivate|"
    r"approve|reject|submit|reassign|reschedule|postpone|reopen|uninstall"
)
_ALSO: Final = (
    r"open|close|send|buy|sell|pay|add|create|change|update|refund|ship|call|charge|"
    r"block|lock|unlock|set|reset|transfer|book|reserve|stop|start|shut|turn|switch|"
    r"move|replace|restart|reboot|rename|install|raise|lower|repair|write|make"
)
"""Verbs that are nouns or adjectives as well: "change fee", "open orders"."""
_KEYED: Final = r"(?:[\w-]+\s+){0,2}(?=\S*\d)\S+"
"""A thing by its number, with up to two words before it: "order Q-1030"."""
_DO: Final = re.compile(
    rf"{_POLITE}(?P<verb>(?:{_SURE})\s+(?={_OBJECT}|{_KEYED})"
    rf"|(?:{_ALSO})\s+(?:off\s+|on\s+|down\s+|up\s+)?(?={_OBJECT}))"
    r"|\s*(?:请|帮我|请帮我)\s*(?P<zh>取消|删除|关闭|打开|发送|购买|修改|退掉|停止|启动)",
    re.I,
)
_ASKS: Final = re.compile(
    r"[?？]|\b(?:what|which|who|whom|whose|when|where|why|how)\b"
    r"|什么|多少|几|哪|谁|是否|吗|如何|怎么",
    re.I,
)
FAILURE: Final = (
    "It asks for something to be done ({}), and rules can only answer questions:"
    " nothing was done. A model with tools can act; a question about it can be answered."
)


@dataclass(frozen=True)
class Requested:
    """What was put in.

    Attributes:
        text: The words.
    """

    text: str


@method("request_check", "Tells whether something is to be done, not answered.")
def request_check(reads: Reads, given: Requested) -> Checked:
    """Return whether an input can be answered; not where it asks for an action."""
    verb = requested(given.text)
    failure = FAILURE.format(verb) if verb else ""
    return Checked(passed=not verb, found=verb, summary=failure, failure=failure)


def requested(text: str) -> str:
    """Return the verb of what is to be done, in lower case; "" for a question."""
    found = _DO.match(text)
    if found is None or _ASKS.search(text):
        return ""
    return (found["verb"] or found["zh"]).split()[0].lower()
