"""Accounts for every transaction that a channel passed: it has to stand once in the log of its replica.

A channel's place tells what the replica reads next, and neither what it applied nor what else was written there. After
a transaction that was skipped, or CHANGE MASTER to a later place, the threads run and nothing lags. So the groups of
the source's log up to the channel's place are compared with those of the same stream in the replica's log, by GTID: a
channel keeps it, in the logs of all nodes of the receiving side, also where the nodes of the source's side number for
themselves (docs/evidence/measured-facts.md).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from itertools import takewhile
from operator import itemgetter
from typing import Any, Protocol

from backend.core.positions import FilePosition
from backend.core.row_digests import RowsRead, apart

MOST_LISTED = 100
MOST_WAITING = 500
"""A span in which more groups wait for the other log is not kept over a restart of the console."""
CARRIED_S = 60.0
"""For how long it is known that a channel carried a server_id."""
COLUMN_DEFAULT = "DEFAULT"
"""Stands among unsafe settings for that of a column which an ALTER added, and each server filled with other values."""
OTHER_COLUMNS = "columns"
"""Stands there for tables that have other columns on a node than elsewhere."""
OTHER_ROWS = "rows"
"""Stands there for tables of which a transaction has other rows in a node's log than elsewhere."""
LOGGED_ALONE = "logged alone"
"""Stands there for what a node logged and the others of its side did not."""
NOT_LOGGED = "not logged"
"""Stands there for what the other nodes of a side logged and a node did not."""
MOST_UNCOMPARED = 20_000
"""Of so many transactions at most the rows are awaited; those of more are not compared."""
LOOKS_BEFORE_EXTRA = 2
"""So often the source's log is read to the channel's place before it is known to lack a transaction."""


class LoggedGroup(Protocol):
    """One transaction in a node's log, from `begins` to `position`."""

    @property
    def begins(self) -> FilePosition:
        """Where its first event begins."""
        ...

    @property
    def position(self) -> FilePosition:
        """Where it ends."""
        ...

    @property
    def seqno(self) -> int | None:
        """Its Xid; None: DDL and the like."""
        ...

    @property
    def server_id(self) -> int:
        """Of the server that wrote it."""
        ...

    @property
    def gtid(self) -> str:
        """As the log has it; empty where it has none."""
        ...

    @property
    def changes_nothing(self) -> bool:
        """Whether it is half a statement, or a FLUSH, of which Galera replicates some kinds alone."""
        ...

    @property
    def tables(self) -> frozenset[str]:
        """Of which it has rows, as DATABASE.TABLE."""
        ...


@dataclass(frozen=True, slots=True)
class Jump:
    """What is `after` a place of a log was not read, but from where the log is followed now.

    `is_gone`: it cannot be read any more, as the file is purged or the log began anew; else it was too much.
    """

    after: FilePosition
    is_gone: bool


class LogTail(Protocol):
    """The newest groups of one node's log; `jumped` when it last left some out."""

    @property
    def jumped(self) -> Jump | None:
        """None where it never did."""
        ...

    def since(self, position: FilePosition, until: FilePosition | None = None) -> Sequence[LoggedGroup] | None:
        """What was read behind a position, up to another one; None where that does not reach back so far, or is of
        another log."""
        ...

    def end_of(self, seqno: int) -> FilePosition | None:
        """Where the group of a seqno ends; None where it was not read, or stands there twice."""
        ...


@dataclass(frozen=True, slots=True)
class LogRead:
    """A node's log as one poll left it: read to `end`, which was the log's end as that poll was told. `rows`: what is
    known of the rows in it; None where they are not read."""

    node_id: str
    tail: LogTail
    end: FilePosition
    rows: RowsRead | None = None


class Fault(StrEnum):
    """What is wrong with a transaction of the stream."""

    MISSING = "missing"
    """The channel passed it, and the replica's log does not have it."""
    FILTERED = "filtered"
    """As `missing`, while the channel had a filter that may have left it out."""
    EXTRA = "extra"
    """The replica's log has it under a server_id of the source's side, and once more than the source's log."""


@dataclass(frozen=True, slots=True)
class Unaccounted:
    """A transaction that does not stand on both sides; `node_id` is that in whose log it is, from `begins` to `ends`
    (FILE:OFFSET).

    `tables`: those without which the other log has it, as DATABASE.TABLE; none where it does not have it at all.
    """

    fault: Fault
    node_id: str
    gtid: str
    seqno: int | None
    server_id: int
    begins: str
    ends: str
    found_at_s: float
    tables: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Unaccounted:
        """From its fields as plain data; former versions stored no tables."""
        return cls(**{**data, "fault": Fault(data["fault"]), "tables": tuple(data.get("tables", ()))})

    def is_group(self, xid: int | None, gtid: str, node_id: str) -> bool:
        """Whether it is the group with that Xid and GTID in the log of a node of the same cluster.

        Its nodes number a write-set alike; of a DDL there is the GTID alone, which each node gives for itself.
        """
        return xid == self.seqno if self.seqno is not None else (gtid, node_id) == (self.gtid, self.node_id)


@dataclass(frozen=True, slots=True)
class StreamAccount:
    """What is known of one direction.

    From `since_s` to `until_s` (Unix times) all that the channel passed was accounted for, `groups` of them, but for
    the `unaccounted`; None: nothing is known yet. These stay until they are settled, also where the span begins anew;
    of more than `MOST_LISTED` the number is kept (`more`). `settled`: the newest of those that were. `carried`: by
    server_id, as text, when the channel last passed a transaction of it. `unread`: by node id, behind which place of
    its log something was not read while the channel may have been moved, and when that was found. `other_columns`: by
    table that has others in the replica's log than in the source's, when that was last seen, and `other_rows` the same
    of rows, with the GTID of the first such transaction. Of the groups the rows of `compared` were compared.
    `awaited_s`: while no span stands, since when. `span`: what another accountant needs to go on with it.
    """

    since_s: float | None = None
    until_s: float | None = None
    groups: int = 0
    unaccounted: tuple[Unaccounted, ...] = ()
    more: int = 0
    settled: tuple[Unaccounted, ...] = ()
    carried: Mapping[str, float] = field(default_factory=dict)
    unread: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    other_columns: Mapping[str, float] = field(default_factory=dict)
    other_rows: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    compared: int = 0
    awaited_s: float | None = None
    span: Mapping[str, Any] | None = None

    @property
    def stood_until_s(self) -> float | None:
        """When it last stood, or was begun; None where nothing is known yet."""
        return self.until_s if self.until_s is not None else self.awaited_s

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> StreamAccount:
        """Inverse of `to_json`; None: nothing was stored."""
        if data is None:
            return cls()
        listed = {name: tuple(map(Unaccounted.from_json, data.get(name, ()))) for name in ("unaccounted", "settled")}
        pairs = {
            name: {key: (text, at_s) for key, (text, at_s) in data.get(name, {}).items()}
            for name in ("unread", "other_rows")
        }
        return cls(**{**data, **listed, **pairs})

    @property
    def left_out(self) -> tuple[Unaccounted, ...]:
        """Whole transactions of the source that the channel passed and its replica's log does not have, settled or
        not."""
        lacking = (Fault.MISSING, Fault.FILTERED)
        return tuple(one for one in (*self.settled, *self.unaccounted) if one.fault in lacking and not one.tables)

    def void(self, now_s: float) -> StreamAccount:
        """The same without a span."""
        stood_s = self.stood_until_s
        return replace(self, since_s=None, until_s=None, awaited_s=now_s if stood_s is None else stood_s)

    def with_lists_of(self, other: StreamAccount) -> StreamAccount:
        """The same span with what the other names."""
        return replace(self, unaccounted=other.unaccounted, more=other.more, settled=other.settled)

    def with_found(self, found: Sequence[Unaccounted]) -> StreamAccount:
        """The same, and these are not accounted for."""
        listed = (*self.unaccounted, *found)
        more = self.more + max(0, len(listed) - MOST_LISTED)
        return replace(self, unaccounted=listed[:MOST_LISTED], more=more)

    def with_carried(self, server_ids: Collection[int], now_s: float) -> StreamAccount:
        """The same, and transactions of these passed now."""
        carried = {**self.carried, **dict.fromkeys(map(str, server_ids), now_s)}
        return replace(self, carried={name: at_s for name, at_s in carried.items() if now_s - at_s <= CARRIED_S})

    def with_unread(self, taken: _Taken, now_s: float) -> StreamAccount:
        """The same, and what is behind that place was not read."""
        return replace(self, unread={**self.unread, taken.node_id: (str(taken.position), now_s)})

    def with_other_columns(self, tables: Collection[str], now_s: float) -> StreamAccount:
        """The same, and these were seen now."""
        if not tables and not self.other_columns:
            return self
        found = {**self.other_columns, **dict.fromkeys(tables, now_s)}
        return replace(self, other_columns={name: at_s for name, at_s in found.items() if now_s - at_s <= CARRIED_S})

    def with_other_rows(self, found: Mapping[str, str], now_s: float) -> StreamAccount:
        """The same, and of these tables a transaction of this GTID has other rows in the replica's log."""
        if not found and not self.other_rows:
            return self
        seen = {table: (self.other_rows.get(table, (gtid,))[0], now_s) for table, gtid in found.items()}
        kept = {**self.other_rows, **seen}
        return replace(self, other_rows={name: one for name, one in kept.items() if now_s - one[1] <= CARRIED_S})

    def without(self, gtids: Collection[str]) -> StreamAccount:
        """The same, and these are settled; with the last of them those that are not listed, too."""
        listed = tuple(one for one in self.unaccounted if one.gtid not in gtids)
        settled = (*self.settled, *(one for one in self.unaccounted if one.gtid in gtids))
        more = self.more if listed else 0
        return replace(self, unaccounted=listed, more=more, settled=settled[-MOST_LISTED:])


@dataclass(frozen=True, slots=True)
class _KeptGroup:
    """A group as it is stored."""

    begins: FilePosition
    position: FilePosition
    seqno: int | None
    server_id: int
    gtid: str
    tables: frozenset[str]
    changes_nothing: bool = False

    @classmethod
    def of_json(cls, begins: str, ends: str, seqno: int | None, server_id: int, gtid: str, *tables: str) -> _KeptGroup:
        return cls(FilePosition.parse(begins), FilePosition.parse(ends), seqno, server_id, gtid, frozenset(tables))


def _group_to_json(group: LoggedGroup) -> list[Any]:
    return [str(group.begins), str(group.position), group.seqno, group.server_id, group.gtid, *sorted(group.tables)]


@dataclass(slots=True)
class _Taken:
    """How far one log was taken: up to `position`; its last seqno, and how many groups without one follow that.

    What changes nothing does not count: neighbours of the writer log a statement of two halves once, when it ends.
    """

    node_id: str
    position: FilePosition
    seqno: int | None = None
    trailing: int = 0

    @classmethod
    def of_json(cls, node_id: str, position: str, seqno: int | None, trailing: int) -> _Taken:
        return cls(node_id, FilePosition.parse(position), seqno, trailing)

    def to_json(self) -> list[Any]:
        return [self.node_id, str(self.position), self.seqno, self.trailing]

    def add(self, group: LoggedGroup) -> None:
        self.position = group.position
        if group.changes_nothing:
            return
        self.trailing = 0 if group.seqno is not None else self.trailing + 1
        self.seqno = self.seqno if group.seqno is None else group.seqno

    def on(self, log: LogRead) -> _Taken | None:
        """The same place in a neighbour's log, where numbers are the same; None where that cannot be told."""
        end = None if self.seqno is None else log.tail.end_of(self.seqno)
        behind = None if end is None else log.tail.since(end)
        if end is None or behind is None:
            return None
        found = _Taken(log.node_id, end, self.seqno)
        unnumbered = takewhile(lambda group: group.seqno is None, behind)
        for group, _ in zip(unnumbered, range(self.trailing), strict=False):
            found.add(group)
        return found


class _Waiting:
    """Groups that one log has shown and the other one not yet, in that log's order; a GTID may stand in it twice."""

    def __init__(self, groups: Iterable[LoggedGroup] = ()) -> None:
        self._groups: dict[str, list[tuple[int, LoggedGroup]]] = {}
        self._count = 0
        for group in groups:
            self.put(group)

    def put(self, group: LoggedGroup) -> None:
        self._count += 1
        self._groups.setdefault(group.gtid, []).append((self._count, group))

    def take(self, gtid: str) -> LoggedGroup | None:
        """The first one of that GTID, which is there no more."""
        found = self._groups.get(gtid)
        if not found:
            return None
        _, group = found.pop(0)
        if not found:
            del self._groups[gtid]
        return group

    def all(self) -> list[LoggedGroup]:
        found = sorted((one for groups in self._groups.values() for one in groups), key=itemgetter(0))
        return [group for _, group in found]

    def up_to(self, position: FilePosition) -> list[LoggedGroup]:
        return [group for group in self.all() if group.position <= position] if self._groups else []


@dataclass(slots=True)
class _Span:
    """One unbroken comparison.

    `due`: groups of the source that the replica's log has not shown yet; `early`: those of the replica that the source
    has not, and `looks` how often they were looked for. Up to `optional_until` the replica may have applied a group
    before the span began; None until the next poll tells. `is_bridge`: the channel was moved to another node of a side,
    whose numbers may differ, so that what was applied meanwhile is compared by order. `in_part`: groups that this poll
    found in both logs, in the replica's without some of their tables, and `pairs` all that it found in both. `alone`:
    the first transaction, by table, of which the replica logged rows of its own where the source logged none at all.
    """

    source: _Taken
    replica: _Taken
    due: _Waiting = field(default_factory=_Waiting)
    early: _Waiting = field(default_factory=_Waiting)
    looks: dict[FilePosition, int] = field(default_factory=dict)
    optional_until: FilePosition | None = None
    is_bridge: bool = False
    in_part: list[tuple[LoggedGroup, LoggedGroup]] = field(default_factory=list)
    pairs: list[tuple[LoggedGroup, LoggedGroup]] = field(default_factory=list)
    alone: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> _Span:
        due, early = (_Waiting(_KeptGroup.of_json(*one) for one in data[name]) for name in ("due", "early"))
        until = FilePosition.parse(data["optional_until"])
        taken = _Taken.of_json(*data["source"]), _Taken.of_json(*data["replica"])
        return cls(*taken, due=due, early=early, optional_until=until)

    def match(self, due: str, early: str) -> bool:
        """Whether groups of these GTIDs waited on both sides, which are one and wait no more."""
        logged = self.early.take(early)
        sent = None if logged is None else self.due.take(due)
        if logged is None or sent is None:
            return False
        self.compare(sent, logged)
        return True

    def compare(self, sent: LoggedGroup, logged: LoggedGroup) -> None:
        """What a filter of tables, or an error that was skipped, leaves out of one transaction, and other columns.

        A statement of its own has no number: an emptied table in memory is logged so, and by a replica with rows.
        """
        if sent.tables - logged.tables:
            self.in_part.append((sent, logged))
        if sent.gtid != logged.gtid:
            return
        if sent.tables & logged.tables:
            self.pairs.append((sent, logged))
        elif not sent.tables and sent.seqno is not None:
            self.alone |= {table: self.alone.get(table, sent.gtid) for table in logged.tables}

    def to_json(self) -> dict[str, Any] | None:
        """None where it is too young, or too much waits, to be worth keeping."""
        due, early = self.due.all(), self.early.all()
        if self.optional_until is None or self.is_bridge or len(due) + len(early) > MOST_WAITING:
            return None
        return {
            "source": self.source.to_json(),
            "replica": self.replica.to_json(),
            "due": [_group_to_json(group) for group in due],
            "early": [_group_to_json(group) for group in early],
            "optional_until": str(self.optional_until),
        }


def resume_places(span: Mapping[str, Any] | None) -> dict[str, FilePosition]:
    """By node id, where its log has to be read on from so that a kept span goes on; none where none is kept."""
    taken = () if span is None else (span["source"], span["replica"])
    return {one[0]: FilePosition.parse(one[1]) for one in taken}


class Accountant:
    """Compares the two logs of one direction, poll by poll.

    A poll is told the end of a log before the place of the channel. So what the channel had passed at the poll before
    is in the replica's log as this poll reads it.
    """

    def __init__(self) -> None:
        self._span: _Span | None = None
        self._passed: tuple[str, str, FilePosition] | None = None
        self._has_stood = False
        self._uncompared: deque[tuple[LoggedGroup, LoggedGroup]] = deque(maxlen=MOST_UNCOMPARED)

    def kept(self) -> dict[str, Any] | None:
        """The span as it is stored; another accountant takes it up from the account."""
        span = None if self._span is None or self._passed is None else self._span.to_json()
        return None if span is None or self._passed is None else {**span, "passed": str(self._passed[2])}

    def _take_up(self, span: Mapping[str, Any]) -> None:
        self._span = _Span.of_json(span)
        self._passed = self._span.source.node_id, self._span.replica.node_id, FilePosition.parse(span["passed"])

    def end(self) -> None:
        """What follows cannot be compared with what was read: the next polls begin a span."""
        self._span = self._passed = None

    def take(
        self,
        account: StreamAccount,
        source: LogRead,
        replica: LogRead,
        passed: FilePosition,
        outside: Collection[int],
        now_s: float,
        *,
        is_filtered: bool = False,
        is_running: bool = True,
    ) -> StreamAccount:
        """The account after one more poll of both nodes, with the channel at `passed` in the source's log.

        `outside`: server_ids that are no part of the stream, in either log. `is_filtered`: the channel has a filter.
        """
        self._has_stood = self._has_stood or not is_running
        if self._span is None and account.span is not None:
            self._take_up(account.span)
        account = replace(account, span=None)
        if passed.base != source.end.base:
            self.end()  # its source's log has another name since
            return _unknown(account, now_s)
        pair = source.node_id, replica.node_id
        before = self._passed[2] if self._passed is not None and self._passed[:2] == pair else None
        before = before if before is not None and before.base == passed.base else None
        self._passed = (*pair, passed)
        account, span = self._moved(account, source, replica, outside, now_s)
        self._span = span
        if span is None:
            self._begin(source, replica, before)
            return _unknown(account, now_s)
        sent = source.tail.since(span.source.position, passed)
        logged = replica.tail.since(span.replica.position)
        if sent is None or logged is None or span.source.position.base != passed.base:
            self._span = None
            account = self._behind(_unknown(account, now_s), span.source, source, now_s)
            return self._behind(account, span.replica, replica, now_s)
        account = account.with_carried({one.server_id for one in sent if not one.changes_nothing} - set(outside), now_s)
        matched = _take(span, sent, logged, outside)
        account = self._with_rows(account, span, source, replica, now_s)
        grown = replace(account, since_s=account.since_s or now_s, groups=account.groups + matched)
        self._has_stood = not is_running
        if before is None:
            return grown
        bridged = _bridge(span, before)
        found = [*_in_part(span, now_s), *_missing(span, before, now_s), *_extra(span, source, passed, now_s)]
        span.optional_until = span.optional_until or passed
        if is_filtered:
            found = [replace(one, fault=Fault.FILTERED) if one.fault is Fault.MISSING else one for one in found]
        return replace(grown, groups=grown.groups + bridged, until_s=now_s, awaited_s=None).with_found(found)

    def _with_rows(
        self, account: StreamAccount, span: _Span, source: LogRead, replica: LogRead, now_s: float
    ) -> StreamAccount:
        """The account with what was compared of the rows of groups that were found in both logs: now, or before."""
        self._uncompared += span.pairs
        account = account.with_other_rows(span.alone, now_s)
        span.pairs, span.alone = [], {}
        sent_rows, logged_rows = source.rows, replica.rows
        if sent_rows is None or logged_rows is None:
            self._uncompared.clear()
            return account
        compared, columns, rows = 0, set[str](), dict[str, str]()
        while self._uncompared:
            sent, logged = self._uncompared[0]
            if sent_rows.awaits(sent.position) or logged_rows.awaits(logged.position):
                break
            self._uncompared.popleft()
            ours, theirs = sent_rows.at(sent.position, sent.gtid), logged_rows.at(logged.position, logged.gtid)
            if ours is not None and theirs is not None:
                found = apart(ours, theirs)
                compared += not found.unknown
                columns |= found.columns
                rows |= {table: rows.get(table, sent.gtid) for table in found.rows}
        account = account.with_other_columns(columns, now_s).with_other_rows(rows, now_s)
        return replace(account, compared=account.compared + compared)

    def _moved(
        self, account: StreamAccount, source: LogRead, replica: LogRead, outside: Collection[int], now_s: float
    ) -> tuple[StreamAccount, _Span | None]:
        """The span in the logs of these nodes: it goes on where its places in them are known.

        All that was due of another source had been passed there: what the replica's log does not have now is missing.
        """
        span = self._span
        if span is None:
            return account, None
        is_other_source = span.source.node_id != source.node_id
        on_source = span.source.on(source) if is_other_source else span.source
        on_replica = span.replica.on(replica) if span.replica.node_id != replica.node_id else span.replica
        if on_source is None or on_replica is None:
            return account, None
        if not is_other_source:
            is_bridge = span.is_bridge or on_replica is not span.replica
            if is_bridge and (span.optional_until is None or span.due.up_to(span.optional_until)):
                return account, None  # what the first replica may have applied before is no part of the order
            return account, replace(span, replica=on_replica, is_bridge=is_bridge)
        logged = replica.tail.since(on_replica.position)
        if span.optional_until is None or logged is None:
            return account, None
        span.replica = on_replica
        matched = _take(span, (), logged, outside)
        found = _in_part(span, now_s)
        found += [] if span.is_bridge else _missing(span, span.source.position, now_s)
        account = replace(account, groups=account.groups + matched).with_found(found)
        if span.due.all():
            return account, None
        return account, replace(span, source=on_source, optional_until=on_source.position, is_bridge=True)

    def _behind(self, account: StreamAccount, taken: _Taken, log: LogRead, now_s: float) -> StreamAccount:
        """The account where a log is not followed from there on.

        As a rule what was not read was passed: the channel ran. One that stood may have been moved behind it, and that
        a file is gone while it is being read is somebody's doing.
        """
        jumped = log.tail.jumped
        if jumped is None or jumped.after < taken.position or not (jumped.is_gone or self._has_stood):
            return account
        return account.with_unread(taken, now_s)

    def _begin(self, source: LogRead, replica: LogRead, before: FilePosition | None) -> None:
        """Once two polls saw the same pair: what the replica logs from here on is behind the first one's place."""
        if before is not None and source.tail.since(before) is not None:
            self._span = _Span(_Taken(source.node_id, before), _Taken(replica.node_id, replica.end))


def _unknown(account: StreamAccount, now_s: float) -> StreamAccount:
    """What was found stays, and the span is to begin anew."""
    return replace(account.void(now_s), groups=0, compared=0)


def _take(span: _Span, sent: Iterable[LoggedGroup], logged: Iterable[LoggedGroup], outside: Collection[int]) -> int:
    """How many groups were found in both logs."""
    matched = 0
    for taken, groups, others, own in (
        (span.source, sent, span.early, span.due),
        (span.replica, logged, span.due, span.early),
    ):
        for group in groups:
            taken.add(group)
            if group.changes_nothing or group.server_id in outside:
                continue
            other = None if span.is_bridge else others.take(group.gtid)
            if other is None:
                own.put(group)
            else:
                matched += 1
                span.compare(*((group, other) if own is span.due else (other, group)))
    return matched


def _bridge(span: _Span, before: FilePosition) -> int:
    """Across a move, what was passed until the poll before is compared by order: nodes of a cluster may number
    differently. How many groups were found in both logs.

    Where the orders differ, those of equal GTID count first: they came by the new pair.
    """
    if not span.is_bridge:
        return 0
    span.is_bridge = False
    passed, applied = span.due.up_to(before), span.early.all()
    pairs = _in_order(passed, applied[: len(passed)])
    if len(pairs) < len(passed):
        same = {group.gtid for group in passed} & {group.gtid for group in applied}
        pairs = [(group, group) for group in passed if group.gtid in same]
        pairs += _in_order(*([group for group in groups if group.gtid not in same] for groups in (passed, applied)))
    pairs += [(group, group) for group in span.due.all()[len(passed) :]]
    return sum(span.match(sent.gtid, logged.gtid) for sent, logged in pairs)


def _in_order(sent: Sequence[LoggedGroup], logged: Sequence[LoggedGroup]) -> list[tuple[LoggedGroup, LoggedGroup]]:
    """Each group of the one with the next of the same server in the other, as far as there is one."""
    rest = iter(sent)
    pairs = []
    for group in logged:
        found = next((one for one in rest if one.server_id == group.server_id), None)
        if found is None:
            break
        pairs.append((found, group))
    return pairs


def _in_part(span: _Span, now_s: float) -> list[Unaccounted]:
    """What this poll found in both logs, but in the replica's without the rows of some tables.

    A server logs a table with its first changed row. A replica that has the rows already logs none of them: so it had
    them before.
    """
    found, span.in_part = span.in_part, []
    pairs = ((sent, tuple(sorted(sent.tables - logged.tables))) for sent, logged in found)
    return [
        replace(_unaccounted(Fault.MISSING, span.source.node_id, sent, now_s), tables=tables) for sent, tables in pairs
    ]


def _missing(span: _Span, before: FilePosition, now_s: float) -> list[Unaccounted]:
    """What the channel had passed at the poll before and the replica's log does not have."""
    if span.optional_until is None:
        return []
    passed = span.due.up_to(before)
    for group in passed:
        span.due.take(group.gtid)
    needed = (group for group in passed if span.optional_until < group.position)
    return [_unaccounted(Fault.MISSING, span.source.node_id, group, now_s) for group in needed]


def _extra(span: _Span, source: LogRead, passed: FilePosition, now_s: float) -> list[Unaccounted]:
    """What the replica's log has and the source's has not, though that was read beyond the channel's place.

    Transactions of several GTID domains are applied out of order: one may be ahead of the channel's place.
    """
    waiting = span.early.all()
    if not waiting or source.end < passed:
        return []
    span.looks = {group.position: span.looks.get(group.position, 0) + 1 for group in waiting}
    late = [group for group in waiting if span.looks[group.position] > LOOKS_BEFORE_EXTRA]
    ahead = {group.gtid for group in (source.tail.since(passed) or ())} if late else set()
    found = [group for group in late if group.gtid not in ahead]
    for group in found:
        span.early.take(group.gtid)
    return [_unaccounted(Fault.EXTRA, span.replica.node_id, group, now_s) for group in found]


def _unaccounted(fault: Fault, node_id: str, group: LoggedGroup, now_s: float) -> Unaccounted:
    begins, ends = str(group.begins), str(group.position)
    return Unaccounted(fault, node_id, group.gtid, group.seqno, group.server_id, begins, ends, now_s)
