"""`aitia token`: tokens by which reviewers prove who they are."""

from __future__ import annotations

from dataclasses import asdict

import click

from aitia_cli.context import Context
from aitia_cli.render import as_json, clean, columns


@click.group()
def command() -> None:
    """Make, list and revoke the tokens by which reviewers prove who they are.

    The workspace keeps a hash of each. Whoever can write to the folder can make one: a
    token proves a name to those who trust the keeper of the folder.

    Example: aitia token new bob && aitia token list
    """


@command.command(
    "new",
    epilog="""\b
Examples:
  aitia token new bob --days 90
""",
)
@click.argument("name")
@click.option("--days", default=0.0, help="After how many days it ends; 0 for never.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def new(context: Context, name: str, days: float, wants_json: bool) -> None:
    """Make a token for NAME; it is shown once and kept nowhere."""
    with context.write() as workspace:
        made, secret = workspace.writeback.new_token(name, days)
    if wants_json:
        click.echo(as_json({**asdict(made), "token": secret}))
    else:
        click.echo(secret)


@command.command(
    "list",
    epilog="""\b
Examples:
  aitia token list
""",
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def list_(context: Context, wants_json: bool) -> None:
    """List the tokens that were made, without the tokens themselves."""
    with context.read() as workspace:
        found = workspace.writeback.tokens()
    if wants_json:
        click.echo(as_json([asdict(item) for item in found]))
        return
    rows = [(t.id, t.name, t.made[:10], t.until[:10] or "no end") for t in found]
    head = ("id", "for", "made", "until")
    click.echo("\n".join(columns(rows, head=head)) if rows else "There is no token.")


@command.command(
    "revoke",
    epilog="""\b
Examples:
  aitia token revoke k3f9x2ab
""",
)
@click.argument("token", metavar="ID")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def revoke(context: Context, token: str, wants_json: bool) -> None:
    """Let the token of that ID prove nothing any more."""
    with context.write() as workspace:
        found = workspace.writeback.revoke(token)
    click.echo(
        as_json(asdict(found)) if wants_json else f"Revoked: {clean(found.name)}."
    )
