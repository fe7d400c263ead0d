"""What was stored of the nodes' binary logs, in the core's own types."""

from __future__ import annotations

from dataclasses import fields

from backend.clusters.models import Node
from backend.core.link_facts import LogRecord
from backend.monitoring.models import NodeLog

_COLUMNS = tuple(field.name for field in fields(LogRecord))


def record_of(node: Node) -> LogRecord | None:
    """The record of a node, read with it where `select_related("log")` was asked; None where its log was never read."""
    row = getattr(node, "log", None)
    return None if row is None else from_row(row)


def from_row(row: NodeLog) -> LogRecord:
    """A stored row as a record."""
    return LogRecord(**{name: getattr(row, name) for name in _COLUMNS})


def to_row(node_id: str, record: LogRecord) -> NodeLog:
    """A record as the row to store."""
    return NodeLog(node_id=node_id, **{name: getattr(record, name) for name in _COLUMNS})
