"""`aitia review`: look at proposals and decide on them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aitia.errors import AitiaError, UsageError
from aitia_cli.context import Context, note
from aitia_cli.deciding import identity, remember, remembered, who_acts, who_decides
from aitia_cli.proposals import bulk, decision, line, told
from aitia_cli.render import as_json, clean, columns

if TYPE_CHECKING:
    from aitia.reviewing import Bulk
    from aitia.workspace import Workspace
    from aitia.writeback.queue import Wanted

IN_PART = 3
DECISION = """\b
Examples:
  aitia review {verb} k3f9x2ab --as bob --reason "{reason}"
  aitia review {verb} --all --kind revise --least 0.8 --dry-run --reason "{reason}"

\b
With --all it decides on every waiting proposal that fits, each by itself; exit code 3
where some were refused.
"""


@click.group()
def command() -> None:
    """Look at proposals and decide on them; every decision stays on record.

    Example: aitia review list && aitia review show k3f9x2ab
    """


def filters(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb the options that say which proposals are wanted."""
    for option in (
        click.option("--limit", default=0, help="So many at most."),
        click.option("--clean", is_flag=True, help="Only where every check passed."),
        click.option(
            "--most", default=-1, metavar="N", help="Touching at most N things."
        ),
        click.option(
            "--least", default=0.0, metavar="X", help="Confidence of at least X."
        ),
        click.option("--by", "proposer", default="", help="Of this proposer."),
        click.option("--trigger", default="", help="That arose so, as in `conflict`."),
        click.option("--kind", default="", help="Of this kind, as in `revise`."),
    ):
        verb = option(verb)
    return verb


@command.command(
    "list",
    epilog="""\b
Examples:
  aitia review list
  aitia review list --state approved --json
""",
)
@click.option(
    "--state", default="needs review", show_default=True, help="In this state, or all."
)
@filters
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def list_(context: Context, /, wants_json: bool, state: str, **given: Any) -> None:
    """List proposals, those first that are sure, touch much or have waited long."""
    from aitia.writeback import layout
    from aitia_cli.proposals import HEAD, row

    with context.read() as workspace:
        found = workspace.writeback.proposals(_wanted(state, given))
    if wants_json:
        click.echo(as_json([layout.proposal(item) for item in found]))
        return
    if not found:
        click.echo("No proposal waits for a review.")
        return
    click.echo("\n".join(columns(map(row, found), head=HEAD)))


@command.command(
    "show",
    epilog="""\b
Examples:
  aitia review show k3f9x2ab
  aitia review show k3f9 --json
""",
)
@click.argument("proposal", metavar="ID")
@click.option("--as", "name", metavar="NAME", help="To whom it is shown.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def show(context: Context, proposal: str, name: str | None, wants_json: bool) -> None:
    """Show proposal ID: the change, evidence, checks, impact, reviews."""
    from aitia.writeback import layout
    from aitia_cli.proposals import shown

    with context.read() as workspace:
        found = workspace.writeback.show(proposal)
        who = name or workspace.settings.agent
        remember(workspace.folder, who, found.proposal.id, found.digest)
    if not wants_json:
        click.echo("\n".join(shown(found)))
        return
    told = {
        **layout.proposal(found.proposal),
        "digest": found.digest,
        "reviews": [
            layout.review(given, why)
            for given, why in zip(found.reviews, found.uncounted, strict=True)
        ],
        "reserved": layout.reserved(found.reserved),
        "needed": found.needed,
        "counted": found.counted,
        "undone": layout.undone(found.undone),
        "undo_needed": found.undo_needed,
        "undo_counted": found.undo_counted,
        "now": layout.impact(found.now),
        "around": [list(words) for words in found.around],
    }
    click.echo(as_json(told))


def _deciding(verb: str, told: str, reason: str) -> click.Command:
    """Return the verb that makes one kind of decision."""

    @click.argument("proposal", metavar="[ID]", required=False, default="")
    @who_decides
    @click.option("--shown", default="", help="Digest of what you were shown.")
    @click.option("--all", "every", is_flag=True, help="Decide on all that fit.")
    @click.option("--dry-run", is_flag=True, help="Only tell which these are.")
    @filters
    @click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
    @click.pass_obj
    def decide(context: Context, /, wants_json: bool, **given: Any) -> None:
        if bool(given["proposal"]) == given["every"]:
            raise click.UsageError("Name one proposal, or say --all.")
        if given["every"]:
            _decide_all(context, verb, wants_json, given)
        else:
            _decide_one(context, verb, wants_json, given)

    epilog = DECISION.format(verb=verb, reason=reason)
    return command.command(verb, help=told, epilog=epilog)(decide)


approve = _deciding(
    "approve", "Accept proposal ID, once it has all approvals.", "read it"
)
reject = _deciding("reject", "Turn proposal ID down.", "the notice is a draft")
return_ = _deciding(
    "return", "Give proposal ID back to who made it.", "which crane is meant?"
)


def _decide_one(
    context: Context, verb: str, wants_json: bool, given: dict[str, Any]
) -> None:
    with context.write() as workspace:
        named = workspace.writeback.show(given["proposal"]).proposal.id
        proof = (given["name"], given["token"], given["key"])
        who = identity(workspace, named, verb, given["reason"], proof)
        digest = given["shown"] or remembered(workspace.folder, who.name, named)
        found = workspace.writeback.decide(
            named, verb, given["reason"], who, digest=digest
        )
        _tell_after(workspace)
    click.echo(as_json(decision(found)) if wants_json else told(found))


def _tell_after(workspace: Workspace) -> None:
    """Tell what followed, and how many answers rest on what is no longer so."""
    for text in workspace.writeback.notices:
        note(text)
    stale = len(workspace.stale())
    if stale:
        answers = "1 answer is" if stale == 1 else f"{stale:,} answers are"
        note(f"{answers} stale now (`aitia stale`)")


def _decide_all(
    context: Context, verb: str, wants_json: bool, given: dict[str, Any]
) -> None:
    wanted, done = _wanted("needs review", given), []
    if not given["dry_run"] and not given["reason"].strip():
        raise UsageError("A decision needs a reason.", hint="Say why with --reason.")
    with context.write() as workspace:
        for found in workspace.writeback.proposals(wanted):
            done.append(_one_of_many(workspace, found.id, found.text, verb, given))
    if wants_json:
        click.echo(as_json([bulk(item) for item in done]))
    else:
        click.echo("\n".join(map(line, done)) or "No waiting proposal fits.")
    sys.exit(IN_PART if any(item.refused for item in done) else 0)


def _one_of_many(
    workspace: Workspace, named: str, text: str, verb: str, given: dict[str, Any]
) -> Bulk:
    from aitia.reviewing import Bulk

    if given["dry_run"]:
        return Bulk(named, text, None)
    proof = (given["name"], given["token"], given["key"])
    try:
        who = identity(workspace, named, verb, given["reason"], proof)
        done = workspace.writeback.decide(named, verb, given["reason"], who)
    except AitiaError as error:  # the gate's too: one does not keep the others
        return Bulk(named, text, None, str(error))
    return Bulk(named, text, done)


@command.command(
    "reserve",
    epilog="""\b
Examples:
  aitia review reserve k3f9x2ab --as bob --hours 4
""",
)
@click.argument("proposal", metavar="ID")
@click.option("--hours", default=0.0, help="For how long; the setting else.")
@who_acts
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def reserve(
    context: Context,
    proposal: str,
    hours: float,
    name: str | None,
    token: str,
    key: Path | None,
    wants_json: bool,
) -> None:
    """Have proposal ID to yourself for some time: nobody else can decide on it.

    It takes the same proof of who you are as an approval that counts, and ends once you
    have decided.
    """
    from aitia.writeback import layout
    from aitia.writeback.reserving import REASON, RESERVE

    with context.write() as workspace:
        named = workspace.writeback.show(proposal).proposal.id
        who = identity(workspace, named, RESERVE, REASON, (name, token, key))
        found = workspace.writeback.reserve(named, who, hours)
    if wants_json:
        click.echo(as_json(layout.reserved(found)))
    else:
        click.echo(
            f"Reserved by {clean(found.name)} until {found.until:%Y-%m-%d %H:%M} UTC."
        )


@command.command(
    "release",
    epilog="""\b
Examples:
  aitia review release k3f9x2ab --as bob
""",
)
@click.argument("proposal", metavar="ID")
@who_acts
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def release(
    context: Context,
    proposal: str,
    name: str | None,
    token: str,
    key: Path | None,
    wants_json: bool,
) -> None:
    """Give up the reservation of proposal ID, so that others can decide.

    Who reserved it gives it up, with the same proof; what was reserved without proof
    anybody gives up who proves a name.
    """
    from aitia.writeback import layout
    from aitia.writeback.reserving import REASON, RELEASE

    with context.write() as workspace:
        named = workspace.writeback.show(proposal).proposal.id
        who = identity(workspace, named, RELEASE, REASON, (name, token, key))
        found = workspace.writeback.release(named, who)
    if wants_json:
        click.echo(as_json(layout.reserved(found)))
    else:
        click.echo(f"{named} is no longer reserved by {clean(found.name)}.")


@command.command(
    "undo",
    epilog="""\b
Examples:
  aitia review undo k3f9x2ab --as bob --reason "the notice was withdrawn"
""",
)
@click.argument("proposal", metavar="ID")
@who_decides
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def undo(
    context: Context,
    proposal: str,
    reason: str,
    name: str | None,
    token: str,
    key: Path | None,
    wants_json: bool,
) -> None:
    """Take the acceptance of proposal ID back: the facts are as they were before.

    It takes as many reviewers, as well proven, as it took to accept it.
    """
    with context.write() as workspace:
        named = workspace.writeback.show(proposal).proposal.id
        who = identity(workspace, named, "undo", reason, (name, token, key))
        found = workspace.writeback.undo(named, reason, who)
        _tell_after(workspace)
    click.echo(as_json(decision(found)) if wants_json else told(found))


@command.command(
    "calibration",
    epilog="""\b
Examples:
  aitia review calibration
  aitia review calibration --json
""",
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def calibration(context: Context, wants_json: bool) -> None:
    """Tell how scores and people's verdicts agree, and whether `auto` may be used."""
    from aitia.writeback import layout

    with context.read() as workspace:
        found = workspace.writeback.calibration()
    if wants_json:
        click.echo(as_json([layout.calibration(item) for item in found]))
        return
    for item in found:
        share = "none" if item.precision is None else f"{item.precision:.2f}"
        state = "unlocked" if item.unlocked else "locked"
        click.echo(
            f"{item.kind}: automatic acceptance {state}; {item.reviewed} of"
            f" {item.wanted} reviews, precision {share} of {item.precision_wanted:g}"
        )
        for step in item.bins:
            click.echo(
                f"  confidence {step.least:.1f}–{step.most:.1f}:"
                f" {step.approved} of {step.reviewed} approved"
            )


def _wanted(state: str, given: dict[str, Any]) -> Wanted:
    from aitia.writeback.queue import Wanted

    return Wanted(
        state,
        given["kind"],
        given["trigger"],
        given["proposer"],
        None,
        given["least"],
        given["most"],
        given["clean"],
        given["limit"],
    )
