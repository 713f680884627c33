"""Recall on 6,119 real passages and 101 real questions."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from aitia.model import PassageRecord
from aitia.retrieval.generation import PASSAGE_BOOSTS, passage_entry
from aitia.retrieval.lexical import Lexical
from aitia.workspace import Workspace
from tests import wiki


@pytest.fixture
def shared(shared_data: Path) -> Path:
    if not (shared_data / wiki.CORPUS).is_file():
        pytest.skip(f"there is no {wiki.CORPUS} in {shared_data}")
    return shared_data


def test_the_word_index_alone_finds_what_words_can_find(
    shared: Path, tmp_path: Path
) -> None:
    index = Lexical(tmp_path / "words", PASSAGE_BOOSTS)
    index.add(
        passage_entry(PassageRecord(title, "corpus", text, 0, len(text), title))
        for title, text in wiki.corpus(shared)
    )
    index.commit()

    def titles(question: str, k: int) -> Sequence[str]:
        return [match.iri for match in index.search(question, k)]

    assert wiki.recall(wiki.questions(shared), titles) >= 0.64
    index.close()


@pytest.mark.full
def test_words_and_meaning_together_find_more(shared: Path, tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "ws") as workspace:
        workspace.ingest([shared / wiki.CORPUS])
        asked = wiki.questions(shared)

        def found(mode: str) -> float:
            def titles(question: str, k: int) -> Sequence[str]:
                hits = workspace.search(question, k, mode)
                return [hit.passage.heading for hit in hits]

            return wiki.recall(asked, titles)

        assert found("fused") >= 0.68
        assert found("dense") >= 0.58
        assert workspace.indexes.check(workspace.position).passages >= 6119
