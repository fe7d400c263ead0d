"""Names of a real server that the table of settings does not judge."""

from __future__ import annotations

from backend.core.server_settings.columns import CHANNEL_STATUS, LOG_STATUS
from backend.core.server_settings.table import TABLE, needs_a_row


def unjudged(lines: list[str]) -> list[str]:
    """Names that can change what is written, logged, sent or applied, and that nobody judged."""
    return [line for line in lines if not _is_judged(*line.split(" ", 1))]


def _is_judged(kind: str, name: str) -> bool:
    if kind == "variable":
        return name in TABLE or not needs_a_row(name)
    known = LOG_STATUS if kind == "log" else CHANNEL_STATUS
    return name.replace("Source", "Master").replace("Replica_", "Slave_") in known
