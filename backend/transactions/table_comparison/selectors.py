"""Reads comparisons as the API returns them, and the rows that differ for export."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Case, Count, F, Q, Sum, When
from django.db.models.functions import Greatest

from backend.clusters.models import Link, Node
from backend.common.errors import invalid, not_found
from backend.common.rest.pagination import page, rows_by_name
from backend.core.orphans.model import TableShape
from backend.core.orphans.serialization import image_from_json, shape_from_json, shown_cell, shown_image
from backend.core.table_comparison.repair import CLOSING, preamble, repair_sql
from backend.core.table_comparison.statements import key_columns
from backend.core.table_comparison.walk import walk_from_json
from backend.transactions.table_comparison import models, outputs
from backend.transactions.table_comparison.models import ComparisonSchedule, State, TableState

_STATES: Final = (TableState.EQUAL, TableState.DIFFERENT, TableState.NOT_COMPARED)
SHOWN = 20
_EXPECTED_ROWS: Final = Case(
    When(ended_at__isnull=False, then=F("rows")), default=Greatest(F("estimated_rows"), F("rows"))
)
"""Of a table that ended nothing is left to compare, whatever the servers estimate."""


def comparison_get(comparison_id: str) -> models.TableComparison:
    """One comparison; 404 where there is none."""
    found = models.TableComparison.objects.select_related("link").filter(pk=comparison_id).first()
    if found is None:
        raise not_found("comparison")
    return found


def comparisons_view(link: Link) -> outputs.TableComparisons:
    """The newest comparisons of a link."""
    rows = models.TableComparison.objects.filter(link=link)[:SHOWN]
    return outputs.TableComparisons([comparison_view(row) for row in rows])


def comparison_view(row: models.TableComparison) -> outputs.TableComparison:
    """A comparison with its sums."""
    counts = {f"in_{state.value}": Count("id", filter=Q(state=state)) for state in _STATES}
    sums = row.tables.aggregate(
        tables=Count("id"),
        compared=Sum("rows", default=0),
        written=Sum("while_written", default=0),
        estimated=Sum(_EXPECTED_ROWS, default=0),
        different=Sum("different", default=0),
        **counts,
    )
    named = {node.pk: node for node in Node.objects.filter(pk__in=row.node_ids).select_related("cluster")}
    return outputs.TableComparison(
        id=row.pk,
        link_id=row.link_id,
        state=row.state,  # type: ignore[arg-type]
        actor=row.actor,
        nodes=[_node(node_id, named.get(node_id)) for node_id in row.node_ids],
        only=row.only,
        rows_per_s=row.rows_per_s,
        busy_percent=row.busy_percent,
        sentence=row.sentence,
        started_at=row.started_at,
        ended_at=row.ended_at,
        tables=sums["tables"],
        tables_equal=sums["in_equal"],
        tables_different=sums["in_different"],
        tables_not_compared=sums["in_not_compared"],
        rows=sums["compared"],
        rows_while_written=sums["written"],
        estimated_rows=sums["estimated"],
        different=sums["different"],
        remaining_s=_remaining_s(row, sums),
    )


def _node(node_id: str, node: Node | None) -> outputs.ComparedNode:
    if node is None:
        return outputs.ComparedNode(node_id, "", "")
    return outputs.ComparedNode(node_id, node.name, node.cluster.name)


def _remaining_s(row: models.TableComparison, sums: Mapping[str, int]) -> int | None:
    """By the pace while it was gone on with; a comparison that has read nothing yet has none."""
    if row.state != State.RUNNING or not sums["compared"] or not row.worked_ms:
        return None
    return round((sums["estimated"] - sums["compared"]) * row.worked_ms / 1000 / sums["compared"])


def tables_page(row: models.TableComparison, *, state: str | None, cursor: str | None, limit: int) -> dict[str, Any]:
    """Tables of a comparison by name."""
    rows = row.tables.all() if state is None else row.tables.filter(state=state)
    shown, following = rows_by_name(rows, field="name", cursor=cursor, limit=limit)
    return {"results": [asdict(_table_view(one)) for one in shown], "next": following}


def _table_view(row: models.ComparedTable) -> outputs.ComparedTable:
    return outputs.ComparedTable(
        name=row.name,
        state=row.state,  # type: ignore[arg-type]
        estimated_rows=row.estimated_rows,
        rows=row.rows,
        rows_while_written=row.while_written,
        different=row.different,
        doubtful=len(walk_from_json(row.walk).doubts),
        code=row.code,
        sentence=row.sentence,
        left_out=row.left_out,
        ended_at=row.ended_at,
    )


def differences_page(
    row: models.TableComparison, *, table: str | None, cursor: str | None, limit: int, shows_rows: bool
) -> dict[str, Any]:
    """Rows that differ, the newest first."""
    rows = models.RowDifference.objects.filter(table__comparison=row).select_related("table")
    rows = rows if table is None else rows.filter(table__name=table)
    return page(
        rows,
        order=("found_at", "id"),
        cursor=cursor,
        limit=limit,
        shape=lambda one: asdict(difference_view(one, shows_rows=shows_rows)),
    )


def difference_view(row: models.RowDifference, *, shows_rows: bool) -> outputs.RowDifference:
    """A row that differs, with values for those who may see them."""
    shape = shape_from_json(row.table.shape)
    reference, held = (shown_image(image_from_json(image), shape) for image in (row.reference, row.held))
    both = reference is not None and held is not None
    return outputs.RowDifference(
        id=row.pk,
        table=row.table.name,
        node=row.node,
        node_id=row.node_id,
        apart=row.apart,  # type: ignore[arg-type]
        is_confirmed=row.is_confirmed,
        columns=[name for name in reference if reference[name] != held[name]] if both else [],  # type: ignore[index,union-attr]
        has_key=row.key is not None,
        key=_key(row, shape) if shows_rows else None,
        reference=reference if shows_rows else None,
        held=held if shows_rows else None,
        found_at=row.found_at,
    )


def _key(row: models.RowDifference, shape: TableShape) -> dict[str, Any] | None:
    cells = image_from_json(row.key)
    if cells is None:
        return None
    return {column.name: shown_cell(column, cell) for column, cell in zip(key_columns(shape), cells, strict=True)}


def export_jsonl(comparison: models.TableComparison) -> Iterator[str]:
    """One row a line, in the order in which they were found."""
    for row in _each(comparison):
        shown = asdict(difference_view(row, shows_rows=True))
        yield json.dumps({**shown, "found_at": row.found_at.isoformat()}, ensure_ascii=False) + "\n"


def node_to_mend(comparison: models.TableComparison, node_id: str | None) -> Node:
    """The node that statements are for; 400 where it is none of the compared ones but the first."""
    node = Node.objects.select_related("cluster").filter(pk=node_id, pk__in=comparison.node_ids[1:]).first()
    if node is None:
        names = ", ".join(comparison.node_ids[1:])
        raise invalid("node", f"Name the node that the statements are for by its id: one of {names}.")
    return node


def export_sql(comparison: models.TableComparison, node: Node) -> Iterator[str]:
    """The statements that would make the node's rows those of the first node."""
    yield from (f"{line}\n" for line in preamble(node.name, node.cluster.name, comparison.started_at.isoformat()))
    for row in _each(comparison, node_id=node.pk):
        yield f"{_statement(row)}\n"
    yield from (f"{line}\n" for line in CLOSING)


def _statement(row: models.RowDifference) -> str:
    if row.key is None:
        return f"-- {row.table.name}: it has no key, so its rows are not known one by one"
    if not row.is_confirmed:
        return f"-- {row.table.name}: a row differed only while the table was written; compare it again"
    shape = shape_from_json(row.table.shape)
    return repair_sql(shape, image_from_json(row.reference), image_from_json(row.held))


def _each(comparison: models.TableComparison, **only: str) -> Iterator[models.RowDifference]:
    rows = models.RowDifference.objects.filter(table__comparison=comparison, **only).select_related("table")
    return rows.order_by("id").iterator(chunk_size=200)


def schedule_view(link: Link) -> outputs.ComparisonSchedule:
    """A link's schedule, or the default."""
    schedule = ComparisonSchedule.objects.filter(pk=link.pk).first() or ComparisonSchedule(link=link)
    names = ("enabled", "every_hours", "every_node", "only", "rows_per_s", "busy_percent")
    return outputs.ComparisonSchedule(**{name: getattr(schedule, name) for name in names}, next_at=_next_at(schedule))


def _next_at(schedule: ComparisonSchedule) -> datetime | None:
    last = models.TableComparison.objects.filter(link_id=schedule.pk).first()
    if not schedule.enabled or last is None:
        return None
    return last.started_at + timedelta(hours=schedule.every_hours)
