"""Ends the freeze of a donor's gcache: recorded before it is sent, and read back by the next look."""

from __future__ import annotations

from datetime import datetime

from backend.audit import services as audit
from backend.common.actors import AUTOMATION
from backend.common.events import services as events
from backend.core.adviser.node_absence.freeze import NOT_FROZEN, OPTION, unfreeze_sql
from backend.core.facts.server_identity import identity_mismatch
from backend.core.ports import Gateway, NodeError
from backend.core.steps.base import STATEMENT_LIMIT_S
from backend.core.topology import NodeFacts
from backend.monitoring import maintenances
from backend.monitoring.link_gateway import gateway_for_link
from backend.monitoring.models import NodeMaintenance
from backend.operations.runs.models import Run


def end_freeze(row: NodeMaintenance, now: datetime) -> bool:
    """Whether nothing of this maintenance is frozen any more; the donor is asked, and told where it still is."""
    if row.freeze_seqno is None or row.unfrozen_at is not None:
        return True
    gateway = gateway_for_link(row.link)
    try:
        donor = gateway.observe_node(row.donor_id)
        if not is_still_frozen(donor, row.freeze_seqno):
            return maintenances.changed(row, unfrozen_at=now, unfreeze_error="") and _read_again(row)
        _send(row, gateway)
    except NodeError as error:
        _keep_error(row, str(error))
    finally:
        gateway.close()
    return False


def is_still_frozen(donor: NodeFacts, seqno: int) -> bool:
    """Whether the donor has this maintenance's freeze; raises NodeError where it does not say.

    A freeze at another seqno is another operator's, and a donor that was restarted has none.
    """
    value = donor.variable(OPTION) if donor.is_up else None
    if value is None:
        raise NodeError(donor.node.name, donor.error or f"{OPTION} was not read")
    return value != NOT_FROZEN and value == str(seqno)


def _send(row: NodeMaintenance, gateway: Gateway) -> None:
    sql, plan = unfreeze_sql(), Run.objects.select_related("plan").get(pk=row.run_id).plan
    writer = gateway.writer(row.donor_id)
    try:
        another = identity_mismatch(plan.body["fingerprint"], row.donor.name, writer.identity())
        if another is not None:
            raise NodeError(row.donor.name, another)
        audit.record(
            actor=AUTOMATION,
            action="monitor:node_maintenance:unfreeze",
            link_id=row.link_id,
            run_id=row.run_id,
            target=row.donor_id,
            facts={"maintenance_id": row.id, "sql": sql},
        )
        writer.execute(sql, secrets={}, timeout_s=STATEMENT_LIMIT_S)
    finally:
        writer.close()


def _keep_error(row: NodeMaintenance, error: str) -> None:
    """Once for each error: the job repeats it every five seconds."""
    if row.unfreeze_error == error or not maintenances.changed(row, unfreeze_error=error):
        return
    message = f"The gcache of {row.donor.name} is still frozen: {error}. By hand: {unfreeze_sql()}"
    events.raised(
        link_id=row.link_id, run_id=row.run_id, kind="node.maintenance_frozen", severity="warning", message=message
    )


def _read_again(row: NodeMaintenance) -> bool:
    row.refresh_from_db()
    return True
