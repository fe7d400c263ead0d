"""Updates many rows in one statement: those that exist, and only the columns that are named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from django.db.models import Model

M = TypeVar("M", bound=Model)
_AT_ONCE = 500


def update_rows(model: type[M], rows: Sequence[M], columns: Sequence[str], *, further: Sequence[str] = ()) -> None:
    """Store these columns of rows that were read in this transaction.

    It is an INSERT that finds every key taken: `bulk_update` builds an expression for each value, which took 2 ms a
    row. `further` are the columns without a default, which an INSERT has to name; they are not changed.
    """
    names = ["pk", *further, *columns]
    given: list[Any] = [model(**{name: getattr(row, name) for name in names}) for row in rows]
    manager = model._default_manager  # noqa: SLF001 - Django's documented name
    manager.bulk_create(
        given,
        batch_size=_AT_ONCE,
        update_conflicts=True,
        update_fields=list(columns),
        # MariaDB takes no list of keys: any that is taken counts.
        unique_fields=None if _is_mysql(manager.db) else ["pk"],
    )


def _is_mysql(alias: str) -> bool:
    from django.db import connections

    return connections[alias].vendor == "mysql"
