"""The settle point: a marker row written on each site has arrived on every judged node.

Both the clusters and the channels keep the order of transactions, so a node that shows a site's marker holds everything
that site acknowledged before. No channel has to be known for this; they are listed only to explain a wait in vain.
"""

from __future__ import annotations

import time
import uuid

from deploy.lab.channels import states
from deploy.lab.cluster import LabContext, admin, state, synced_status
from deploy.lab.layout import Node
from deploy.lab.server import process
from deploy.lab.server.database import SERVER_ERRORS, rows, statuses
from deploy.lab.status import channel_line
from deploy.services.patience import patience

POLL = 0.2


def candidates(ground: LabContext, sites: tuple[str, ...], skip: tuple[str, ...]) -> tuple[list[Node], list[str]]:
    """Nodes to judge, and a sentence for each node that runs but is no usable member.

    Dead and frozen nodes are left out silently: their state is certain. A running node that cannot be judged is not.
    """
    usable: list[Node] = []
    trouble: list[str] = []
    for node in ground.nodes:
        if node.site not in sites or node.name in skip or state(ground, node) != process.RUNNING:
            continue
        why = _why_unusable(ground, node)
        if why:
            trouble.append(f"{node.name} runs but cannot be judged: {why}")
        else:
            usable.append(node)
    judged = {node.site for node in usable}
    trouble += [f"no node of site {site} could be judged" for site in sites if site not in judged]
    return usable, trouble


def _why_unusable(ground: LabContext, node: Node) -> str:
    try:
        with admin(ground, node, 5) as connection:
            status = statuses(connection)
    except SERVER_ERRORS as error:
        return str(error)
    facts = (status.get("wsrep_cluster_status"), status.get("wsrep_local_state_comment"))
    return "" if synced_status(status) else " ".join(str(fact) for fact in facts)


def wait(ground: LabContext, nodes: list[Node], seconds: float) -> list[str]:
    """Write the markers and wait for them; returns a sentence for each that is missing when the time is over."""
    marker = uuid.uuid4().hex
    trouble: list[str] = []
    written: list[str] = []
    for site in sorted({node.site for node in nodes}):
        try:
            with admin(ground, next(node for node in nodes if node.site == site)) as connection:
                rows(connection, "INSERT INTO bank.markers (marker, site) VALUES (%s, %s)", (marker, site))
            written.append(site)
        except SERVER_ERRORS as error:
            trouble.append(f"no marker could be written on site {site}: {error}")
    seconds *= patience()
    end = time.monotonic() + seconds
    missing = _missing(ground, nodes, marker, written)
    while missing and time.monotonic() < end:
        time.sleep(POLL)
        missing = _missing(ground, nodes, marker, written)
    if missing:
        trouble += [f"{node} did not get what site {site} wrote within {seconds:.0f} s" for node, site in missing]
        trouble += _channels(ground, nodes)
    return trouble


def _missing(ground: LabContext, nodes: list[Node], marker: str, sites: list[str]) -> list[tuple[str, str]]:
    missing: list[tuple[str, str]] = []
    for node in nodes:
        try:
            with admin(ground, node, 5) as connection:
                found = rows(connection, "SELECT site FROM bank.markers WHERE marker = %s", (marker,))
        except SERVER_ERRORS:
            found = []  # nothing seen there yet; the time limit decides
        arrived = {row["site"] for row in found}
        missing += [(node.name, site) for site in sites if site not in arrived]
    return missing


def _channels(ground: LabContext, nodes: list[Node]) -> list[str]:
    lines: list[str] = []
    for node in nodes:
        try:
            with admin(ground, node, 5) as connection:
                lines += [f"channel on {node.name}: {channel_line(row)}" for row in states(connection)]
        except SERVER_ERRORS as error:
            lines.append(f"channels of {node.name} unknown: {error}")
    return lines
