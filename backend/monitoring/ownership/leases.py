"""Who owns which clusters, in the console's database: one row a monitor is the lease of all that it owns.

A monitor locks its own row while it stores, and the row of the last holder while it claims: so no lease changes its
holder while that one stores.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Case, F, Value, When
from django.db.models.functions import Now

from backend.core.ownership.decision import Lease, Stored
from backend.core.ownership.groups import Group
from backend.monitoring.models import ClusterOwner, MonitorLease, MonitorProcess

LEASE: Final = timedelta(seconds=3)
FROZEN_S: Final = 2
"""A monitor that is frozen within its transaction for longer loses it, and with it the locks on what it stored."""
_FORGET_AFTER: Final = timedelta(hours=1)
_Processes = Mapping[str, tuple[datetime, list[str]]]


class StoredLeases:
    """Implements `core.ownership.owner.LeaseTable`."""

    def renew(self, monitor: str, ready: Collection[str]) -> None:
        """Extend the monitor's lease of all that it owns, and record what else it has polled."""
        values = {"until": Now() + LEASE, "ready": sorted(ready)}
        if not MonitorProcess.objects.filter(pk=monitor).update(**values):
            MonitorProcess.objects.create(name=monitor, **values)

    def read(self, clusters: Collection[str]) -> Stored:
        """The leases of these clusters, and all living monitors."""
        rows = {row[0]: row for row in ClusterOwner.objects.values_list("pk", "holder", "epoch", "since")}
        if missing := set(clusters) - rows.keys():
            _create(missing)
        now, processes = _processes()
        leases = {pk: Lease(holder, epoch, _lapsed_s(processes, now, holder, since))
                  for pk, holder, epoch, since in rows.values()}  # fmt: skip
        alive = {name: frozenset(ready) for name, (until, ready) in processes.items() if until > now}
        return Stored(leases, alive)

    @transaction.atomic
    def claim(self, monitor: str, groups: Iterable[Group]) -> Mapping[str, int]:
        """Take those sets of leases that lapsed, each whole or not at all; returns the epochs.

        A holder whose row is locked is being replaced by another monitor, or is frozen while it stores: not now.
        """
        wanted = list(groups)
        rows = ClusterOwner.objects.filter(pk__in=[cluster for group in wanted for cluster in group])
        holders = dict(rows.values_list("pk", "holder"))
        free = _locked_lapsed(set(holders.values())) | {""}
        taken = [c for group in wanted if all(holders.get(c) in free for c in group) for c in group]
        rows.filter(pk__in=taken, holder__in=free).update(
            # First: MariaDB evaluates from left to right, and would find the new holder there.
            takeovers=Case(When(holder__in=("", monitor), then=F("takeovers")), default=F("takeovers") + 1),
            holder=monitor,
            epoch=F("epoch") + 1,
            since=Now(),
        )
        return dict(rows.filter(pk__in=taken, holder=monitor).values_list("pk", "epoch"))

    def hand_over(self, monitor: str, owners: Mapping[str, str]) -> None:
        """Give leases of this monitor to others; the next owner holds them at once."""
        names = Case(*(When(pk=cluster, then=Value(owner)) for cluster, owner in owners.items()))
        rows = ClusterOwner.objects.filter(pk__in=list(owners), holder=monitor)
        rows.update(epoch=F("epoch") + 1, since=Now(), holder=names)

    def in_force(self, monitor: str) -> Mapping[str, int]:
        """The epochs that the monitor holds now; no other one takes them before the transaction ends."""
        if not MonitorProcess.objects.select_for_update().filter(pk=monitor, until__gt=Now()):
            return {}
        return dict(ClusterOwner.objects.filter(holder=monitor).values_list("pk", "epoch"))


def extend(monitor: str) -> None:
    """Extend the monitor's lease; within the transaction that stores, which may have taken long."""
    MonitorProcess.objects.filter(pk=monitor).update(until=Now() + LEASE)


@transaction.atomic
def release(monitor: str) -> None:
    """End all leases of the monitor, so that others need not wait for them to lapse."""
    ClusterOwner.objects.filter(holder=monitor).update(holder="", since=Now())
    MonitorProcess.objects.filter(pk=monitor).delete()


def forget_ended() -> None:
    """Delete the rows of monitors that ended without releasing; while one is still a holder, its row is its lock."""
    holders = ClusterOwner.objects.values("holder")
    MonitorProcess.objects.filter(until__lt=Now() - _FORGET_AFTER).exclude(pk__in=holders).delete()


def former_version_stores() -> bool:
    """Whether a monitor of a version that did not share holds the lease of the periodic jobs: it stores every link.

    While a console is upgraded without downtime both versions run.
    """
    processes = MonitorProcess.objects.values("name")
    return MonitorLease.objects.filter(until__gt=Now()).exclude(holder__in=processes).exists()


def limit_frozen_transactions() -> None:
    """In this session the server ends a transaction that sends nothing, early enough for the next owner."""
    if connection.vendor != "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"SET SESSION idle_transaction_timeout={FROZEN_S}")


def _create(clusters: Iterable[str]) -> None:
    rows = [ClusterOwner(cluster_id=cluster, since=Now()) for cluster in sorted(clusters)]
    ClusterOwner.objects.bulk_create(rows, ignore_conflicts=True)


def _processes() -> tuple[datetime, _Processes]:
    """The database's time, and all monitors by name."""
    rows = list(MonitorProcess.objects.annotate(now=Now()).values_list("name", "until", "ready", "now"))
    return max(row[3] for row in rows), {name: (until, ready) for name, until, ready, _ in rows}


def _lapsed_s(processes: _Processes, now: datetime, holder: str, since: datetime) -> float | None:
    until = processes[holder][0] if holder in processes else since
    return None if until > now else (now - max(until, since)).total_seconds()


def _locked_lapsed(holders: Collection[str]) -> set[str]:
    """Those of the monitors whose lease lapsed, locked until the transaction ends."""
    skips = connection.features.has_select_for_update_skip_locked
    rows = MonitorProcess.objects.select_for_update(skip_locked=skips)
    return {row.name for row in rows.filter(pk__in=holders, until__lt=Now()).order_by("pk")}
