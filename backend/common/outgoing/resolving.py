"""Decides which addresses may be connected to, and resolves host names.

A name is resolved once for a connection, every address is checked, and the connection is made to an address that was
checked: a different result of the name server a moment later (DNS rebinding) has no effect.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
METADATA = frozenset(
    ipaddress.ip_address(text)
    for text in (
        "169.254.169.254",
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        "fd20:ce::254",
        "fd00:ec2::254",
    )
)
"""Addresses at which clouds return credentials and configuration to any process on one of their machines."""
_NEVER = tuple(ipaddress.ip_network(text) for text in ("0.0.0.0/8", "240.0.0.0/4", "fec0::/10"))
_WRAPPING = tuple(ipaddress.ip_network(text) for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"))
"""NAT64, Teredo, 6to4: the network decides which IPv4 address is reached in the end."""


class AddressError(Exception):
    """A host that does not resolve, or resolves to an address that may not be connected to."""


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """The addresses allowed for connections. `networks` allows only these; `setting` is the setting that lists them."""

    networks: tuple[Network, ...] = ()
    setting: str = ""
    allows_loopback: bool = True
    allows_private: bool = True

    def refusal_of(self, address: Address) -> str:
        """Why the address may not be connected to; empty where it may. No list allows credentials of the machine."""
        address = unmapped(address)
        if address in METADATA:
            return "it is a cloud metadata service."
        if address.is_link_local:
            return "link-local addresses are not allowed."
        if self.networks:
            inside = any(address in network for network in self.networks if network.version == address.version)
            return "" if inside else f"the address is outside {self.setting}."
        if address.is_loopback:
            return "" if self.allows_loopback else "it is a loopback address, which is this machine."
        return _refusal_everywhere(address) or self._private(address)

    def _private(self, address: Address) -> str:
        if self.allows_private or address.is_global:
            return ""
        return f"a private address is allowed only where {self.setting} lists its network."


def unmapped(address: Address) -> Address:
    """The IPv4 address of a mapped one: an address refused as IPv4 is refused in its IPv6 form, too."""
    return (address.ipv4_mapped or address) if isinstance(address, ipaddress.IPv6Address) else address


def _refusal_everywhere(address: Address) -> str:
    """Why the address cannot be a server's."""
    if any(address in network for network in _WRAPPING if network.version == address.version):
        return "addresses that embed another address are not allowed."
    is_never = any(address in network for network in _NEVER if network.version == address.version)
    if is_never or address.is_multicast or address.is_unspecified or address.is_reserved:
        return "it is not an address of a server."
    return ""


def resolve(host: str) -> list[Address]:
    """All addresses of a host in the system's order; empty where it does not resolve."""
    try:
        found = socket.getaddrinfo(host, None, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(ipaddress.ip_address(str(entry[4][0]).split("%")[0]) for entry in found))


def judged_addresses(host: str, policy: AddressPolicy) -> list[Address]:
    """All addresses of a host; raises AddressError where there is none or any of them is refused."""
    addresses = resolve(host)
    if not addresses:
        raise AddressError(f"{host} does not resolve")
    for address in addresses:
        refusal = policy.refusal_of(address)
        if refusal:
            raise AddressError(f"{host} resolves to {address}, which is refused: {refusal.rstrip('.')}")
    return addresses


def hosts_to_connect(host: str, policy: AddressPolicy, *, is_proven_by_name: bool) -> list[str]:
    """The hosts to pass to a driver, in turn: checked addresses, or the name where the certificate must have it.

    A driver checks a certificate against the host it was given. A false name server gains nothing there either: a
    server without the certificate is sent no login.
    """
    addresses = judged_addresses(host, policy)
    return [host] if is_proven_by_name else [str(address) for address in addresses]
