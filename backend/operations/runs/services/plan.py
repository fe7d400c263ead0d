"""Creates plans: the servers are read, and nothing is changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from backend.audit import services as audit
from backend.clusters.models import Link, Node
from backend.clusters.versions import registered_versions
from backend.common import tracing
from backend.common.errors import invalid
from backend.common.transaction_retry import retry_on_rollback
from backend.core.locate.backup_position import BackupPosition
from backend.core.plan import Plan as CorePlan
from backend.core.positions import PositionError
from backend.operations.runs.models import Plan, PlanState
from backend.operations.runs.planning.planner import build_plan


def plan_create(
    *, actor: str, link: Link, kind: str, reason: str, options: Mapping[str, Any], limit_s: float | None = None
) -> Plan:
    """A plan, ready or refused with its reasons. `limit_s` as in `build_plan`."""
    check_options(link, options)
    versions = registered_versions(link)
    with tracing.span(f"plan {kind}", {"hawser.link_id": link.pk, "hawser.kind": kind}) as current:
        built = build_plan(link=link, kind=kind, reason=reason, options=options, actor=actor, limit_s=limit_s)
        current.set_attribute("hawser.plan.is_refused", built.is_refused)
    return plan_store(actor, link, reason, options, built, versions)


@retry_on_rollback
def plan_store(
    actor: str, link: Link, reason: str, options: Mapping[str, Any], built: CorePlan, versions: Mapping[str, int]
) -> Plan:
    """Store a plan, ready or refused, with its audit record; `versions` were read before the servers were."""
    state = PlanState.REFUSED if built.is_refused else PlanState.READY
    with transaction.atomic():
        plan = Plan.objects.create(
            link=link,
            kind=built.kind,
            state=state.value,
            reason=reason,
            options=dict(options),
            body=built.to_json(),
            registered_versions=dict(versions),
            digest=built.digest,
            created_by=actor,
            created_at=datetime.fromtimestamp(built.created_at_s, UTC),
            expires_at=datetime.fromtimestamp(built.expires_at_s, UTC),
        )
        audit.record(
            actor=actor,
            action="api:plan:create" if state == PlanState.READY else "api:plan:refused",
            link_id=link.id,
            target=plan.id,
            reason=reason,
            facts={
                "kind": built.kind,
                "digest": plan.digest,
                "options": dict(options),
                "refused_by": [finding.code for finding in built.findings if finding.refuses],
            },
        )
    return plan


def check_options(link: Link, options: Mapping[str, Any]) -> None:
    """Nodes must be of this link, and of the right side of it."""
    sides = {
        "source_node": ([link.active_cluster_id], "the active cluster"),
        "replica_node": ([link.standby_cluster_id], "the standby cluster"),
    }
    for name, (clusters, description) in sides.items():
        node_id = options.get(name)
        if node_id and not Node.objects.filter(pk=node_id, cluster__in=clusters).exists():
            raise invalid(f"options.{name}", f"This is not a node of {description}. Name one of its nodes.")
    both = Node.objects.filter(cluster__in=[link.active_cluster_id, link.standby_cluster_id])
    known = set(both.values_list("pk", flat=True))
    if not set(options.get("attest_fenced", ())) <= known:
        raise invalid("options.attest_fenced", "Some nodes are not of this link. Name nodes of this link only.")
    if (backup := options.get("backup_position")) is not None:
        try:
            BackupPosition.parse(str(backup))
        except PositionError as error:
            raise invalid("options.backup_position", f"{error}.") from error
