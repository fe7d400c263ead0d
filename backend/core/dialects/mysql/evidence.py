"""The binary log and relay log of a node: where it ends, and what its events are called."""

from __future__ import annotations

import re

from backend.core.dialects import quoting
from backend.core.dialects.base import DialectError, EventForms, Series
from backend.core.dialects.windows import event_window
from backend.core.positions import FilePosition, MariadbGtid

_STATUS_RENAMED: Series = (8, 2)
"""SHOW BINARY LOG STATUS; before it SHOW MASTER STATUS, which 8.4 does not know any more."""

EVENTS = EventForms(
    control=frozenset({"Format_desc", "Previous_gtids", "Rotate", "Stop", "Heartbeat", "Ignorable"}),
    inner=frozenset(
        {
            *("Query", "Intvar", "RAND", "User_var", "Rows_query", "Table_map", "Transaction_payload"),
            *("Write_rows", "Update_rows", "Delete_rows", "Update_rows_partial"),
            *("Write_rows_v1", "Update_rows_v1", "Delete_rows_v1"),
        }
    ),
    gtid_events=frozenset({"Gtid", "Gtid_tagged_log_event", "Anonymous_Gtid"}),
    ends=frozenset({"Xid", "XA_prepare"}),
    gtid=re.compile(r"^SET @@SESSION\.GTID_NEXT= '(?P<gtid>[^']+)'"),
    begin=re.compile(r"^(BEGIN$|XA START )"),
    added_text=re.compile(r" /\* xid=\d+ \*/$"),
    is_begin_told_by_gtid=False,
    is_xid_of_cluster=False,
    payload="Transaction_payload",
)
"""Observed on MySQL 9.7.4. A statement that commits alone has no BEGIN; its text ends in a number of the server."""


class MysqlEvidence:
    """Queries of both logs and their results."""

    series: Series

    def binlog_end_query(self) -> str:
        """The binlog's end."""
        return "SHOW BINARY LOG STATUS" if self.series >= _STATUS_RENAMED else "SHOW MASTER STATUS"

    def binlog_events_query(self, file: str, start: int | None = None, *, limit: int, skip: int = 0) -> str:
        """Up to `limit` events of one file, after skipping `skip`; commits go on meanwhile (observed on 9.7.4)."""
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
        return "SHOW RELAYLOG EVENTS" + event_window(within, start, limit, skip) + quoting.for_channel(name)

    def gtid_at_query(self, position: FilePosition) -> str:
        """DialectError: MySQL has no function for it; what was executed up to a position is read from the log."""
        raise DialectError(f"MySQL does not tell the GTIDs at {position}")

    def gtid_sets_query(self) -> str:
        """What this server has executed, and what of it is in no binary log of it any more."""
        return "SELECT @@GLOBAL.gtid_executed AS executed, @@GLOBAL.gtid_purged AS purged"

    def gtid_slave_pos_query(self) -> str:
        """What this server has executed, from all sources."""
        return "SELECT @@GLOBAL.gtid_executed AS gtid"

    def gtid_wait_query(self, gtid: MariadbGtid, limit_s: float) -> str:
        """DialectError: MySQL's GTIDs are not MariaDB's."""
        raise DialectError(f"MySQL cannot wait {limit_s:g} s for {gtid}")
