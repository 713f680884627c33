"""Fetching evidence from an address, and never from a private one.

Every address that a name resolves to must be a public one, and the connection is made
to an address that was checked, so that a name cannot mean another place a moment
later. Redirects are followed by hand: each place is checked as the first was.
"""

from __future__ import annotations

import http.client
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from urllib.parse import urljoin, urlsplit

from aitia.errors import ReadError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_DOI: Final = re.compile(r"(?:doi:|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)")
_REDIRECTS: Final = 5
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_PORTS: Final = {"http": 80, "https": 443}
_CARRIED: Final = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "::/96")))
"""Networks whose addresses stand for the IPv4 address in their last 32 bits (RFC 6052;
RFC 4291, 2.5.5.1)."""
_LOCAL: Final = tuple(
    map(ipaddress.IPv6Network, ("64:ff9b:1::/48", "fec0::/10", "::/96"))
)
"""Networks of one site that `is_global` lets pass, by the version of Python (RFC 8215,
RFC 3879)."""
_TEXT: Final = re.compile(r"text/|json|xml|turtle|n-quads|n-triples|x-yaml")


def is_address(text: str) -> bool:
    """Tell whether a text is a web address or a DOI."""
    return text.lower().startswith(("http://", "https://", "doi:")) or bool(
        _DOI.fullmatch(text)
    )


def fetched(address: str, seconds: float, megabytes: int) -> str:
    """Return the text at a public address.

    Args:
        address: A web address or a DOI.
        seconds: How long all of it may take.
        megabytes: How much may be read.

    Raises:
        ReadError: It is private, cannot be had, is no text or too long.
    """
    doi = _DOI.fullmatch(address)
    place = f"https://doi.org/{doi[1]}" if doi else address
    until = time.monotonic() + seconds
    try:
        for _ in range(_REDIRECTS + 1):
            moved, text = _asked(place, until, megabytes * 1_000_000)
            if not moved:
                return text
            place = urljoin(place, moved)
    except ValueError as error:
        raise ReadError(f"{place} is no web address: {error}") from error
    raise ReadError(f"{address} leads on more than {_REDIRECTS} times")


def _asked(place: str, until: float, most: int) -> tuple[str, str]:
    """Ask one place; return where it leads on to, or its text."""
    parts = urlsplit(place)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ReadError(f"{place} is no web address")
    if parts.username or parts.password:
        raise ReadError(f"{place} carries a name or a password")
    port = parts.port or _PORTS[parts.scheme]
    left = until - time.monotonic()
    if left <= 0:
        raise ReadError(f"{place} took too long")
    connection = _connection(parts.scheme, parts.hostname, port, left)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {
        "User-Agent": "aitia",
        "Host": _host(parts.hostname, port, parts.scheme),
    }
    try:
        with _ended(connection, until):
            connection.request("GET", path, headers=headers)
            return _read(place, connection.getresponse(), until, most)
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = time.monotonic() > until
        why = "took too long" if late else f"cannot be had: {error}"
        raise ReadError(f"{place} {why}") from error
    finally:
        connection.close()


@contextmanager
def _ended(connection: http.client.HTTPConnection, until: float) -> Iterator[None]:
    """End a connection when the time is up.

    The time limit of a socket starts anew with each byte, so that who sends one byte
    now and then would be waited for without end.
    """

    def end() -> None:
        # None before it is connected, which has a time limit of its own.
        if connection.sock is not None:
            with suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(0.0, until - time.monotonic()), end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _host(name: str, port: int, scheme: str) -> str:
    shown = f"[{name}]" if ":" in name else name
    return shown if port == _PORTS[scheme] else f"{shown}:{port}"


def _read(
    place: str, response: http.client.HTTPResponse, until: float, most: int
) -> tuple[str, str]:
    if response.status in _MOVED:
        return response.getheader("Location") or place, ""
    if response.status != http.client.OK:
        raise ReadError(f"{place} answered {response.status} {response.reason}")
    kind = response.getheader("Content-Type", "text/plain")
    if not _TEXT.search(kind):
        raise ReadError(f"{place} is no text but {kind}")
    data = b""
    while chunk := response.read1(65_536):
        data += chunk
        if len(data) > most:
            raise ReadError(f"{place} is longer than {most / 1e6:g} MB")
        if time.monotonic() > until:
            raise ReadError(f"{place} took too long")
    if time.monotonic() > until:
        raise ReadError(f"{place} took too long")
    if response.length:
        raise ReadError(f"{place} broke off {response.length:,} bytes before its end")
    charset = response.headers.get_content_charset() or "utf-8"
    try:
        return "", data.decode(charset)
    except (LookupError, UnicodeDecodeError) as error:
        raise ReadError(f"{place} is no text in {charset}") from error


def _connection(
    scheme: str, name: str, port: int, seconds: float
) -> http.client.HTTPConnection:
    """Return a connection to an address of that name that was checked."""
    address = public_address(name, port)
    if scheme == "http":
        return http.client.HTTPConnection(address, port, timeout=seconds)
    return _Pinned(name, address, port, seconds)


class _Pinned(http.client.HTTPSConnection):
    """A TLS connection to a given address, with the certificate of its name."""

    def __init__(self, name: str, address: str, port: int, seconds: float) -> None:
        self._context_of_name = ssl.create_default_context()
        super().__init__(name, port, timeout=seconds, context=self._context_of_name)
        self._address = address

    def connect(self) -> None:
        """Connect to the address, and check the certificate for the name."""
        plain = socket.create_connection((self._address, self.port), self.timeout)
        self.sock = plain  # ended with the connection while the name is being proved
        self.sock = self._context_of_name.wrap_socket(plain, server_hostname=self.host)


def public_address(name: str, port: int) -> str:
    """Return an address of a name; every one that it has must be public.

    Raises:
        ReadError: One is not, or there is none.
    """
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ReadError(f"{name} has no address: {error}") from error
    addresses = [str(item[4][0]).partition("%")[0] for item in found]
    for text in addresses:
        if not all(map(_is_public, _meant(text))):
            raise ReadError(f"{name} is at the private address {text}")
    return addresses[0]


def _meant(text: str) -> Iterator[Address]:
    """Yield an address, and the one that it carries where it stands for another."""
    address = ipaddress.ip_address(text)
    yield address
    if isinstance(address, ipaddress.IPv6Address):
        if any(address in network for network in _CARRIED):
            yield ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        inner = (address.ipv4_mapped, address.sixtofour, *(address.teredo or ()))
        yield from (one for one in inner if one is not None)


def _is_public(address: Address) -> bool:
    if any(address in network for network in _LOCAL if address.version == 6):
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped is not None or (address.is_global and not address.is_multicast)
