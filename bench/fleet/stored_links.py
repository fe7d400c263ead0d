"""Registered links with the facts that a monitor and rehearsals would have stored; no server stands behind them."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from backend.clusters.models import Cluster, Link, Node
from backend.common.events import services as events
from backend.monitoring.models import LagSample, LinkStatus
from backend.operations.rehearsals.models import Rehearsal, RehearsalSchedule
from bench.fleet.console import sites_of

KINDS = ("failover", "switchover", "relocate")
OPERATIONS = (*KINDS, "reprotect", "failback", "start_channel", "remove_stray_channel", "remove_channels")
REHEARSALS = 30
"""Of each of the three operations: a month of daily ones."""
EVENTS_PER_S = 50


def register(first: int, last: int) -> None:
    """Links with these numbers, each between two clusters of three nodes of their own."""
    now = timezone.now()
    for number in range(first, last + 1):
        link = _link(number)
        LinkStatus.objects.create(link=link, since=now, observed_at=now, **_status(link, number))
        LagSample.objects.create(link=link, at=now, forward_gap=number % 90, forward_lag_s=number % 4)
        RehearsalSchedule.objects.create(link=link, enabled=True, every_hours=24, kinds=list(KINDS))
        Rehearsal.objects.bulk_create(
            Rehearsal(
                link=link,
                kind=kind,
                state="failed" if (number + day) % 29 == 0 else "passed",
                at=now - timedelta(days=day, minutes=number),
                actor="schedule",
                duration_ms=400.0,
                estimate_s=2.1,
                loss={"transactions": number % 7, "seconds": 1.0, "detail": ""},
            )
            for kind in KINDS
            for day in range(REHEARSALS)
        )


def _link(number: int) -> Link:
    sides = [
        _cluster(f"{site.lower()}-{number}-{side}", site, number)
        for side, site in zip("ab", sites_of(number), strict=True)
    ]
    name = f"link-{number:03}"
    return Link.objects.create(name=name, active_cluster=sides[0], standby_cluster=sides[1], home_cluster=sides[0])


def _cluster(name: str, site: str, number: int) -> Cluster:
    cluster = Cluster.objects.create(name=name, site=site, tls_mode="disabled")
    Node.objects.bulk_create(
        Node(cluster=cluster, name=f"db-{name}-{n}", host=f"{name}.{n}", port=3306, ordinal=n) for n in range(3)
    )
    return cluster


def _status(link: Link, number: int) -> dict[str, Any]:
    state = "broken" if number % 40 == 0 else "degraded" if number % 23 == 0 else "protected"
    ready = {"state": "ready", "sentence": "It is possible now.", "estimate_s": 2.0, "loss_transactions": number % 7}
    finding = {"severity": "ok", "code": "check", "message": "It agrees on all nodes.", "remedy": "", "facts": {}}
    return {
        "state": state,
        "sentence": f"Link {number} is {state}. Its standby side receives data.",
        "clusters": {"active": _brief(link.active_cluster), "standby": _brief(link.standby_cluster)},
        "channels": [_channel(direction, number) for direction in ("forward", "reverse")],
        "readiness": dict.fromkeys(OPERATIONS, ready),
        "findings": [finding] * 20,
    }


def _brief(cluster: Cluster) -> dict[str, Any]:
    shown = {"id": cluster.id, "name": cluster.name, "site": cluster.site}
    return shown | {"status": "primary", "nodes_up": 3, "nodes": 3, "last_committed": 221_463_896}


def _channel(direction: str, number: int) -> dict[str, Any]:
    return {
        "direction": direction,
        "source_node": "n_a",
        "source_name": f"db-a{number}",
        "replica_node": "n_b",
        "replica_name": f"db-b{number}",
        "io_running": "Yes",
        "sql_running": "Yes",
        "lag_s": number % 4,
        "gap_transactions": number % 90,
        "gap_at_least": False,
        "executed": "binlog.000001:4",
        "error": "",
        "state": "running",
        "observed_at_s": time.time(),
        "recorded": True,
        "stray": False,
    }


class Observations:
    """A thread that observes the links again and again, 50 in a second, each with an event to the open pages."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._observe, daemon=True)

    def __enter__(self) -> Observations:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(10)

    def _observe(self) -> None:
        rows = list(LinkStatus.objects.order_by("link_id"))
        count, began = 0, time.monotonic()
        while not self._stop.wait(max(0.0, began + count / EVENTS_PER_S - time.monotonic())):
            row = rows[count % len(rows)]
            row.channels[0]["gap_transactions"] = (row.channels[0]["gap_transactions"] + 7) % 500
            row.save(update_fields=["channels"])
            events.link_updated(link_id=row.link_id)
            if count % EVENTS_PER_S == 0:
                LinkStatus.objects.update(observed_at=timezone.now())
            count += 1
        connection.close()
