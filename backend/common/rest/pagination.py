"""Keyset pages: `{results, next}`. A cursor names the last row of a page, so that new rows shift nothing."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from django.db.models import DateTimeField, Field, IntegerField, Model, Q, QuerySet

from backend.common.errors import invalid

M = TypeVar("M", bound=Model)
MAX_PAGE = 200
DEFAULT_PAGE = 50


def page(
    rows: QuerySet[M],
    *,
    order: Sequence[str],
    cursor: str | None,
    limit: int,
    shape: Callable[[M], dict[str, Any]],
) -> dict[str, Any]:
    """One page, newest first; `order` are field names, all descending, the last one unique."""
    shown, following = rows_of_page(rows, order=order, cursor=cursor, limit=limit)
    return {"results": [shape(row) for row in shown], "next": following}


def rows_of_page(
    rows: QuerySet[M], *, order: Sequence[str], cursor: str | None, limit: int
) -> tuple[list[M], str | None]:
    """The rows of a page as they are, and the cursor of the next page."""
    if cursor:
        rows = rows.filter(_after(order, _decode(cursor, [_field(rows.model, name) for name in order])))
    found = _first(rows.order_by(*(f"-{name}" for name in order)), limit + 1)
    shown = found[:limit]
    return shown, _encode([getattr(shown[-1], name) for name in order]) if len(found) > limit else None


def rows_by_name(rows: QuerySet[M], *, field: str, cursor: str | None, limit: int | None) -> tuple[list[M], str | None]:
    """The rows of a page in the order of a unique text field, and the cursor of the next page; without limit all."""
    if cursor:
        [last] = _decode(cursor, [_field(rows.model, field)])
        rows = rows.filter(**{f"{field}__gt": last})
    rows = rows.order_by(field)
    if limit is None:
        return list(rows), None
    found = list(rows[: limit + 1])
    shown = found[:limit]
    return shown, _encode([getattr(shown[-1], field)]) if len(found) > limit else None


def _first(rows: QuerySet[M], count: int) -> list[M]:
    """The first rows of this order, found by their keys alone: joined with others, MariaDB sorts the whole history."""
    if not rows.query.select_related:
        return list(rows[:count])
    keys = list(rows.values_list("pk", flat=True)[:count])
    found = {row.pk: row for row in rows.order_by().filter(pk__in=keys)}
    return [found[key] for key in keys if key in found]


def _after(order: Sequence[str], values: Sequence[Any]) -> Q:
    condition = Q()
    for index, name in enumerate(order):
        same = dict(zip(order[:index], values[:index], strict=True))
        condition |= Q(**same, **{f"{name}__lt": values[index]})
    return condition


def _encode(values: Sequence[Any]) -> str:
    plain = [v.isoformat() if isinstance(v, datetime) else v for v in values]
    return base64.urlsafe_b64encode(json.dumps(plain).encode()).decode().rstrip("=")


def _field(model: type[Model], name: str) -> Field[Any, Any]:
    return cast("Field[Any, Any]", model._meta.get_field(name))  # noqa: SLF001 - Django's own word


def _decode(cursor: str, fields: Sequence[Field[Any, Any]]) -> list[Any]:
    try:
        values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(values, list) or len(values) != len(fields):
            raise ValueError("not a cursor")
        return [_value(field, value) for field, value in zip(fields, values, strict=True)]
    except (ValueError, OverflowError, binascii.Error, RecursionError) as error:
        raise invalid(
            "cursor", "The cursor is not valid. Send the `next` value of the previous page, unchanged."
        ) from error


def _value(field: Field[Any, Any], value: Any) -> Any:
    """The value as its column compares it; ValueError or OverflowError if it does not have the column's type."""
    if isinstance(field, IntegerField):
        is_fit = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63
    else:
        is_fit = isinstance(value, str) and value.isprintable()
    if not is_fit:
        raise ValueError("not a cursor")
    return _instant(value) if isinstance(field, DateTimeField) else value


def _instant(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError("a time without a time zone")
    return at.astimezone(UTC)
