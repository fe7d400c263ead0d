"""The stored maintenances of nodes: opened and allowed by a run, watched by the monitor, closed in every case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from backend.clusters.models import Node
from backend.core.adviser.node_absence.maintenance import Stage, Watch
from backend.core.adviser.node_absence.return_verdict import Result
from backend.monitoring.models import NodeMaintenance
from backend.monitoring.times import from_unix


def maintenance_open(*, link_id: str, run_id: str, actor: str, params: Mapping[str, Any]) -> bool:
    """Record it, once for a run; False where it was closed, or another one of the cluster is open."""
    row = NodeMaintenance.objects.filter(run_id=run_id).first()
    if row is not None:
        return row.stage == Stage.PREPARING
    now = timezone.now()
    node = Node.objects.get(pk=params["maintained_node_id"])
    try:
        with transaction.atomic():
            NodeMaintenance.objects.create(
                cluster_id=node.cluster_id,
                open_cluster=node.cluster_id,
                link_id=link_id,
                node=node,
                donor_id=params["donor_id"],
                run_id=run_id,
                opened_by=actor,
                opened_at=now,
                until=now + timedelta(seconds=float(params["most_s"])),
                members=params["members"],
                freeze_seqno=params["freeze_seqno"],
                stage=Stage.PREPARING.value,
            )
    except IntegrityError:
        return False
    return True


def stop_allowed(run_id: str, last_seqno: int, logs: Sequence[tuple[str, int]]) -> bool:
    """From now on the node is watched; False where its maintenance was closed.

    It may be gone before the monitor looks: what it had applied and its binary logs are stored with the permission.
    """
    seen = {"last_seqno": last_seqno, "logs": [list(pair) for pair in logs]}
    changed = NodeMaintenance.objects.filter(run_id=run_id, stage=Stage.PREPARING.value).update(
        stage=Stage.WAITING_STOP.value, allowed_at=timezone.now(), watch=seen, version=F("version") + 1
    )
    return bool(changed) or NodeMaintenance.objects.filter(run_id=run_id, stage=Stage.WAITING_STOP.value).exists()


def watch_of(row: NodeMaintenance) -> Watch:
    """As the core has it."""
    stored, allowed_at = row.watch, row.allowed_at or row.opened_at
    return Watch(
        node_id=row.node_id,
        members=row.members,
        allowed_at_s=allowed_at.timestamp(),
        until_s=row.until.timestamp(),
        stage=Stage(row.stage),
        last_seqno=stored.get("last_seqno"),
        limit_seqno=stored.get("limit_seqno"),
        logs=tuple((name, size) for name, size in stored.get("logs", ())),
        downto=stored.get("downto", {}),
        left_at_s=row.left_at.timestamp() if row.left_at else None,
        returned_at_s=row.returned_at.timestamp() if row.returned_at else None,
    )


def watch_stored(row: NodeMaintenance, watch: Watch) -> bool:
    """Store what was seen; False where it was changed since it was read."""
    stored = {
        "last_seqno": watch.last_seqno,
        "limit_seqno": watch.limit_seqno,
        "logs": [list(pair) for pair in watch.logs],
        "downto": dict(watch.downto),
    }
    return changed(
        row,
        stage=watch.stage.value,
        watch=stored,
        left_at=_moment(watch.left_at_s),
        returned_at=_moment(watch.returned_at_s),
        result=watch.result.value if watch.result else "",
        sentence=watch.sentence,
    )


def closing(row: NodeMaintenance, result: Result, sentence: str, *, by: str = "") -> bool:
    """End it without a return; a freeze is still to be undone."""
    return changed(row, stage=Stage.CLOSING.value, result=result.value, sentence=sentence, ended_by=by)


def changed(row: NodeMaintenance, **values: Any) -> bool:
    """Change the row as it was read; False where it has changed since."""
    rows = NodeMaintenance.objects.filter(pk=row.pk, version=row.version)
    return bool(rows.update(version=F("version") + 1, **values))


def _moment(at_s: float | None) -> datetime | None:
    return None if at_s is None else from_unix(at_s)
