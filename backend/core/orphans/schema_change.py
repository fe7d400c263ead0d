"""A change of a table definition as a value."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class ChangeKind(StrEnum):
    """The kind of change."""

    CREATE = "create"
    ADD = "add"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class AddedIndex:
    """An index by its name; `columns` only where it covers whole columns."""

    name: str
    columns: tuple[str, ...]
    is_unique: bool


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One statement: the table, what it adds, and the settings it was sent under.

    `is_conditional`: IF NOT EXISTS or IF EXISTS, so that it may have changed nothing. `sql_mode` is the number
    in the log, `default_schema` the schema of unqualified names.
    """

    kind: ChangeKind
    schema: str
    table: str
    sql: str
    default_schema: str = ""
    columns: tuple[str, ...] = ()
    indexes: tuple[AddedIndex, ...] = ()
    is_conditional: bool = False
    checks_foreign_keys: bool = True
    sql_mode: int = 0

    @property
    def name(self) -> str:
        """`schema.table`."""
        return f"{self.schema}.{self.table}"

    def to_json(self) -> dict[str, Any]:
        """The change as plain data."""
        return asdict(self)


def change_from_json(data: dict[str, Any] | None) -> SchemaChange | None:
    """Inverse of `to_json`."""
    if data is None:
        return None
    indexes = tuple(AddedIndex(one["name"], tuple(one["columns"]), one["is_unique"]) for one in data["indexes"])
    return SchemaChange(
        **{**data, "kind": ChangeKind(data["kind"]), "columns": tuple(data["columns"]), "indexes": indexes}
    )
