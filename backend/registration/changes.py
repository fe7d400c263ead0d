"""What every change of a registration shares: locks, the check against runs, its audit record and its event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from backend.audit import services as audit
from backend.clusters.models import Cluster, Link
from backend.clusters.versions import check_not_retired, check_version, lock_clusters, raise_version
from backend.common.errors import conflict
from backend.common.events import services as events
from backend.operations.runs.models import Run


@dataclass(frozen=True, slots=True)
class Change:
    """Who changes something, why, and the version that the change was decided on (None: any).

    `source` is where it came from: `api` or `cli`.
    """

    actor: str
    reason: str
    version: int | None = None
    source: str = "api"


@contextmanager
def locked_cluster(cluster_id: str, version: int | None) -> Iterator[tuple[Cluster, list[Link]]]:
    """The cluster and its registered links for one change, in one transaction that also counts the change.

    Raises 409 `retired` and 412 `version_changed`.
    """
    with transaction.atomic():
        links, (cluster,) = lock_clusters([cluster_id])
        check_not_retired(cluster)
        check_version(cluster, version)
        yield cluster, links
        raise_version(cluster)


@contextmanager
def locked_link(link_id: str, version: int | None) -> Iterator[Link]:
    """The same for a link."""
    with transaction.atomic():
        link = Link.objects.select_for_update().get(pk=link_id)
        check_not_retired(link)
        check_version(link, version)
        yield link
        raise_version(link)


def check_no_run(links: Iterable[Link]) -> None:
    """Refuse while a run of one of the links is unfinished: its steps name nodes, addresses and roles."""
    run = Run.objects.filter(unfinished_link__in=[link.pk for link in links]).select_related("link").first()
    if run is not None:
        raise conflict(
            "run_unfinished",
            f"Run {run.pk} ({run.kind}) of {run.link.name} is unfinished. Nothing was changed. "
            "Wait for it, or abort it.",
            run_id=run.pk,
        )


def record_change(
    change: Change,
    *,
    action: str,
    target: str,
    links: Sequence[Link],
    message: str,
    facts: Mapping[str, Any],
) -> None:
    """Raise an event on each link concerned and write the audit record; last in the transaction of the change.

    `action` reads subject:action.
    """
    for link in links:
        events.raised(
            link_id=link.pk, kind="registration.changed", severity="info", message=message, actor=change.actor
        )
    audit.record(
        actor=change.actor,
        action=f"{change.source}:{action}",
        link_id=links[0].pk if len(links) == 1 else "",
        target=target,
        reason=change.reason,
        facts=facts,
    )


def before_and_after(row: Any, changes: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The values that change, as they are and as they will be."""
    changed = {name: value for name, value in changes.items() if getattr(row, name) != value}
    return {"before": {name: getattr(row, name) for name in changed}, "after": changed}
