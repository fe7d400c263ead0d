"""Recorded answers, one a file, in the form of docs/reference/recordings.md; about.json says whose they are."""

from __future__ import annotations

import re
from pathlib import Path

from backend.core.binlog.events import LogEvent

_FOLDER = Path(__file__).parent


_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"t": "\t", "n": "\n", "r": "\r", "0": "\0", "\\": "\\"}


def rows(server: str, answer: str) -> list[dict[str, object]]:
    """Rows by column; NULL is None."""
    return read((_FOLDER / server / f"{answer}.tsv").read_text())


def folder(server: str) -> Path:
    """Where a server's recording is."""
    return _FOLDER / server


def read(text: str) -> list[dict[str, object]]:
    """The rows of a file's text."""
    if not text:
        return []
    header, *lines = text.removesuffix("\n").split("\n")
    names = header.split("\t")
    return [dict(zip(names, map(_value, line.split("\t")), strict=True)) for line in lines]


def _value(field: str) -> str | None:
    return None if field == r"\N" else _ESCAPED.sub(lambda found: _MEANT[found[1]], field)


def events(server: str, answer: str) -> list[LogEvent]:
    """The events of SHOW BINLOG EVENTS."""
    return [
        LogEvent(
            str(row["Log_name"]),
            int(str(row["Pos"])),
            str(row["Event_type"]),
            int(str(row["Server_id"])),
            int(str(row["End_log_pos"])),
            str(row["Info"]),
        )
        for row in rows(server, answer)
    ]
