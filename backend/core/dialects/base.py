"""The interface of a server family: it returns statement text and parses rows; no connection, no clock.

A statement is only built from typed parts: a channel, host, user or file that does not
have the form of one is refused here, so nothing that an operator types can become SQL.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from backend.core.positions import DUMP_OFFSETS, FilePosition, MariadbGtid, MariadbGtidSet
from backend.core.topology import BinlogFacts, ChannelFacts, Direction, LogReader, WsrepFacts

Row = Mapping[str, object]
REPLICATION_SECRET = "{{secret:replication}}"  # noqa: S105
"""Placeholder of the replication password in every text that is shown or stored."""


class DialectError(ValueError):
    """A part that cannot become a statement, or a result that cannot be read; names the part."""


class Thread(StrEnum):
    """The two threads of a channel."""

    IO = "IO_THREAD"
    SQL = "SQL_THREAD"


@dataclass(frozen=True, slots=True)
class PositionPlaceholder:
    """A position that is known only once the channel has stopped; filled in right before sending."""

    direction: Direction

    @property
    def file(self) -> str:
        """Placeholder of the file name."""
        return f"{{{{{self.direction.value}.file}}}}"

    @property
    def offset(self) -> str:
        """Placeholder of the offset."""
        return f"{{{{{self.direction.value}.offset}}}}"


@dataclass(frozen=True, slots=True)
class GtidPlaceholder:
    """A GTID position that is known only once the channel has stopped."""

    direction: Direction

    @property
    def text(self) -> str:
        """Placeholder of the whole position, all domains."""
        return f"{{{{{self.direction.value}.gtid}}}}"


@dataclass(frozen=True, slots=True)
class FromGtidSlavePos:
    """The channel resumes from the server's own gtid_slave_pos, set by a statement of its own."""


@dataclass(frozen=True, slots=True)
class ChannelTls:
    """The TLS settings of a channel; paths are on the replica node's own disk."""

    enabled: bool = False
    ca: str = ""
    ca_path: str = ""
    cert: str = ""
    key: str = ""
    cipher: str = ""
    crl: str = ""
    crl_path: str = ""
    verify_server_cert: bool = False


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """Everything CHANGE MASTER sets besides source and position; times are in seconds.

    `heartbeat_period_s` is text: the server shows and accepts it with three decimals. `further` are the settings that
    one family alone has, under the names in which it shows them.
    """

    connect_retry_s: int
    heartbeat_period_s: str
    delay_s: int
    tls: ChannelTls
    do_domain_ids: tuple[int, ...] = ()
    ignore_domain_ids: tuple[int, ...] = ()
    further: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChangeSource:
    """A channel and the source it is to get; without a position the statement cannot be built."""

    name: str
    host: str
    port: int
    user: str
    position: FilePosition | PositionPlaceholder | FromGtidSlavePos
    ignore_server_ids: tuple[int, ...]
    settings: ChannelSettings
    password: str = REPLICATION_SECRET


def fill_position(statement: str, mark: PositionPlaceholder, position: FilePosition) -> str:
    """Put a position into a statement built with `mark`; DialectError where the mark is absent."""
    if mark.file not in statement or mark.offset not in statement:
        raise DialectError(f"the statement has no placeholder for a {mark.direction.value} position")
    if position.offset >= DUMP_OFFSETS:
        raise DialectError(f"a replica can ask only for offsets below 4 GiB, and the position is {position}")
    filled = statement.replace(mark.file, position.file)
    return filled.replace(mark.offset, str(position.offset))


def fill_gtid(statement: str, mark: GtidPlaceholder, position: MariadbGtidSet) -> str:
    """Put a GTID position into a statement built with `mark`; as it is where the position was known."""
    return statement.replace(mark.text, str(position))


Series = tuple[int, int]
"""A release series: (11, 8)."""


@dataclass(frozen=True, slots=True)
class EventForms:
    """What a family's logs call their events, and how a group of them begins and ends.

    `added_text` is what the server itself appends to a statement. `is_begin_told_by_gtid`: the GTID event says whether
    a transaction or one statement follows. `is_xid_of_cluster`: the Xid is Galera's number, not the server's own.
    `payload`: the event that holds a whole transaction compressed. `half`: the GTID event of a statement logged in two
    halves says of one that it changes nothing by itself; the other half stands for the whole statement.
    `keeps_server_id`: each node of a cluster logs a transaction under the server_id of its writer, as was measured.
    `are_rows_alike`: the bytes of a transaction's rows are the same in every log that has it, as was measured.
    """

    control: frozenset[str]
    inner: frozenset[str]
    gtid_events: frozenset[str]
    ends: frozenset[str]
    gtid: re.Pattern[str]
    begin: re.Pattern[str]
    added_text: re.Pattern[str] | None
    is_begin_told_by_gtid: bool
    is_xid_of_cluster: bool
    payload: str = ""
    half: re.Pattern[str] | None = None
    keeps_server_id: bool = False
    are_rows_alike: bool = False


@dataclass(frozen=True, slots=True)
class SessionForms:
    """How a session is limited to reading for a time, and what a client says that asks for a binary log.

    `read_only` has the time as {seconds} or {milliseconds}. `sends_annotations`: the dump has a flag for the texts of
    row statements. `causal_read`: what waits until a node has applied all that its cluster committed, on one session.
    `no_sync_wait`: sent before anything else where a server of the family may lack the variable, and then refuses it.
    """

    read_only: str
    dump_settings: str
    sends_annotations: bool
    causal_read: tuple[str, ...]
    no_sync_wait: str = ""


class Dialect(Protocol):
    """One server family and era."""

    @property
    def flavor(self) -> str: ...

    @property
    def events(self) -> EventForms: ...

    @property
    def carried(self) -> frozenset[str]: ...

    # reading
    def status_query(self) -> str: ...
    def clock_query(self) -> str: ...
    def counter_query(self) -> str: ...
    def log_readers_query(self) -> str | None: ...
    def channels_query(self) -> str: ...
    def channel_settings_query(self) -> str | None: ...
    def global_filters_query(self) -> str | None: ...
    def binlog_end_query(self) -> str: ...
    def binlog_files_query(self) -> str: ...
    def binlog_events_query(self, file: str, start: int | None = None, *, limit: int, skip: int = 0) -> str: ...
    def relay_events_query(
        self, name: str, file: str | None = None, start: int | None = None, *, limit: int, skip: int = 0
    ) -> str: ...

    # parsing
    def parse_pairs(self, rows: Sequence[Row]) -> dict[str, str]: ...
    def parse_variables(self, rows: Sequence[Row]) -> dict[str, str]: ...
    def parse_global_filters(self, rows: Sequence[Row]) -> dict[str, str]: ...
    def parse_clock(self, rows: Sequence[Row]) -> float: ...
    def parse_channels(self, rows: Sequence[Row], settings: Sequence[Row] = ()) -> tuple[ChannelFacts, ...]: ...
    def parse_wsrep(self, status: Mapping[str, str]) -> WsrepFacts | None: ...
    def parse_status_among_variables(self, status: Mapping[str, str]) -> dict[str, str]: ...
    def parse_log_readers(self, rows: Sequence[Row]) -> tuple[LogReader, ...] | None: ...
    def parse_binlog(self, end: Sequence[Row], files: Sequence[Row] | None) -> BinlogFacts | None: ...
    def parse_skip_counter(self, channels: Sequence[Row]) -> dict[str, str]: ...
    def parse_log_filters(self, end: Sequence[Row]) -> dict[str, str]: ...
    def settings_of(self, channel: ChannelFacts) -> ChannelSettings: ...
    def is_expected_note(self, warning: str) -> bool: ...

    # changing
    def stop_slave(self, name: str, thread: Thread | None = None) -> str: ...
    def start_slave(self, name: str, thread: Thread | None = None) -> str: ...
    def reset_slave_all(self, name: str) -> str: ...
    def change_source(self, change: ChangeSource) -> str: ...
    def gtid_at_query(self, position: FilePosition) -> str: ...
    def gtid_slave_pos_query(self) -> str: ...
    def gtid_wait_query(self, gtid: MariadbGtid, limit_s: float) -> str: ...
    def gtid_sets_query(self) -> str: ...
    def set_gtid_position(self, position: MariadbGtidSet | GtidPlaceholder, *, is_strict: bool) -> str: ...
    def set_global(self, variable: str, value: str) -> str: ...

    @property
    def semi_sync_privilege(self) -> str: ...
