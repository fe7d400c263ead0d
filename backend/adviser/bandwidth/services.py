"""Stores the capacity of a line and pasted counters; both are recorded, and wrong ones leave nothing."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from backend.adviser.bandwidth.models import LineCapacity, PairCounters
from backend.audit import services as audit
from backend.clusters.models import Cluster
from backend.clusters.versions import check_not_retired
from backend.common.errors import invalid
from backend.core.adviser.bandwidth.capacity import checked_capacity
from backend.core.adviser.bandwidth.counters import Counted, read_counters
from backend.core.estimates import FieldError


@transaction.atomic
def capacity_set(*, actor: str, cluster: Cluster, mbit_per_s: float | None) -> None:
    """Store the capacity; None removes it, and the share of the line is unknown again."""
    check_not_retired(cluster)
    before = LineCapacity.objects.filter(cluster=cluster).first()
    if mbit_per_s is None:
        LineCapacity.objects.filter(cluster=cluster).delete()
    else:
        values = {"mbit_per_s": _checked(mbit_per_s), "by": actor, "at": timezone.now()}
        LineCapacity.objects.update_or_create(cluster=cluster, defaults=values)
    audit.record(
        actor=actor,
        action="api:bandwidth:capacity",
        target=cluster.id,
        facts={
            "before": {"mbit_per_s": None if before is None else before.mbit_per_s},
            "after": {"mbit_per_s": mbit_per_s},
        },
    )


@transaction.atomic
def counters_paste(*, actor: str, cluster: Cluster, output: str) -> None:
    """Store what the router of a lab counted of this cluster's nodes, instead of what was pasted before."""
    check_not_retired(cluster)
    found = _counted(cluster, output)
    values = {
        "seconds": found.seconds,
        "pairs": [{"sender": one, "receiver": other, "bytes": size} for (one, other), size in found.pairs.items()],
        "left_out": found.left_out,
        "by": actor,
        "at": timezone.now(),
    }
    PairCounters.objects.update_or_create(cluster=cluster, defaults=values)
    facts = {"seconds": found.seconds, "pairs": len(found.pairs), "left_out": found.left_out}
    audit.record(actor=actor, action="api:bandwidth:counters", target=cluster.id, facts=facts)


def _checked(mbit_per_s: float) -> float:
    try:
        return checked_capacity(mbit_per_s)
    except FieldError as error:
        raise invalid(error.field, str(error)) from error


def _counted(cluster: Cluster, output: str) -> Counted:
    try:
        return read_counters(output, list(cluster.nodes.values_list("name", flat=True)))
    except FieldError as error:
        raise invalid(error.field, f"{error} Nothing was stored.") from error
