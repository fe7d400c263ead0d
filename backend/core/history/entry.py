"""An entry of the history: a run with everything that is told of it, as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from backend.core.history.loss import loss_of
from backend.core.history.operations import sides_of
from backend.core.history.people import approvers
from backend.core.history.positions import positions
from backend.core.history.sentence import describe
from backend.core.history.stored_run import StoredRun
from backend.core.history.times import duration_s, pause_of, recovery_s
from backend.core.history.topology import before
from backend.core.history.topology_diff import as_text, diff


def entry_of(run: StoredRun) -> dict[str, Any]:
    """What the API, the exports and the reports return of a run."""
    reported, rows, pause, sides = describe(run), diff(run), pause_of(run), sides_of(run)
    return {
        "id": run.id,
        "link_id": run.link_id,
        "link_name": run.link_name,
        "kind": run.kind,
        "state": run.state,
        "sentence": reported.sentence,
        "sentences": asdict(reported),
        "requested_by": run.requested_by,
        "approvers": list(approvers(run)),
        "is_exception": any(one.is_exception for one in run.approvals),
        "reason": run.reason,
        "created_at": run.created_at,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "duration_s": duration_s(run),
        "recovery_s": recovery_s(run),
        "write_pause_s": pause.duration_s if pause else None,
        "is_verified": run.is_verified,
        "loss": asdict(loss_of(run)),
        "active_before": before(run).active,
        "active_planned": sides.active,
        "positions": [asdict(one) | {"text": one.text} for one in positions(run)],
        "topology": [asdict(row) for row in rows],
        "topology_text": as_text(rows),
    }
