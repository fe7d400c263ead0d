"""Brings both clusters' transaction counters to the same number: the *aligned* variant."""

from __future__ import annotations

from deploy.lab.cluster import LabContext, admin
from deploy.lab.errors import LabError
from deploy.lab.layout import Node
from deploy.lab.server.database import rows, statuses

MOST_STATEMENTS = 1000


def counter(ground: LabContext, node: Node) -> int:
    """The cluster's counter as this node knows it."""
    with admin(ground, node) as connection:
        return int(statuses(connection, "wsrep_last_committed")["wsrep_last_committed"])


def level_counters(ground: LabContext, first: dict[str, Node]) -> None:
    """Raise the lower counter by total-order statements the other side will not take over.

    They run under a server id of the *other* site, which that site's channel ignores as its own.
    """
    counts = {site: counter(ground, node) for site, node in first.items()}
    low, high = sorted(counts, key=lambda site: counts[site])
    missing = counts[high] - counts[low]
    if missing > MOST_STATEMENTS:
        raise LabError(f"the counters differ by {missing}, more than the lab can align")
    with admin(ground, first[low]) as connection:
        rows(connection, f"SET SESSION server_id = {first[high].server_id}")
        for _ in range(missing):
            rows(connection, "FLUSH TABLES bank.markers")
    if counter(ground, first["a"]) != counter(ground, first["b"]):
        raise LabError("the counters could not be aligned")
