"""Writes many rows in one statement.

`bulk_create` and `bulk_update` build an expression for each value, which took most of the monitor's processor time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connections, router
from django.db.models import Field, Model

_AT_ONCE = 500


def update_rows(
    model: type[Model], rows: Sequence[Model], columns: Sequence[str], *, further: Sequence[str] = ()
) -> None:
    """Store these columns of rows that were read in this transaction, and no others.

    It is an INSERT that finds every key taken, so that of what it has to name for a new row, and does not change, an
    empty value is sent; `further` are the columns that have none, as times and references.
    """
    given = _fields(model, [model._meta.pk.name, *further, *columns])  # noqa: SLF001 - Django's documented name
    needed = (one for one in model._meta.concrete_fields if not one.null and one not in given)  # noqa: SLF001
    changed = [_quoted(model, field) for field in given[-len(columns) :]]
    _insert(model, given, rows, end=_or_update(model, changed), empty=list(needed))


def insert_rows(model: type[Model], rows: Iterable[Model]) -> None:
    """Store new rows; their keys are not read back."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]  # noqa: SLF001 - as above
    _insert(model, fields, list(rows))


def _insert(
    model: type[Model],
    fields: Sequence[Field[Any, Any]],
    rows: Sequence[Model],
    *,
    end: str = "",
    empty: Sequence[Field[Any, Any]] = (),
) -> None:
    if not rows:
        return
    connection = connections[router.db_for_write(model)]
    table = connection.ops.quote_name(model._meta.db_table)  # noqa: SLF001 - as above
    names = ", ".join(_quoted(model, field) for field in (*fields, *empty))
    placeholders = ", ".join(["%s"] * (len(fields) + len(empty)))
    blank = [field.get_db_prep_save(field.get_default(), connection) for field in empty]
    sql = f"INSERT INTO {table} ({names}) VALUES ({placeholders}){end}"  # noqa: S608 - names of our own models
    with connection.cursor() as cursor:
        for start in range(0, len(rows), _AT_ONCE):
            part = rows[start : start + _AT_ONCE]
            cursor.executemany(sql, [_values(row, fields, connection) + blank for row in part])


def _values(row: Model, fields: Sequence[Field[Any, Any]], connection: Any) -> list[Any]:
    return [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields]


def _fields(model: type[Model], names: Sequence[str]) -> list[Field[Any, Any]]:
    return [model._meta.get_field(name) for name in names]  # type: ignore[misc]  # noqa: SLF001 - as above


def _quoted(model: type[Model], field: Field[Any, Any]) -> str:
    return connections[router.db_for_write(model)].ops.quote_name(str(field.column))


def _or_update(model: type[Model], names: Sequence[str]) -> str:
    """What the statement does with a key that is taken, in the words of the database."""
    if not connections[router.db_for_write(model)].features.supports_update_conflicts_with_target:
        return " ON DUPLICATE KEY UPDATE " + ", ".join(f"{name} = VALUES({name})" for name in names)
    key = _quoted(model, model._meta.pk)  # noqa: SLF001 - as above
    return f" ON CONFLICT ({key}) DO UPDATE SET " + ", ".join(f"{name} = excluded.{name}" for name in names)
