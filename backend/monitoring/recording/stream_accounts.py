"""Keeps the account of each direction's stream, from the logs that the monitor follows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from django.db.models import Q

from backend.common.events import services as events
from backend.core.facts.channel_filters import filters_of
from backend.core.facts.origins import outside_stream
from backend.core.facts.stream_accounts import stream_findings
from backend.core.link_facts import LinkFacts
from backend.core.link_state import DirectionView
from backend.core.link_state.channels import ChannelView
from backend.core.positions import FilePosition
from backend.core.stream_account import Accountant, LogRead, StreamAccount, resume_places
from backend.core.topology import Direction
from backend.gateway.polling.pollers import Polled
from backend.monitoring.models import ChannelRecord

Key = tuple[str, str]
"""A link and the cluster that receives: its directions are turned with its roles."""
STORED_EVERY_S = 10.0
"""How old the stored span may be while nothing else of it changes."""


class StreamAccounts:
    """The accounts of the links that this monitor owns; what it read is in its memory, what it found is stored.

    Where a transaction of the database failed, what was found in it was not stored: `forget` begins anew.
    """

    def __init__(self) -> None:
        self._accountants: dict[Key, Accountant] = {}
        self._spans: dict[Key, StreamAccount] = {}
        self._read: dict[Key, tuple[str, float]] = {}

    def forget(self) -> None:
        """Begin every span anew."""
        self._accountants.clear()
        self._spans.clear()
        self._read.clear()

    def update(
        self,
        seen: LinkFacts,
        directions: Iterable[DirectionView],
        rows: Mapping[str, ChannelRecord],
        polled: Mapping[str, Polled],
        doubtful: Collection[str],
    ) -> list[ChannelRecord]:
        """Account for what was read since; returns the rows whose account is to be stored.

        `doubtful`: ids of nodes whose log may be another one since this poll.
        """
        changed = []
        for view in directions:
            row, key = rows.get(view.direction.value), (seen.id, seen.receiving_cluster(view.direction).id)
            if row is None or row.account is None:
                self._drop(key)
            if row is None:
                continue
            is_begun = row.account is None
            if is_begun:
                row.account = StreamAccount(awaited_s=seen.observed_at_s).to_json()
            if seen.divergence is not None:
                is_changed = self._end(key, row, seen.observed_at_s)
            else:
                is_changed = view.channel is not None and self._account(key, seen, view.channel, row, polled, doubtful)
            if is_changed or is_begun:
                changed.append(row)
        return changed

    def _drop(self, key: Key) -> None:
        """Nothing is stored: the channel is new, or a run proved by other means that both sides hold the same."""
        if self._spans.get(key, StreamAccount()).since_s is not None:
            del self._spans[key], self._accountants[key]

    def _end(self, key: Key, row: ChannelRecord, now_s: float) -> bool:
        """What follows cannot be compared with what was read before; whether that is news."""
        stored = StreamAccount.from_json(row.account)
        self._accountants.setdefault(key, Accountant()).end()
        ended = StreamAccount(awaited_s=stored.void(now_s).awaited_s).with_lists_of(stored)
        self._spans[key] = ended
        if stored.since_s is None and stored.awaited_s is not None:
            return False
        row.account = ended.to_json()
        return True

    def _account(
        self,
        key: Key,
        seen: LinkFacts,
        view: ChannelView,
        row: ChannelRecord,
        polled: Mapping[str, Polled],
        doubtful: Collection[str],
    ) -> bool:
        accountant = self._accountants.setdefault(key, Accountant())
        source, replica = polled.get(view.source_node_id), polled.get(view.replica_node_id)
        passed = view.channel.exec_position
        if view.recorded or source is None or replica is None or passed is None:
            return False
        stored = StreamAccount.from_json(row.account)
        span = self._spans.get(key, stored).with_lists_of(stored)
        is_of_one_log = not (source.tail.is_of_another_log or replica.tail.is_of_another_log)
        if not is_of_one_log or row.log_break is not None:
            return self._end(key, row, seen.observed_at_s)
        logs = log_read(source), log_read(replica)
        read = view.replica_node_id, replica.facts.observed_at_s
        is_doubtful = not {view.source_node_id, view.replica_node_id}.isdisjoint(doubtful)
        if logs[0] is None or logs[1] is None or self._read.get(key) == read or is_doubtful:
            return False
        self._read[key] = read
        outside = frozenset(outside_stream(seen, view.direction))
        now_s, is_filtered = replica.facts.observed_at_s, bool(filters_of(view.channel.options))
        account = accountant.take(
            *(span, logs[0], logs[1], passed, outside, now_s),
            is_filtered=is_filtered,
            is_running=view.channel.is_running,
        )
        self._spans[key] = account
        is_found = (account.unaccounted, account.more) != (stored.unaccounted, stored.more)
        is_told = account.unread == stored.unread and _tables(account) == _tables(stored)
        if not is_found and is_told and not _is_old(stored, account):
            return False
        row.account = replace(account, span=accountant.kept()).to_json()
        if is_found:
            _tell(seen, row, account, stored)
        return True


def resume_positions(starts: Mapping[str, FilePosition]) -> dict[str, FilePosition]:
    """Where to read the logs of these nodes on from: their newest samples, or earlier where a stored span needs it."""
    found = dict(starts)
    ends = Q(source_node__in=starts) | Q(replica_node__in=starts)
    for account in ChannelRecord.objects.filter(ends).values_list("account", flat=True):
        for node_id, place in resume_places(StreamAccount.from_json(account).span).items():
            start = found.get(node_id)
            if start is not None and start.base == place.base and place < start:
                found[node_id] = place
    return found


def log_read(polled: Polled) -> LogRead | None:
    """What the last poll left of a node's log; None where its end was not reached.

    Of a slow poll the facts come before the log is read.
    """
    tail, facts, binlog = polled.tail, polled.facts, polled.facts.binlog
    is_read = tail.is_current and tail.is_caught_up and tail.read_at_s == facts.observed_at_s
    if not facts.is_up or binlog is None or not is_read:
        return None
    return LogRead(polled.facts.node.id, tail, binlog.end, polled.rows)


def _tables(account: StreamAccount) -> tuple[Collection[str], Collection[str]]:
    """Those that differ."""
    return account.other_columns.keys(), account.other_rows.keys()


def _is_old(stored: StreamAccount, account: StreamAccount) -> bool:
    if stored.since_s != account.since_s or stored.until_s is None or account.until_s is None:
        return _span(stored) != _span(account)
    return account.until_s - stored.until_s >= STORED_EVERY_S


def _span(account: StreamAccount) -> tuple[float | None, ...]:
    return account.since_s, account.until_s, account.awaited_s


def _tell(seen: LinkFacts, row: ChannelRecord, account: StreamAccount, stored: StreamAccount) -> None:
    """One event for what was found in one poll."""
    new = [one for one in account.unaccounted if one not in stored.unaccounted]
    recorded = seen.recorded_channel(Direction(row.direction))
    if recorded is None or not new:
        return
    only = replace(seen, recorded=(replace(recorded, account=replace(account, unaccounted=tuple(new), more=0)),))
    for finding in stream_findings(only):
        events.raised(link_id=seen.id, kind="channel.unaccounted", severity="blocker", message=finding.message)
