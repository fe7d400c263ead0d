"""Links as registered, observed and rehearsed, without the calls and the monitor."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from backend.clusters.models import Cluster, Link, Node
from backend.monitoring.models import LinkStatus
from backend.operations.rehearsals.models import Rehearsal

CHANNEL = {
    "direction": "forward",
    "source_name": "a1",
    "replica_name": "b1",
    "state": "running",
    "lag_s": 2,
    "gap_transactions": 7,
    "error": "",
    "stray": False,
}


def observed(link: Link, *, state: str = "protected", age_s: float = 1.0, **values: Any) -> LinkStatus:
    """What the monitor stored of the link."""
    brief = {"site": "s", "status": "primary", "nodes_up": 1, "nodes": 1, "last_committed": 5}
    at = timezone.now() - timedelta(seconds=age_s)
    sides = {
        "active": {**brief, "id": link.active_cluster_id, "name": link.active_cluster.name},
        "standby": {**brief, "id": link.standby_cluster_id, "name": link.standby_cluster.name},
    }
    ready = {"state": "ready", "sentence": "Yes.", "estimate_s": 2.0, "loss_transactions": 7}
    stored = {
        "since": at,
        "sentence": "It replicates.",
        "clusters": sides,
        "channels": [{**CHANNEL, "observed_at_s": at.timestamp()}],
        "readiness": {"failover": ready, "relocate": ready},
    }
    return LinkStatus.objects.create(link=link, state=state, observed_at=at, **(stored | values))


def registered(number: int) -> Link:
    """A link of two clusters of one node each, without the calls of a registration."""
    sides = []
    for side in "ab":
        cluster = Cluster.objects.create(name=f"{side}-{number}", site=f"site-{side}", tls_mode="disabled")
        Node.objects.create(cluster=cluster, name=f"{side}1", host=f"127.9.{number}.{ord(side)}", port=1)
        sides.append(cluster)
    return Link.objects.create(name=f"link-{number:03}", active_cluster=sides[0], standby_cluster=sides[1])


def rehearsed(link: Link, *, state: str = "passed", at: datetime | None = None, kind: str = "failover") -> Rehearsal:
    """A rehearsal that was held."""
    return Rehearsal.objects.create(
        link=link,
        kind=kind,
        state=state,
        at=at or timezone.now(),
        actor="nora",
        duration_ms=20.0,
        estimate_s=2.5,
        loss={"transactions": 3, "seconds": 1.0},
    )
