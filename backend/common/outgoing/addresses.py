"""Decides from the settings which addresses the console may connect to."""

from __future__ import annotations

import ipaddress
import re

from django.conf import settings

from backend.common.errors import invalid
from backend.common.outgoing.resolving import AddressPolicy, resolve

_HOST = re.compile(r"^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}))*\.?$")
NODES = "HAWSER_ALLOWED_NETWORKS"
"""The setting that lists the networks of registered nodes."""
RECEIVERS = "HAWSER_HOOK_NETWORKS"
"""The setting that lists the networks of webhook receivers."""
PUSH_SERVICES = "HAWSER_WEB_PUSH_NETWORKS"
"""The setting that lists the networks of push services of browsers."""

PROVIDER = "HAWSER_OIDC_NETWORKS"
"""The setting that lists the networks of the OpenID Connect provider."""


def policy_of(setting: str) -> AddressPolicy:
    """Which networks a setting allows.

    Databases usually have private addresses. Receivers with one must be listed, because an administrator's URL would
    otherwise reach every service of the console's own network. The provider's address is a setting and no such input.
    """
    return AddressPolicy(
        networks=tuple(ipaddress.ip_network(text, strict=False) for text in getattr(settings, setting)),
        setting=setting,
        allows_loopback=settings.HAWSER_ALLOW_LOOPBACK,
        allows_private=setting in (NODES, PROVIDER),
    )


def check_host(host: str, field: str, *, allowed: str = NODES) -> None:
    """Refuse a host that is malformed, or that has an address to which the console may not connect.

    `allowed` names the setting with its networks.

    A name that does not resolve now is accepted: the node may be down. Its addresses are checked again at each
    connection.
    """
    if not is_host(host):
        raise invalid(field, "This is not a host name or an IP address. Use one of the two.")
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
        # All-numeric names are addresses for other parsers ("127.1", "2130706433").
        return bool(_HOST.match(host)) and not re.fullmatch(r"[0-9.]+|0x[0-9a-fA-F.x]+", host)
    return True
