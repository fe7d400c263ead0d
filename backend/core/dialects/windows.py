"""The part of SHOW BINLOG EVENTS and SHOW RELAYLOG EVENTS that chooses a file and a range of events."""

from __future__ import annotations

from backend.core.dialects import quoting


def event_window(quoted_file: str | None, start: int | None, limit: int, skip: int) -> str:
    """`IN`, `FROM` and `LIMIT`; DialectError for a number out of bounds."""
    text = f" IN {quoted_file}" if quoted_file is not None else ""
    if start is not None:
        text += f" FROM {quoting.number(start, 'offset', low=4)}"
    count = quoting.number(limit, "limit", low=1)
    return f"{text} LIMIT {quoting.number(skip, 'skip')},{count}" if skip else f"{text} LIMIT {count}"
