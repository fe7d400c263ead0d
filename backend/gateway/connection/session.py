"""One bounded connection to one node. Nothing here waits longer than its limit.

The driver's read timeout is fixed at connect, so the wait for a result's first byte is implemented here:
send, poll the socket for as long as this statement may take, then read.
"""

from __future__ import annotations

import hashlib
import select
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import MySQLdb
from MySQLdb.constants import CLIENT, FIELD_TYPE

from backend.common.outgoing.resolving import AddressError, hosts_to_connect
from backend.core.dialects import sessions_of
from backend.core.ports import NodeError, Row
from backend.core.topology import Reach
from backend.gateway.connection import trips
from backend.gateway.connection.endpoint import (
    CONNECT_S,
    NodeEndpoint,
    TlsMode,
    answers_limit_s,
    connect_limit_s,
)
from backend.gateway.connection.errors import (
    LOST,
    NOT_CONNECTED,
    TIMED_OUT,
    ConnectError,
    LostError,
    NotAllowedError,
    connect_error,
    parts_of,
)
from backend.gateway.connection.session_settings import ER_UNKNOWN_SYSTEM_VARIABLE, session_settings
from backend.gateway.connection.statement_filter import is_reading
from backend.gateway.connection.tls import driver_options, plugin_file

READ_S = 10.0
DISTANCE_POLLS = 10
"""With the last round trip alone, one of 180 ms on a busy machine let a silent node count as up for 5 s, not 2."""
MAX_ROWS = 100_000
"""No statement of Hawser returns more; a server that sends more is not trusted."""
LONG_TEXT_BYTES = 16_384
"""Of a longer text in a page only its beginning and its digest are stored: a log quotes whole statements, of megabytes
each (1,255 events of 250 inserts of 1 MB were 250 MB in one page)."""
_FETCHED = 8
"""Rows read from the connection at once."""

_AS_TUPLES, _BY_NAME = 0, 1  # the driver's codes for the form of a row
CONVERT: dict[int, Any] = {
    FIELD_TYPE.TINY: int,
    FIELD_TYPE.SHORT: int,
    FIELD_TYPE.LONG: int,
    FIELD_TYPE.LONGLONG: int,
    FIELD_TYPE.INT24: int,
}


def decode(value: object) -> object:
    """The text with undecodable bytes visible: binlog rows quote statements of any charset."""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value


def _decoded(rows: Sequence[Mapping[str, object]]) -> list[Row]:
    return [{name: decode(value) for name, value in row.items()} for row in rows]


def shortened(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The text shortened so that equal texts stay equal, and different ones different."""
    for value in row:  # a loop of its own, as a page has thousands of rows of which hardly one is long
        if value.__class__ is bytes and len(value) > LONG_TEXT_BYTES:
            return tuple(_short(one) if one.__class__ is bytes and len(one) > LONG_TEXT_BYTES else one for one in row)
    return row


def _short(text: bytes) -> bytes:
    digest = hashlib.sha256(text).hexdigest()
    return text[:LONG_TEXT_BYTES] + f"... ({len(text)} bytes, SHA-256 {digest})".encode()


class Session:
    """A lazily opened connection; after any loss the next statement opens a new one."""

    def __init__(
        self,
        name: str,
        endpoint: NodeEndpoint,
        *,
        read_only: bool,
        connect_s: float = CONNECT_S,
        read_s: float = READ_S,
        counts_found: bool = False,
        settings: str = "",
        joins: bool = False,
    ) -> None:
        self.name = name
        self.endpoint = endpoint
        self.read_s = read_s
        self._read_only = read_only
        self._settings = settings
        self._client_flag = CLIENT.FOUND_ROWS if counts_found else 0
        self.joins = joins
        self._connect_s = max(connect_s, connect_limit_s(endpoint.round_trip_ms))
        self._round_trips_ms: deque[float] = deque(maxlen=DISTANCE_POLLS)
        self._connection: Any = None
        self._driver_s = 1
        """How long the driver waits for each part of an answer; fixed when it connects."""
        self.left_behind: tuple[int, str] | None = None
        """The connection (the server's number) and statement last abandoned without a result: it may still run."""
        self.first_answer_s = 0.0
        """How long the first of the statements last sent together waited for its answer."""

    @property
    def is_open(self) -> bool:
        """Whether a connection is open, as far as is known."""
        return self._connection is not None

    @property
    def server_version(self) -> str:
        """As the server's greeting has it; empty while no connection is open."""
        return str(self._connection.get_server_info()) if self._connection is not None else ""

    @property
    def connection_id(self) -> int | None:
        """The server's number of this connection, None while there is none."""
        return self._connection.thread_id() if self._connection is not None else None

    def set_distance(self, round_trip_ms: float) -> None:
        """Wait for a poll's answers as long as that distance needs; a new connection, too, and what limits it.

        The shortest of the last round trips counts: a longer one also waited for a processor, here or there.
        """
        self._round_trips_ms.append(round_trip_ms)
        shortest_ms = min(self._round_trips_ms)
        if shortest_ms != self.endpoint.round_trip_ms:
            self.endpoint = replace(self.endpoint, round_trip_ms=shortest_ms)
        self._connect_s = max(CONNECT_S, connect_limit_s(shortest_ms))
        self.read_s = answers_limit_s(shortest_ms)

    def open(self) -> None:
        """Connect and log in where no connection is open, twice if it is cut off; raises ConnectError."""
        if self._connection is not None:
            return
        began = time.monotonic()
        try:
            self._connect()
        except ConnectError as error:
            is_cut_off = error.reach is Reach.HUNG and time.monotonic() - began < self._connect_s / 2
            if not is_cut_off and not self._takes_new_account(error):
                raise
            self._connect()
        try:
            self._prepare()
        except NodeError:
            self.close()  # a session without its settings is none
            raise

    def _takes_new_account(self, error: ConnectError) -> bool:
        """Whether another account was stored since the one that was refused; it is used from now on."""
        renewed = self.endpoint.renewed() if error.reach is Reach.REFUSED else None
        if renewed is not None:
            self.endpoint = renewed
        return renewed is not None

    def _connect(self) -> None:
        """Connect to the first checked address that responds."""
        endpoint = self.endpoint
        is_named = endpoint.tls.mode is TlsMode.VERIFY_IDENTITY
        try:
            hosts = hosts_to_connect(endpoint.host, endpoint.policy, is_proven_by_name=is_named)
        except AddressError as error:
            raise ConnectError(self.name, str(error), Reach.UNKNOWN) from error
        for host in hosts[:-1]:
            try:
                return self._connect_to(host)
            except ConnectError as error:
                if error.code not in NOT_CONNECTED:
                    raise
        return self._connect_to(hosts[-1])

    def _connect_to(self, host: str) -> None:
        endpoint = self.endpoint
        self._driver_s = max(1, round(self.read_s))
        try:
            self._connection = MySQLdb.connect(
                host=host,
                port=endpoint.port,
                user=endpoint.user,
                password=endpoint.password,
                connect_timeout=max(1, round(self._connect_s)),
                read_timeout=self._driver_s,
                write_timeout=self._driver_s,
                charset="utf8mb4",
                use_unicode=False,
                conv=CONVERT,
                autocommit=True,
                local_infile=False,
                client_flag=self._client_flag,
                multi_statements=self.joins,
                read_default_file=str(plugin_file(endpoint.tls)),
                **driver_options(endpoint.tls),
            )
        except MySQLdb.Error as error:
            raise connect_error(self.name, endpoint, host, error) from error
        except OSError as error:
            # Too many open files, for example: of the console's host, and so it tells nothing about the node.
            raise ConnectError(self.name, f"the console cannot connect: {error}", Reach.UNKNOWN) from error

    def _prepare(self) -> None:
        """Set what gives statements the same meaning everywhere, and check the TLS requirement."""
        self._end_sync_wait()
        self.run(session_settings(read_s=self.read_s if self._read_only else None) + self._settings)
        if self.endpoint.tls.mode is TlsMode.DISABLED:
            return
        rows = self.run("SHOW SESSION STATUS LIKE 'Ssl_cipher'")
        if not rows or not rows[0].get("Value"):
            raise ConnectError(self.name, "TLS refused: the connection is not encrypted", Reach.REFUSED)

    def _end_sync_wait(self) -> None:
        """Where the other settings cannot have it: a server of the family may lack the variable."""
        statement = sessions_of(self.server_version).no_sync_wait
        try:
            if statement:
                self.run(statement)
        except LostError:
            raise
        except NodeError as error:
            if error.code != ER_UNKNOWN_SYSTEM_VARIABLE:
                raise

    def run(self, sql: str, *, timeout_s: float | None = None) -> list[Row]:
        """Send one statement and read its rows; raises NodeError, LostError where the outcome is unknown."""
        return _decoded(self._send(sql, timeout_s, _BY_NAME))

    def run_joined(self, statements: Sequence[str], *, timeout_s: float) -> list[list[Row]]:
        """The rows of the leading statements that were answered: all are sent at once and take one round trip.

        What follows one that was refused, or had no result in time, is not answered. Only for a session that joins, and
        texts of Hawser's own. Raises LostError where the connection broke, or the first one had no result in time.
        """
        if not self.joins or not all(map(is_reading, statements)):
            raise NotAllowedError(self.name, "only reading statements are sent together; nothing was sent")
        self.open()
        number, answered = self.connection_id, list[list[Row]]()
        began = time.monotonic()
        try:
            trips.count()
            self._connection.send_query("; ".join(statements).encode())
            self._await_answer(statements[0], began + timeout_s, timeout_s)
            self.first_answer_s = time.monotonic() - began
            self._connection.read_query_result()
            answered.append(_decoded(self._rows(_BY_NAME)))
            while len(answered) < len(statements):
                began = time.monotonic()
                if self._connection.next_result() != 0:
                    break
                answered.append(_decoded(self._rows(_BY_NAME)))
        except MySQLdb.Error as error:
            fault = self._fault(error)
            if isinstance(fault, LostError) and not (fault.timed_out or self._is_waited_out(began)):
                raise fault from error
            if isinstance(fault, LostError):
                self.left_behind = number or 0, statements[len(answered)]
        return answered

    def _is_waited_out(self, began: float) -> bool:
        """Whether the driver has waited for as long as it may since then: it reports that as a lost connection."""
        return time.monotonic() - began > self._driver_s - 0.1

    def run_causal_read(self, *, timeout_s: float | None = None) -> list[Row]:
        """Wait until the node has applied all that its cluster committed, in the way of its family.

        On one connection: after a fault in between it is closed, so that no later statement waits, too.
        """
        self.open()
        rows: list[Row] = []
        try:
            for sql in sessions_of(self._connection.get_server_info()).causal_read:
                rows += self.run(sql, timeout_s=timeout_s)
        except NodeError:
            self.close()
            raise
        return rows

    def change(self, sql: str, *, timeout_s: float | None = None) -> tuple[int, int]:
        """Send one changing statement; the number of rows changed (or found, see the constructor) and of warnings."""
        self.run(sql, timeout_s=timeout_s)
        return int(self._connection.affected_rows()), int(self._connection.warning_count())

    def run_raw(self, sql: str, *, timeout_s: float | None = None) -> list[tuple[Any, ...]]:
        """As `run`, for many rows of which few matter: tuples with texts as bytes, the long ones shortened."""
        return self._send(sql, timeout_s, _AS_TUPLES)

    def _send(self, sql: str, timeout_s: float | None, form: int) -> list[Any]:
        self.open()
        limit = self.read_s if timeout_s is None else timeout_s
        deadline = time.monotonic() + limit
        try:
            trips.count()
            self._connection.send_query(sql.encode())
            self._await_answer(sql, deadline, limit)
            self._connection.read_query_result()
            return self._rows(form)
        except MySQLdb.Error as error:
            raise self._fault(error) from error

    def _await_answer(self, sql: str, deadline: float, limit: float) -> None:
        poller = select.poll()
        poller.register(self._connection.fileno(), select.POLLIN)
        if not poller.poll(max(0.0, deadline - time.monotonic()) * 1000):
            self.left_behind = self._connection.thread_id(), sql
            self.close()
            raise LostError(self.name, f"no response within {limit:g} s", timed_out=True)

    def _rows(self, form: int) -> list[Any]:
        result = self._connection.use_result()
        if result is None:
            return []
        rows: list[Any] = []
        while fetched := result.fetch_row(_FETCHED, form):
            rows += map(shortened, fetched) if form == _AS_TUPLES else fetched
            if len(rows) > MAX_ROWS:
                self.close()
                raise NodeError(self.name, f"the result has more than {MAX_ROWS:,} rows")
        return rows

    def _fault(self, error: MySQLdb.Error) -> NodeError:
        code, text = parts_of(error)
        if code in LOST or code == 0:
            self.close()
            return LostError(self.name, f"connection lost: {text}", code=code, timed_out=code in TIMED_OUT)
        return NodeError(self.name, f"error {code}: {text}", code=code)

    def close(self) -> None:
        """End the connection; a broken one is dropped."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except MySQLdb.Error:
                return
