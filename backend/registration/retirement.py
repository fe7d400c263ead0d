"""Retires links and clusters: they are not observed any more, their names are free, their history stays readable.

A link that needs the approval of a second person is retired like its rule is switched off: a second administrator
confirms it, or a waiting time passes. Otherwise one person could retire it and register it again without the rule.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from backend.clusters.models import Cluster, Link, ServerAcceptance
from backend.clusters.selectors import cluster_get, link_get
from backend.clusters.versions import raise_version
from backend.common.errors import conflict
from backend.common.transaction_retry import retry_on_rollback
from backend.identity.accounts import protected_changes
from backend.identity.accounts.models import ProtectedChange
from backend.monitoring.models import LinkStatus
from backend.notifications.hooks.models import Hook
from backend.notifications.hooks.notifications import announce_change
from backend.operations.automation.models import AutomaticStart, LinkAutomation
from backend.operations.rehearsals.models import RehearsalSchedule
from backend.registration.changes import Change, check_no_run, locked_cluster, locked_link, record_change

LINK_RETIREMENT = "link_retirement"


@retry_on_rollback
def link_retire(*, change: Change, link: Link) -> Link:
    """Retire a link, at once or when it is confirmed. Channels that it has stay as they are on the servers."""
    with locked_link(link.pk, change.version) as row:
        check_no_run([row])
        if _waits_for_second_person(change, row):
            record_change(
                change,
                action="link:request_retirement",
                target=row.pk,
                links=[row],
                message=f"{change.actor} requests that {row.name} is retired.",
                facts={"name": row.name},
            )
        else:
            retire_link_row(row, change.actor)
            _announce_retired(change, row)
    return link_get(link.pk)


def _waits_for_second_person(change: Change, link: Link) -> bool:
    if not link.requires_approval:
        return False
    at = protected_changes.effective_at(timezone.now())
    summary = f"{change.actor} requests that {link.name} is retired: {change.reason}"
    waiting = protected_changes.announce(
        kind=LINK_RETIREMENT, target=link.pk, summary=summary, actor=change.actor, at=at
    )
    return waiting is not None


def check_needs_no_second_person(link: Link) -> None:
    """Refuse to retire a protected link as a part of another change."""
    if link.requires_approval:
        raise conflict(
            "retire_link_first",
            f"Runs on {link.name} need a second person, and so does its retirement. Nothing was changed. Retire the "
            "link first, then replace the cluster.",
            link_id=link.pk,
        )


def _announce_retired(change: Change, link: Link) -> None:
    record_change(
        change,
        action="link:retire",
        target=link.pk,
        links=[link],
        message=f"{change.actor} retired {link.name}.",
        facts={
            "name": link.name,
            "before": {"active": link.active_cluster.name, "standby": link.standby_cluster.name},
        },
    )


def retire_link_row(link: Link, actor: str) -> None:
    """Free its name and switch off whatever acts on it; inside the transaction of the change.

    Its receivers are told like those that are switched off: of the retirement, and of protected changes for a while.
    """
    link.retired_at, link.retired_key = timezone.now(), link.pk
    link.save(update_fields=["retired_at", "retired_key"])
    LinkAutomation.objects.filter(pk=link.pk).update(mode="off")
    AutomaticStart.objects.filter(pk=link.pk).update(enabled=False)
    RehearsalSchedule.objects.filter(pk=link.pk).update(enabled=False)
    for before in link.hooks.filter(enabled=True):
        Hook.objects.filter(pk=before.pk).update(enabled=False)
        announce_change(actor, before, Hook.objects.get(pk=before.pk))
    LinkStatus.objects.filter(pk=link.pk).delete()


def retire_announced(link_id: str) -> None:
    """Retire the link as announced; nothing happens where a run is unfinished: it is announced again."""
    with transaction.atomic():
        link = Link.objects.select_for_update().get(pk=link_id)
        if link.retired_at is None:
            check_no_run([link])
            change = ProtectedChange.objects.filter(kind=LINK_RETIREMENT, target=link_id).latest("requested_at")
            retire_link_row(link, change.requested_by)
            raise_version(link)


def keep_announced(link_id: str) -> None:
    """Keep the link after a rejection."""


@retry_on_rollback
def cluster_retire(*, change: Change, cluster: Cluster) -> Cluster:
    """Retire a cluster that no link joins; its accounts and nodes are deleted."""
    with locked_cluster(cluster.pk, change.version) as (row, links):
        if links:
            raise conflict(
                "cluster_in_use",
                f"The link {links[0].name} joins {row.name}. Nothing was changed. Retire the link first.",
                link_id=links[0].pk,
            )
        facts = {"name": row.name, "nodes": [f"{n.name} {n.host}:{n.port}" for n in row.nodes.all()]}
        retire_cluster_row(row)
        record_change(
            change,
            action="cluster:retire",
            target=row.pk,
            links=[],
            message=f"{change.actor} retired {row.name}.",
            facts={**facts, "state_uuid": row.state_uuid},
        )
    return cluster_get(cluster.pk)


def retire_cluster_row(cluster: Cluster) -> None:
    """Free its name and addresses and delete its passwords; inside the transaction of the change."""
    cluster.credentials.all().delete()
    cluster.tls_key_sealed, cluster.tls_key_reference, cluster.tls_cert = "", None, ""
    cluster.nodes.all().delete()
    cluster.retired_at, cluster.retired_key = timezone.now(), cluster.pk
    ServerAcceptance.objects.filter(open_cluster=cluster.pk).update(
        open_cluster=None, ended_at=cluster.retired_at, end_reason="the cluster was retired"
    )
    cluster.save(update_fields=["retired_at", "retired_key", "tls_key_sealed", "tls_key_reference", "tls_cert"])
