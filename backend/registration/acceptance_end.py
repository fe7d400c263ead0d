"""Ends acceptances of servers that are not there any more: another family or release series responds."""

from __future__ import annotations

from contextlib import suppress

from django.utils import timezone

from backend.audit import services as audit
from backend.clusters.models import ServerAcceptance
from backend.common.errors import ProblemError
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.core.dialects import plan_refusal
from backend.core.topology import NodeFacts
from backend.monitoring.stored_facts import node_facts
from backend.registration.acceptance import end_row, name_of, terms_of
from backend.registration.changes import check_no_run, locked_cluster

CONSOLE = "console"


def end_outdated() -> None:
    """End each acceptance of which a server of another family or series responds; called by the monitor.

    It stays ended with the old series, too: who accepted it did not know that servers had changed meanwhile.
    """
    for row in ServerAcceptance.objects.exclude(open_cluster=None).select_related("cluster"):
        other = _another_server(row)
        if other is not None:
            with suppress(ProblemError):  # an unfinished run may have to undo its steps: the next call ends it
                _end_by_observation(row, other)


def _another_server(row: ServerAcceptance) -> NodeFacts | None:
    """A node that the acceptance does not cover, as it was seen after it was given."""
    seen = node_facts(row.cluster.nodes.all()).values()
    recent = (one for one in seen if one.is_up and one.observed_at_s > row.accepted.at_s)
    return next((one for one in recent if plan_refusal(one.flavor, one.version, row.accepted) is not None), None)


@retry_on_rollback
def _end_by_observation(row: ServerAcceptance, other: NodeFacts) -> None:
    why = f"{other.node.name} runs {other.flavor} {other.version}"
    with locked_cluster(row.cluster_id, None) as (cluster, links):
        check_no_run(links)
        if not ServerAcceptance.objects.filter(pk=row.pk, open_cluster=cluster.pk).exists():
            return  # it was withdrawn in this moment
        end_row(row, "", why, timezone.now())
        for link in links:
            events.raised(
                link_id=link.pk,
                kind="registration.changed",
                severity="warning",
                message=f"The acceptance of {name_of(row.flavor, row.series)} for {cluster.name} has ended: {why}.",
                actor=CONSOLE,
            )
        audit.record(
            actor=CONSOLE,
            action="console:cluster:end_acceptance",
            link_id=links[0].pk if len(links) == 1 else "",
            target=cluster.pk,
            reason=why,
            facts={"name": cluster.name, "before": terms_of(row)},
        )
