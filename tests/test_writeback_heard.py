"""What models are asked while a proposal is checked stands on record."""

import json
from pathlib import Path

import pytest

from aitia.vocab import AITIA
from aitia.workspace import Workspace
from aitia.writeback.asking import Asked
from tests.llm_server import ModelServer

REPLY = json.dumps(
    {"verdict": "carries", "relation": "neither", "reason": "it says the same"}
)


@pytest.mark.parametrize("verifier", [True, False])
def test_no_blob_is_left_that_nothing_names(tmp_path: Path, verifier: bool) -> None:
    (tmp_path / "a.txt").write_text("The gate of the yard is green.\n")
    (tmp_path / "b.txt").write_text("The gate of the yard is not green.\n")
    work = tmp_path / "ws"
    work.mkdir()
    told = f"[writeback]\nverifier = {str(verifier).lower()}\n"
    (work / "aitia.toml").write_text(told)
    with Workspace.open(work) as workspace:
        workspace.ingest([tmp_path / "a.txt"])
    with ModelServer([REPLY]) as server:
        flags = {"model.url": server.url, "model.name": "small"}
        with Workspace.open(work, flags=flags) as workspace:
            workspace.writeback.propose(
                Asked(
                    "add",
                    "seen",
                    text="The gate of the yard was painted red in May.",
                    evidence=[str(tmp_path / "b.txt")],
                )
            )
            store = workspace.store
            calls = list(store.quads(None, AITIA.promptBlob))
            assert calls
            left = workspace.ledger.leftovers()
            assert (left.removable, left.unknown) == ((), ())
            assert workspace.validate().conforms
