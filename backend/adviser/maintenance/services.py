"""What a person decides about an open maintenance."""

from __future__ import annotations

from django.db import transaction

from backend.audit import services as audit
from backend.common.errors import conflict, not_found
from backend.core.adviser.node_absence.maintenance import Stage
from backend.core.adviser.node_absence.return_verdict import Result
from backend.monitoring import maintenances
from backend.monitoring.models import NodeMaintenance


def maintenance_end(*, actor: str, maintenance_id: str, reason: str) -> NodeMaintenance:
    """Stop watching; a freeze is ended within seconds. 409 while its run prepares it, and once it is over."""
    with transaction.atomic():
        row = NodeMaintenance.objects.select_for_update().filter(pk=maintenance_id).select_related("node").first()
        if row is None:
            raise not_found("maintenance")
        if row.stage not in (Stage.WAITING_STOP, Stage.AWAY):
            raise conflict(
                "maintenance_not_open",
                f"The maintenance of {row.node.name} is {row.stage.replace('_', ' ')}. Nothing was changed. "
                "While it is prepared, abort its run; otherwise do nothing.",
            )
        maintenances.closing(row, Result.ENDED_EARLY, f"{actor} ended the maintenance of {row.node.name}.", by=actor)
        audit.record(
            actor=actor,
            action="api:node_maintenance:end",
            link_id=row.link_id,
            run_id=row.run_id,
            target=row.node_id,
            reason=reason,
            facts={"maintenance_id": row.id, "stage": row.stage},
        )
    row.refresh_from_db()
    return row
