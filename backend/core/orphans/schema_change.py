"""A change of a table's definition as a value."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class ChangeKind(StrEnum):
    """What it does to the table."""

    CREATE = "create"
    ADD = "add"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class AddedIndex:
    """An index by its name; `columns` only where it covers them whole."""

    name: str
    columns: tuple[str, ...]
    is_unique: bool


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One statement: the table, what it adds, and how it was sent.

    `is_conditional`: IF NOT EXISTS or IF EXISTS, which leaves open whether it did anything. `sql_mode` is the number
    the log holds, `default_schema` the schema that plain names belong to.
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
        """Plain data."""
        return asdict(self)


def change_from_json(data: dict[str, Any] | None) -> SchemaChange | None:
    """Inverse of `to_json`."""
    if data is None:
        return None
    indexes = tuple(AddedIndex(one["name"], tuple(one["columns"]), one["is_unique"]) for one in data["indexes"])
    return SchemaChange(
        **{**data, "kind": ChangeKind(data["kind"]), "columns": tuple(data["columns"]), "indexes": indexes}
    )
