"""Keyset pages: `{results, next}`; a cursor names the last row seen, so new rows shift nothing."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

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
    """As `page`, not shaped: the rows, and the cursor of the next page."""
    if cursor:
        rows = rows.filter(_after(order, _decode(cursor, len(order))))
    found = list(rows.order_by(*(f"-{name}" for name in order))[: limit + 1])
    shown = found[:limit]
    return shown, _encode([getattr(shown[-1], name) for name in order]) if len(found) > limit else None


def _after(order: Sequence[str], values: Sequence[Any]) -> Q:
    condition = Q()
    for index, name in enumerate(order):
        same = dict(zip(order[:index], values[:index], strict=True))
        condition |= Q(**same, **{f"{name}__lt": values[index]})
    return condition


def _encode(values: Sequence[Any]) -> str:
    plain = [v.isoformat() if isinstance(v, datetime) else v for v in values]
    return base64.urlsafe_b64encode(json.dumps(plain).encode()).decode().rstrip("=")


def _decode(cursor: str, length: int) -> list[Any]:
    try:
        values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(values, list) or len(values) != length:
            raise ValueError("not a cursor")
        return [_plain(value) for value in values]
    except (ValueError, binascii.Error, RecursionError) as error:
        raise invalid("cursor", "Use the `next` value of the page before, unchanged.") from error


def _plain(value: Any) -> Any:
    known = isinstance(value, int | str) and not isinstance(value, bool)
    if not known or (isinstance(value, int) and abs(value) >= 2**63):
        raise ValueError("not a cursor")
    if isinstance(value, str) and "T" in value:
        return datetime.fromisoformat(value)
    return value
