"""Decides which URLs a webhook may have: http or https, to an address that the console may connect to.

The address is checked when it is stored and again at each call, and the call goes to the checked address itself, so
that a name that resolves elsewhere a moment later (DNS rebinding) has no effect.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from backend.common.errors import invalid
from backend.common.outgoing.addresses import RECEIVERS, check_host, is_host, policy_of
from backend.common.outgoing.own_parts import is_own_part
from backend.common.outgoing.resolving import Address, resolve

_PORTS = {"http": 80, "https": 443}
_OWN_PART = "is a service of Hawser itself. Use the address of a receiver."


class TargetError(Exception):
    """The URL, or the current address of its host, must not be called."""


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed URL; `path` includes the query."""

    is_tls: bool
    host: str
    port: int
    path: str
    header: str

    @property
    def shown(self) -> str:
        """Scheme and host only: the rest of a URL is often a secret."""
        return f"{'https' if self.is_tls else 'http'}://{self.header}/…"


def parse(url: str) -> Target:
    """Parse a URL; raises TargetError with the reason."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise TargetError("Use a URL such as https://chat.example.org/hook.") from error
    if parts.scheme not in _PORTS or not parts.hostname:
        raise TargetError("Use a URL that starts with https:// or http:// and names a host.")
    if parts.username is not None or parts.password is not None:
        raise TargetError("Remove user and password from the URL. Calls are signed with the secret.")
    if port == 0 or any(ord(char) <= 32 or ord(char) == 127 for char in url):
        raise TargetError("Use a URL without blanks, control characters or port 0.")
    if not is_host(parts.hostname) or not url.isascii():
        raise TargetError("Use a host name or an IP address, in ASCII only.")
    return _target(parts, port or _PORTS[parts.scheme])


def _target(parts: SplitResult, port: int) -> Target:
    host = str(parts.hostname)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme == "https", host, port, path, parts.netloc)


def check_url(url: str, field: str, *, allowed: str = RECEIVERS) -> Target:
    """The parsed URL; a ProblemError names `field` if it must not be called.

    `allowed` names the setting with the networks that may be called.
    """
    try:
        target = parse(url)
    except TargetError as error:
        raise invalid(field, str(error)) from error
    check_target(target, field, allowed=allowed)
    return target


def check_target(target: Target, field: str, *, allowed: str = RECEIVERS) -> None:
    """A ProblemError names `field` if the host has an address that must not be connected to."""
    check_host(target.host, field, allowed=allowed)
    for address in resolve(target.host):
        if is_own_part(address, target.port):
            raise invalid(field, f"{target.host}:{target.port} {_OWN_PART}", code="address_refused")


def address_of(target: Target, limit_s: float, *, allowed: str = RECEIVERS) -> Address:
    """The one address to connect to, resolved within the limit; TargetError if any address is refused."""
    found: list[Address] = []
    asking = threading.Thread(target=lambda: found.extend(resolve(target.host)), daemon=True)
    asking.start()
    asking.join(limit_s)
    addresses = sorted(found, key=lambda address: address.version)
    if not addresses:
        raise TargetError(f"{target.host} does not resolve.")
    policy = policy_of(allowed)
    for address in addresses:
        refusal = policy.refusal_of(address)
        if not refusal and is_own_part(address, target.port):
            refusal = _OWN_PART
        if refusal:
            raise TargetError(f"{target.host}: {refusal}")
    return addresses[0]
