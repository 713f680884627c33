"""What went wrong with a request: passing, to be adapted to, or the end of it."""

from __future__ import annotations

import email.utils
import math
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from aitia.llm.abilities import LIMITS, Abilities
from aitia.llm.calls import ModelDown, ModelError, TooLong
from aitia.llm.tiers import Target
from aitia.llm.veil import Veil
from aitia.plain import short

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 8.0
"""Seconds between tries where the server does not say how long."""

_PASSING: Final = frozenset({408, 409, 425, 429})
_UNSUITABLE: Final = frozenset({400, 415, 422, 501})
REFUSED: Final = frozenset({*_UNSUITABLE, 401, 403, 404, 405})
"""What a server answers before any model is asked."""
_TOLD: Final = 200
"""Characters of a server's own message that are told."""
_UNREACHED: Final = frozenset(
    {"ConnectError", "ConnectTimeout", "UnsupportedProtocol", "ProxyError"}
)
"""Errors of the client's HTTP library, whose name differs between its versions, that
say that no connection came about."""
_TOO_LONG: Final = re.compile(
    r"context.{0,9}(length|window|size)|maximum context|prompt is too long"
    r"|too many tokens",
    re.IGNORECASE,
)
_NO_LLM: Final = "`--no-llm` asks without a model; `aitia doctor` tells how it is."


def api_error() -> type[Exception]:
    """Return the class of the client's errors; it is loaded when it is first needed."""
    import openai

    return openai.APIError


def status(error: BaseException) -> int:
    """Return the HTTP status that an error tells, or 0."""
    return int(getattr(error, "status_code", 0) or 0)


def timed_out(error: BaseException) -> bool:
    """Tell whether the server took too long to reply."""
    return type(error).__name__ == "APITimeoutError" and not unreached(error)


def unreached(error: BaseException) -> bool:
    """Tell whether no connection came about."""
    return type(error.__cause__).__name__ in _UNREACHED


def is_passing(error: BaseException) -> bool:
    """Tell whether asking again may help: a busy or failing server, a lost reply."""
    import openai

    if isinstance(error, openai.APIStatusError):
        if getattr(error, "code", "") == "insufficient_quota":
            return False
        code = status(error)
        return code in _PASSING or (code >= 500 and code not in _UNSUITABLE)
    return isinstance(error, openai.APIConnectionError) and not unreached(error)


def pause(error: BaseException | None, tries: int, longest: float) -> float:
    """Return how many seconds to wait before asking again.

    As long as the server says, by Retry-After in seconds or as a date, but no longer
    than `longest`; where it says nothing, twice as long each time.

    Args:
        error: What went wrong.
        tries: How often it was tried.
        longest: Seconds that are waited at most.
    """
    response = getattr(error, "response", None)
    said = _retry_after(response.headers) if response is not None else None
    if said is None:
        said = min(FIRST_PAUSE * 2.0 ** min(tries - 1, 10), LONGEST_PAUSE)
    return min(max(said, 0.0), longest)


def adapted(can: Abilities, body: Mapping[str, Any], error: Any) -> Abilities | None:
    """Return lesser abilities that a refusal points to, or None where it does not.

    Args:
        can: What the server was thought to be able to do.
        body: What it was sent.
        error: Its refusal.
    """
    said = message(error).lower()
    if status(error) not in _UNSUITABLE or is_too_long(error):
        return None
    if "stream_options" in body and "stream_options" in said:
        return replace(can, stream_usage=False)
    if "temperature" in body and "temperature" in said:
        return replace(can, temperature=False)
    if can.limit and can.limit in said:
        return replace(can, limit=LIMITS[LIMITS.index(can.limit) + 1])
    if "stream" in body and re.search(r"\bstream", said):
        return replace(can, stream=False)
    if ("response_format" in body or "tools" in body) and (lower := can.lower()):
        return lower
    # A refusal that gives no reason: a stream is the last thing to do without.
    return replace(can, stream=False) if "stream" in body else None


def message(error: BaseException, veil: Veil | None = None) -> str:
    """Return what the server says of an error, in one short line.

    Args:
        error: It.
        veil: Masks secrets, before the line is cut; None where it is told nobody.
    """
    body = getattr(error, "body", None)
    told = body.get("message") if isinstance(body, Mapping) else None
    said = str(told or getattr(error, "message", "") or error)
    return short(veil.hide(said) if veil else said, _TOLD)


def is_too_long(error: BaseException) -> bool:
    """Tell whether a server refuses a prompt for its length."""
    code = status(error)
    return code in _UNSUITABLE and bool(_TOO_LONG.search(message(error)))


def is_elsewhere(error: BaseException, model: str) -> bool:
    """Tell whether a 404 is about the address, not about the model."""
    named = re.search(rf"(?<!\w){re.escape(model)}(?!\w)", message(error), re.I)
    return status(error) in (404, 405) and not named


def plain(
    error: BaseException,
    target: Target,
    tries: int,
    timeout: float,
    veil: Veil,
) -> ModelError:
    """Return an error of the client's as one plain line.

    Args:
        error: It.
        target: What was asked.
        tries: How often.
        timeout: Seconds that were waited for a reply.
        veil: Masks secrets, since servers repeat what they were sent.

    Returns:
        `TooLong` where the prompt is longer than the server takes (its `tokens` are
        0: the server seldom says), else `ModelDown`.
    """
    told, hint = _told(error, target, tries, timeout, veil)
    line = veil.hide(f"The model's server at {target.place} {told}.")
    if is_too_long(error):
        hint = "Set model.context to what the model takes, and prompts are kept to it."
        return TooLong(line, 0, target.room, hint=hint)
    return ModelDown(line, hint=hint)


def _told(
    error: BaseException, target: Target, tries: int, timeout: float, veil: Veil
) -> tuple[str, str]:
    code, said = status(error), message(error, veil).rstrip(".")
    if unreached(error):
        return f"cannot be reached: {_why(error, veil)}", _NO_LLM
    if timed_out(error):
        more = "The setting model.timeout waits longer."
        return f"did not reply within {timeout:g} s", more
    if code in (401, 403):
        return _key_refused(code, said, target)
    if code in (404, 405):
        return f"has nothing there for {target.name!r} ({code}): {said}", _NO_LLM
    if 300 <= code < 400:
        return f"points elsewhere ({code}), which is not followed", _NO_LLM
    if code in _PASSING or code >= 500:
        often = "once" if tries == 1 else f"{tries} times"
        return f"is busy or fails ({code}; asked {often}): {said}", _NO_LLM
    if code:
        return f"refuses the request ({code}): {said}", _NO_LLM
    return f"gave no reply that can be read: {_why(error, veil)}", _NO_LLM


def _key_refused(code: int, said: str, target: Target) -> tuple[str, str]:
    variable = target.key_variable or "a variable named by model.key_variable"
    if not target.key:
        return f"asks for a key ({code})", f"Put it into the environment: {variable}."
    return f"refuses the key in {variable} ({code}): {said}", _NO_LLM


def _why(error: BaseException, veil: Veil) -> str:
    cause = error.__cause__ or error
    text = re.sub(r"^\[Errno -?\d+\] ", "", str(cause)) or type(cause).__name__
    return short(veil.hide(text), _TOLD).rstrip(".").lower()


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a response asks to wait, or None where it says none."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            found = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return found if math.isfinite(found) else None
    try:
        until = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
    except (TypeError, ValueError, IndexError):
        return None
    return until.timestamp() - time.time()
