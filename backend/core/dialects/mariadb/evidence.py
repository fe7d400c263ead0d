"""The binary log and relay log of a node: where it ends, what is in it, and GTIDs of its positions."""

from __future__ import annotations

import re

from backend.core.dialects import quoting
from backend.core.dialects.base import DialectError, EventForms
from backend.core.dialects.windows import event_window
from backend.core.positions import FilePosition, MariadbGtid

EVENTS = EventForms(
    control=frozenset(
        {
            "Format_desc",
            "Gtid_list",
            "Binlog_checkpoint",
            "Rotate",
            "Stop",
            "Start_encryption",
            "Previous_gtids",
            "Heartbeat",
            "Ignorable",
        }
    ),
    inner=frozenset(
        {
            "Annotate_rows",
            "Table_map",
            "Intvar",
            "RAND",
            "User var",
            "Query",
            "Query_compressed",
            "Write_rows",
            "Update_rows",
            "Delete_rows",
            "Write_rows_v1",
            "Update_rows_v1",
            "Delete_rows_v1",
            "Write_rows_compressed",
            "Update_rows_compressed",
            "Delete_rows_compressed",
            "Write_rows_compressed_v1",
            "Update_rows_compressed_v1",
            "Delete_rows_compressed_v1",
        }
    ),
    gtid_events=frozenset({"Gtid"}),
    ends=frozenset({"Xid"}),
    gtid=re.compile(r"^(BEGIN )?GTID (?P<gtid>\d+-\d+-\d+)"),
    begin=re.compile(r"^BEGIN$"),
    added_text=None,
    is_begin_told_by_gtid=True,
    is_xid_of_cluster=True,
    keeps_server_id=True,
    are_rows_alike=True,
    half=re.compile(r" (START|ROLLBACK) ALTER\b"),
)


class MariadbEvidence:
    """Queries of both logs and their results."""

    events = EVENTS

    def binlog_end_query(self) -> str:
        """The binlog's end; takes the log's lock for a moment."""
        return "SHOW MASTER STATUS"

    def binlog_events_query(self, file: str, start: int | None = None, *, limit: int, skip: int = 0) -> str:
        """Up to `limit` events of one file, after skipping `skip`: both block commits meanwhile,
        so callers limit `skip + limit` to 20,000 (experiment 8)."""
        return "SHOW BINLOG EVENTS" + event_window(quoting.log_file(file), start, limit, skip)

    def relay_events_query(
        self,
        name: str,
        file: str | None = None,
        start: int | None = None,
        *,
        limit: int,
        skip: int = 0,
    ) -> str:
        """Events of a channel's relay log; without a file, of its oldest one."""
        within = None if file is None else quoting.relay_file(file)
        return f"SHOW RELAYLOG{quoting.channel(name)} EVENTS" + event_window(within, start, limit, skip)

    def gtid_at_query(self, position: FilePosition) -> str:
        """The GTID state at a boundary of this server's own binlog, all domains; NULL where it is not a boundary."""
        file, offset = quoting.log_file(position.file), quoting.number(position.offset, "offset", low=4)
        return f"SELECT BINLOG_GTID_POS({file}, {offset}) AS gtid"

    def gtid_sets_query(self) -> str:
        """DialectError: MariaDB's GTIDs are positions, not sets."""
        raise DialectError("MariaDB does not tell what it has executed as a set")

    def gtid_slave_pos_query(self) -> str:
        """What this server has applied, all domains, as it stores it."""
        return "SELECT @@GLOBAL.gtid_slave_pos AS gtid"

    def gtid_wait_query(self, gtid: MariadbGtid, limit_s: float) -> str:
        """Answered as soon as that position has reached this GTID, with 0, or after the limit, with -1."""
        return f"SELECT MASTER_GTID_WAIT({quoting.gtids(str(gtid))}, {limit_s:g}) AS reached"
