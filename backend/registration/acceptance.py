"""Accepts plans with servers of a family and series that was never tried, in writing and for one cluster.

It covers the servers that were looked at when it was written, and nothing else: another series needs another one.
"""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from backend.clusters.models import Cluster, ServerAcceptance
from backend.clusters.selectors import acceptances, cluster_access, cluster_get
from backend.common.errors import conflict, invalid
from backend.common.transaction_retry import retry_on_rollback
from backend.core.dialects import accepted_series
from backend.core.dialects.tested_versions import FAMILIES
from backend.core.topology import NodeFacts
from backend.gateway.polling.parallel import observe_all
from backend.registration.changes import Change, check_no_run, locked_cluster, record_change

LEAST_TEXT = 20
"""Characters of an acceptance: a sentence, not a word."""
TOO_SHORT = f"Write at least {LEAST_TEXT} characters: what you accept, and on which grounds."
_SUPERSEDED = "superseded by an acceptance of another series"


def server_accept(*, change: Change, cluster: Cluster, flavor: str, series: str, confirm: str) -> Cluster:
    """Record the acceptance; every node that responds must run exactly this family and series, with Galera."""
    if len(change.reason.strip()) < LEAST_TEXT:
        raise invalid("reason", TOO_SHORT)
    if confirm != cluster.name:
        raise invalid(
            "confirm", f"The confirmation does not match. Nothing was changed. Type the cluster's name: {cluster.name}"
        )
    seen = observe_all(cluster_access(cluster).nodes).values()
    _check_servers(cluster, [facts for facts in seen if facts.is_up], flavor, series)
    _record(change, cluster.pk, flavor, series)
    return cluster_get(cluster.pk)


def _check_servers(cluster: Cluster, up: list[NodeFacts], flavor: str, series: str) -> None:
    if not up:
        raise conflict(
            "nodes_not_tried",
            f"No node of {cluster.name} responded, so it is unknown what its servers are. Nothing was changed. Start "
            "one and try again.",
        )
    for facts in up:
        observed = accepted_series(facts.flavor, facts.version)
        if (facts.flavor, observed) != (flavor, series) or facts.wsrep is None:
            runs = f"{facts.flavor} {facts.version}" + ("" if facts.wsrep is not None else " without Galera")
            raise conflict(
                "server_not_acceptable",
                f"{facts.node.name} runs {runs}, and you accept {name_of(flavor, series)}. Nothing was changed. Look "
                "at the cluster again.",
                nodes=[facts.node.name],
            )


def name_of(flavor: str, series: str) -> str:
    """A family and series as it is shown."""
    family = FAMILIES.get(flavor)
    return f"{flavor if family is None else family.name} {series}"


@retry_on_rollback
def _record(change: Change, cluster_id: str, flavor: str, series: str) -> None:
    now = timezone.now()
    with locked_cluster(cluster_id, change.version) as (cluster, links):
        check_no_run(links)
        before = acceptances([cluster_id]).get(cluster_id)
        if before is not None:
            _check_differs(cluster, before, flavor, series)
            end_row(before, change.actor, _SUPERSEDED, now)
        row = ServerAcceptance.objects.create(
            cluster=cluster,
            open_cluster=cluster.pk,
            flavor=flavor,
            series=series,
            text=change.reason,
            accepted_by=change.actor,
            accepted_at=now,
        )
        record_change(
            change,
            action="cluster:accept_server",
            target=cluster.pk,
            links=links,
            message=f"{change.actor} accepted plans with {name_of(flavor, series)} for {cluster.name}, which was never "
            "tried.",
            facts={
                "name": cluster.name,
                "before": None if before is None else terms_of(before),
                "after": terms_of(row),
            },
        )


def _check_differs(cluster: Cluster, row: ServerAcceptance, flavor: str, series: str) -> None:
    if (row.flavor, row.series) == (flavor, series):
        raise conflict(
            "already_accepted",
            f"{row.accepted_by} accepted {name_of(flavor, series)} for {cluster.name} on {row.accepted_at:%Y-%m-%d}. "
            "Nothing was changed. To write it again, withdraw that acceptance first.",
        )


def end_row(row: ServerAcceptance, actor: str, reason: str, now: datetime) -> None:
    """The acceptance is in force no more; inside the transaction of the change."""
    row.open_cluster, row.ended_at, row.ended_by, row.end_reason = None, now, actor, reason
    row.save(update_fields=["open_cluster", "ended_at", "ended_by", "end_reason"])


def terms_of(row: ServerAcceptance) -> dict[str, str]:
    """What an audit record states of an acceptance."""
    return {"flavor": row.flavor, "series": row.series, "accepted_by": row.accepted_by}


@retry_on_rollback
def server_acceptance_withdraw(*, change: Change, cluster: Cluster) -> Cluster:
    """End the acceptance: the next plan is refused. Refused itself while a run may still have to undo its steps."""
    with locked_cluster(cluster.pk, change.version) as (row, links):
        check_no_run(links)
        accepted = acceptances([row.pk]).get(row.pk)
        if accepted is None:
            raise conflict(
                "not_accepted", f"Nothing is accepted for {row.name}. Nothing was changed. Look at the cluster again."
            )
        end_row(accepted, change.actor, change.reason, timezone.now())
        record_change(
            change,
            action="cluster:withdraw_acceptance",
            target=row.pk,
            links=links,
            message=f"{change.actor} withdrew the acceptance of {name_of(accepted.flavor, accepted.series)} for "
            f"{row.name}.",
            facts={"name": row.name, "before": terms_of(accepted)},
        )
    return cluster_get(cluster.pk)
