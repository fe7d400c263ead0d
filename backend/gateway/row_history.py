"""Reads from a node's log what changed one row, by the node's own table definition."""

from __future__ import annotations

from backend.core.orphans.rows.information_schema import read_shape
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.row_event_bytes import UnreadableError
from backend.core.table_comparison.row_history import Row, RowHistory, row_history
from backend.gateway.binlog_dump import read_events
from backend.gateway.gateway import NodeGateway

LIMIT_S = 20.0


def read_row_history(
    gateway: NodeGateway, node_id: str, table: str, key: Row, found: Row | None, start: FilePosition
) -> RowHistory:
    """From that place to the log's end, with the monitor account; raises NodeError."""
    access, (schema, _, name) = gateway.access(node_id), table.partition(".")
    shape = read_shape(gateway.reader(node_id), schema, name)
    if shape is None:
        raise NodeError(access.ref.name, f"{table} does not exist there, or the monitor account lacks REFERENCES on it")
    events = read_events(access.ref.name, access.monitor, start, limit_s=LIMIT_S)
    try:
        return row_history(events, shape, key, found)
    except UnreadableError as error:
        raise NodeError(access.ref.name, str(error)) from error
