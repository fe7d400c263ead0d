"""A report as the API returns it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from backend.core.channel_errors.model import ChannelErrorReport, FailedTransaction, NodeStatement, WayOn
from backend.core.orphans.serialization import shown_image
from backend.core.positions import FilePosition


def shown_report(report: ChannelErrorReport) -> dict[str, Any]:
    """The whole report, values by column name."""
    return {
        "direction": report.direction.value,
        "state": report.state.value,
        "detail": report.detail,
        "errno": report.errno,
        "error": report.error,
        "replica": report.replica,
        "source": report.source,
        "transaction": _transaction(report.transaction),
        "row": _row(report),
        "ways": [_way(way) for way in report.ways],
    }


def _transaction(one: FailedTransaction | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "from": _position(one.begin),
        "to": _position(one.end),
        "seqno": one.seqno,
        "gtid": one.gtid,
        "at": datetime.fromtimestamp(one.at_s, UTC) if one.at_s else None,
        "tables": list(one.tables),
        "rows": one.rows,
    }


def _position(position: FilePosition) -> dict[str, Any]:
    return {"file": position.file, "position": position.offset}


def _row(report: ChannelErrorReport) -> dict[str, Any] | None:
    row = report.row
    if row is None:
        return None
    return {
        "schema": row.change.schema,
        "table": row.change.table,
        "operation": row.change.operation.value,
        "key": list(row.blockers[0][0] if row.blockers else row.shape.key),
        "before": shown_image(row.change.before, row.shape),
        "after": shown_image(row.change.after, row.shape),
        "source": shown_image(report.source_row.image, row.shape),
        "source_unread": report.source_row.unread,
        "replica": [shown_image(image, row.shape) for image in row.in_the_way],
        "differing": list(row.differing),
    }


def _way(way: WayOn) -> dict[str, Any]:
    return {
        "code": way.code,
        "title": way.title,
        "sentence": way.sentence,
        "statements": _statements(way.statements),
        "put_back": _statements(way.put_back),
        "plan_kind": way.plan_kind or None,
    }


def _statements(statements: Sequence[NodeStatement]) -> list[dict[str, str]]:
    return [{"node": one.node, "sql": f"{one.sql};"} for one in statements]
