"""Begins, pauses, stops and goes on with comparisons. Nothing is written on any node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.common.actors import SCHEDULE
from backend.common.errors import conflict
from backend.core.dialects import are_rows_alike
from backend.core.plans.target import is_fit
from backend.core.topology import NodeRef
from backend.monitoring.link_gateway import recorded_channels
from backend.monitoring.stored_facts import observe_link_now
from backend.transactions.table_comparison.execution import SLICE_S, go_on
from backend.transactions.table_comparison.models import ComparisonSchedule, State, TableComparison

CLAIM = timedelta(seconds=SLICE_S * 24)
"""Longer than a slice can take: statements of 30 s, one after the other, at the end of it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a comparison may take of the servers: rows a second, and which share of the time a node works for it."""

    rows_per_s: int = 20_000
    busy_percent: int = 20


def comparison_start(
    *, actor: str, link: Link, every_node: bool, only: Sequence[str], budget: Budget
) -> TableComparison:
    """Begin to compare the tables of both sides; conflict where the link has an unfinished one."""
    nodes = _nodes(link, every_node=every_node)
    try:
        with transaction.atomic():
            comparison = TableComparison.objects.create(
                link=link,
                unfinished_link=link,
                actor=actor,
                node_ids=[node.id for node in nodes],
                only=list(only),
                started_at=timezone.now(),
                **asdict(budget),
            )
            audit.record(
                actor=actor,
                action="api:table_comparison:start" if actor != SCHEDULE else "worker:table_comparison:start",
                link_id=link.pk,
                target=comparison.pk,
                facts={"nodes": [node.name for node in nodes], "only": list(only), **asdict(budget)},
            )
    except IntegrityError as error:
        raise conflict(
            "comparison_unfinished", "This link's tables are being compared. Wait for its end, or stop it."
        ) from error
    return comparison


def _nodes(link: Link, *, every_node: bool) -> list[NodeRef]:
    """The reference first: of each side those that are fit, and first what no channel uses."""
    seen, chosen = observe_link_now(link), list[NodeRef]()
    channels = [(one.source_node_id, one.replica_node_id) for one in recorded_channels(link.pk)]
    used = {node_id for ends in channels for node_id in ends}
    for side in (seen.active, seen.standby):
        fit = [facts.node for facts in side.nodes if is_fit(facts) and are_rows_alike(facts.flavor, facts.version)]
        if not fit:
            raise conflict(
                "comparison_no_node",
                f"No node of {side.name} is up, Primary and Synced, on MariaDB. Nothing was read. Look at its nodes, "
                "and try again.",
            )
        fit.sort(key=lambda node: node.id in used)
        chosen += fit if every_node else fit[:1]
    return chosen


def comparison_change(*, actor: str, comparison: TableComparison, state: State) -> TableComparison:
    """Pause, go on with, or stop a comparison; conflict where it has ended."""
    is_stopped, of = state is State.STOPPED, TableComparison.objects.filter(pk=comparison.pk)
    with transaction.atomic():
        changed = of.filter(state__in=[State.RUNNING, State.PAUSED]).update(
            state=state,
            sentence="",
            claimed_until=None,
            ended_at=timezone.now() if is_stopped else None,
            unfinished_link=None if is_stopped else comparison.link_id,
        )
        if not changed:
            raise conflict("comparison_ended", "This comparison has ended. Begin a new one.")
        audit.record(
            actor=actor,
            action="api:table_comparison:change",
            link_id=comparison.link_id,
            target=comparison.pk,
            facts={"state": state.value},
        )
    comparison.refresh_from_db()
    return comparison


@transaction.atomic
def schedule_set(*, actor: str, link: Link, **wanted: object) -> ComparisonSchedule:
    """Set when the link's tables are compared automatically."""
    schedule, _ = ComparisonSchedule.objects.update_or_create(link=link, defaults=wanted)
    audit.record(
        actor=actor, action="api:table_comparison:schedule", link_id=link.id, target=link.id, facts=dict(wanted)
    )
    return schedule


def is_due(schedule: ComparisonSchedule, now: datetime) -> bool:
    """Whether the last comparison, by hand or not, is older than the interval and none is unfinished."""
    recent = Q(started_at__gt=now - timedelta(hours=schedule.every_hours)) | Q(unfinished_link=schedule.pk)
    return not TableComparison.objects.filter(recent, link_id=schedule.pk).exists()


def comparison_start_due(schedule: ComparisonSchedule) -> TableComparison:
    """Begin one that is due."""
    budget = Budget(schedule.rows_per_s, schedule.busy_percent)
    return comparison_start(
        actor=SCHEDULE, link=schedule.link, every_node=schedule.every_node, only=schedule.only, budget=budget
    )


def go_on_claimed(comparison_id: str) -> bool:
    """Compare for some seconds in a worker, where no other worker does it already; whether it can go on at once."""
    now = timezone.now()
    free = Q(claimed_until=None) | Q(claimed_until__lt=now)
    mine = TableComparison.objects.filter(free, pk=comparison_id, state=State.RUNNING)
    if not mine.update(claimed_until=now + CLAIM):
        return False
    comparison = TableComparison.objects.select_related("link").get(pk=comparison_id)
    try:
        with bound_contextvars(link_id=comparison.link_id, requested_by=comparison.actor):
            is_free = go_on(comparison)
    finally:
        TableComparison.objects.filter(pk=comparison_id).update(claimed_until=None)
    return is_free and TableComparison.objects.filter(pk=comparison_id, state=State.RUNNING).exists()
