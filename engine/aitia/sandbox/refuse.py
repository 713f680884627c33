"""Refuses, before it runs, a query that would write, reach out or overwhelm.

The store itself would follow SERVICE to any address. This reads the query as tokens
by the terminals of the SPARQL grammar and refuses on doubt: it may refuse a strange
query that is harmless, and never passes one that is not. The store's own parser
takes keywords without a space behind them (`SERVICEex:x{}`); so does this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from aitia.errors import QueryRefused

LONGEST: Final = 100_000
"""Characters."""
DEEPEST: Final = 64
"""Brackets within brackets."""
MOST_JOINED: Final = 500
"""Terms joined by && or ||."""

UPDATES: Final = frozenset(
    ("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD")
)
_TOKEN: Final = re.compile(
    r"""
    (?P<space>\s+|\#[^\n\r]*)
  | (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
  | (?P<string>'''(?:'{0,2}(?:[^'\\]|\\.))*''' | \"\"\"(?:"{0,2}(?:[^"\\]|\\.))*\"\"\"
      | '(?:[^'\\\n\r]|\\.)*' | "(?:[^"\\\n\r]|\\.)*")
  | (?P<variable>[?$]\w+)
  | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
  | (?P<blank>_:\w(?:[\w.·-]*[\w·-])?)
  | (?P<name>(?:[^\W\d_](?:[\w.·-]*[\w·-])?)?:
      (?:(?:[\w:]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?\#@%-])
      (?:(?:[\w.:·-]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?\#@%-])*
      (?:[\w:·-]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?\#@%-]))?)?)
  | (?P<word>[^\W\d]\w*)
  | (?P<number>[0-9]+)
  | (?P<mark>&&|\|\||.)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


class Token(NamedTuple):
    """A token of a query: its kind by the groups of the pattern, and its text."""

    kind: str
    text: str


def check(sparql: str) -> None:
    """Pass a query that only reads and is of bearable size.

    Raises:
        QueryRefused: It updates, reaches the network, or is too long or too deep.
    """
    if len(sparql) > LONGEST:
        raise QueryRefused(
            f"The query has {len(sparql):,} characters; the most is {LONGEST:,}."
        )
    if not any(tokens(sparql)):
        raise QueryRefused(
            "The query is empty.", hint="`aitia query --help` shows examples."
        )
    for text in dict.fromkeys((sparql, _unescaped(sparql))):
        found = list(tokens(text))
        _refuse_updates(found)
        _refuse_service(found)
        _refuse_bombs(found)


def _unescaped(sparql: str) -> str:
    """Return the query with its escapes of code points read, as the grammar asks."""

    def character(found: re.Match[str]) -> str:
        code = int(found[1] or found[2], 16)
        return chr(code) if code < 0x110000 else found[0]

    return _ESCAPE.sub(character, sparql)


def tokens(sparql: str) -> Iterator[Token]:
    """Yield the tokens of a query but spaces and comments.

    Raises:
        QueryRefused: A quotation mark has no partner.
    """
    for found in _TOKEN.finditer(sparql):
        kind, text = str(found.lastgroup), found[0]
        if kind == "mark" and text in "'\"":
            raise QueryRefused("The query holds a quotation mark without its partner.")
        if kind != "space":
            yield Token(kind, text)


def _refuse_updates(tokens: list[Token]) -> None:
    for token in tokens:
        if token.kind == "word" and token.text.upper() in UPDATES:
            raise QueryRefused(
                f"Queries only read, and {token.text.upper()} is an update.",
                hint="Change what is known with `aitia ingest`, `delete` or `import`.",
            )


def _refuse_service(tokens: list[Token]) -> None:
    """Refuse the keyword itself, and whatever the store could take for it.

    Where a prefix is not declared, the store's parser tries other ways to read a
    name: `true.SERVICE:x {` is a name to the grammar and may be three things to the
    parser. So any name that holds the word is refused where a group follows.
    """
    end = Token("mark", "")
    following = zip(tokens, [*tokens[1:], end], [*tokens[2:], end, end], strict=False)
    for token, second, third in following:
        if "service" not in token.text.lower():
            continue
        group = second.text == "{" or (
            third.text == "{" and second.kind in ("iri", "name", "variable")
        )
        if token.kind == "word" or (token.kind in ("name", "blank") and group):
            raise QueryRefused(
                "SERVICE is refused: a query here never reaches the network.",
                hint="Where the word is part of a name, write the name as an <IRI>.",
            )


def _refuse_bombs(tokens: list[Token]) -> None:
    depth = joined = 0
    for token in tokens:
        if token.kind != "mark":
            continue
        depth += (token.text in "([{") - (token.text in ")]}")
        joined += token.text in ("&&", "||")
        if depth > DEEPEST:
            raise QueryRefused(f"The query nests more than {DEEPEST} brackets.")
        if joined > MOST_JOINED:
            raise QueryRefused(
                f"The query joins more than {MOST_JOINED} terms by && or ||.",
                hint="`?x IN (…)` or VALUES says the same.",
            )
