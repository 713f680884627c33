"""An opinion that was accepted in words is told as one, and settles nothing."""

from pathlib import Path

from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from aitia.writeback.reviewers import Identity

VIEW = "The deposit of the yard is 90 euro."


def test_an_opinion_in_words_is_told_as_one_and_settles_nothing(tmp_path: Path) -> None:
    work = tmp_path / "ws"
    work.mkdir()
    (work / "aitia.toml").write_text('[sources]\n"a.txt" = "web"\n')
    (tmp_path / "a.txt").write_text("The deposit of the yard is 50 euro.\n")
    with Workspace.open(work, flags={"agent": "ann"}) as workspace:
        workspace.ingest([tmp_path / "a.txt"])
        write = workspace.writeback
        made = write.propose(Asked("add", "said", text=VIEW, opinion_of="Dora"))
        write.decide(made.proposal.id, "approve", "noted", Identity("bob"))
        answer = workspace.ask("How much is the deposit of the yard?")
        assert VIEW in answer.text
        assert f"“{VIEW}” is the opinion of Dora, one view among others." in (
            answer.notices
        )
        assert write.proposals() == []
