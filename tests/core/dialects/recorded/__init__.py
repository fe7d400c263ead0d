"""Answers of real servers, one a file, as their client prints them in batch mode."""

from __future__ import annotations

from pathlib import Path

from backend.core.binlog.events import LogEvent

_FOLDER = Path(__file__).parent


def rows(server: str, answer: str) -> list[dict[str, object]]:
    """Rows by column; NULL is None."""
    header, *lines = (_FOLDER / server / f"{answer}.tsv").read_text().splitlines()
    names = header.split("\t")
    return [
        {name: None if value == "NULL" else value for name, value in zip(names, line.split("\t"), strict=True)}
        for line in lines
    ]


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
