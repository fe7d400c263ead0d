"""The loss of a site as a disaster takes it: not all at once, and with writes acknowledged that no channel carried."""

from __future__ import annotations

import time

from deploy.lab.cluster import LabContext, state
from deploy.lab.errors import LabError
from deploy.lab.layout import Node
from deploy.lab.load import control
from deploy.lab.server import process
from deploy.lab.status import node_status

UNREPLICATED_WRITES = 20
OUTAGE_LIMIT_S = 25.0
"""A cluster lets a killed member go after 5 s (evs.suspect_timeout) and takes no write until then."""
REPORT_S = 1.5
"""The load writes its counters down once a second."""


def lose_site(ground: LabContext, site: str) -> str:
    """Kill the nodes that channels read from, and the others once they have taken writes alone; a sentence.

    Without writes on the site nothing is waited for. LabError if none of its nodes is up.
    """
    living = [node for node in ground.members(site) if state(ground, node) != process.STOPPED]
    if not living:
        raise LabError(f"every node of site {site} is already down")
    sources = _read_from(ground, living)
    survivors = [node for node in living if node not in sources]
    _kill(ground, sources)
    taken = _unreplicated_writes(ground, site) if sources and survivors else 0
    _kill(ground, survivors)
    return f"site {site} is lost; writes acknowledged there after its channel ended: {taken}"


def _read_from(ground: LabContext, living: list[Node]) -> list[Node]:
    """The nodes that channels of the other site read from."""
    elsewhere = [node for node in ground.nodes if node.site != living[0].site]
    channels = [row for node in elsewhere for row in node_status(ground, node).channels or []]
    hosts = {row["Master_Host"] for row in channels}
    return [node for node in living if node.host in hosts]


def _kill(ground: LabContext, nodes: list[Node]) -> None:
    for node in nodes:
        process.kill(ground.paths.pid(node.name))


def _unreplicated_writes(ground: LabContext, site: str) -> int:
    """Wait until the nodes that are left have acknowledged some; how many they did."""
    if not control.writes_on(ground.paths, site):
        return 0
    end = time.monotonic() + OUTAGE_LIMIT_S
    time.sleep(REPORT_S)
    before = taken = control.acknowledged(ground.paths, site)
    while taken - before < UNREPLICATED_WRITES and time.monotonic() < end:
        time.sleep(0.2)
        taken = control.acknowledged(ground.paths, site)
    return taken - before
