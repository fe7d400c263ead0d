"""Which addresses the console may connect to, by its settings."""

from __future__ import annotations

import ipaddress
import re

from django.conf import settings

from backend.common.errors import invalid
from backend.gateway.connection.addresses import AddressPolicy, resolve

_HOST = re.compile(r"^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}))*\.?$")
NODES = "HAWSER_ALLOWED_NETWORKS"
"""The setting that lists where registered nodes may stand."""
RECEIVERS = "HAWSER_HOOK_NETWORKS"
"""The setting that lists where receivers of webhooks may stand."""


def policy_of(setting: str) -> AddressPolicy:
    """Where connections may lead by that setting. Databases usually stand in private networks, receivers must be
    listed there: else an administrator's URL reaches every unguarded service of the console's own network."""
    return AddressPolicy(
        networks=tuple(ipaddress.ip_network(text, strict=False) for text in getattr(settings, setting)),
        setting=setting,
        allows_loopback=settings.HAWSER_ALLOW_LOOPBACK,
        allows_private=setting == NODES,
    )


def check_host(host: str, field: str, *, allowed: str = NODES) -> None:
    """Refuse a host that is malformed, or any of whose addresses may not be connected to.

    `allowed` names the setting with the networks it may stand in.

    A name that does not resolve now is taken: the console may be told of a node that is down. What it resolves to
    later is judged again at each connection.
    """
    if not is_host(host):
        raise invalid(field, "Use a host name or an IP address.")
    policy = policy_of(allowed)
    for address in resolve(host):
        refusal = policy.refusal_of(address)
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
