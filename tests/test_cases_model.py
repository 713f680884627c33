"""Cases from CASES.md that concern models (C09, C26, C28, C30, C32), over real servers.

Replies of extraction are in the layout that `aitia.methods.fact_extraction` asks for, with the
fault of the case.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from aitia_cli.main import cli
from tests.llm_server import ModelServer, Reply, Says, dead_url

Run = Callable[..., Result]

FEEDS = {
    "subject": "Pump A",
    "predicate": "feeds",
    "object": "tank B",
    "kind": "thing",
    "quote": "Pump A feeds tank B.",
}
OTHER = {
    "subject": "Pump C",
    "predicate": "feeds",
    "object": "tank D",
    "kind": "thing",
    "quote": "Pump C feeds tank D.",
}
WHOLE = json.dumps({"facts": [FEEDS]})
CUT = json.dumps({"facts": [FEEDS, OTHER]})[:-70]
CLAIMED = """PREFIX aitia: <https://w3id.org/aitia/ns#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
SELECT DISTINCT ?document ?s ?p ?o ?exact ?basis WHERE {
  ?statement a aitia:Statement ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ;
    aitia:inGraph ?document ; aitia:derivesFrom ?quote .
  ?quote aitia:exact ?exact .
  ?link aitia:linkFrom ?statement ; aitia:linkTo ?quote ; aitia:basis ?basis .
}"""
STEPS = """PREFIX aitia: <https://w3id.org/aitia/ns#>
SELECT DISTINCT ?step ?finish ?error ?output WHERE {
  ?step aitia:method <urn:aitia:method:model_call> .
  OPTIONAL { ?step aitia:finishReason ?finish }
  OPTIONAL { ?step aitia:error ?error }
  OPTIONAL { ?step aitia:output ?output }
  ?step aitia:replyBlob ?blob
}"""


@pytest.fixture
def aitia(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in an empty folder, without a key."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    def run(*words: str, code: int | None = 0) -> Result:
        done = CliRunner().invoke(cli, ["--workspace", "ws", *words])
        if code is not None:
            assert done.exit_code == code, done.output
        assert "Traceback" not in done.stderr
        return done

    return run


def ingest(aitia: Run, server: ModelServer, *words: str, code: int = 0) -> Any:
    """Take `d.txt` in with the server's model; return the file's report."""
    done = aitia(
        "ingest", "d.txt", "--llm-url", server.url, "--model", "m", "--json", *words,
        code=code,
    )  # fmt: skip
    (file,) = json.loads(done.stdout)["files"]
    return file


def rows(aitia: Run, query: str) -> list[dict[str, str]]:
    found = json.loads(aitia("query", query, "--format", "json").stdout)
    return [
        {name: cell["value"] for name, cell in row.items()}
        for row in found["results"]["bindings"]
    ]


def holds(aitia: Run) -> None:
    """The store conforms as a whole, and ledger and store agree."""
    aitia("validate")
    aitia("verify")


# C26: fenced, chatty or malformed JSON; a list or the schema instead of the object


@pytest.mark.parametrize(
    "reply",
    [
        f"Sure! Here it is:\n```json\n{WHOLE[:-2]},]}}\n```\nHope it helps {{not json}}",
        json.dumps([FEEDS]),
    ],
    ids=["fenced with a trailing comma", "a bare list"],
)
def test_replies_that_can_be_recovered_are(
    aitia: Run, tmp_path: Path, reply: str
) -> None:
    (tmp_path / "d.txt").write_text("Pump A feeds tank B.")
    with ModelServer(reply) as server:
        file = ingest(aitia, server)
    assert (file["statements"], file["extraction"]) == (1, "done")
    (row,) = rows(aitia, CLAIMED)
    assert row["exact"] == "Pump A feeds tank B."
    assert row["basis"].endswith("#claimed")
    assert row["s"] == "urn:data:named/pump%20a"
    plain = f"SELECT ?o {{ <{row['s']}> <{row['p']}> ?o }}"
    assert rows(aitia, plain) == [], "a claim is no fact"
    holds(aitia)


@pytest.mark.parametrize(
    "reply",
    [
        '{"type":"object","properties":{"facts":{"type":"array"}}}',
        "{'facts': [{'subject': 'Pump A', 'predicate': 'feeds', 'object': NaN}]}",
        '{"facts":null}',
        "",
    ],
    ids=["the schema", "NaN", "null", "nothing"],
)
def test_replies_of_no_use_are_sent_back_once_then_rules_do(
    aitia: Run, tmp_path: Path, reply: str
) -> None:
    (tmp_path / "d.txt").write_text("Pump A feeds tank B.")
    with ModelServer(reply) as server:
        file = ingest(aitia, server, code=3)
        assert len(server.requests) == 2
    assert file["outcome"] == "added"
    assert file["extraction"] == "in part"
    assert "Rules did in place of the model" in file["warnings"][0]
    assert file["statements"] == 1, "by the patterns"
    (row,) = rows(aitia, CLAIMED)
    assert row["basis"].endswith("#computed")
    (step,) = rows(aitia, STEPS)
    assert step["error"], "the failed call is on record, its raw reply in the blob"
    assert "tank B" in aitia("ask", "What does pump A feed?").stdout
    holds(aitia)


def test_a_quote_that_is_not_in_the_text_is_refused(aitia: Run, tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("Pump A feeds tank B.")
    made_up = FEEDS | {"quote": "Pump A feeds tank Z.", "object": "tank Z"}
    elsewhere = FEEDS | {"object": "mixer 9"}
    with ModelServer({"facts": [FEEDS, made_up, elsewhere]}) as server:
        file = ingest(aitia, server)
    assert (file["statements"], file["statements_refused"]) == (1, 2)
    assert "stands in none of the texts" in file["warnings"][0]
    assert "'mixer 9' does not stand there" in file["warnings"][1]
    holds(aitia)


# C28: output cut off, or the prompt cut by the server


def test_a_reply_that_was_cut_off_keeps_its_whole_items(
    aitia: Run, tmp_path: Path
) -> None:
    (tmp_path / "d.txt").write_text("Pump A feeds tank B. Pump C feeds tank D.")
    with ModelServer(CUT, finish="length") as server:
        file = ingest(aitia, server, code=3)
    assert file["statements"] == 1
    assert file["extraction"] == "in part"
    assert any("cut off" in text for text in file["warnings"])
    assert {step["finish"] for step in rows(aitia, STEPS)} == {"length"}
    holds(aitia)


def test_what_was_cut_off_is_asked_for_in_smaller_parts(
    aitia: Run, tmp_path: Path
) -> None:
    (tmp_path / "d.txt").write_text("Pump A feeds tank B. Pump C feeds tank D.")

    def play(body: dict[str, Any]) -> Reply:
        shown = body["messages"][1]["content"]
        if "Pump A" in shown and "Pump C" in shown:
            return Says(CUT, finish="length")
        return {"facts": [FEEDS if "Pump A" in shown else OTHER]}

    with ModelServer(play) as server:
        file = ingest(aitia, server)
    assert (file["statements"], file["extraction"]) == (2, "done")
    assert {row["exact"] for row in rows(aitia, CLAIMED)} == {
        "Pump A feeds tank B.",
        "Pump C feeds tank D.",
    }
    holds(aitia)


def test_a_prompt_that_the_server_cut_is_warned_of(aitia: Run, tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("Pump A feeds tank B.")
    with ModelServer(WHOLE, usage=12) as server:
        file = ingest(aitia, server)
    assert any("12" in text for text in file["warnings"])


def test_a_prompt_that_would_not_fit_is_split_before_it_is_sent(
    aitia: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filler = "Nobody knows how old the hall is, or who built it. " * 16
    (tmp_path / "d.txt").write_text(
        f"Pump A feeds tank B.\n\n{filler}\n\n{filler}\n\nPump C feeds tank D."
    )
    monkeypatch.setenv("AITIA_MODEL_CONTEXT", "900")
    monkeypatch.setenv("AITIA_MODEL_ANSWER_TOKENS", "320")

    def play(body: dict[str, Any]) -> Reply:
        shown = body["messages"][1]["content"]
        found = [item for item in (FEEDS, OTHER) if item["quote"] in shown]
        return {"facts": found}

    with ModelServer(play) as server:
        file = ingest(aitia, server)
        assert len(server.requests) > 1
        assert all(len(text) < 4 * 580 for text in server.prompts)
    assert (file["statements"], file["extraction"]) == (2, "done")


# C30: a server without response_format; addresses in any form; no key


@pytest.mark.parametrize("form", ["{base}/v1", "{base}/v1/", "{base}"])
def test_any_form_of_address_works_without_a_key(
    aitia: Run, tmp_path: Path, form: str
) -> None:
    (tmp_path / "d.txt").write_text("Pump A feeds tank B.")
    with ModelServer(WHOLE, reject=("response_format",)) as server:
        url = form.format(base=server.base)
        told = ("--llm-url", url, "--model", "m", "--json")
        done = aitia("ingest", "d.txt", *told)
        assert json.loads(done.stdout)["files"][0]["statements"] == 1
        tried = len(server.requests)
        aitia("ingest", "d.txt", "--force", *told)
        assert len(server.requests) == tried + 1, "what it can do is remembered"
    assert "response_format" not in server.requests[-1]
    assert "tank B" in aitia("ask", "What feeds tank B?").stdout


def test_a_dead_server_is_told_in_one_line_and_gone_on_with_later(
    aitia: Run, tmp_path: Path
) -> None:
    for name in ("d.txt", "e.txt"):
        (tmp_path / name).write_text("Pump A feeds tank B.")
    done = aitia("ingest", ".", "--llm-url", dead_url(), "--model", "m", code=3)
    assert done.stdout.count("its facts wait to be read") == 2
    assert done.stdout.count("the model is asked no more") == 1
    assert "tank B" in aitia("ask", "What feeds tank B?").stdout
    with ModelServer(WHOLE) as server:
        told = ("--llm-url", server.url, "--model", "m", "--json")
        files = json.loads(aitia("ingest", ".", *told).stdout)["files"]
        read = [file["statements"] for file in files if file["path"].endswith(".txt")]
        assert read == [1, 1]
    holds(aitia)


# C09: what did not change causes no call


def test_what_did_not_change_is_not_asked_about_again(
    aitia: Run, tmp_path: Path
) -> None:
    fee = {
        "subject": "the fee",
        "predicate": "is",
        "object": "5 euro",
        "quote": "The fee is 5 euro.",
    }
    (tmp_path / "d.txt").write_text("The fee is 5 euro.")
    (tmp_path / "copy.txt").write_text("The fee is 5 euro.")
    with ModelServer({"facts": [fee]}) as server:
        told = ("--llm-url", server.url, "--model", "m", "--json")
        aitia("ingest", "d.txt", "copy.txt", *told)
        asked = len(server.requests)
        before = aitia("log", "--json").stdout
        done = json.loads(aitia("ingest", "d.txt", "copy.txt", *told).stdout)
        assert done["counts"] == {"unchanged": 2}
        assert len(server.requests) == asked, "no call"
        assert aitia("log", "--json").stdout == before, "no commit"
        (tmp_path / "d.txt").write_text("The fee is 7 euro.")
        server.replies = {
            "facts": [fee | {"object": "7 euro", "quote": "The fee is 7 euro."}]
        }
        file = ingest(aitia, server)
        assert (file["outcome"], file["statements"]) == ("new version", 1)
        assert len(server.requests) == asked + 1
    found = rows(aitia, CLAIMED)
    assert sorted(row["o"] for row in found) == ["5 euro", "5 euro", "7 euro"]
    holds(aitia)


def test_a_question_to_a_dead_server_is_answered_offline_and_marked(
    aitia: Run, tmp_path: Path
) -> None:
    (tmp_path / "d.txt").write_text("Pump A feeds tank B.")
    aitia("ingest", "d.txt")
    done = aitia(
        "ask", "--llm-url", dead_url(), "--model", "m", "What feeds tank B?", code=None
    )
    assert done.exit_code in (0, 3)
    assert "Pump A" in done.stdout
    assert "Extractive answer" in done.stdout + done.stderr
    told = [line for line in done.stderr.splitlines() if "reach" in line]
    assert len(told) == 1


# C32: citations that do not exist or say otherwise; answers with no context

CLAIMS = """PREFIX aitia: <https://w3id.org/aitia/ns#>
SELECT DISTINCT ?text ?state WHERE {
  ?claim a aitia:Claim ; aitia:text ?text ; aitia:supportState ?state }"""


def test_each_sentence_is_held_against_the_source_it_cites(
    aitia: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Crane 4 lifts 9 tonnes. It was inspected in May.")
    (tmp_path / "b.txt").write_text("Crane 5 lifts 12 tonnes.")
    aitia("ingest", "a.txt", "b.txt")
    reply = (
        "Crane 4 lifts 12 tonnes [2]. It was painted red [7]. "
        "It was inspected in May [1]."
    )
    with ModelServer(reply) as server:
        told = ("--llm-url", server.url, "--model", "m", "--json")
        done = json.loads(aitia("ask", *told, "Tell me about crane 4", code=3).stdout)
    found = {item["text"]: item for item in done["sentences"]}
    assert "Crane 4 lifts 12 tonnes." not in done["answer"]
    painted = found["It was painted red."]
    assert painted["support"] == "unsupported"
    assert painted["reason"] == "It cites [7], which is no source."
    (evidence,) = found["It was inspected in May."]["evidence"]
    assert (evidence["path"], evidence["start"], evidence["end"]) == ("a.txt", 24, 48)
    recorded = {row["text"]: row["state"].split("#")[1] for row in rows(aitia, CLAIMS)}
    assert recorded == {
        "Crane 4 lifts 12 tonnes.": "contradicted",
        "It was painted red.": "unsupported",
        "It was inspected in May.": "supported",
    }
    holds(aitia)


def test_what_no_source_says_is_not_answered(aitia: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Crane 4 lifts 9 tonnes.")
    aitia("ingest", "a.txt")
    with ModelServer("Shakespeare wrote Hamlet [1].") as server:
        told = ("--llm-url", server.url, "--model", "m", "--json")
        done = aitia("ask", *told, "Who wrote Hamlet?", code=None)
    told_back = json.loads(done.stdout)
    assert done.exit_code in (3, 5)
    assert all(item["support"] != "supported" for item in told_back["sentences"])
    assert told_back["tried"]
    holds(aitia)
