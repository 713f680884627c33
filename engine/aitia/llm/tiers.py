"""Which model each tier asks, and where."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from aitia.errors import SettingsError
from aitia.llm.calls import Tier
from aitia.settings.model import ModelSettings, TierSettings

_VERSIONED: Final = re.compile(r"/v\d+\w*$")
_ENDPOINT: Final = "/chat/completions"


@dataclass(frozen=True)
class Target:
    """One tier with what it took from `[model]`.

    Attributes:
        url: Base address as set, without a slash at its end.
        name: The model's name there.
        key_variable: Environment variable of the key.
        context: Tokens that the model reads and writes at most.
        answer_tokens: Tokens that one reply may have.
    """

    url: str
    name: str
    key_variable: str
    context: int
    answer_tokens: int

    @property
    def key(self) -> str:
        """The key, or "" where none is set: a local server needs none."""
        told = os.environ.get(self.key_variable, "") if self.key_variable else ""
        return told.strip()

    @property
    def place(self) -> str:
        """The address as it may be shown: no user, no password, no query."""
        parts = urlsplit(self.url)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path, "", ""))

    @property
    def query(self) -> dict[str, str]:
        """What the address asks to be sent with each request, as `?api-version=1`."""
        return dict(parse_qsl(urlsplit(self.url).query))

    @property
    def bases(self) -> tuple[str, ...]:
        """The addresses that the base address may mean, the likeliest first."""
        parts = urlsplit(self.url)
        path = parts.path.rstrip("/").removesuffix(_ENDPOINT)
        bare = _VERSIONED.sub("", path)
        paths = (path, bare) if path != bare else (f"{path}/v1", path)
        return tuple(parts._replace(path=x, query="").geturl() for x in paths)

    @property
    def room(self) -> int:
        """Tokens that a prompt may have."""
        return self.context - self.answer_tokens


def targets(settings: ModelSettings) -> dict[Tier, Target] | None:
    """Return what each tier asks; None where no model is named.

    A tier that names no model, where `[model]` names none either, is the other one.

    Raises:
        SettingsError: A model is named and no address of a server, or one that is
            none; the key is none; or more tokens are left to the answer than the
            context holds.
    """
    plan, work = _target(settings, settings.plan), _target(settings, settings.work)
    if not plan.name and not work.name:
        return None
    found: dict[Tier, Target] = {
        "plan": plan if plan.name else work,
        "work": work if work.name else plan,
    }
    return {tier: _checked(target) for tier, target in found.items()}


def _target(settings: ModelSettings, tier: TierSettings) -> Target:
    return Target(
        tier.url or settings.url,
        tier.name or settings.name,
        tier.key_variable or settings.key_variable,
        tier.context or settings.context,
        tier.answer_tokens or settings.answer_tokens,
    )


def _checked(target: Target) -> Target:
    url = target.url.strip().rstrip("/")
    if not url:
        raise SettingsError(
            f"The model {target.name!r} is named, but not where its server is.",
            hint="Set model.url, as in --llm-url http://localhost:8000/v1.",
        )
    if not _is_address(url):
        raise SettingsError(
            f"The setting model.url is no address of a server: {url!r}.",
            hint="It is written http://localhost:8000/v1, or with https://.",
        )
    if not (target.key.isascii() and target.key.isprintable()):
        raise SettingsError(
            f"What the variable {target.key_variable} holds is no key: it has characters"
            " that cannot be sent."
        )
    if target.room <= 0:
        raise SettingsError(
            f"model.answer_tokens ({target.answer_tokens:,}) leaves nothing of"
            f" model.context ({target.context:,}) to the prompt."
        )
    return replace(target, url=url)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_port = parts.port is None or parts.port > 0
        fits = url.isascii() and url.isprintable() and " " not in url
        # Raises where a part of the host's name is longer than names of hosts are.
        (parts.hostname or "").encode("idna")
        return (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and fits
            and has_port
        )
    except ValueError:
        return False
