"""What servers answer, in a form in which the model's and the real ones' can be compared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from backend.core.binlog.groups import Group
from backend.core.dialects.base import ChangeSource, ChannelSettings, ChannelTls, FromGtidSlavePos
from backend.core.dialects.mariadb.statements import change_master
from backend.core.positions import FilePosition, MariadbGtid, MariadbGtidSet
from backend.core.topology import ChannelFacts, NodeFacts

NODES = ("a1", "a2", "a3", "b1")
_TAG = re.compile(r"\bt(\d+)\b")
_WHILE_CONNECTING = (2003, 2013)
_SHOWN = ("read_only", "wsrep_on", "wsrep_reject_queries")


@dataclass(frozen=True, slots=True)
class Written:
    """A group of the trace in one log: its number, who wrote it, its kind, and whether it has a Xid."""

    number: int
    origin: str
    kind: str
    has_xid: bool


@dataclass(frozen=True, slots=True)
class Channel:
    """What one channel says of itself; a place is the last group of the trace before it in its source's log.

    While it connects, its error comes and goes from try to try, and stays as it just was where it is stopped.
    """

    source: str
    io: str
    sql: str
    io_errno: int
    sql_errno: int
    using_gtid: str
    ignored: tuple[str, ...]
    read: int | None
    executed: int | None
    is_drained: bool
    is_lag_known: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """What a poll of one node learns: empty but for `reach` where it did not answer."""

    reach: str
    galera: tuple[object, ...] = ()
    settings: Mapping[str, str | None] = field(default_factory=dict)
    log: tuple[Written, ...] = ()
    files: int = 0
    logged: frozenset[int] = frozenset()
    applied: frozenset[int] = frozenset()
    channels: tuple[Channel, ...] = ()


State = Mapping[str, Seen]
"""Every node of the trace."""


@dataclass(frozen=True, slots=True)
class StatementResult:
    """A statement's answer: its error number (0: none) and the numbers of its notes."""

    errno: int = 0
    notes: frozenset[int] = frozenset()

    def then(self, second: StatementResult) -> StatementResult:
        """The answer of two statements of one move, the first of which went through."""
        return StatementResult(second.errno, self.notes | second.notes)


@dataclass(frozen=True, slots=True)
class Reading:
    """One node now: its facts, its log since `begin`, its gtid_binlog_pos (`logged`) and gtid_slave_pos (`applied`)."""

    facts: NodeFacts
    begin: FilePosition
    groups: tuple[Group, ...] = ()
    logged: MariadbGtidSet = field(default_factory=MariadbGtidSet)
    applied: MariadbGtidSet = field(default_factory=MariadbGtidSet)


class Describer:
    """Tells readings in words that model and servers share: nodes by name, places and GTIDs by the trace's groups."""

    def __init__(self, server_ids: Mapping[str, int], hosts: Mapping[str, str]) -> None:
        shared = {number for number in server_ids.values() if list(server_ids.values()).count(number) > 1}
        self._origins = {number: name[0] if number in shared else name for name, number in server_ids.items()}
        self._hosts = hosts
        self._numbers: dict[str, dict[MariadbGtid, int]] = {name: {} for name in NODES}

    def state(self, readings: Mapping[str, Reading]) -> State:
        """All nodes."""
        for name, reading in readings.items():
            self._numbers[name] |= {g.gtid: n for g in reading.groups if g.gtid and (n := _number(g)) is not None}
        return {name: self._seen(name, readings) for name in NODES}

    def _seen(self, name: str, readings: Mapping[str, Reading]) -> Seen:
        reading = readings[name]
        facts = reading.facts
        if not facts.is_up:
            return Seen(facts.reach.value)
        files = facts.binlog.files if facts.binlog else ()
        return Seen(
            facts.reach.value,
            _galera(name, readings),
            {variable: facts.variable(variable) for variable in _SHOWN},
            tuple(self._written(group, number) for group, number in _numbered(reading)),
            sum(file >= reading.begin.file for file, _ in files),
            self._known(name, reading.logged),
            self._known(name, reading.applied),
            tuple(self._channel(channel, readings) for channel in facts.channels or ()),
        )

    def _written(self, group: Group, number: int) -> Written:
        return Written(number, self._origins[group.server_id], group.kind, group.xid is not None)

    def _known(self, name: str, position: MariadbGtidSet) -> frozenset[int]:
        """The trace's groups that a GTID position names; what it names of before is left out."""
        return frozenset(self._numbers[name][gtid] for gtid in position if gtid in self._numbers[name])

    def _channel(self, channel: ChannelFacts, readings: Mapping[str, Reading]) -> Channel:
        source = self._hosts[channel.source_host]
        return Channel(
            source,
            channel.io_running,
            channel.sql_running,
            0 if channel.io_errno in _WHILE_CONNECTING else channel.io_errno,
            channel.sql_errno,
            channel.using_gtid,
            tuple(sorted(self._origins[n] for n in channel.ignore_server_ids if n in self._origins)),
            _last_before(readings[source], channel.read_position),
            _last_before(readings[source], channel.exec_position),
            channel.is_relay_drained,
            channel.lag_s is not None,
        )


def _number(group: Group) -> int | None:
    tag = _TAG.search(group.statement or "")
    return int(tag[1]) if tag else None


def _numbered(reading: Reading) -> list[tuple[Group, int]]:
    return [(group, number) for group in reading.groups if (number := _number(group)) is not None]


def _last_before(source: Reading, position: FilePosition | None) -> int | None:
    """None where the source does not answer or the place is none of its log's."""
    if position is None or not source.facts.is_up:
        return None
    return next((n for group, n in reversed(_numbered(source)) if group.end_position <= position), 0)


def _galera(name: str, readings: Mapping[str, Reading]) -> tuple[object, ...]:
    """Its own status, and which nodes of its site it agrees with about the view they are in."""
    mine = readings[name].facts.wsrep
    if mine is None:
        return ()
    mates = ((n, r.facts.wsrep) for n, r in sorted(readings.items()) if n[0] == name[0])
    views = [(n, (mate.conf_id, mate.state_uuid)) for n, mate in mates if mate is not None]
    agreeing = tuple(n for n, view in views if view == (mine.conf_id, mine.state_uuid))
    return (mine.cluster_status, mine.state, mine.local_state, mine.ready, mine.connected, mine.cluster_size, agreeing)


def statement_of(what: str, number: int) -> str:
    """The text of a write; its number is how both sides' logs are compared."""
    if what == "ddl":
        return f"CREATE TABLE bank.t{number} (id INT PRIMARY KEY)"
    return f"INSERT INTO bank.markers VALUES (MD5('t{number}'), 'h')"


def point(host: str, port: int, user: str, at: FilePosition | FromGtidSlavePos, ignored: tuple[int, ...]) -> str:
    """CHANGE MASTER as Hawser writes it; the password is a mark."""
    settings = ChannelSettings(2, "2.000", 0, ChannelTls())
    change = ChangeSource("", host, port, user, at, ignored, settings)
    return change_master(change)
