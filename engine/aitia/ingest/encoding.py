"""Finds out how bytes spell text, and says whether that was a guess.

In this order: a byte order mark; UTF-16 or UTF-32 by their zero bytes; UTF-8 taken
strictly; what the file itself declares; else a guess. A guess among encodings
that all decode the bytes goes by how likely the text is that comes out: letters of
one script in a word, common characters, no control characters.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass

from aitia.errors import ReadError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16"),
)
_DECLARED = re.compile(
    rb"<\?xml[^>]{0,200}encoding\s*=\s*[\"']([\w.:-]{1,40})[\"']"
    rb"|<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})",
    re.IGNORECASE,
)
_SAMPLE = 60_000
_CHINESE = ("gb18030", "big5")
_JAPANESE = ("shift_jis", "euc_jp")
_KOREAN = ("euc_kr",)
_OTHERS = ("cp1252", "cp1251", "koi8-r", "cp1250", "cp1253", "cp1255", "cp1256")
_WIDESPREAD = re.compile(
    r"(cp125\d|iso8859_\d+|koi8_\w|utf_16_[lb]e|latin_1|cp874|tis_620)$"
)
_WORD = re.compile(r"[^\W\d_]+|[^\x00-\x7f]|[\x00-\x08\x0e-\x1f]")
_MARKS_OF_TEXT = frozenset(
    "。，、！？；：（）《》“”「」『』–—‘’…€£¥°§«»·×½¼²³©®™¿¡„•\xa0\u3000"
)
_JIS = (("euc_jp", 0xB0, 0xCF),)
_FIRST_LEVEL = {
    "gb18030": (("gb2312", 0xB0, 0xD7),),
    "big5": (("big5", 0xA4, 0xC6),),
    "shift_jis": _JIS,
    "euc_jp": _JIS,
}
"""Where the common characters of each national standard are, by their first byte."""

# The most frequent letters; they tell one encoding of a script from another.
_FREQUENT = frozenset(
    "оеаинтсрвлОЕАИНТСРВЛαοιετσνηςόάίέήαιουאהוילמרתשםבנاليمونرتةéèàçêüöäßñóáíãõøåæ"
)


@dataclass(frozen=True)
class Decoded:
    """Text with the encoding it was read by."""

    text: str
    encoding: str
    guessed: bool


def decode(data: bytes) -> Decoded:
    """Return the text that `data` spells.

    Raises:
        ReadError: The bytes are no text, or not in the encoding they declare.
    """
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return Decoded(_strict(data, codec), name, guessed=False)
    wide = _wide(data)
    if wide:
        return Decoded(_strict(data, wide), wide, guessed=True)
    try:
        return Decoded(data.decode("utf-8"), "utf-8", guessed=False)
    except UnicodeDecodeError:
        pass
    return _declared(data) or _guessed(data)


def is_text(data: bytes) -> bool:
    """Say whether the start of a file looks like text in some encoding."""
    if any(data.startswith(mark) for mark, _, _ in _MARKS) or _wide(data):
        return True
    controls = sum(data.count(byte) for byte in (*range(9), 14, 15, *range(16, 27)))
    if controls <= len(data) // 500:
        return True
    # A few bells in a log make no binary file of what is UTF-8 all the same.
    return b"\0" not in data and controls <= len(data) // 4 and _is_utf8(data)


def _is_utf8(data: bytes) -> bool:
    """Say whether bytes are UTF-8, but for a character that is cut off at the end."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return False
    return True


def _strict(data: bytes, codec: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise ReadError(
            f"not valid {codec} at byte {error.start}: {error.reason}"
        ) from error


def _wide(data: bytes) -> str:
    """Return UTF-16 or UTF-32 without a mark, seen by where zero bytes stand."""
    sample = data[: _SAMPLE - _SAMPLE % 4]
    if b"\0" not in sample or len(sample) < 4:
        return ""
    zeros = [sample[place::4].count(0) * 4 / len(sample) for place in range(4)]
    if len(data) % 4 == 0 and min(zeros[2], zeros[3]) > 0.9:
        return "utf-32-le"
    if len(data) % 4 == 0 and min(zeros[0], zeros[1]) > 0.9:
        return "utf-32-be"
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    if len(data) % 2 == 0 and max(even, odd) > 0.2 and min(even, odd) < 0.02:
        return "utf-16-le" if odd > even else "utf-16-be"
    return ""


def _declared(data: bytes) -> Decoded | None:
    found = _DECLARED.search(data[:4096])
    if not found:
        return None
    name = (found[1] or found[2]).decode("ascii").lower()
    try:
        name = codecs.lookup(name).name
        return Decoded(data.decode(name), name, guessed=False)
    except (LookupError, UnicodeDecodeError):
        return None


def _guessed(data: bytes) -> Decoded:
    # A sample must not end inside a character, so it ends at a line's end.
    sample = data if len(data) <= _SAMPLE else data[: data.rfind(b"\n", 0, _SAMPLE) + 1]
    scored = []
    for place, name in enumerate(_candidates(data)):
        try:
            text = (sample or data).decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
        scored.append((round(_likeliness(text, name), 2), -place, name))
    for _, _, name in sorted(scored, reverse=True):
        try:
            return Decoded(data.decode(name), name, guessed=True)
        except UnicodeDecodeError:
            continue
    raise ReadError("no encoding was found in which the bytes are text")


def _candidates(data: bytes) -> list[str]:
    """Return what to try: widespread encodings, then what charset-normalizer sees."""
    from charset_normalizer import from_bytes

    found = [match.encoding for match in from_bytes(data[:_SAMPLE])][:4]
    seen = [name for name in found if _WIDESPREAD.match(name)]
    return list(dict.fromkeys([*_OTHERS, *_CHINESE, *_JAPANESE, *_KOREAN, *seen]))


def _likeliness(text: str, encoding: str) -> float:
    """Score text for how likely somebody wrote it, per character outside ASCII."""
    score, counted = 0.0, 0
    for found in _WORD.finditer(text):
        word = found[0]
        if word.isascii():
            score -= 0.0 if word.isalpha() else 5.0
            continue
        counted += sum(char >= "\x80" for char in word)
        if word.isalpha():
            score += _word_score(word, encoding)
        else:
            around = text[max(0, found.start() - 1) : found.end() + 1]
            score += sum(_mark_score(mark, around) for mark in word)
    return score / max(1, counted)


def _mark_score(mark: str, around: str) -> float:
    if unicodedata.category(mark)[0] == "C":
        return -5.0
    inside = len(around) == 3 and around[0].isalpha() and around[2].isalpha()
    if mark in _MARKS_OF_TEXT:
        return -1.0 if inside and around[0] < "\u3000" and mark not in "’·" else 1.0
    return -0.4


def _word_score(word: str, encoding: str) -> float:
    letters = [char for char in word if char >= "\x80"]
    scripts = {_script(char) for char in word}
    score = sum(_letter_score(char, encoding) for char in letters)
    if "half" in scripts or not (len(scripts) == 1 or scripts <= {"han", "kana"}):
        score -= 2.0 * len(letters)
    if (
        not (word.islower() or word.isupper() or word.istitle())
        and word.upper() != word.lower()
    ):
        score -= 1.5 * len(letters)
    return score


def _letter_score(char: str, encoding: str) -> float:
    script = _script(char)
    if script == "han":
        return 0.9 if _is_common_han(char, encoding) else -0.2
    if script == "kana":
        return 1.2 if encoding in _JAPANESE else -0.5
    if script == "hangul":
        return 1.0 if encoding in _KOREAN else -0.5
    return 1.0 if char in _FREQUENT else 0.7


def _is_common_han(char: str, encoding: str) -> bool:
    """Say whether a character is on the first level of its national standard."""
    for standard, first, last in _FIRST_LEVEL.get(encoding, _FIRST_LEVEL["gb18030"]):
        with suppress(UnicodeEncodeError):
            if first <= char.encode(standard)[0] <= last:
                return True
    return False


def _script(char: str) -> str:
    code = ord(char)
    if 0xFF61 <= code <= 0xFF9F:
        return "half"
    for name, first, last in (
        ("latin", 0, 0x24F),
        ("greek", 0x370, 0x3FF),
        ("cyrillic", 0x400, 0x52F),
        ("hebrew", 0x590, 0x5FF),
        ("arabic", 0x600, 0x6FF),
        ("kana", 0x3040, 0x30FF),
        ("hangul", 0xAC00, 0xD7A3),
        ("han", 0x3400, 0x9FFF),
    ):
        if first <= code <= last:
            return name
    return "other"
