"""Stores when each direction of a link was proven, and when not and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backend.core.facts.stream_proof import Cause, Look, Period, followed
from backend.core.link_facts import LinkFacts
from backend.core.link_state import DirectionView
from backend.core.stream_account import StreamAccount
from backend.gateway.polling.pollers import Polled
from backend.monitoring.models import ChannelRecord, ProofPeriod
from backend.monitoring.recording.link_rows import LinkRows
from backend.monitoring.recording.stream_accounts import STORED_EVERY_S
from backend.monitoring.times import from_unix

Counts = tuple[float | None, int, int]
"""Begin of a stored span, and how many transactions were found and compared in it."""


@dataclass(frozen=True, slots=True)
class Tick:
    """What this look knows of a link; `counted` is by direction what was stored before it."""

    seen: LinkFacts
    rows: LinkRows
    counted: Mapping[str, Counts]
    polled: Mapping[str, Polled]
    now_s: float


def counted(rows: LinkRows) -> dict[str, Counts]:
    """By direction what is stored now."""
    return {direction: _counts(StreamAccount.from_json(row.account)) for direction, row in rows.records.items()}


def follow_proofs(tick: Tick, directions: Iterable[DirectionView]) -> list[ProofPeriod]:
    """Store what began and ended with this look; returns the rows of which only the end and the counts have moved.

    A direction that never had a channel has no history.
    """
    moved = []
    for view in directions:
        way = tick.seen.source_cluster(view.direction).id, tick.seen.receiving_cluster(view.direction).id
        row, last = tick.rows.records.get(view.direction.value), tick.rows.proofs.get(way[1])
        if row is None and last is None:
            continue
        account = StreamAccount.from_json(None if row is None else row.account)
        look = _look(tick, view, row, account)
        last = _without_brief(last, look)
        periods = followed(None if last is None else _period(last), look)
        more = _more(tick.counted.get(view.direction.value), account)
        if last is not None and len(periods) == 1:
            if _is_due(last, periods[0], more):
                moved.append(_set(last, periods[0], more))
        else:
            _begin(tick.seen.id, way, last, periods, more)
    return moved


def _look(tick: Tick, view: DirectionView, row: ChannelRecord | None, account: StreamAccount) -> Look:
    status = tick.rows.status
    looked_s = None if status is None else status.observed_at.timestamp()
    return Look(account, _cause(tick, view, row, account), tick.now_s, looked_s, tick.seen.proven_within_s)


def _cause(tick: Tick, view: DirectionView, row: ChannelRecord | None, account: StreamAccount) -> Cause:
    """Why the account does not stand, if it does not."""
    if account.unaccounted or account.more:
        return Cause.UNACCOUNTED
    if tick.seen.divergence is not None:
        return Cause.DIVERGED
    if row is None or view.channel is None:
        return Cause.NO_CHANNEL
    ends = [tick.polled.get(node_id) for node_id in (view.channel.source_node_id, view.channel.replica_node_id)]
    logs = [one.tail for one in ends if one is not None and one.facts.is_up]
    if len(logs) < len(ends) or view.channel.recorded:
        return Cause.UNREACHABLE
    if row.log_break is not None or any(tail.is_of_another_log for tail in logs):
        return Cause.LOG_CHANGED
    return Cause.BEGUN_ANEW if account.since_s is None else Cause.LOG_UNREAD


def _without_brief(last: ProofPeriod | None, look: Look) -> ProofPeriod | None:
    """A proof that stood for less than a proof may be old belongs to the gap before it: a stream that is accounted for
    by fits and starts fills no table."""
    if last is None or last.cause or not look.is_late:
        return last
    before = ProofPeriod.objects.filter(
        link_id=last.link_id, receiving_cluster_id=last.receiving_cluster_id, is_latest=None, ended_at=last.began_at
    ).last()
    if before is None or (last.ended_at - last.began_at).total_seconds() >= look.within_s:
        return last
    last.delete()
    before.is_latest, before.ended_at = True, last.ended_at
    before.transactions += last.transactions
    before.compared += last.compared
    before.save()
    return before


def _begin(
    link_id: str, way: tuple[str, str], last: ProofPeriod | None, periods: tuple[Period, ...], more: tuple[int, int]
) -> None:
    """Store the end of the latest period, and those that follow it."""
    if last is not None:
        _set(last, periods[0], (0, 0)).is_latest = None
        last.save()
        periods = periods[1:]
    for period in periods:
        row = ProofPeriod(
            link_id=link_id,
            source_cluster_id=way[0],
            receiving_cluster_id=way[1],
            cause=period.cause or "",
            began_at=from_unix(period.began_s),
            span_since_s=period.since_s,
            is_latest=True if period is periods[-1] else None,
        )
        _set(row, period, more if row.is_latest else (0, 0)).save()


def _set(row: ProofPeriod, period: Period, more: tuple[int, int]) -> ProofPeriod:
    row.ended_at = from_unix(period.ended_s)
    row.transactions += more[0]
    row.compared += more[1]
    return row


def _is_due(row: ProofPeriod, period: Period, more: tuple[int, int]) -> bool:
    return any(more) or period.ended_s - row.ended_at.timestamp() >= STORED_EVERY_S


def _period(row: ProofPeriod) -> Period:
    cause = Cause(row.cause) if row.cause else None
    return Period(cause, row.began_at.timestamp(), row.ended_at.timestamp(), row.span_since_s)


def _counts(account: StreamAccount) -> Counts:
    return account.since_s, account.groups, account.compared


def _more(before: Counts | None, account: StreamAccount) -> tuple[int, int]:
    """How many transactions were found and compared since; another span counts from nothing."""
    if before is None or before[0] != account.since_s:
        return account.groups, account.compared
    return account.groups - before[1], account.compared - before[2]
