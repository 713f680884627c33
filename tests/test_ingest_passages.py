"""The law of cutting: in order, exact, complete, never inside a character."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings, strategies as st
from pyoxigraph import NamedNode

from aitia.ingest.content import Block, Options, Raw
from aitia.ingest.passages import cut
from aitia.ingest.readers import markdown
from aitia.ingest.readers.text import paragraphs

WORDS = st.sampled_from(
    ["Dr.", "A", "word. ", "e.g. ", "。", "甲泵向乙罐供水", "！", "\n", "\n\n", "\t", " ", "\f",
     "👩‍🔧", "e\u0301", "🇩🇪", "x" * 50, "3.14 ", "\u2028", "?”", "\ufeff", "# H\n", "المضخة "]
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=60).map("".join) | st.text(max_size=200)


def spans(text: str, aim: int) -> list[tuple[int, int]]:
    return [(made.start, made.end) for made in cut(text, paragraphs(text), aim)]


@given(TEXTS, st.integers(8, 120))
@example("👩‍🔧" * 100, 40)
@example("e\u0301" * 100, 41)
@settings(deadline=None)
def test_passages_hold_every_character_that_is_no_space_once_and_in_order(
    text: str, aim: int
) -> None:
    last, held = 0, []
    for start, end in spans(text, aim):
        assert last <= start < end <= len(text)
        assert not text[last:start].strip()
        assert text[start:end] == text[start:end].strip()
        held.append(text[start:end])
        last = end
    assert not text[last:].strip()
    assert "".join("".join(held).split()) == "".join(text.split())


@given(TEXTS, st.integers(20, 120))
@settings(deadline=None)
def test_no_passage_is_longer_than_it_aims_at_but_for_one_character(
    text: str, aim: int
) -> None:
    for start, end in spans(text, aim):
        assert end - start <= aim or len(text[start:end].split()) == 1


def test_one_endless_line_is_cut_and_no_emoji_is_parted() -> None:
    text = "👩‍🔧🇩🇪e\u0301" * 5_000
    for start, end in spans(text, 800):
        assert end - start <= 800
        assert text[start] not in "\u200d\u0301"
        assert not text[start:end].endswith("\u200d")


def test_chinese_is_cut_after_its_full_stop() -> None:
    text = "甲泵向乙罐供水。乙罐由丙阀控制。" * 100
    assert all(text[end - 1] == "。" for _, end in spans(text, 100))


def test_a_passage_keeps_to_its_heading_and_page() -> None:
    text = "One. Two. Three."
    blocks = [
        Block(0, 4, "A"),
        Block(5, 9, "A", page=2),
        Block(10, 16, "B", page=2),
    ]
    made = list(cut(text, blocks, 800))
    assert [(item.heading, item.page) for item in made] == [
        ("A", None),
        ("A", 2),
        ("B", 2),
    ]


def markdown_passages(text: str, aim: int = 800) -> list[tuple[str, str]]:
    raw = Raw(b"", text, "x.md", "file:///x.md", NamedNode("urn:x:d"), "0", Options())
    made = cut(text, markdown.read(raw).blocks, aim)
    return [(item.heading, text[item.start : item.end]) for item in made]


def test_markdown_passages_stand_under_their_heading_path() -> None:
    found = markdown_passages(
        "# Shop\nIntro.\n\n## Fees *now*\nFive.\n\n# Other\nEnd.\n"
    )
    assert found == [
        ("Shop", "# Shop\nIntro."),
        ("Shop > Fees now", "## Fees *now*\nFive."),
        ("Other", "# Other\nEnd."),
    ]


def test_a_table_row_keeps_its_header() -> None:
    found = markdown_passages(
        "# Fees\n\n| Item | Fee |\n|---|---|\n| Box | 5 |\n| Bag | 7 |\n"
    )
    assert ("Fees > Item | Fee", "| Box | 5 |") in found
    assert ("Fees > Item | Fee", "| Bag | 7 |") in found


@given(st.lists(st.sampled_from(
    ["# A\n", "## B\n", "text\n", "\n", "- item\n", "> q\n", "| a | b |\n", "|---|---|\n",
     "```\n", "    code\n", "---\n", "[x]: http://e\n", "<div>\n", "Set\n===\n", "* * *\n"]
), max_size=25).map("".join))  # fmt: skip
@settings(deadline=None)
def test_markdown_loses_no_word(text: str) -> None:
    held = "".join(words for _, words in markdown_passages(text, 60))
    assert "".join(held.split()) == "".join(text.split())


def test_the_retail_policy_is_held_whole(shared_data: Path) -> None:
    path = shared_data / "tau2_bench_retail" / "policy.md"
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    text = path.read_text(encoding="utf-8")
    found = markdown_passages(text)
    assert "".join("".join(words for _, words in found).split()) == "".join(
        text.split()
    )
    assert any(heading.endswith("> Cancel pending order") for heading, _ in found)
