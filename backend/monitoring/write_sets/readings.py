"""Stores one reading of each synced node's counters a minute, and drops the old ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Max, Min

from backend.common.retention import delete_in_portions
from backend.core.adviser.node_absence.counters import Totals, advanced
from backend.core.adviser.node_absence.rates import WEEK_S
from backend.core.adviser.node_absence.summary import Position, is_synced
from backend.core.topology import NodeFacts, WriteSetCounters
from backend.monitoring.models import WriteSetReading
from backend.monitoring.times import from_unix

EVERY_S: Final = 60.0
EACH_MINUTE_FOR: Final = timedelta(hours=2)
EACH_HOUR_FOR: Final = timedelta(days=8)


def store_readings(facts: Iterable[NodeFacts], now: datetime) -> None:
    """One reading of every synced node that reports its counters; called once a minute."""
    before = _newest()
    rows = [_reading(node, before.get(node.node.id)) for node in facts if is_synced(node)]
    WriteSetReading.objects.bulk_create(row for row in rows if row is not None)
    _drop_old(now)


def _newest() -> dict[str, WriteSetReading]:
    ids = WriteSetReading.objects.values("node_id").annotate(newest=Max("pk")).values_list("newest", flat=True)
    return {row.node_id: row for row in WriteSetReading.objects.filter(pk__in=list(ids))}


def _reading(node: NodeFacts, before: WriteSetReading | None) -> WriteSetReading | None:
    wsrep, at = node.wsrep, from_unix(node.observed_at_s)
    if wsrep is None or wsrep.write_sets is None or (before is not None and before.at >= at):
        return None
    totals = advanced(None if before is None else totals_of(before), wsrep.write_sets, node.observed_at_s)
    return WriteSetReading(
        node_id=node.node.id,
        at=at,
        is_hourly=before is None or _hour(before.at) != _hour(at),
        state_uuid=wsrep.state_uuid,
        seqno=wsrep.last_committed,
        replicated=totals.raw.replicated,
        replicated_bytes=totals.raw.replicated_bytes,
        received=totals.raw.received,
        received_bytes=totals.raw.received_bytes,
        write_sets=totals.write_sets,
        bytes=totals.bytes,
        own_bytes=totals.own_bytes,
        covered_s=totals.covered_s,
    )


def _hour(moment: datetime) -> int:
    return int(moment.timestamp()) // 3600


def _drop_old(now: datetime) -> None:
    newest = list(WriteSetReading.objects.values("node_id").annotate(n=Max("pk")).values_list("n", flat=True))
    rows = WriteSetReading.objects.exclude(pk__in=newest)
    delete_in_portions(rows.filter(is_hourly=False, at__lt=now - EACH_MINUTE_FOR))
    delete_in_portions(rows.filter(is_hourly=True, at__lt=now - EACH_HOUR_FOR))


def totals_of(row: WriteSetReading) -> Totals:
    """As the core has it."""
    raw = WriteSetCounters(row.replicated, row.replicated_bytes, row.received, row.received_bytes)
    return Totals(row.at.timestamp(), raw, row.write_sets, row.bytes, row.own_bytes, row.covered_s)


def week_of(node_ids: Iterable[str], now: datetime) -> dict[str, list[Totals]]:
    """The readings of the last week, by node, in the order of time."""
    rows = WriteSetReading.objects.filter(node_id__in=list(node_ids), at__gte=now - timedelta(seconds=WEEK_S))
    found: dict[str, list[Totals]] = {}
    for row in rows.order_by("at", "pk"):
        found.setdefault(row.node_id, []).append(totals_of(row))
    return found


def hour_of_all(now: datetime) -> dict[str, list[Totals]]:
    """The first and the last reading of the last hour, by node: enough for the hour's rate of every cluster."""
    rows = WriteSetReading.objects.filter(at__gte=now - timedelta(hours=1))
    ends = rows.values("node_id").annotate(first=Min("pk"), last=Max("pk")).values_list("first", "last")
    found: dict[str, list[Totals]] = {}
    for row in WriteSetReading.objects.filter(pk__in={pk for pair in ends for pk in pair}).order_by("pk"):
        found.setdefault(row.node_id, []).append(totals_of(row))
    return found


def last_positions(node_ids: Iterable[str]) -> Mapping[str, Position]:
    """Up to where each node had applied when last read as a synced member."""
    ids = WriteSetReading.objects.filter(node_id__in=list(node_ids)).values("node_id").annotate(newest=Max("pk"))
    rows = WriteSetReading.objects.filter(pk__in=list(ids.values_list("newest", flat=True)))
    return {row.node_id: Position(row.state_uuid, row.seqno, row.at.timestamp()) for row in rows}
