"""Names and addresses of a lab with distance. Pure.

Its network lies in 198.18.0.0/15, which RFC 2544 sets aside for measurements: 127/8 never leaves a namespace.
"""

from __future__ import annotations

import hashlib
from ipaddress import IPv4Network
from pathlib import Path

from deploy.lab.layout import SITES, Node, Settings, wan_net
from deploy.lab.wan.plan import CONSOLE, End

CONSOLE_SITE = "a"
PROXIED = 128
NAMESPACES = Path("/run/netns")


def network(settings: Settings) -> IPv4Network:
    """The network of all its ends."""
    return IPv4Network(f"{wan_net(settings.net)}.0/24")


def clients(site: str) -> str:
    """Name of the end at which the load's clients of a site stand."""
    return f"clients-{site}"


def ends_of(settings: Settings, nodes: list[Node]) -> list[End]:
    """Every node, each site's clients, and the console, which stands at site a."""
    net = wan_net(settings.net)
    return [
        *(End(node.name, node.site, node.host) for node in nodes),
        *(End(clients(site), site, f"{net}.{number}") for number, site in enumerate(SITES, start=2)),
        End(CONSOLE, CONSOLE_SITE, f"{net}.1"),
    ]


def proxies(settings: Settings) -> IPv4Network:
    """The upper half of its network belongs to the console as well: a test's proxy before each node."""
    return IPv4Network(f"{wan_net(settings.net)}.{PROXIED}/25")


def proxy_of(host: str) -> str:
    """The console's address for a proxy before a node."""
    net, _, last = host.rpartition(".")
    return f"{net}.{PROXIED + int(last)}"


def mark(home: Path) -> str:
    """What tells one lab's namespaces and devices from another's."""
    return hashlib.sha256(str(home).encode()).hexdigest()[:10]


def prefix(home: Path) -> str:
    """How the names of all its namespaces begin."""
    return f"hawser-{mark(home)}-"


def namespace(home: Path, end: str) -> str:
    """Name of an end's namespace; empty for the console, which stands in the machine's own."""
    return "" if end == CONSOLE else prefix(home) + end


def device(home: Path) -> str:
    """Name of the device in each namespace; a device's name has 15 characters at most."""
    return f"hw{mark(home)}"
