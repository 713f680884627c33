"""The cases of CASES.md that concern asking, through the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from aitia_cli.main import cli
from tests.ingest_cases import Run, aitia, write

__all__ = ["aitia"]

SCAN = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Size 4/Root 1 0 R>>
%%EOF"""


def asked(aitia: Run, question: str, code: int = 0) -> dict[str, Any]:
    found = json.loads(aitia("ask", "--json", question, code=code).stdout)
    assert isinstance(found, dict)
    return found


def sentences(told: dict[str, Any]) -> list[str]:
    return [sentence["text"] for sentence in told["sentences"]]


def test_c05_a_scan_without_text_is_abstained_from(aitia: Run) -> None:
    write("scan.pdf", SCAN)
    write("other.txt", "The gate opens at nine.")
    aitia("ingest", "scan.pdf", "other.txt")
    told = asked(aitia, "What does scan.pdf say?", code=5)
    assert told["abstained"]
    assert told["sentences"] == []


def test_c07_chinese_is_found_and_quoted_by_characters(aitia: Run) -> None:
    text = "甲泵向乙罐供水。乙罐由丙阀控制。" * 400 + "丁阀在三月被更换。"
    write("zh.txt", text)
    aitia("ingest", "zh.txt")
    told = asked(aitia, "丁阀什么时候被更换?")
    assert sentences(told) == ["丁阀在三月被更换。"]
    (evidence,) = told["sentences"][0]["evidence"]
    assert text[evidence["start"] : evidence["end"]] == evidence["quote"]


def test_c08_two_files_of_one_name_disagree(aitia: Run) -> None:
    write("a/report.txt", "Limit is 10.")
    write("b/report.txt", "Limit is 20.")
    for name in ("x#1.txt", '50% "final".txt', "{brace}<lt>.txt", "two\nlines.txt"):
        write(name, "From file.")
    aitia("ingest", ".")
    told = asked(aitia, "What is the limit?")
    assert set(sentences(told)) == {"Limit is 10.", "Limit is 20."}
    (conflict,) = told["conflicts"]
    assert conflict["reason"] == "10 against 20"
    assert {side["path"] for side in conflict["between"]} == {
        "a/report.txt",
        "b/report.txt",
    }
    shown = aitia("ask", "What is the limit?").stdout
    assert "Sources disagree: 10 against 20" in shown


def test_c09_a_new_version_answers_and_a_copy_disagrees(aitia: Run) -> None:
    write("fee.txt", "The fee is 5 euro.")
    write("copy.txt", "The fee is 5 euro.")
    aitia("ingest", "fee.txt", "copy.txt")
    write("fee.txt", "The fee is 7 euro.")
    aitia("ingest", "fee.txt")
    told = asked(aitia, "What is the fee?")
    assert set(sentences(told)) == {"The fee is 5 euro.", "The fee is 7 euro."}
    assert [item["reason"] for item in told["conflicts"]] == ["5 against 7 euro"] or [
        item["reason"] for item in told["conflicts"]
    ] == ["7 against 5 euro"]
    aitia("delete", "copy.txt")
    assert sentences(asked(aitia, "What is the fee?")) == ["The fee is 7 euro."]


def test_c25_quotes_and_code_are_only_text(aitia: Run) -> None:
    write("q.txt", 'Pat O"Brien\\ approved plan 9.')
    aitia("ingest", "q.txt")
    told = asked(aitia, 'Who is O"Brien\\?')
    assert sentences(told) == ['Pat O"Brien\\ approved plan 9.']
    asked(aitia, "?s ?p ?o } INSERT { <a:a> <a:a> <a:a> } #", code=5)
    found = aitia("query", "--json", "SELECT * { <a:a> ?p ?o }").stdout
    assert "a:a" not in json.dumps(json.loads(found).get("results", []))


def test_c32_what_nothing_says_is_not_made_up(aitia: Run) -> None:
    write("a.txt", "Crane 4 lifts 9 tonnes. It was inspected in May.")
    write("b.txt", "Crane 5 lifts 12 tonnes.")
    aitia("ingest", "a.txt", "b.txt")
    told = asked(aitia, "Tell me about crane 4")
    assert sentences(told) == ["Crane 4 lifts 9 tonnes.", "It was inspected in May."]
    assert all(
        sentence["evidence"][0]["path"] == "a.txt" for sentence in told["sentences"]
    )
    shown = aitia("ask", "Who wrote Hamlet?", code=5).stdout
    assert "cannot answer" in shown
    assert "Tried:" in shown
    assert "filter: No passage shares a word" in shown


def test_c36_two_parts_among_thousands_of_sentences(aitia: Run) -> None:
    write(
        "x.md",
        'Item </script><script>document.title="owned"</script> feeds tank B. \u2028 end',
    )
    write("many.txt", " ".join(f"Node {i} feeds node {i + 1}." for i in range(3000)))
    aitia("ingest", "x.md", "many.txt")
    told = asked(aitia, "What feeds node 2000, and what feeds tank B?")
    first, second = sentences(told)
    assert first == "Node 1999 feeds node 2000."
    assert "feeds tank B" in second


def test_c39_a_chain_is_followed_and_why_shows_it(aitia: Run) -> None:
    write("d.txt", "Pump A feeds tank B. Tank B feeds mixer C.")
    aitia("ingest", "d.txt")
    told = asked(aitia, "What feeds mixer C in the end?")
    assert sentences(told) == ["Tank B feeds mixer C.", "Pump A feeds tank B."]
    why = aitia("why", "last").stdout
    assert "Pump A feeds tank B." in why
    assert "what was asked" in why


def test_the_answer_is_numbered_to_its_evidence(aitia: Run) -> None:
    write("a.txt", "The gate opens at nine.")
    aitia("ingest", "a.txt")
    lines = aitia("ask", "When does the gate open?").stdout.splitlines()
    assert lines[0] == "The gate opens at nine. [1]"
    assert "[1] “The gate opens at nine.” — a.txt, characters 0–23" in lines
    assert any(line.startswith("Confidence: 0.") for line in lines)
    assert any("aitia why last" in line for line in lines)
    assert "Extractive" in lines[-1]
    assert "language model" in lines[-1]


def test_a_question_comes_from_standard_input(aitia: Run) -> None:
    write("a.txt", "The gate opens at nine.")
    aitia("ingest", "a.txt")
    done = CliRunner().invoke(
        cli, ["--workspace", "ws", "ask", "-"], input="When does the gate open?\n"
    )
    assert done.exit_code == 0
    assert "opens at nine" in done.stdout


@pytest.mark.parametrize(("question", "code"), [("", 2), ("y" * 4001, 2)])
def test_a_wrong_question_is_told(aitia: Run, question: str, code: int) -> None:
    write("a.txt", "The gate opens at nine.")
    aitia("ingest", "a.txt")
    aitia("ask", question, code=code)


def test_a_part_that_stays_open_has_its_own_exit_code(aitia: Run) -> None:
    write("a.txt", "The gate opens at nine.")
    aitia("ingest", "a.txt")
    told = asked(aitia, "When does the gate open, and who wrote Hamlet?", code=3)
    assert [sentence["support"] for sentence in told["sentences"]] == [
        "supported",
        "unsupported",
    ]
    assert "Hamlet" in told["reason"]


def test_documents_that_fill_a_slot_differently_disagree(aitia: Run) -> None:
    write("orders.json", '[{"order_id": "Z-7", "status": "packed", "weight": 3}]')
    write("export/orders.csv", "order_id,status,weight\nZ-7,sent,3\n")
    aitia("ingest", "orders.json", "export")
    told = asked(aitia, "What is the status of order Z-7?")
    assert "packed" in told["answer"]
    assert "sent" in told["answer"]
    (conflict,) = told["conflicts"]
    assert {side["path"].split("/")[-1] for side in conflict["between"]} == {
        "orders.json",
        "orders.csv",
    }
    assert asked(aitia, "What is the weight of order Z-7?")["conflicts"] == []


def test_asking_needs_no_heavy_package(aitia: Run, tmp_path: Path) -> None:
    write("a.txt", "The gate opens at nine.")
    aitia("ingest", "a.txt")
    script = (
        "import sys; from aitia_cli.main import cli\n"
        "try: cli(['--workspace', 'ws', 'ask', 'When does the gate open?'])\n"
        "except SystemExit: pass\n"
        "print([m for m in ('torch', 'sentence_transformers') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "opens at nine" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"
