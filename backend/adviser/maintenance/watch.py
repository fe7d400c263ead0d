"""Watches the nodes that may be stopped, and closes every maintenance: the monitor calls `tick` each five seconds.

No run waits for an operator: a waiting run would keep the link from an emergency. So the freeze of a donor is not ended
by a run either. Whatever becomes of the run that set it, this job ends it, also beside a failover.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction
from django.utils import timezone

from backend.adviser.maintenance.unfreeze import end_freeze
from backend.audit import services as audit
from backend.common.actors import AUTOMATION
from backend.common.events import services as events
from backend.core.adviser.node_absence.maintenance import Stage, advanced
from backend.core.adviser.node_absence.return_verdict import Result
from backend.monitoring import maintenances
from backend.monitoring.models import NodeMaintenance
from backend.monitoring.stored_facts import node_facts
from backend.operations.runs.models import Run, RunState

log = structlog.get_logger(__name__)
_GOING_ON = (RunState.WAITING_APPROVAL.value, RunState.QUEUED.value, RunState.RUNNING.value)


def tick() -> None:
    """Look at every open maintenance once; an error of one does not affect the others."""
    rows = NodeMaintenance.objects.exclude(open_cluster=None).select_related("node", "donor", "link", "cluster")
    for row in rows:
        try:
            observe(row, timezone.now())
        except Exception:
            log.exception("node_maintenance.look_failed", maintenance=row.id)


def observe(row: NodeMaintenance, now: datetime) -> None:
    """One step of one maintenance."""
    if row.stage == Stage.PREPARING:
        _prepared(row, now)
    elif row.stage in (Stage.WAITING_STOP, Stage.AWAY):
        _watched(row, now)
    elif row.stage == Stage.CLOSING and end_freeze(row, now):
        _end(row, now)


def _prepared(row: NodeMaintenance, now: datetime) -> None:
    """The run that opened it ended without the permission to stop the node, stopped, or never ends."""
    run = Run.objects.filter(pk=row.run_id).only("state").first()
    if run is not None and run.state in _GOING_ON and now < row.until:
        return
    maintenances.closing(row, Result.NOT_PREPARED, f"The run {row.run_id} did not prepare {row.node.name} to the end.")


def _watched(row: NodeMaintenance, now: datetime) -> None:
    facts = list(node_facts(row.cluster.nodes.all()).values())
    before = maintenances.watch_of(row)
    watch = advanced(before, facts, now.timestamp())
    if watch == before:
        return
    with transaction.atomic():
        if not maintenances.watch_stored(row, watch):
            return
        if before.stage is not Stage.AWAY and watch.left_at_s is not None:
            events.raised(
                link_id=row.link_id,
                run_id=row.run_id,
                kind="node.maintenance_left",
                severity="info",
                message=f"{row.node.name} left its cluster for maintenance.",
            )


def _end(row: NodeMaintenance, now: datetime) -> None:
    with transaction.atomic():
        if not maintenances.changed(row, stage=Stage.ENDED.value, open_cluster=None, ended_at=now):
            return
        is_well = row.result in (Result.IST, Result.SST, Result.ENDED_EARLY)
        events.raised(
            link_id=row.link_id,
            run_id=row.run_id,
            kind="node.maintenance_ended",
            severity="ok" if is_well else "warning",
            message=row.sentence,
        )
        audit.record(
            actor=row.ended_by or AUTOMATION,
            action="monitor:node_maintenance:ended",
            link_id=row.link_id,
            run_id=row.run_id,
            target=row.node_id,
            facts={"maintenance_id": row.id, "result": row.result, "sentence": row.sentence},
        )
