"""Options of verbs that decide: who, with what proof; and what was shown to whom."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from aitia.workspace import Workspace
    from aitia.writeback.reviewers import Identity

SHOWN: Final = "shown.json"
"""File of the workspace folder that holds which version of a proposal was shown."""


def who_acts(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb the options that say who acts, and with what proof."""
    for option in (
        click.option("--as", "name", metavar="NAME", help="Who decides."),
        click.option(
            "--token",
            envvar="AITIA_TOKEN",
            default="",
            help="A token made for NAME (`aitia token new`); AITIA_TOKEN else.",
        ),
        click.option(
            "--key",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="An Ed25519 private key (PEM) to sign with; [reviewers] lists its public"
            " key.",
        ),
    ):
        command = option(command)
    return command


def who_decides(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb the options that say who decides, and why."""
    reason = click.option("--reason", default="", help="Why, in words; put on record.")
    return who_acts(reason(command))


def identity(
    workspace: Workspace,
    proposal: str,
    verdict: str,
    reason: str,
    given: tuple[str | None, str, Path | None],
) -> Identity:
    """Return who decides on a proposal, with a token or a signature.

    Args:
        workspace: The open workspace.
        proposal: The proposal's id.
        verdict: What is decided.
        reason: Why.
        given: Name, token and key as they were given.
    """
    from aitia.writeback.reviewers import Identity, sign

    name, token, key = given
    who = name or workspace.settings.agent
    if key is None:
        return Identity(who, token)
    signed = workspace.writeback.signing(proposal, verdict, reason)
    return Identity(who, signature=sign(key, signed))


def remember(folder: Path, who: str, proposal: str, digest: str) -> None:
    """Keep which version of a proposal was shown to whom.

    A folder that cannot be written to keeps nothing; `--shown` names it then.
    """
    kept = _kept(folder)
    kept.setdefault(who, {})[proposal] = digest
    temporary = folder / f"{SHOWN}.{os.getpid()}.tmp"
    try:
        temporary.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
        temporary.replace(folder / SHOWN)
    except OSError:
        return


def remembered(folder: Path, who: str, proposal: str) -> str:
    """Return which version of a proposal was shown to somebody last, or ""."""
    return _kept(folder).get(who, {}).get(proposal, "")


def _kept(folder: Path) -> dict[str, dict[str, str]]:
    try:
        found = json.loads((folder / SHOWN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    # Written by others too, perhaps: what is no map of names to digests is not used.
    return {
        who: {key: text for key, text in seen.items() if isinstance(text, str)}
        for who, seen in found.items()
        if isinstance(seen, dict)
    }
