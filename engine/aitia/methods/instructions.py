"""Words in evidence that speak to whoever reads it instead of saying something."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from aitia.methods.base import Reads, method
from aitia.methods.quote_check import Checked
from aitia.plain import short

_GAP: Final = r"[\s\W]{1,4}(?:\w+[\s\W]{1,4}){0,4}"
_TELLING: Final = re.compile(
    "|".join(
        (
            rf"\b(?:ignore|disregard|forget|override)\b{_GAP}"
            r"(?:instructions?|prompts?|rules?|above|previous|earlier|guidelines)\b",
            r"\b(?:and|then|always|must|please|instead),? (?:answer|reply|respond)\s"
            r"(?:only\s)?(?:that|with|yes|no)\b",
            r"\bsystem\s{0,3}prompt\b",
            rf"\b(?:approve|accept|merge|confirm)\b{_GAP}(?:proposals?|changes?|requests?)\b",
            rf"\b(?:do not|don't|never)\b{_GAP}(?:reviewers?|reveal|prompt)\b",
            r"\byou (?:are|act as|must act as)\b[^.\n]{0,40}\b(?:assistant|model|ai|agent)\b",
            r"\b(?:as|dear) (?:an? )?(?:ai|assistant|language model|reviewer)\b",
            r"<\|?(?:im_start|im_end|system|endoftext)\|?>",
            r"\[/?(?:INST|SYS)\]",
            r"(?:忽略|无视|忘记)[^。\n]{0,12}(?:指令|指示|提示|规则)",
            r"(?:批准|接受)[^。\n]{0,8}(?:提案|更改|请求)",
        )
    ),
    re.IGNORECASE,
)
_SHOWN: Final = 80


FAILURE: Final = "It tells its reader what to do (“{}”) and is no evidence."


@dataclass(frozen=True)
class Told:
    """Words that may be taken as evidence.

    Attributes:
        text: The words.
    """

    text: str


@method(
    "instruction_check", "Tells whether words speak to their reader, not of a thing."
)
def instruction_check(reads: Reads, given: Told) -> Checked:
    """Return whether words say something, or tell whoever reads them what to do."""
    found = instructions(given.text)
    failure = FAILURE.format(found[0]) if found else ""
    return Checked(
        passed=not found,
        found=found[0] if found else "",
        summary=failure or "It says something.",
        failure=failure,
    )


def flagged(path: str, words: str) -> str:
    """Return what the asker is told of words that speak to their reader."""
    return (
        f"{path} tells its reader what to do (“{words}”): that is no evidence and was"
        " not followed."
    )


def instructions(text: str) -> list[str]:
    """Return the words of a text that give instructions to a reader or a model.

    They are read as a model reads them: without invisible characters, and letters of
    another width or shape as the plain ones.
    """
    plain = "".join(c for c in text if unicodedata.category(c) != "Cf")
    found = (
        match[0] for match in _TELLING.finditer(unicodedata.normalize("NFKC", plain))
    )
    return list(dict.fromkeys(short(words, _SHOWN) for words in found))
