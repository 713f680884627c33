"""Consent at a real terminal: a yes permits one call, all else does not."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
from aitia.tools import Tool
from aitia_cli.toolflags import consents_of

tool = Tool("cancel", "Cancel an order.", {"type": "object"}, side_effect=True)
given = consents_of(sys.argv[1:]).given(tool, {"more": "z" * 3000, "order_id": "Q-1\\x1b[2J"})
print("PERMITTED" if given else "REFUSED", given.how if given else "")
"""


def at_terminal(answer: bytes, *allowed: str) -> str:
    """Run the script at a terminal that answers; return all that was shown."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *allowed],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as child:
        os.close(theirs)
        os.write(ours, answer)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:
            pass  # the other end was closed
        os.close(ours)
        assert child.wait() == 0, shown
    return shown.decode()


def test_a_yes_permits_this_call() -> None:
    shown = at_terminal(b"y\n")
    assert "cancel changes something outside" in shown
    assert 'order_id: "Q-1' in shown
    assert "\x1b[2J" not in shown
    assert "… and 2,602 characters more" in shown
    assert "PERMITTED a yes to this call" in shown


@pytest.mark.parametrize("answer", [b"n\n", b"\n", b"\x04"])
def test_anything_else_is_a_no(answer: bytes) -> None:
    assert "REFUSED" in at_terminal(answer)


def test_what_was_allowed_by_name_is_not_asked() -> None:
    shown = at_terminal(b"", "cancel")
    assert "Permit" not in shown
    assert "PERMITTED allowed for the run, by name" in shown


def test_nobody_is_asked_without_a_terminal(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input="y\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert done.stdout.strip() == "REFUSED"
    assert done.stderr == ""
