"""The SQL thread's error text for a row event that it could not execute (MariaDB sql/log_event_server.cc)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TABLE = re.compile(r"Could not execute \w+ event on table (.+?); ")
_KEY = re.compile(r"for key '(.+?)'")
_END = re.compile(r"the event's master log [^,]*, end_log_pos (\d+)")


@dataclass(frozen=True, slots=True)
class RowErrorText:
    """The parts of the text; None where it does not have one. `end_offset` is the event's end in the source's log."""

    table: str | None
    key_name: str | None
    end_offset: int | None


def parse_row_error(text: str) -> RowErrorText:
    """The parts of `Last_SQL_Error`."""
    table, key, end = _TABLE.search(text), _KEY.search(text), _END.search(text)
    offset = int(end.group(1)) if end else 0
    return RowErrorText(
        table=table.group(1) if table else None,
        key_name=key.group(1) if key else None,
        end_offset=offset or None,
    )
