"""What every family reports in the same form: its status, its clock, the files of its log, and Galera's own state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from backend.core.dialects.base import Row
from backend.core.dialects.rows import integer_in, names_of, number_of, text_in
from backend.core.server_settings import applying
from backend.core.server_settings.binary_log import FILTERS as LOG_FILTERS
from backend.core.topology import BinlogFacts, LogReader, WriteSetCounters, WsrepFacts

NO_SYNC_WAIT = "wsrep_sync_wait=0"
"""Of every session of the console. Where a server's global value is another one each SHOW waits until the node has
applied all that its cluster committed: behind an ALTER or a read lock a healthy node would not answer."""
CAUSAL_READ = "SET STATEMENT wsrep_sync_wait=1 FOR SELECT 1"
"""Asks a reader to wait until its node has applied all that its cluster committed; MySQL has another form for it."""
STATUS = (
    "Uptime",
    "wsrep_cluster_status",
    "wsrep_local_state",
    "wsrep_local_state_comment",
    "wsrep_ready",
    "wsrep_connected",
    "wsrep_cluster_size",
    "wsrep_cluster_state_uuid",
    "wsrep_local_state_uuid",
    "wsrep_last_committed",
    "wsrep_cluster_conf_id",
    "wsrep_local_recv_queue",
    "wsrep_flow_control_paused_ns",
    "wsrep_desync_count",
    "wsrep_incoming_addresses",
    "wsrep_local_index",
    "wsrep_replicated",
    "wsrep_replicated_bytes",
    "wsrep_received",
    "wsrep_received_bytes",
    "wsrep_local_cached_downto",
    "wsrep_local_cert_failures",
)
STATUS_AMONG_VARIABLES = {
    "rpl_semi_sync_master_clients": "rpl_semi_sync_master_clients",
    "rpl_semi_sync_master_status": "rpl_semi_sync_master_status",
    "rpl_semi_sync_master_wait_sessions": "rpl_semi_sync_master_wait_sessions",
    "rpl_semi_sync_slave_status": "rpl_semi_sync_slave_status",
    "rpl_semi_sync_source_clients": "rpl_semi_sync_master_clients",
    "rpl_semi_sync_source_status": "rpl_semi_sync_master_status",
    "rpl_semi_sync_source_wait_sessions": "rpl_semi_sync_master_wait_sessions",
    "rpl_semi_sync_replica_status": "rpl_semi_sync_slave_status",
    "wsrep_provider_version": "wsrep_provider_version",
}
"""Status that is shown among the variables: in the names of each family, by the name under which the checks know it."""
SERVER_ITSELF = "system user"
"""The account of a server's own threads; a node of Galera always has one that applies."""
STEADY_S = 90
"""Younger sessions are not shown: that of a channel that was moved away ends within two heartbeats of 30 s."""
LOG_READERS = (
    "SELECT ID AS id, USER AS user, HOST AS host FROM information_schema.PROCESSLIST "
    f"WHERE COMMAND LIKE 'Binlog Dump%' AND TIME >= {STEADY_S} "
    "AND USER <> LEFT(USER(), CHAR_LENGTH(USER()) - CHAR_LENGTH(SUBSTRING_INDEX(USER(), '@', -1)) - 1) "
    "UNION ALL SELECT MIN(ID), USER, '' FROM information_schema.PROCESSLIST "
    f"WHERE USER = '{SERVER_ITSELF}' GROUP BY USER"
)
_COLUMNS = {"binlog_do_db": "Binlog_Do_DB", "binlog_ignore_db": "Binlog_Ignore_DB"}
_NO_INDEX = 2**32
_NO_SEQNO = 2**63
PROVIDER_OPTIONS = (
    "repl.commit_order",
    "gcache.size",
    "gcache.freeze_purge_at_seqno",
    "gmcast.segment",
    "evs.user_send_window",
    "pc.weight",
)
"""Of the provider's options, which are one long text, those that are stored."""
FILTERS = tuple(row.name for row in applying.FILTERS)
"""Replication filters, by the names of MariaDB's variables."""


@lru_cache(maxsize=4096)
def _provider_options(text: str) -> tuple[tuple[str, str], ...]:
    """The stored ones; the text of a node is long, and the same in each poll."""
    pairs = (part.partition("=") for part in text.split(";"))
    found = {name.strip(): value.strip() for name, _, value in pairs}
    return tuple((name, found[name]) for name in PROVIDER_OPTIONS if name in found)


class GaleraFacts:
    """Queries that are alike in every family, and their results."""

    def status_query(self) -> str:
        """Galera's status, the uptime, what waits for an acknowledgement, and the provider's release."""
        return f"SHOW GLOBAL STATUS WHERE Variable_name IN ({names_of((*STATUS, *STATUS_AMONG_VARIABLES))})"

    def clock_query(self) -> str:
        """The server's clock in Unix time: independent of any time zone setting."""
        return "SELECT @@timestamp AS now_s"

    def counter_query(self) -> str:
        """The cluster's own transaction counter as this node knows it."""
        return "SHOW GLOBAL STATUS LIKE 'wsrep_last_committed'"

    def parse_pairs(self, rows: Sequence[Row]) -> dict[str, str]:
        """`Variable_name` to `Value`, names in lower case."""
        return {text_in(row, "Variable_name").lower(): text_in(row, "Value") for row in rows}

    def parse_provider_options(self, text: str) -> dict[str, str]:
        """The stored ones of `wsrep_provider_options`, as the provider writes their values: `64M` is 64 MiB."""
        return dict(_provider_options(text))

    def parse_clock(self, rows: Sequence[Row]) -> float:
        """Unix time in seconds."""
        return float(text_in(rows[0], "now_s"))

    def parse_status_among_variables(self, status: Mapping[str, str]) -> dict[str, str]:
        """That of semi-synchronous replication and the provider's release, under the names that the checks know."""
        return {known: status[name] for name, known in STATUS_AMONG_VARIABLES.items() if name in status}

    def parse_wsrep(self, status: Mapping[str, str]) -> WsrepFacts | None:
        """Galera's status; None where the server runs without Galera or reports no state."""
        if "wsrep_cluster_status" not in status or "wsrep_local_state" not in status:
            return None
        return WsrepFacts(
            cluster_status=status["wsrep_cluster_status"],
            state=status.get("wsrep_local_state_comment", ""),
            local_state=number_of(status, "wsrep_local_state"),
            ready=status.get("wsrep_ready") == "ON",
            connected=status.get("wsrep_connected") == "ON",
            cluster_size=number_of(status, "wsrep_cluster_size"),
            state_uuid=status.get("wsrep_cluster_state_uuid", ""),
            local_state_uuid=status.get("wsrep_local_state_uuid", ""),
            last_committed=number_of(status, "wsrep_last_committed"),
            conf_id=number_of(status, "wsrep_cluster_conf_id"),
            recv_queue=int(status.get("wsrep_local_recv_queue", 0)),
            flow_control_paused_ns=int(status.get("wsrep_flow_control_paused_ns", 0)),
            desync_count=int(status.get("wsrep_desync_count", 0)),
            incoming_addresses=_members(status.get("wsrep_incoming_addresses", "")),
            local_index=_index(status.get("wsrep_local_index", "")),
            write_sets=_write_sets(status),
            cached_downto=_cached_downto(status.get("wsrep_local_cached_downto", "")),
            cert_failures=_count(status.get("wsrep_local_cert_failures", "")),
        )

    def log_readers_query(self) -> str | None:
        """The sessions that have read the log for a while, and one of the server's own, which others may not see.

        An account without PROCESS is shown its own sessions alone, and no error. A reader that went away stays until
        the server has sent it two heartbeats.
        """
        return LOG_READERS

    def parse_log_readers(self, rows: Sequence[Row]) -> tuple[LogReader, ...] | None:
        """Each by the order of its connection; None where the account may not see them."""
        found = [row for row in rows if text_in(row, "id")]
        if all(text_in(row, "user") != SERVER_ITSELF for row in found):
            return None
        readers = (row for row in found if text_in(row, "user") != SERVER_ITSELF)
        known = (LogReader(integer_in(r, "id"), text_in(r, "user"), _host(text_in(r, "host"))) for r in readers)
        return tuple(sorted(known, key=lambda reader: reader.id))

    def binlog_files_query(self) -> str:
        """The retained files."""
        return "SHOW BINARY LOGS"

    def parse_binlog(self, end: Sequence[Row], files: Sequence[Row] | None) -> BinlogFacts | None:
        """The binlog's end and retained files; None where the server writes no binlog."""
        if not end:
            return None
        retained_files = tuple((text_in(row, "Log_name"), integer_in(row, "File_size")) for row in files or ())
        return BinlogFacts(text_in(end[0], "File"), integer_in(end[0], "Position"), retained_files)

    def parse_log_filters(self, end: Sequence[Row]) -> dict[str, str]:
        """The filters of the binary log under the names that variables have since 11.4; a server without log has none.

        Each is a list of schemas, separated by commas.
        """
        return {row.name: text_in(end[0], _COLUMNS[row.name]) if end else "" for row in LOG_FILTERS}

    def parse_skip_counter(self, channels: Sequence[Row]) -> dict[str, str]:
        """What a channel will leave out, as its variable: that one tells only of the connection without a name."""
        counters = [text_in(row, "Skip_Counter") for row in channels if "Skip_Counter" in row]
        return next(({"sql_slave_skip_counter": count} for count in counters if count != "0"), {})


def _members(text: str) -> tuple[str, ...]:
    """One entry a member, in their order: an arbitrator's is empty."""
    return tuple(part.strip() for part in text.split(",")) if text else ()


def _host(text: str) -> str:
    """Of `host:port`; an IPv6 address has more colons."""
    host, _, port = text.rpartition(":")
    return host if host and port.isdigit() else text


def _count(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def _index(text: str) -> int | None:
    """The place among the members; 2^64-1 is "none", before the node joined."""
    return int(text) if text.isdigit() and int(text) < _NO_INDEX else None


def _write_sets(status: Mapping[str, str]) -> WriteSetCounters | None:
    """The counters; None where the provider does not report each of them."""
    names = ("wsrep_replicated", "wsrep_replicated_bytes", "wsrep_received", "wsrep_received_bytes")
    texts = [status.get(name, "") for name in names]
    return WriteSetCounters(*map(int, texts)) if all(text.isdigit() for text in texts) else None


def _cached_downto(text: str) -> int | None:
    """The oldest seqno of the gcache; 0 and 2^64-1 are "none", before anything is cached."""
    return int(text) if text.isdigit() and 0 < int(text) < _NO_SEQNO else None
