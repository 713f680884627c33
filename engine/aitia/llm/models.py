"""The configured models: what `aitia.llm.calls.Asks` promises, over real servers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Final, Self

from aitia.blobs import Blobs
from aitia.errors import NotFound, NotIntact
from aitia.llm import keeping, reading
from aitia.llm.abilities import Memory
from aitia.llm.budget import Budget, Spent
from aitia.llm.cache import Cache
from aitia.llm.calls import Call, Reply, Tier
from aitia.llm.exchange import Exchange, Means
from aitia.llm.keys import digest
from aitia.llm.server import Server
from aitia.llm.tiers import Target, targets
from aitia.llm.veil import Veil
from aitia.settings import Settings
from aitia.settings.prices import price

CACHED: Final = "reply"
"""The kind under which the cache keeps replies."""


def _silent(text: str) -> None:
    """Tell nobody."""


class Models:
    """The models of both tiers, with one budget. Safe to use from several threads.

    Attributes:
        cache: What was found out once, or None where nothing is to be used again.
        tell: Is told in plain words what is being waited for.
    """

    def __init__(
        self,
        settings: Settings,
        found: dict[Tier, Target],
        blobs: Blobs,
        folder: Path | None,
    ) -> None:
        """Make ready to ask; nothing is sent yet. `of` is the usual way.

        Args:
            settings: How models are asked, and how much.
            found: What each tier asks.
            blobs: Where prompts and replies are kept.
            folder: The workspace's, where abilities and the cache are kept; None
                keeps them nowhere.
        """
        self._settings, self._blobs = settings, blobs
        self._veil = Veil(settings)
        self._stop = threading.Event()
        memory = Memory(folder)
        servers = {
            target: Server(target, settings.model, memory, self._stop, self._veil)
            for target in found.values()
        }
        self._servers: dict[Tier, Server] = {
            tier: servers[target] for tier, target in found.items()
        }
        kept = settings.model.cache and folder is not None
        self.cache = Cache(folder) if kept and folder is not None else None
        self.tell: Callable[[str], None] = _silent
        self._budget = Budget(settings.budget)

    @classmethod
    def of(cls, settings: Settings, blobs: Blobs, folder: Path | None) -> Self | None:
        """Return the models that the settings name, or None where they name none.

        Raises:
            SettingsError: They name one, but not where it is.
        """
        found = targets(settings.model)
        return None if found is None else cls(settings, found, blobs, folder)

    def for_run(self) -> Self:
        """Return the same models with a budget of their own, whose time starts now."""
        made = copy(self)
        self._stop.clear()
        made._budget = Budget(self._settings.budget)
        return made

    @property
    def spent(self) -> Spent:
        """What was used up of the budget."""
        return self._budget.spent

    def name(self, tier: Tier) -> str:
        """Return the name of the model of a tier, as it is set."""
        return self._servers[tier].target.name

    def room(self, tier: Tier) -> int:
        """Return how many tokens a prompt may have, as `aitia.llm.tokens` estimates."""
        return self._servers[tier].target.room

    def server(self, tier: Tier) -> Server:
        """Return the server of a tier."""
        return self._servers[tier]

    def complete(self, call: Call) -> Reply:
        """Ask, and return the parsed reply, from the cache where it is there.

        Raises:
            ModelDown: No reply could be had.
            BadReply: No usable reply came, the repair try included; `TooLong` where
                the prompt does not fit into the context.
            BudgetSpent: Asking would go over the budget; nothing was sent.
        """
        prompt = keeping.messages(call, self._veil.prompt)
        name = keeping.asked(call, prompt)
        key = self._key(call.tier, name)
        if (found := self._cached(call, key)) is not None:
            return found
        reply = Exchange(self._means(call.tier), call, prompt, name, key).run()
        return self._remember(key, reply)

    def stop(self) -> None:
        """Wait for no server any more: calls that are waiting fail at once."""
        self._stop.set()

    def close(self) -> None:
        """Give connections and files free. Safe to call twice."""
        self.stop()
        for server in set(self._servers.values()):
            server.close()
        if self.cache is not None:
            self.cache.close()

    def _key(self, tier: Tier, name: str) -> str:
        target, model = self._servers[tier].target, self._settings.model
        asked = (target.url, target.name, model.temperature, target.answer_tokens)
        return digest([*asked, name])

    def _remember(self, key: str, reply: Reply) -> Reply:
        """Keep a whole reply to be used again; warn where that is not possible."""
        if self.cache is None or not reply.complete:
            return reply
        self.cache.put(CACHED, key, reply.raw)
        told = (self.cache.trouble,) if self.cache.trouble else ()
        return replace(reply, warnings=(*reply.warnings, *told))

    def _cached(self, call: Call, key: str) -> Reply | None:
        """Return a reply that was kept and still is what is asked for, or None."""
        if self.cache is None or call.anew:
            return None
        raw = self.cache.get(CACHED, key)
        if raw is None:
            return None
        try:
            reply = keeping.kept(self._blobs, raw).reply
            return again(call, keeping.from_cache(reply))
        except (NotFound, NotIntact, ValueError, reading.Unusable):
            # It can be asked for again; what is kept then takes its place.
            return None

    def _means(self, tier: Tier) -> Means:
        server, model = self._servers[tier], self._settings.model
        return Means(
            server,
            self._budget,
            price(model.prices, server.target.name),
            model.temperature,
            self._blobs,
            self._veil,
            self.tell,
        )


def again(call: Call, reply: Reply) -> Reply:
    """Return a kept reply with its value read anew, as what is asked for now.

    Raises:
        Unusable: It is not what is asked for.
    """
    if reply.complete:
        found = reading.read(call, reply.text)
    elif call.shape is None:
        found = reading.Read()
    else:
        found = reading.read_part(call, reply.text)
    if call.told is not None:
        call.told(reply.text)
    return replace(reply, value=found.value)
