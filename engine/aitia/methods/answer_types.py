"""Whether a sentence holds the kind of thing that a question asks for."""

from __future__ import annotations

import re
from typing import Final

_NUMBER_WORDS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy "
    "eighty ninety hundred thousand million half twice once dozen"
)
_QUANTITY: Final = re.compile(
    rf"\d|\b(?:{'|'.join(_NUMBER_WORDS.split())})\b|[一二三四五六七八九十百千万两半]",
    re.I,
)
_MONTHS: Final = "january february march april may june july august september october november december"
_DAYS: Final = "monday tuesday wednesday thursday friday saturday sunday"
_TIME_WORDS: Final = (
    "today tomorrow yesterday morning noon afternoon evening night midnight immediately "
    "day days week weeks month months year years hour hours minute minutes"
)
_DATE: Final = re.compile(
    rf"\b\d{{4}}\b|\d{{1,2}}[:.]\d\d|\d{{1,2}}/\d{{1,2}}"
    rf"|\b(?:{'|'.join(f'{_MONTHS} {_DAYS} {_TIME_WORDS}'.split())})\b"
    r"|[年月日号]|星期|今天|明天|昨天|小时|分钟|[上下]午",
    re.I,
)


def has_type(wants: str, text: str) -> bool:
    """Tell whether a text holds a date or a quantity where one is asked for.

    Args:
        wants: `date`, `quantity`, or "" where anything will do.
        text: The sentence.
    """
    if wants == "date":
        return bool(_DATE.search(text))
    if wants == "quantity":
        return bool(_QUANTITY.search(text))
    return True


def quantities(text: str) -> list[tuple[str, str]]:
    """Return the quantities in a text: each number with the word that follows it."""
    found = re.findall(
        r"(\d+(?:[.,:]\d+)*|[一二三四五六七八九十百千两]+)\s*"
        r"([^\W\d_]+|[%€$£])?",
        text,
    )
    return [(number, unit.lower()) for number, unit in found]
