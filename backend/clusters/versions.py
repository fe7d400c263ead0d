"""Versions of the registration: who may change it, which plans it outdates, whether a process must read it again."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Count, F, Q, QuerySet, Sum

from backend.clusters.models import Cluster, Link
from backend.common.errors import ProblemError, conflict

Stamp = tuple[tuple[int, int], tuple[int, int]]


def registration_stamp() -> Stamp:
    """Differs after every change of a registration: versions only grow, and retired rows stay."""
    counts = [model.objects.aggregate(rows=Count("pk"), sum=Sum("version")) for model in (Cluster, Link)]
    (clusters, links) = ((int(found["rows"]), int(found["sum"] or 0)) for found in counts)
    return clusters, links


def registered_versions(link: Link) -> dict[str, int]:
    """The stored versions of a link and its two clusters, by their ids."""
    row = Link.objects.select_related("active_cluster", "standby_cluster").get(pk=link.pk)
    return {one.pk: one.version for one in (row, row.active_cluster, row.standby_cluster)}


def check_version(row: Cluster | Link, given: int | None) -> None:
    """Refuse a change that was decided on an older version; None is "whatever the version is" (`If-Match: *`)."""
    if given is not None and given != row.version:
        raise ProblemError(
            412,
            "version_changed",
            f"{row.name} was changed in the meantime: you read version {given}, it is version {row.version} now. "
            "Nothing was changed. Read it again and repeat the change.",
            current_version=row.version,
        )


def check_not_retired(row: Cluster | Link) -> None:
    """Refuse to change what is retired."""
    if row.retired_at is not None:
        raise conflict(
            "retired",
            f"{row.name} was retired on {row.retired_at:%Y-%m-%d}. Nothing was changed. Its history can still be read.",
        )


def raise_version(*rows: Cluster | Link) -> None:
    """Count a change of these rows; inside the transaction of the change."""
    for row in rows:
        type(row).objects.filter(pk=row.pk).update(version=F("version") + 1)
        row.refresh_from_db(fields=["version"])


def links_joining(cluster_ids: Collection[str]) -> QuerySet[Link]:
    """The registered links that join one of these clusters, by id."""
    is_side = Q(active_cluster__in=cluster_ids) | Q(standby_cluster__in=cluster_ids)
    return Link.objects.filter(is_side, retired_at=None).order_by("pk")


def lock_clusters(cluster_ids: Iterable[str]) -> tuple[list[Link], list[Cluster]]:
    """The clusters and the registered links that join them, locked until the transaction ends: links first, by id.

    A start of a run locks its link as well, so that it either sees the change or is seen by it.
    """
    wanted = sorted(set(cluster_ids))
    ids = [link.pk for link in links_joining(wanted)]
    links = list(Link.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
    return links, list(Cluster.objects.select_for_update().filter(pk__in=wanted).order_by("pk"))
