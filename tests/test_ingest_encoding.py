"""How bytes become text: marks, UTF-8, what the file declares, and guesses."""

from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from aitia.errors import ReadError
from aitia.ingest.encoding import decode, is_text

GUESSES = [
    ("Café Zoë approved the loan – rate 4 %.", "cp1252"),
    ("Müller zahlt 5 € Gebühr.", "cp1252"),
    ("Año nuevo, ¿qué tal?", "latin-1"),
    ("ÉCOLE PRIMAIRE À PARIS", "cp1252"),
    ("Zażółć gęślą jaźń", "cp1250"),
    ("Правило 7 заменило правило 3.", "cp1251"),
    ("ПРАВИЛО", "koi8-r"),
    ("ΑΒΓ κανόνας επτά", "cp1253"),
    ("שלום עולם", "cp1255"),
    ("مرحبا بالعالم", "cp1256"),
    ("规则七取代了规则三。", "gbk"),
    ("北京欢迎你", "gbk"),
    ("規則七取代了規則三。", "big5"),
    ("ルール七はルール三を置き換えた。", "shift_jis"),
    ("対象商品の返品", "euc_jp"),
    ("규칙 7이 규칙 3을 대체했다.", "euc_kr"),
    ("Rule R7 replaced rule R3.", "utf-16-le"),
    ("规则七取代了规则三。", "utf-16-be"),
]


@pytest.mark.parametrize(("text", "encoding"), GUESSES)
def test_short_texts_are_guessed_right_and_said_to_be_guessed(
    text: str, encoding: str
) -> None:
    found = decode(text.encode(encoding))
    assert found.text == text
    assert found.guessed


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_mark_decides_and_is_no_part_of_the_text(encoding: str) -> None:
    found = decode("# Title".encode(encoding))
    assert found.text == "# Title"
    assert not found.guessed


def test_what_the_file_declares_is_no_guess() -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><p>Łódź</p>'
    found = decode(page.encode("iso-8859-2"))
    assert "Łódź" in found.text
    assert not found.guessed


@given(st.text())
def test_utf8_is_read_as_it_is(text: str) -> None:
    if "\0" not in text and not text.startswith("\ufeff"):
        assert decode(text.encode()).text == text


@given(st.binary(max_size=300))
def test_any_bytes_are_decoded_or_refused_in_words(data: bytes) -> None:
    with suppress(ReadError):
        assert decode(data).encoding


def test_binary_is_no_text() -> None:
    assert not is_text(bytes(range(256)) * 10)
    assert is_text("plain".encode("utf-16"))
