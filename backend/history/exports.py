"""The history as a file, oldest first, streamed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from rest_framework.utils.encoders import JSONEncoder

from backend.common.rest.csv_lines import csv_line

Entry = Mapping[str, Any]
_PLAIN: Final = (
    "id", "link_id", "link_name", "kind", "state", "created_at", "started_at", "ended_at", "requested_by",
)  # fmt: skip
_AFTER: Final = ("reason", "duration_s", "recovery_s", "write_pause_s", "is_verified")
HEADER: Final = (
    *_PLAIN, "approvers", *_AFTER, "loss_state", "loss_transactions", "loss_s", "positions", "topology", "sentence",
)  # fmt: skip


def export_jsonl(entries: Iterable[Entry]) -> Iterator[str]:
    """One JSON object per line."""
    for entry in entries:
        yield json.dumps(entry, ensure_ascii=False, sort_keys=True, cls=JSONEncoder) + "\n"


def export_csv(entries: Iterable[Entry]) -> Iterator[str]:
    """Comma-separated values with a header line; several values of a cell are divided by semicolons."""
    yield csv_line(HEADER)
    for entry in entries:
        yield csv_line(_column_values(entry))


def _column_values(entry: Entry) -> list[Any]:
    loss = entry["loss"]
    return [
        *(_cell(entry[name]) for name in _PLAIN),
        "; ".join(entry["approvers"]),
        *(_cell(entry[name]) for name in _AFTER),
        str(loss["state"]),
        *(_cell(loss[name]) for name in ("transactions", "seconds")),
        "; ".join(f"{one['direction']} {one['basis']} {one['text']}" for one in entry["positions"]),
        "; ".join(f"{row['subject']}: {row['before']} > {row['after']}" for row in entry["topology"]),
        entry["sentence"],
    ]


def _cell(value: Any) -> Any:
    """A cell; what is unknown says so instead of being empty."""
    if value is None:
        return "unknown"
    return value.isoformat().replace("+00:00", "Z") if hasattr(value, "isoformat") else value
