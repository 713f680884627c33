"""Write-back from the command line, and what is told besides other results."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aitia_cli.main import cli

Run = Callable[..., Result]


@pytest.fixture
def aitia(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    Path("cranes.csv").write_text("key,name,lifts\nk4,Crane 4,12\nk5,Crane 5,12\n")
    Path("notice.txt").write_text("From May on Crane 4 lifts 9 tonnes.\n")

    def run(*words: str, code: int | None = 0) -> Result:
        done = CliRunner().invoke(cli, ["--workspace", "ws", *words])
        assert code is None or done.exit_code == code, done.output
        return done

    run("ingest", "cranes.csv", "notice.txt")
    return run


WANTED = (
    "propose --kind revise --subject|Crane 4|--predicate lifts --object 9 --reason"
    "|the notice says so|--evidence notice.txt"
)


def propose(aitia: Run, *more: str) -> str:
    words: list[str] = []
    for place, part in enumerate(WANTED.split("|")):
        words += [part] if place % 2 else part.split()
    done = aitia("--as", "ann", *words, *more, "--json")
    return str(json.loads(done.stdout)["proposal"]["id"])


def test_from_a_proposal_to_another_answer_and_back(aitia: Run) -> None:
    found = propose(aitia)
    assert "12" in aitia("ask", "How much does Crane 4 lift?").stdout
    listed = aitia("review", "list").stdout
    assert found in listed
    shown = aitia("review", "show", found[:5], "--as", "bob").stdout
    assert "“From May on Crane 4 lifts 9 tonnes.”" in shown
    assert "ok quotes: the quote stands at its place" in shown
    assert "Touches 1 statement, 0 inferred triples, 1 answer" in shown
    own = aitia("review", "approve", found, "--as", "ann", "--reason", "x", code=1)
    assert "ann made the proposal" in own.stderr
    done = aitia("review", "approve", found, "--as", "bob", "--reason", "read it")
    assert "approved (commit" in done.stdout
    assert "9" in aitia("ask", "How much does Crane 4 lift?").stdout
    again = aitia("review", "approve", found, "--as", "eve", "--reason", "x", code=1)
    assert "does not wait for a review" in again.stderr
    aitia("review", "undo", found, "--as", "bob", "--reason", "it was a draft")
    assert "12" in aitia("ask", "How much does Crane 4 lift?").stdout
    aitia("verify")
    aitia("validate")


@pytest.mark.parametrize(
    "words",
    [["ask", "How much does Crane 5 lift?"], ["stats"], ["ingest", "notice.txt"]],
)
def test_what_waits_is_told_on_one_line_of_stderr(aitia: Run, words: list[str]) -> None:
    assert "wait" not in aitia(*words).stderr
    propose(aitia)
    done = aitia(*words)
    told = [line for line in done.stderr.splitlines() if "review" in line]
    assert told == ["aitia: 1 proposal waits for a review (`aitia review list`)"]
    assert "waits for a review" not in done.stdout


def test_a_refused_proposal_is_told_why_and_exits_with_4(aitia: Run) -> None:
    done = aitia(
        "propose", "--subject", "Crane 4", "--predicate", "lifts", "--object", "heavy",
        "--reason", "so it looks", code=4,
    )  # fmt: skip
    assert "NO types: p/lifts" in done.stdout or "NO types:" in done.stdout
    assert "Refused" in done.stdout
    assert "No proposal waits" in aitia("review", "list").stdout


def test_many_are_approved_after_a_dry_run(aitia: Run) -> None:
    found = propose(aitia)
    words = ["review", "approve", "--all", "--as", "bob", "--reason", "all read"]
    dry = aitia(*words, "--dry-run").stdout
    assert f"{found}: would be decided" in dry
    assert found in aitia("review", "list").stdout
    assert "approved (commit" in aitia(*words).stdout


def test_a_token_and_a_changed_proposal(aitia: Run) -> None:
    secret = aitia("token", "new", "bob").stdout.strip()
    assert secret.startswith("aitia_")
    found = propose(aitia)
    words = ["review", "approve", found, "--as", "bob", "--reason", "read it"]
    wrong = aitia(*words, "--token", "aitia_wrong", code=2)
    assert "token is not one of bob" in wrong.stderr
    stale = aitia(*words, "--shown", "000000", code=1)
    assert "has changed since it was shown" in stale.stderr
    done = json.loads(aitia(*words, "--token", secret, "--json").stdout)
    assert done["proposal"]["state"] == "approved"
    shown = json.loads(aitia("review", "show", found, "--json").stdout)
    assert shown["reviews"][0]["authentication"] == "byToken"
    assert "bob" in aitia("token", "list").stdout


def test_words_that_name_nothing_are_one_plain_line(aitia: Run) -> None:
    for words, code in (
        (["review", "show", "nothing"], 1),
        (["review", "approve"], 2),
        (["review", "approve", "x", "--all"], 2),
        (["review", "list", "--state", "odd"], 2),
        (["propose", "--reason", "x"], 2),
        (
            [
                "propose",
                "--subject",
                "Crane 99",
                "--predicate",
                "lifts",
                "--reason",
                "x",
            ],
            1,
        ),
        (["token", "revoke", "zz"], 1),
    ):
        done = aitia(*words, code=code)
        assert len(done.stderr.splitlines()) <= 2
        assert "Traceback" not in done.stderr


def test_as_may_stand_behind_a_verb_that_acts(aitia: Run) -> None:
    words = ["propose", "--text", "The gate is green.", "--reason", "seen"]
    done = aitia(*words, "--as", "erin", "--json")
    assert json.loads(done.stdout)["proposal"]["proposer"] == "erin"


def test_one_that_the_gate_refuses_does_not_keep_the_others(aitia: Run) -> None:
    found = propose(aitia)
    listed = json.loads(aitia("review", "list", "--json").stdout)
    lifts = listed[0]["adds"][0]["predicate"]
    aitia("propose", "--text", "The gate is green.", "--reason", "seen", "--as", "ann")
    Path("shapes.ttl").write_text(
        "@prefix sh: <http://www.w3.org/ns/shacl#> .\n"
        f"<http://e/light> a sh:NodeShape ; sh:targetSubjectsOf <{lifts}> ;\n"
        f"  sh:property [ sh:path <{lifts}> ; sh:minInclusive 10 ;\n"
        '    sh:message "Every crane lifts 10 tonnes or more." ] .\n'
    )
    aitia("shapes", "add", "shapes.ttl")
    words = ["review", "approve", "--all", "--as", "bob", "--reason", "read", "--json"]
    done = json.loads(aitia(*words, code=3).stdout)
    refused = {item["id"]: item["refused"] for item in done}
    assert refused[found]
    assert sum(1 for item in done if item["decision"]) == 1
    aitia("validate")
    aitia("verify")
