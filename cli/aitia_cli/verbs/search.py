"""`aitia search`: passages that fit a query, with their scores."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Final

import click

from aitia_cli.context import Context, note
from aitia_cli.render import as_json, clean, short

if TYPE_CHECKING:
    from aitia.model import Hit
    from aitia.retrieval import Filters
    from aitia.workspace import Workspace

_IN_PART: Final = 3
_SHOWN: Final = 200
"""Characters of a refused query that are repeated."""
EXAMPLES = """\b
Examples:
  aitia search "how long may I return an order"
  aitia search 退货 --mode lexical --k 3
  aitia search refund --path 'policies/*.md' --since 2024-05-01
  aitia search -f questions.txt --k 5 > hits.jsonl

\b
JSON: {"query", "mode", "notice", "hits": [{"rank", "score", "scores", "passage",
"document", "title", "path", "type", "heading", "page", "start", "end", "text"}]}.
With -f one such object a line, {"query", "error"} for a query that is refused (exit
code 3). "scores" has, for each ranking a hit is in, its score
and rank: "lexical" (BM25), "dense" (cosine), "heading" (the query names the passage's
heading; how many words), and "fused" (reciprocal rank fusion of these). Where
[sources] in aitia.toml says whom to trust, "weight" is how far, and "unweighted_rank"
the rank without it, where it decided among hits that fit nearly as well.
"""


@click.command(epilog=EXAMPLES)
@click.argument("query", required=False)
@click.option(
    "-f",
    "--file",
    "queries",
    type=click.File(encoding="utf-8", errors="replace"),
    help="Take queries from a file, one a line (- for standard input); prints JSON lines.",
)
@click.option(
    "--k", type=click.IntRange(1, 1000), default=10, show_default=True, help="Hits."
)
@click.option(
    "--mode",
    type=click.Choice(["fused", "lexical", "dense"]),
    default="fused",
    show_default=True,
    help="By words, by meaning, or both fused by reciprocal rank.",
)
@click.option(
    "--path", metavar="GLOB", default="", help="Only documents of this path or name."
)
@click.option(
    "--source",
    metavar="GLOB",
    default="",
    help="Only documents of this id, title or location.",
)
@click.option(
    "--type", "media", metavar="TYPE", default="", help="Such as text/markdown or pdf."
)
@click.option("--since", metavar="TIME", help="Only documents taken in from then on.")
@click.option("--until", metavar="TIME", help="Only documents taken in until then.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(
    context: Context,
    /,
    query: str | None,
    queries: IO[str] | None,
    k: int,
    mode: str,
    wants_json: bool,
    **conditions: str | None,
) -> None:
    """Find the passages that fit QUERY, best first, with their scores."""
    if (query is None) == (queries is None):
        raise click.UsageError("Give a QUERY, or a file of queries with -f.")
    filters = _filters(**conditions)
    with context.read() as workspace:
        behind = workspace.indexes.behind(workspace.ledger, workspace.position)
        note(behind)
        notice = " ".join(filter(None, [workspace.notice, behind]))
        search = _Search(workspace, k, mode, filters, notice)
        if queries is not None:
            search.each_line(queries)
        elif query is not None and wants_json:
            click.echo(as_json(search.result(query)))
        elif query is not None:
            _show(search.hits(query))
        for text in workspace.indexes.unread.values():
            note(text)


@dataclass(frozen=True)
class _Search:
    workspace: Workspace
    k: int
    mode: str
    filters: Filters
    notice: str

    def hits(self, query: str) -> list[Hit]:
        return self.workspace.search(query, self.k, self.mode, self.filters)

    def result(self, query: str) -> dict[str, Any]:
        hits = [_as_dict(hit) for hit in self.hits(query)]
        notice = " ".join([self.notice, *self.workspace.indexes.unread.values()])
        told = {"query": query, "mode": self.mode, "notice": notice.strip()}
        return {**told, "hits": hits}

    def each_line(self, queries: IO[str]) -> None:
        """Print one JSON object a line; a query that is refused does not stop the rest."""
        from aitia.errors import UsageError

        refused = 0
        for line in filter(str.strip, queries):
            query = line.strip()
            try:
                found = self.result(query)
            except UsageError as error:
                refused += 1
                found = {"query": query[:_SHOWN], "error": str(error)}
            click.echo(json.dumps(found, ensure_ascii=True))
        if refused:
            note(f"{refused} of the queries were refused")
            raise click.exceptions.Exit(_IN_PART)


def _filters(
    path: str | None,
    source: str | None,
    media: str | None,
    since: str | None,
    until: str | None,
) -> Filters:
    from aitia.retrieval.filters import Filters, moment

    return Filters(
        path=path or "",
        source=source or "",
        media_type=media or "",
        since=moment(since) if since else None,
        until=moment(until, end_of_day=True) if until else None,
    )


def _as_dict(hit: Hit) -> dict[str, Any]:
    passage = hit.passage
    return {
        "rank": hit.rank,
        "score": hit.score,
        "scores": dict(sorted(hit.scores.items())),
        "passage": passage.iri,
        "document": passage.document,
        "title": passage.title,
        "path": passage.path,
        "type": passage.media_type,
        "heading": passage.heading,
        "page": passage.page,
        "start": passage.start,
        "end": passage.end,
        "text": passage.text,
    }


def _show(hits: list[Hit]) -> None:
    if not hits:
        click.echo("No passage fits.")
    for hit in hits:
        passage = hit.passage
        page = f", page {passage.page}" if passage.page else ""
        under = f" › {clean(passage.heading)}" if passage.heading else ""
        place = f"{clean(passage.path or passage.title)}{page}{under}"
        click.echo(f"{hit.rank:>3}. {place}  [{passage.start},{passage.end}]")
        click.echo(f"     {_scores(hit)}")
        click.echo(f"     {short(passage.text, 240)}")


def _scores(hit: Hit) -> str:
    names = [
        name for name in ("fused", "lexical", "dense", "heading") if name in hit.scores
    ]
    told = [_score(hit, name) for name in names]
    if "weight" in hit.scores:
        told.append(_weight(hit))
    return "  ".join(told)


def _weight(hit: Hit) -> str:
    """Return how far the source is trusted, and whether that decided the place."""
    before = hit.scores.get("unweighted_rank")
    moved = f" (it decided; #{before:.0f} without)" if before else ""
    return f"weight {hit.scores['weight']:.2f}{moved}"


def _score(hit: Hit, name: str) -> str:
    rank = hit.scores.get(f"{name}_rank")
    place = f" (#{rank:.0f})" if rank else ""
    return f"{name} {hit.scores[name]:.4g}{place}"
