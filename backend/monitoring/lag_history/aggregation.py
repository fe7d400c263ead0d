"""Aggregates samples or buckets of the lag to wider buckets, in the database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, F, Func, IntegerField, Max, Min, QuerySet, Sum

from backend.monitoring.models import LagBucket, LagSample

MEASURES: Final = ("forward_gap", "forward_lag_s", "reverse_gap", "reverse_lag_s")
_PREFIX: Final = "of_"
"""An annotation must not have the name of a column."""

Row = dict[str, Any]


class _Slot(Func):
    """The number of the bucket that holds a time, counted from 1970 on."""

    template = "TIMESTAMPDIFF(SECOND, '1970-01-01', %(expressions)s) DIV %(width_s)d"
    output_field = IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """SQLite divides integers to an integer."""
        template = "CAST(strftime('%%%%s', %(expressions)s) AS INTEGER) / %(width_s)d"
        return super().as_sql(compiler, connection, template=template, **context)


def aggregated(link_ids: Sequence[str], source_s: int, width_s: int, since: datetime, until: datetime) -> Iterator[Row]:
    """Rows with `link_id`, `slot` and the columns of a bucket, in the order of time for each link."""
    rows = rows_of(source_s).filter(link_id__in=link_ids, at__gte=since, at__lt=until)
    slots = rows.annotate(slot=_Slot(F("at"), width_s=width_s)).order_by("link_id", "slot").values("link_id", "slot")
    for row in slots.annotate(**(_of_samples() if source_s == 1 else _of_buckets())):
        yield {name.removeprefix(_PREFIX): value for name, value in row.items()}


def rows_of(width_s: int) -> QuerySet[Any, Any]:
    """All rows of a stored resolution: samples, or buckets of this width."""
    return LagSample.objects.all() if width_s == 1 else LagBucket.objects.filter(width_s=width_s)


def _of_samples() -> dict[str, Any]:
    columns: dict[str, Any] = {"samples": Count("pk"), "state_rank": Max("state_rank")}
    for name in MEASURES:
        columns |= {f"{name}_min": Min(name), f"{name}_max": Max(name)}
        columns |= {f"{name}_sum": Sum(name), f"{name}_known": Count(name)}
    return {_PREFIX + name: column for name, column in columns.items()}


def _of_buckets() -> dict[str, Any]:
    columns: dict[str, Any] = {"samples": Sum("samples"), "state_rank": Max("state_rank")}
    for name in MEASURES:
        columns |= {f"{name}_min": Min(f"{name}_min"), f"{name}_max": Max(f"{name}_max")}
        columns |= {f"{name}_{part}": Sum(f"{name}_{part}") for part in ("sum", "known")}
    return {_PREFIX + name: column for name, column in columns.items()}
