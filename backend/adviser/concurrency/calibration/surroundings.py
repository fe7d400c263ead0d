"""What of the console's own records speaks against a write to a cluster: its links and their runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from backend.clusters.models import Cluster, Link
from backend.core.adviser.calibration.bounds import Bounds
from backend.core.adviser.calibration.decision import LinkAround, Progress, Reason, stop
from backend.monitoring.models import LinkStatus
from backend.operations.runs.models import Run

OBSERVED_S = 15
"""An older state of a link is unknown."""
LOOK_S = 0.25


def links_around(cluster: Cluster) -> list[LinkAround]:
    """The links of a cluster, as observed now."""
    links = list(Link.objects.filter(Q(active_cluster=cluster) | Q(standby_cluster=cluster), retired_at=None))
    ids = [link.pk for link in links]
    lately = timezone.now() - timedelta(seconds=OBSERVED_S)
    statuses = LinkStatus.objects.filter(pk__in=ids, observed_at__gt=lately).values_list("pk", "state")
    states = {str(pk): str(state) for pk, state in statuses}
    runs = dict(Run.objects.filter(unfinished_link__in=ids).values_list("link_id", "id"))
    return [
        LinkAround(link.name, states.get(link.pk, ""), link.active_cluster_id == cluster.pk, runs.get(link.pk))
        for link in links
    ]


def watch_of(cluster: Cluster, bounds: Bounds) -> Callable[[Progress], Reason | None]:
    """Says when a measurement must stop; the records are read four times a second."""
    read_at, links = 0.0, links_around(cluster)

    def watch(progress: Progress) -> Reason | None:
        nonlocal read_at, links
        if time.monotonic() - read_at > LOOK_S:
            read_at, links = time.monotonic(), links_around(cluster)
        return stop(progress, links, bounds)

    return watch
