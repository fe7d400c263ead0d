"""Records which side of a link is active and where the sides diverged; each change may be repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.clusters.models import Cluster, Link
from backend.core.facts.serialization import divergence_to_json
from backend.core.link_facts import Divergence as CoreDivergence
from backend.core.topology import Direction
from backend.monitoring.models import ChannelRecord, CleanupDue, Divergence, NodeEvents


def lock_link(link_id: str, **as_seen: str) -> list[Link]:
    """The link, locked until the transaction ends; None where it was deleted or has other roles than expected.

    Locked before anything of a link is written: rows that reference it lock it, too, after themselves, and two
    transactions that lock in different orders deadlock.
    """
    return list(Link.objects.select_for_update().filter(pk=link_id, **as_seen))


def lock_links(links: Sequence[Link]) -> list[Link]:
    """Of these links those that still exist with their roles, locked until the transaction ends, in one statement."""
    ids = [link.pk for link in links]
    rows = Link.objects.select_for_update().filter(pk__in=ids).order_by("pk").values_list("pk", "active_cluster_id")
    roles = dict(rows)
    return [link for link in links if roles.get(link.pk) == link.active_cluster_id]


def set_roles(link_id: str, active_cluster_id: str, standby_cluster_id: str) -> bool:
    """Set the roles; False where they already are. The directions of recorded channels change with them.

    ValueError where the two are not the link's clusters.
    """
    with transaction.atomic(savepoint=False):
        (link,) = lock_link(link_id)
        if {active_cluster_id, standby_cluster_id} != {link.active_cluster_id, link.standby_cluster_id}:
            raise ValueError("the roles name clusters that do not belong to this link")
        if link.active_cluster_id == active_cluster_id:
            return False
        link.active_cluster_id, link.standby_cluster_id = active_cluster_id, standby_cluster_id
        link.save(update_fields=["active_cluster", "standby_cluster"])
        _turn(link)
        # What runs where was changed with the roles: it is read again before the page says anything of it.
        sides = (active_cluster_id, standby_cluster_id)
        NodeEvents.objects.filter(node__cluster__in=sides).update(read_at=datetime.fromtimestamp(0, UTC))
    return True


def _turn(link: Link) -> None:
    channels, cleanings = list(link.channel_records.all()), list(link.cleanups_due.all())
    link.channel_records.all().delete()
    if cleanings:
        link.cleanups_due.all().delete()
    for record in channels:
        record.pk, record.direction = None, Direction(record.direction).other.value
    for due in cleanings:
        due.pk, due.direction = None, Direction(due.direction).other.value
    ChannelRecord.objects.bulk_create(channels)
    CleanupDue.objects.bulk_create(cleanings)


def record_divergence(link_id: str, divergence: CoreDivergence) -> None:
    """Store the divergence as the open one; a repeated call of the same run replaces its own record."""
    with transaction.atomic():
        lock_link(link_id)
        Divergence.objects.update_or_create(
            open_link=link_id,
            defaults={
                "link_id": link_id,
                "lost_cluster_id": divergence.lost_cluster_id,
                "run_id": divergence.run_id,
                "facts": divergence_to_json(divergence),
            },
        )


def reconcile(link_id: str, lost_cluster_id: str, state_uuid: str | None) -> None:
    """Allow the lost side as a source again: its current incarnation is the recorded one from now on."""
    with transaction.atomic():
        lock_link(link_id)
        if state_uuid is not None:
            Cluster.objects.filter(pk=lost_cluster_id).update(state_uuid=state_uuid)
        for row in Divergence.objects.filter(open_link=link_id, lost_cluster_id=lost_cluster_id):
            row.facts = {**row.facts, "is_reconciled": True}
            row.save(update_fields=["facts"])


def accept_state_uuid(link_id: str, cluster_id: str, state_uuid: str) -> None:
    """Record the current state UUID: journal samples of the earlier history are no lower bound from now on."""
    with transaction.atomic():
        lock_link(link_id)
        Cluster.objects.filter(pk=cluster_id).update(state_uuid=state_uuid)


def record_orphans(link_id: str, run_id: str, count: int | None, read_at: datetime) -> None:
    """Record what a scan found of the failover that is this run: its loss is known exactly from now on.

    A scan that could not tell leaves what an earlier one found: a rebuilt side has nothing of its earlier history.
    """
    if count is None:
        return
    with transaction.atomic():
        lock_link(link_id)
        for row in Divergence.objects.filter(open_link=link_id, run_id=run_id):
            row.facts = {**row.facts, "orphaned": count, "orphans_read_at_s": read_at.timestamp()}
            row.save(update_fields=["facts"])


def attach(link_id: str, lost_cluster_id: str, outcome: Mapping[str, Any] | None = None) -> None:
    """Record that the lost side is the standby side again: its failover is completed, with what became of orphans."""
    with transaction.atomic():
        lock_link(link_id)
        for row in Divergence.objects.filter(open_link=link_id, lost_cluster_id=lost_cluster_id):
            row.facts = {**row.facts, "outcome": None if outcome is None else dict(outcome)}
            row.open_link, row.reconciled_at = None, timezone.now()
            row.save(update_fields=["facts", "open_link", "reconciled_at"])
