"""Stores the capacity of a line; it is recorded, and a wrong one leaves nothing."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from backend.adviser.bandwidth.models import LineCapacity
from backend.audit import services as audit
from backend.clusters.models import Cluster
from backend.clusters.versions import check_not_retired
from backend.common.errors import invalid
from backend.core.adviser.bandwidth.capacity import checked_capacity
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


def _checked(mbit_per_s: float) -> float:
    try:
        return checked_capacity(mbit_per_s)
    except FieldError as error:
        raise invalid(error.field, str(error)) from error
