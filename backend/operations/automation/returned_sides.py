"""Fences a lost side as its nodes return: called by the monitor after each stored tick.

What is due is decided from the console's database alone (`core.returned_nodes`), so that it resumes after a restart.
The failover's own confirmation, whose digest includes it, confirms the plan: no operator confirms or approves it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

import structlog
from django.utils import timezone

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.common.actors import AUTOMATION
from backend.common.errors import ProblemError
from backend.common.events import services as events
from backend.common.events.selectors import was_raised
from backend.core.plans import fence_returned_side
from backend.core.returned_nodes import FenceRecord, nodes_to_fence, returned_nodes
from backend.core.returned_nodes import ReturnedNode as Seen
from backend.monitoring.models import Divergence
from backend.monitoring.stored_facts import link_facts
from backend.monitoring.times import from_unix
from backend.operations.automation.models import ReturnedNode
from backend.operations.runs.models import Run, RunState
from backend.operations.runs.services import fence_returned_start

log = structlog.get_logger(__name__)
Start = Callable[..., Run]
FRESH = timedelta(seconds=10)
"""Older facts do not count as current."""


def tick() -> None:
    """Check each link with a lost side once. An error of one link does not affect the others."""
    of_registered = Divergence.objects.filter(open_link__isnull=False, link__retired_at=None)
    for row in of_registered.select_related("link"):
        try:
            fence_returned(row.link, timezone.now())
        except Exception:
            log.exception("returned_side.look_failed", link=row.link.name)


def fence_returned(link: Link, now: datetime, start: Start = fence_returned_start) -> Run | None:
    """Record the returned nodes, and start a run for those that are due; None where none is due or it cannot start."""
    facts = link_facts(link)
    divergence = facts.divergence
    if divergence is None:
        return None
    oldest_s = (now - FRESH).timestamp()
    seen = [one for one in returned_nodes(facts) if one.facts.observed_at_s >= oldest_s]
    rows = {one.facts.node.id: _remember(link, divergence.run_id, one, now) for one in seen}
    known = {node_id: _record_of(row) for node_id, row in rows.items()}
    due = nodes_to_fence(seen, known, now.timestamp())
    if not due:
        return None
    holder = Run.objects.filter(unfinished_link=link.pk).first()
    if holder is not None and not _is_left_behind(holder):
        _report_blocked(link, holder)
        return None
    return _start(link, due, rows, now, start)


def _remember(link: Link, failover_run: str, one: Seen, now: datetime) -> ReturnedNode:
    """The node's row; reset where the server was restarted since."""
    row = ReturnedNode.objects.filter(link=link, failover_run=failover_run, node_id=one.facts.node.id).first()
    if row is not None and _record_of(row).is_of_this_start(one.started_at_s):
        return row
    row = row or ReturnedNode(link=link, failover_run=failover_run, node_id=one.facts.node.id)
    row.started_at = from_unix(one.started_at_s) if one.started_at_s is not None else None
    row.returned_at = now
    row.begins = one.begins or ""
    row.run_id, row.attempts, row.tried_at = "", 0, None
    row.save()
    state = "writable" if one.is_open else "read-only"
    message = f"{one.facts.node.name} of the lost side is reachable again and {state}."
    _notify(link, "returned_side.seen", "warning", message)
    return row


def _record_of(row: ReturnedNode) -> FenceRecord:
    """The fence record; closed where the run that was to fence the node succeeded."""
    is_closed = Run.objects.filter(pk=row.run_id, state=RunState.SUCCEEDED.value).exists()
    return FenceRecord(
        started_at_s=row.started_at.timestamp() if row.started_at else None,
        is_closed=is_closed,
        attempts=row.attempts,
        tried_at_s=row.tried_at.timestamp() if row.tried_at else None,
    )


def _is_left_behind(holder: Run) -> bool:
    """Whether the run is an earlier fence that stopped: a new one reads the servers again and replaces it."""
    return holder.kind == fence_returned_side.KIND and holder.state == RunState.NEEDS_OPERATOR.value


def _report_blocked(link: Link, holder: Run) -> None:
    """Report once that the fence waits, as only one run at a time is possible and that one waits for an operator."""
    if holder.state not in (RunState.NEEDS_OPERATOR.value, RunState.WAITING_APPROVAL.value):
        return
    message = (
        f"The lost side is reachable again and not fenced: run {holder.pk} is unfinished and waits for an operator. "
        "Resume or abort it, or fence the side by a reprotect (option orphans: fence)."
    )
    if not was_raised(link_id=link.pk, kind="returned_side.held", message=message):
        _notify(link, "returned_side.held", "blocker", message)


def _start(
    link: Link, due: Sequence[Seen], rows: Mapping[str, ReturnedNode], now: datetime, start: Start
) -> Run | None:
    node_ids = [one.facts.node.id for one in due]
    if not _claim(rows, node_ids, now):
        return None
    names = ", ".join(one.facts.node.name for one in due)
    try:
        run = start(link=link, node_ids=node_ids, begins=_begins(rows))
    except ProblemError as problem:
        _refused(link, names, problem.detail)
        return None
    ReturnedNode.objects.filter(pk__in=[rows[node_id].pk for node_id in node_ids]).update(run_id=run.pk)
    _notify(link, "returned_side.fencing", "warning", f"Fencing {names} of the lost side.", run.pk)
    return run


def _claim(rows: Mapping[str, ReturnedNode], node_ids: Sequence[str], now: datetime) -> bool:
    """Claim the attempt: each is counted by compare-and-set before it starts, so only one of two monitors acts."""
    won = 0
    for row in (rows[node_id] for node_id in node_ids):
        same = ReturnedNode.objects.filter(pk=row.pk, tried_at=row.tried_at)
        won += same.update(tried_at=now, attempts=row.attempts + 1)
    return won == len(node_ids)


def _begins(rows: Mapping[str, ReturnedNode]) -> list[dict[str, str]]:
    """The end of each node's log when it returned, earliest return first."""
    with_place = sorted((row for row in rows.values() if row.begins), key=lambda row: row.returned_at)
    return [{"node_id": row.node_id, "node": row.node.name, "begins": row.begins} for row in with_place]


def _refused(link: Link, names: str, why: str) -> None:
    message = f"{names} of the lost side could not be fenced: {why}"
    if not was_raised(link_id=link.pk, kind="returned_side.refused", message=message):
        _notify(link, "returned_side.refused", "blocker", message)
        audit.record(actor=AUTOMATION, action="monitor:returned_side:refused", link_id=link.pk, reason=message)


def _notify(link: Link, kind: str, severity: str, message: str, run_id: str = "") -> None:
    events.raised(link_id=link.pk, run_id=run_id, kind=kind, severity=severity, message=message, actor=AUTOMATION)
