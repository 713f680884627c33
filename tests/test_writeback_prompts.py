"""What a model is shown of sources: nothing withdrawn, and how far each is trusted."""

from pathlib import Path
from typing import Any

from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from aitia.writeback.reviewers import Identity
from tests.model_desk import Player, batch, conclude, method, opened
from tests.model_pumps import made

WRONG = "Pump A has 4 valves."
QUESTION = "How many valves has pump A?"
TRUST = '[sources]\n"pumps.txt" = "official"\n"other.txt" = "web"\n'


def withdraw(workspace: Workspace, words: str) -> None:
    """Have it accepted that words of the text about pumps are used no more."""
    asked = Asked("retract", "counted", words=words, document="pumps.txt")
    found = workspace.writeback.propose(asked)
    workspace.writeback.decide(found.proposal.id, "approve", "so it is", Identity("bo"))


def prompts(server: Any) -> str:
    return "\n".join(
        message["content"]
        for body in server.requests
        for message in body["messages"]
        if message["role"] == "user"
    )


def test_withdrawn_words_are_in_no_prompt(tmp_path: Path) -> None:
    search = method("G1", "metadata_filter", query="how many valves has pump A")
    deep = method("G1", "recursive_retrieval", question="how many valves has pump A")
    player = Player([batch(search, deep), batch(conclude(reason="not said"))])
    with opened(made(tmp_path / "made"), player) as (workspace, server):
        withdraw(workspace, WRONG)
        answer = workspace.ask(QUESTION)
        assert "Tank B feeds mixer C." in prompts(server)
        assert WRONG not in prompts(server)
        assert any("withdrew" in text for text in answer.notices)


def test_no_answer_is_worded_from_withdrawn_words(tmp_path: Path) -> None:
    player = Player(["I would think."], compose=f"{WRONG[:-1]} [1].")
    with opened(made(tmp_path / "made"), player) as (workspace, server):
        withdraw(workspace, WRONG)
        answer = workspace.ask(QUESTION)
        assert WRONG not in prompts(server)
        assert not any(x.support == "supported" for x in answer.sentences)


def test_a_model_is_told_how_far_sources_are_trusted(tmp_path: Path) -> None:
    search = method("G1", "metadata_filter", query="how many valves has pump A")
    player = Player([batch(search), batch(conclude(reason="unsure")), "prose"])
    folder = made(tmp_path / "made")
    (folder / "aitia.toml").write_text(TRUST)
    other = tmp_path / "other.txt"
    other.write_text("Pump A has 6 valves.", "utf-8")
    with opened(folder, player, model__cache=False) as (workspace, server):
        workspace.ingest([other], extract=False)
        workspace.ask(QUESTION)
        shown = prompts(server)
        assert "(official, weight 1.00): Pump A feeds" in shown
        assert "(web, weight 0.30): Pump A has 6 valves." in shown
        player.plans, player.planned = ["I would think."], 0
        server.requests.clear()
        workspace.ask(QUESTION)
        assert "(web, weight 0.30)\nPump A has 6 valves." in prompts(server)
