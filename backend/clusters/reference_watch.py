"""What the monitor finds in the stores: it keeps leases alive, and says when a password was last read, or why not."""

from __future__ import annotations

import time

from django.utils import timezone

from backend.clusters.models import Cluster, Credential
from backend.clusters.secret_stores import cache

EVERY_S = 30.0
_due_s = 0.0


def tick() -> None:
    """Read every reference of a registered cluster, twice a minute."""
    global _due_s  # noqa: PLW0603 -- of this process, as the values in memory are
    if time.monotonic() < _due_s:
        return
    _due_s = time.monotonic() + EVERY_S
    for row in Credential.objects.filter(cluster__retired_at=None).exclude(reference=None):
        record_reading(row)
    for cluster in Cluster.objects.filter(retired_at=None).exclude(tls_key_reference=None):
        cache.problem_of(str(cluster.tls_key_reference), is_key=True)


def record_reading(row: Credential) -> None:
    """Store the outcome of a reading, never the value."""
    problem = cache.problem_of(str(row.reference))
    if problem:
        row.read_problem = problem
        row.save(update_fields=["read_problem"])
        return
    row.read_at, row.read_problem = timezone.now(), None
    row.save(update_fields=["read_at", "read_problem"])
