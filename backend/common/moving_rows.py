"""Writes many rows in one statement.

`bulk_create` and `bulk_update` build an expression for each value, which took most of the monitor's processor time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.db import connections, models, router
from django.db.models import Field, Model

_AT_ONCE = 500
_STAYS = (int, str, bool)
_PLAIN = (
    models.CharField,
    models.TextField,
    models.BigIntegerField,
    models.PositiveSmallIntegerField,
    models.BooleanField,
    models.ForeignKey,
    models.OneToOneField,
)
"""Kinds of columns in which such a value is stored as it is; of another kind one is prepared by its own field."""


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


def insert_rows(model: type[Model], rows: Iterable[object]) -> None:
    """Store new rows; their keys are not read back.

    Whatever has the model's attributes is a row: an instance of the model takes longer to make than to store.
    """
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]  # noqa: SLF001 - as above
    _insert(model, fields, list(rows))


def _insert(
    model: type[Model],
    fields: Sequence[Field[Any, Any]],
    rows: Sequence[object],
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
    known: dict[datetime, Any] = {}
    columns = [(field, field.__class__ in _PLAIN) for field in fields]
    values_of = attrgetter(*(field.attname for field in fields))
    with connection.cursor() as cursor:
        for start in range(0, len(rows), _AT_ONCE):
            part = rows[start : start + _AT_ONCE]
            cursor.executemany(sql, [_values(values_of(row), columns, connection, known) + blank for row in part])


def _values(
    values: Sequence[Any], columns: Sequence[tuple[Field[Any, Any], bool]], connection: Any, times: dict[datetime, Any]
) -> list[Any]:
    """As Django prepares them; no column has a time of its own making.

    Texts and numbers stay as they are; many rows have the same `times`. A column comes with whether it is of a plain
    kind.
    """
    found = []
    for value, (field, is_plain) in zip(values, columns, strict=True):
        if is_plain and value.__class__ in _STAYS:
            found.append(value)
        elif value.__class__ is datetime:
            if value not in times:
                times[value] = field.get_db_prep_save(value, connection)
            found.append(times[value])
        else:
            found.append(field.get_db_prep_save(value, connection))
    return found


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
