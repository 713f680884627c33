"""Rankings beside plain words and vectors: named headings, windows, raw records."""

from pathlib import Path

import pytest

from aitia.model import PassageRecord
from aitia.retrieval.headings import named
from aitia.retrieval.lexical import Match
from aitia.retrieval.prose import has_vector
from aitia.workspace import Workspace
from tests import shelf


def ranked(query: str, *headings: str) -> list[str]:
    matches = [Match(heading, 1.0, heading) for heading in headings]
    return [heading for heading, _ in named(query, matches)]


def test_headings_that_the_query_names_are_ranked_longest_first() -> None:
    found = ranked(
        "Who was born first, Ann Lee or Ann Lee Potter?",
        "Ann Lee",
        "Ann",
        "People > Ann Lee Potter",
        "Lee Ann",
        "Potter (surname)",
    )
    assert found == ["People > Ann Lee Potter", "Ann Lee", "Ann", "Potter (surname)"]


def test_a_heading_is_named_in_any_inflection_and_script() -> None:
    assert ranked("how do I return orders", "Returning an Order") == []
    assert ranked("how do I return orders", "Returned Order") == ["Returned Order"]
    assert ranked("退货政策是什么?", "退货政策", "运费") == ["退货政策"]


def test_a_heading_of_stop_words_or_none_is_not_named() -> None:
    assert ranked("what is it and who is it", "Who", "", "What is") == []


def test_the_end_of_a_text_longer_than_the_model_reads_is_found_by_meaning(
    tmp_path: Path,
) -> None:
    filler = "The weather report lists the rain of the day in numbers. " * 60
    with Workspace.open(tmp_path / "ws") as workspace:
        shelf.put(
            workspace,
            "long.txt",
            [("", filler), ("", filler[:-200] + "Puppies are small hounds. " * 40)],
        )
        best = workspace.search("What does a young dog look like?", 1, "dense")[0]
        assert "Puppies" in best.passage.text


@pytest.mark.parametrize(
    ("text", "media_type", "describes", "expected"),
    [
        ("The fee is 5 euro.", "text/plain", "", True),
        ("The fee is 5 euro.", "application/json", "urn:data:a/1", True),
        ('{"id": 7, "status": "pending"}', "application/json", "urn:data:a/1", False),
        ('"a": {"id": 7}', "application/json", "urn:data:a/1", False),
        (', "items": [{"id": 7}', "application/json", "urn:data:a/1", False),
        ("7,pending,12.50", "text/csv", "urn:data:a/1", False),
        ('e:a e:p "x" .', "text/turtle", "http://e/a", False),
        (
            "7,the van broke down on the way to the shop",
            "text/csv",
            "urn:data:a/1",
            True,
        ),
        (
            '{"text": "阀门在三月份被工作人员全部更换"}',
            "application/json",
            "urn:data:a/1",
            True,
        ),
    ],
)
def test_a_raw_record_has_a_vector_only_where_it_reads_as_running_text(
    text: str, media_type: str, describes: str, expected: bool
) -> None:
    record = PassageRecord(
        "urn:aitia:doc:1#char=0,1",
        "urn:aitia:doc:1",
        text,
        0,
        len(text),
        media_type=media_type,
        describes=describes,
    )
    assert has_vector(record) is expected
