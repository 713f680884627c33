"""Who reviews: by what name, how that is known, what the approval counts.

A reviewer is authenticated by a token that was made for the name (`aitia token new`),
of which the workspace keeps a hash only, or by an Ed25519 signature of what is decided
with a key that `[reviewers]` in aitia.toml lists for the name. Else the name is merely
asserted.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from fnmatch import fnmatchcase
from math import isfinite
from pathlib import Path
from typing import Any, Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.errors import NotFound, SettingsError, UsageError
from aitia.prefixes import compact
from aitia.vocab import AITIA, RDF
from aitia.writeback import names
from aitia.writeback.desk import Desk
from aitia.writeback.read import Proposal

TOKENS: Final = "tokens.json"
"""File of the workspace folder that holds the hashes of tokens."""
PREFIX: Final = "aitia_"
"""What every token begins with, so that it is seen to be one."""
TEXT: Final = "text"
"""The field of proposals about words, as a reviewer's competence names it."""
_BYTES: Final = 24
_DAYS: Final = 36_500
_WEIGHT: Final = 100


@dataclass(frozen=True)
class Identity:
    """Who says that he reviews, and with what proof.

    Attributes:
        name: By what name.
        token: A token that was made for the name, or "".
        signature: Signature of `signed_text` in hexadecimal, or "".
    """

    name: str
    token: str = ""
    signature: str = ""


@dataclass(frozen=True)
class Token:
    """A token on file, without the token itself.

    Attributes:
        id: What to revoke it by.
        name: The reviewer.
        made: When it was made.
        until: When it ends, or "" for never.
    """

    id: str
    name: str
    made: str
    until: str


def signed_text(proposal: str, verdict: str, digest: str, reason: str) -> bytes:
    """Return what a reviewer signs: which proposal, as shown, how decided, and why."""
    return json.dumps(
        ["aitia review", proposal, verdict, digest, reason], ensure_ascii=False
    ).encode()


def authentication(desk: Desk, who: Identity, signed: bytes) -> NamedNode:
    """Return how it is known who reviews.

    Raises:
        UsageError: A token or signature was given and is none of that name.
    """
    if who.signature:
        if not _signature_holds(desk, who, signed):
            raise UsageError(
                f"The signature is not one of {who.name} over this decision.",
                hint="[reviewers] in aitia.toml lists the keys.",
            )
        return AITIA.bySignature
    if who.token:
        if not _token_holds(desk.folder, who):
            raise UsageError(
                f"The token is not one of {who.name}, or has ended.",
                hint="`aitia token new NAME` makes one.",
            )
        return AITIA.byToken
    return AITIA.assertedOnly


def weight(desk: Desk, name: str) -> Decimal:
    """Return what an approval of a reviewer counts.

    Raises:
        SettingsError: The setting is no number from 0.
    """
    told = _told(desk, name).get("weight", 1)
    number = isinstance(told, int | float) and not isinstance(told, bool)
    # With six digits at most behind the point: written out, as the record has it.
    if not (number and 0 <= told <= _WEIGHT and round(told, 6) == told):
        raise SettingsError(
            f"reviewers.{name}: the weight must be a number from 0 to {_WEIGHT}, with"
            " six digits behind the point at most."
        )
    return Decimal(f"{told:f}").normalize()


def is_competent(desk: Desk, name: str, proposal: Proposal) -> bool:
    """Tell whether a proposal lies in the fields that a reviewer judges.

    Every subject's class, or the property, must fit one of the patterns that
    aitia.toml lists for the reviewer, and `text` where words would become a document or
    go out of use; who has none there judges everything.
    """
    patterns = _told(desk, name).get("competence")
    if not patterns:
        return True
    if not isinstance(patterns, list | tuple):
        raise SettingsError(f"reviewers.{name}: the competence must be a list.")
    fields = [
        _places(desk, change.subject, change.predicate) for change in proposal.changes
    ]
    if proposal.words or proposal.proposed_text:
        fields.append([TEXT])
    return all(
        any(_fits(place, str(pattern)) for place in places for pattern in patterns)
        for places in fields
    )


def _places(desk: Desk, subject: NamedNode, predicate: NamedNode) -> list[str]:
    kinds = (quad.object for quad in desk.store.quads(subject, RDF.type))
    return [
        predicate.value,
        *(kind.value for kind in kinds if isinstance(kind, NamedNode)),
    ]


def _fits(iri: str, pattern: str) -> bool:
    return fnmatchcase(iri, pattern) or fnmatchcase(compact(iri), pattern)


def _told(desk: Desk, name: str) -> Mapping[str, Any]:
    told = desk.reads.settings.reviewers.get(name, {})
    if not isinstance(told, Mapping) or set(told) - {"key", "weight", "competence"}:
        raise SettingsError(
            f"reviewers.{name} must have `key`, `weight` or `competence`, not {told!r}."
        )
    return told


def _signature_holds(desk: Desk, who: Identity, signed: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(
            bytes.fromhex(str(_told(desk, who.name).get("key", "")))
        )
        key.verify(bytes.fromhex(who.signature), signed)
    except (InvalidSignature, ValueError):
        return False
    return True


def sign(key: Path, signed: bytes) -> str:
    """Return the signature of a decision by a private key (PEM), in hexadecimal.

    Raises:
        SettingsError: There is no Ed25519 key in that file.
    """
    from cryptography.hazmat.primitives.asymmetric import ed25519
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    hint = "`openssl genpkey -algorithm ed25519 -out key.pem` makes one."
    try:
        found = load_pem_private_key(key.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise SettingsError(f"{key}: {error}", hint) from error
    if not isinstance(found, ed25519.Ed25519PrivateKey):
        raise SettingsError(f"{key} is no Ed25519 key.", hint)
    return found.sign(signed).hex()


# Tokens


def new_token(folder: Path, name: str, days: float = 0) -> tuple[Token, str]:
    """Make a token for a reviewer; what is returned second is told only once.

    Args:
        folder: The workspace folder.
        name: The reviewer.
        days: After how many days it ends; 0 for never.
    """
    names.refuse_hiding(name)
    kept = _tokens(folder)
    for item in kept:
        if item["name"] != name and names.same(item["name"], name):
            raise UsageError(
                f"{name!r} is too like {item['name']!r}, who has a token.",
                hint="Two people need two names.",
            )
    if not (isfinite(days) and 0 <= days <= _DAYS):
        raise UsageError(f"A token lasts from 0 to {_DAYS:,} days, not {days:g}.")
    secret = PREFIX + secrets.token_urlsafe(_BYTES)
    made = terms.now()
    until = (made + timedelta(days=days)).isoformat() if days else ""
    token = Token(terms.new_id(), name, made.isoformat(), until)
    kept.append({**token.__dict__, "hash": _hash(secret)})
    _keep(folder, kept)
    return token, secret


def tokens(folder: Path) -> list[Token]:
    """Return the tokens on file."""
    kept = ((t["id"], t["name"], t["made"], t["until"]) for t in _tokens(folder))
    return [Token(*values) for values in kept]


def revoke(folder: Path, token: str) -> Token:
    """Take a token off the file; return what it was.

    Raises:
        NotFound: There is no token of that id.
    """
    kept = _tokens(folder)
    for item in kept:
        if item["id"] == token:
            _keep(folder, [other for other in kept if other is not item])
            return Token(item["id"], item["name"], item["made"], item["until"])
    raise NotFound(
        f"There is no token {token!r}.", hint="`aitia token list` lists them."
    )


def _token_holds(folder: Path, who: Identity) -> bool:
    given, now = _hash(who.token), terms.now()
    for item in _tokens(folder):
        if hmac.compare_digest(item["hash"], given) and item["name"] == who.name:
            return not item["until"] or datetime.fromisoformat(item["until"]) > now
    return False


def _hash(secret: str) -> str:
    # A token is 24 random bytes: no dictionary holds it, so that one hash is enough.
    return hashlib.sha256(secret.encode()).hexdigest()


def _tokens(folder: Path) -> list[dict[str, str]]:
    try:
        found = json.loads((folder / TOKENS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise SettingsError(f"{folder / TOKENS}: {error}") from error
    wanted = {"id", "name", "made", "until", "hash"}
    whole = isinstance(found, list) and all(
        isinstance(item, dict)
        and wanted <= item.keys()
        and all(isinstance(value, str) for value in item.values())
        for item in found
    )
    if not whole:
        raise SettingsError(f"{folder / TOKENS}: it is no list of tokens.")
    return [dict(item) for item in found]


def _keep(folder: Path, kept: list[dict[str, str]]) -> None:
    path = folder / TOKENS
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    temporary.replace(path)
