"""One poll of one node: everything it reports about itself, within its own time budget.

A node that cannot be queried is a fact (`reach`), never an exception. Where one query gets no
result (a status query blocked by STOP SLAVE), only its facts are unknown.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from backend.core.dialects import VARIABLES_QUERY, Dialect, DialectError, detect_flavor, dialect_to_watch
from backend.core.dialects.known_defects import may_end_when_read
from backend.core.ports import NodeError, Row
from backend.core.topology import BinlogFacts, ChannelFacts, LogReader, NodeFacts, NodeRef, Reach
from backend.gateway.connection.endpoint import answers_limit_s
from backend.gateway.connection.errors import ConnectError, LostError
from backend.gateway.connection.session import Session
from backend.gateway.polling.readings import Readings

UNDER_WAY = (
    "SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = {} AND ID <> CONNECTION_ID() "
    "AND USER = (SELECT USER FROM information_schema.PROCESSLIST WHERE ID = CONNECTION_ID())"
)
"""Connection ids start again with the server: an id of another account is not the session that was abandoned."""


CHANGING = "a run changes the channels now"


@dataclass(slots=True)
class Asked:
    """A session with its remaining time, and what was answered in advance.

    `clock_at`: seconds before the clock's query was sent (Unix time), and until its answer came. `readings`: what was
    read from the answers before, over a connection that is kept.
    """

    session: Session
    deadline: float
    answers: dict[str, Sequence[Row]] = field(default_factory=dict)
    clock_at: tuple[float, float] | None = None
    readings: Readings = field(default_factory=Readings)

    def ask_ahead(self, *, files: bool, channels: bool = True) -> None:
        """Send all queries of a poll together: one round trip instead of six. `query` repeats what is not answered.

        The family is that of the greeting, so that a first poll knows it. Not where a query of an earlier poll may
        still run.
        """
        dialect = _greeted_by(self.session)
        if dialect is None or not self.session.joins or self.session.left_behind is not None:
            return
        queries = all_queries(dialect, files=files, channels=channels)
        before, started = time.time(), time.monotonic()
        answered = self.session.run_joined(queries, timeout_s=self.deadline - started)
        self.answers = dict(zip(queries, answered, strict=False))
        took = self.session.first_answer_s
        self.clock_at = (before, took) if answered else None

    def query(self, sql: str) -> Sequence[Row]:
        if sql in self.answers:
            return self.answers.pop(sql)
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise LostError(self.session.name, "the poll's time limit was reached", timed_out=True)
        if self._waits_still(sql):
            raise LostError(self.session.name, "the same query of an earlier poll has no result yet", timed_out=True)
        return self.session.run(sql, timeout_s=self.deadline - time.monotonic())

    def _waits_still(self, sql: str) -> bool:
        """Whether this query, abandoned before, is still running there.

        The server does not notice that its client disconnected. Repeated at every poll, a query blocked by a full disk
        or a STOP SLAVE would use one more connection each time, until none is left.
        """
        connection, question = self.session.left_behind or (0, "")
        if question != sql:
            return False
        if self.session.run(UNDER_WAY.format(connection), timeout_s=self.deadline - time.monotonic()):
            return True
        self.session.left_behind = None
        return False


def poll_node(session: Session, node: NodeRef, *, files: bool = True, changes: bool = False) -> NodeFacts:
    """Query a node for its facts; `files` False omits the list of retained binlogs.

    `changes`: a statement changes its channels now, which are not read where that may end the server.
    """
    try:
        return _ask_again(session, node, files=files, changes=changes)
    except ConnectError as error:
        return NodeFacts(node, time.time(), error.reach, error=error.message)
    except LostError as error:
        reach = Reach.HUNG if error.timed_out else Reach.UNKNOWN
        return NodeFacts(node, time.time(), reach, error=error.message)
    except (NodeError, DialectError, KeyError, IndexError, ValueError) as error:
        session.close()
        return NodeFacts(node, time.time(), Reach.REFUSED, error=_text(error))


def _ask_again(session: Session, node: NodeRef, *, files: bool, changes: bool) -> NodeFacts:
    """Poll, and again over a new connection where a reused one broke, which tells nothing about the node."""
    try:
        return _ask(session, node, files=files, changes=changes)
    except LostError as error:
        if error.timed_out:
            raise
    return _ask(session, node, files=files, changes=changes)


def _ask(session: Session, node: NodeRef, *, files: bool, changes: bool) -> NodeFacts:
    session.open()
    channels = not (changes and may_end_when_read(session.server_version))
    started = time.monotonic()
    asked = Asked(session, started + answers_limit_s(session.endpoint.round_trip_ms))
    asked.ask_ahead(files=files, channels=channels)
    return read_facts(asked, node, files=files, channels=channels)


def read_facts(asked: Asked, node: NodeRef, *, files: bool = True, channels: bool = True) -> NodeFacts:
    """The facts from what is answered; raises NodeError, DialectError or what malformed rows raise.

    Without `channels` these are unknown, and not asked for.
    """
    readings = asked.readings
    settings = readings.settings(asked.query(VARIABLES_QUERY))
    dialect, filters = settings.dialect, _global_filters(asked, settings.dialect)
    status = readings.pairs("status", asked.query(dialect.status_query()), dialect.parse_pairs)
    offset, probe_ms = _clock(asked, dialect)
    observed_at_s = time.time()
    logs = _logs(asked, dialect, files=files, channels=channels)
    variables = {**settings.variables, **filters, **logs.variables}
    return NodeFacts(
        node,
        observed_at_s,
        Reach.UP,
        error=logs.error,
        flavor=settings.flavor,
        version=settings.version,
        server_id=int(variables["server_id"]),
        hostname=variables.get("hostname"),
        variables={**variables, **readings.of("shown", status, dialect.parse_status_among_variables)},
        wsrep=readings.of("wsrep", status, dialect.parse_wsrep),
        channels=logs.channels,
        binlog=logs.binlog,
        clock_offset_s=offset,
        uptime_s=int(status["uptime"]),
        probe_ms=probe_ms,
        log_readers=logs.readers,
    )


def _greeted_by(session: Session) -> Dialect | None:
    """The dialect by the version in the server's greeting; None where that tells none."""
    version = session.server_version
    try:
        return dialect_to_watch(detect_flavor(version), version)
    except DialectError:
        return None


def all_queries(dialect: Dialect, *, files: bool, channels: bool = True) -> list[str]:
    """What a poll asks: the clock first, whose answer is timed, and the channels last, which a STOP SLAVE blocks."""
    queries = [dialect.clock_query(), VARIABLES_QUERY, dialect.status_query(), dialect.binlog_end_query()]
    queries += [dialect.binlog_files_query()] if files else []
    readers = dialect.log_readers_query()
    queries += [readers] if readers is not None else []
    return [*queries, dialect.channels_query()] if channels else queries


def _global_filters(asked: Asked, dialect: Dialect) -> dict[str, str]:
    """Replication filters where no variable has them; unknown where the account may not read them."""
    query = dialect.global_filters_query()
    if query is None:
        return {}
    try:
        return dialect.parse_global_filters(asked.query(query))
    except LostError:
        raise
    except NodeError:
        return {}


def _clock(asked: Asked, dialect: Dialect) -> tuple[float, float]:
    """Server clock minus console clock at the middle of the round trip, and the round trip in ms."""
    before, started = time.time(), time.monotonic()
    server_time = dialect.parse_clock(asked.query(dialect.clock_query()))
    before, took = asked.clock_at or (before, time.monotonic() - started)
    return round(server_time - (before + took / 2), 3), round(took * 1000, 2)


@dataclass(slots=True)
class _Logs:
    """Channels, binlog and its readers, each None where only its query gets no result; `error` says why.

    `variables`: settings that their columns tell.
    """

    binlog: BinlogFacts | None = None
    readers: tuple[LogReader, ...] | None = None
    channels: tuple[ChannelFacts, ...] | None = None
    variables: dict[str, str] = field(default_factory=dict)
    error: str = ""


def _logs(asked: Asked, dialect: Dialect, *, files: bool, channels: bool = True) -> _Logs:
    """A query that is refused lacks its own privilege and leaves the other one; one without a result leaves no time."""
    logs = _Logs()
    try:
        try:
            logs.binlog, logs.variables = _binlog(asked, dialect, files=files)
        except LostError:
            raise
        except NodeError as error:
            logs.error = error.message
        logs.readers = _log_readers(asked, dialect)
        if channels:
            logs.channels, skipped = _channels(asked, dialect)
            logs.variables |= skipped
        else:
            logs.error = "; ".join(filter(None, (logs.error, CHANGING)))
    except LostError as error:
        if not error.timed_out:
            raise
        logs.error = f"some facts could not be read: {error.message}"
    except NodeError as error:
        logs.error = "; ".join(filter(None, (logs.error, error.message)))
    return logs


def _channels(asked: Asked, dialect: Dialect) -> tuple[tuple[ChannelFacts, ...], dict[str, str]]:
    """Every channel; the settings that its status does not show are asked for only where there is one."""
    rows, settings = asked.query(dialect.channels_query()), dialect.channel_settings_query()
    skipped = dialect.parse_skip_counter(rows)
    if rows and settings:
        return dialect.parse_channels(rows, asked.query(settings)), skipped
    return asked.readings.of("channels", rows, dialect.parse_channels), skipped


def _binlog(asked: Asked, dialect: Dialect, *, files: bool) -> tuple[BinlogFacts | None, dict[str, str]]:
    end = asked.query(dialect.binlog_end_query())
    seen = dialect.parse_binlog(end, asked.query(dialect.binlog_files_query()) if files else None)
    return seen, dialect.parse_log_filters(end)


def _log_readers(asked: Asked, dialect: Dialect) -> tuple[LogReader, ...] | None:
    """Who reads the log; None where the account may not see the sessions of others, or the family was not measured."""
    query = dialect.log_readers_query()
    if query is None:
        return None
    try:
        rows = asked.query(query)
    except LostError:
        raise
    except NodeError:
        return None
    found: tuple[LogReader, ...] | None = asked.readings.of("log readers", rows, dialect.parse_log_readers)
    return found


def _text(error: Exception) -> str:
    return error.message if isinstance(error, NodeError) else f"a result of the server cannot be read: {error}"
