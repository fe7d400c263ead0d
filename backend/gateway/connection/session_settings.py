"""The first statement of a session: settings that give every later one the same meaning on each family of servers."""

from __future__ import annotations

SENDING_S = 3
"""The server's net_write_timeout for the console. It sends a page of its log with LOCK_log held: a reader that stopped
reading blocked every commit of that server for its default of 60 s (max_statement_time does not end it), now for this
time (measured on 10.11.19: 59.8 s and 2.7 s)."""
_COMMON = f"SET SESSION sql_mode='', lock_wait_timeout=5, net_write_timeout={SENDING_S}"


def session_settings(flavor: str, *, read_s: float | None) -> str:
    """The statement; with `read_s` for a session that only reads, and no statement for longer than that.

    MySQL ends only a SELECT at its limit.
    """
    if read_s is None:
        return _COMMON
    if flavor == "mariadb":
        return f"{_COMMON}, tx_read_only=1, max_statement_time={read_s}"
    return f"{_COMMON}, transaction_read_only=1, max_execution_time={max(1, round(read_s * 1000))}"
