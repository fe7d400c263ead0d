"""What every family reports in the same form: its status, its clock, the files of its log, and Galera's own state."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from backend.core.dialects.base import Row
from backend.core.dialects.rows import integer_in, names_of, number_of, text_in
from backend.core.topology import BinlogFacts, WsrepFacts

CAUSAL_READ = "SET STATEMENT wsrep_sync_wait=1 FOR SELECT 1"
"""Asks a reader to wait until its node has applied all that its cluster committed; MySQL has another form for it."""
COMMIT_ORDER = re.compile(r"\brepl\.commit_order\s*=\s*(\d+)")
"""Within `wsrep_provider_options`, which are one long text."""
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
)
_NO_INDEX = 2**32


class GaleraFacts:
    """Queries that are alike in every family, and their results."""

    def status_query(self) -> str:
        """Galera's status and the uptime."""
        return f"SHOW GLOBAL STATUS WHERE Variable_name IN ({names_of(STATUS)})"

    def clock_query(self) -> str:
        """The server's clock in Unix time: independent of any time zone setting."""
        return "SELECT @@timestamp AS now_s"

    def counter_query(self) -> str:
        """The cluster's own transaction counter as this node knows it."""
        return "SHOW GLOBAL STATUS LIKE 'wsrep_last_committed'"

    def parse_pairs(self, rows: Sequence[Row]) -> dict[str, str]:
        """`Variable_name` to `Value`, names in lower case."""
        return {text_in(row, "Variable_name").lower(): text_in(row, "Value") for row in rows}

    def parse_clock(self, rows: Sequence[Row]) -> float:
        """Unix time in seconds."""
        return float(text_in(rows[0], "now_s"))

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
        )

    def binlog_files_query(self) -> str:
        """The retained files."""
        return "SHOW BINARY LOGS"

    def parse_binlog(self, end: Sequence[Row], files: Sequence[Row] | None) -> BinlogFacts | None:
        """The binlog's end and retained files; None where the server writes no binlog."""
        if not end:
            return None
        retained_files = tuple((text_in(row, "Log_name"), integer_in(row, "File_size")) for row in files or ())
        return BinlogFacts(text_in(end[0], "File"), integer_in(end[0], "Position"), retained_files)


def _members(text: str) -> tuple[str, ...]:
    """One entry a member, in their order: an arbitrator's is empty."""
    return tuple(part.strip() for part in text.split(",")) if text else ()


def _index(text: str) -> int | None:
    """The place among the members; 2^64-1 is "none", before the node joined."""
    return int(text) if text.isdigit() and int(text) < _NO_INDEX else None
