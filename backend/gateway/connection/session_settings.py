"""The first statements of a session: settings that give every later one the same meaning on each family of servers."""

from __future__ import annotations

from backend.core.dialects import read_only_settings
from backend.core.dialects.galera import NO_SYNC_WAIT

SENDING_S = 3
"""The server's net_write_timeout for the console. It sends a page of its log with LOCK_log held: a reader that stopped
reading blocked every commit of that server for its default of 60 s (max_statement_time does not end it), now for this
time (measured on 10.11.19: 59.8 s and 2.7 s)."""
ER_UNKNOWN_SYSTEM_VARIABLE = 1193
"""What MySQL without Galera answers to `SessionForms.no_sync_wait`: it never waits."""
_ALL_ROWS = 2**64 - 1
"""A global sql_select_limit cuts the rows of SHOW, too, and DEFAULT would be that one."""
_COMMON = (
    f"SET SESSION sql_mode='', lock_wait_timeout=5, net_write_timeout={SENDING_S}, sql_select_limit={_ALL_ROWS}, "
    "sql_big_selects=1, "  # a global max_join_size refuses whatever may look at more rows
    "lc_messages='en_US'"  # errors are read, and rows in them found, by their English words
)
_NO_WAIT = f"/*M! , {NO_SYNC_WAIT} */"


def session_settings(*, read_s: float | None) -> str:
    """The statement; with `read_s` for a session that only reads, and no statement for longer than that."""
    limits = "" if read_s is None else f" {read_only_settings(read_s)}"
    return f"{_COMMON}{_NO_WAIT}{limits}"
