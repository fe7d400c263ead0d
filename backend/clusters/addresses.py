"""Which addresses the console may connect to: an allow-list, or anything but the never-right ones."""

from __future__ import annotations

import ipaddress
import re
import socket

from django.conf import settings

from backend.common.errors import invalid

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_HOST = re.compile(r"^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}))*\.?$")
_METADATA = {ipaddress.ip_address("169.254.169.254"), ipaddress.ip_address("fd00:ec2::254")}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
NODES = "HAWSER_ALLOWED_NETWORKS"
"""The setting that lists where registered nodes may stand."""


def check_host(host: str, field: str, *, allowed: str = NODES) -> None:
    """Refuse a host that is malformed, or any of whose addresses may not be connected to.

    `allowed` names the setting with the networks it may stand in.

    A name that does not resolve now is taken: the console may be told of a node that is down.
    What a name resolves to later is the name server's word; where that is not trusted, register
    addresses.
    """
    if not is_host(host):
        raise invalid(field, "Use a host name or an IP address.")
    for address in resolve(host):
        refusal = refusal_of(address, allowed=allowed)
        if refusal:
            raise invalid(field, f"{host}: {refusal}", code="address_refused")


def is_host(host: str) -> bool:
    """Whether the text can be a host name or an IP address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        # All-numeric names are what other parsers read as addresses ("127.1", "2130706433").
        return bool(_HOST.match(host)) and not re.fullmatch(r"[0-9.]+|0x[0-9a-fA-F.x]+", host)
    return True


def resolve(host: str) -> list[Address]:
    """All addresses of a host; empty where it does not resolve."""
    try:
        found = socket.getaddrinfo(host, None, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError):
        return []
    return sorted({ipaddress.ip_address(str(entry[4][0]).split("%")[0]) for entry in found}, key=str)


def refusal_of(address: Address, *, allowed: str = NODES) -> str:
    """Why the address may not be connected to; empty where it may. `allowed` as in `check_host`."""
    address = _meant(address)
    networks = [ipaddress.ip_network(text, strict=False) for text in getattr(settings, allowed)]
    if networks:
        inside = any(address in network for network in networks if network.version == address.version)
        return "" if inside else f"the address is outside {allowed}."
    if address.is_loopback:
        return "" if settings.HAWSER_ALLOW_LOOPBACK else "a loopback address is this machine."
    if address in _METADATA or address.is_link_local:
        return "link-local addresses are not allowed."
    if address.is_multicast or address.is_unspecified or address.is_reserved:
        return "this is no address of a server."
    return ""


def _meant(address: Address) -> Address:
    """The IPv4 address that an IPv6 one only wraps: what is refused plain is refused wrapped."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address
