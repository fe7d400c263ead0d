"""Orphaned transactions as values: the rows before and after, exact to the byte.

A cell is None (NULL), an int (integers, years, bits, enum and set numbers), a text (decimals,
floats, dates and times as the server writes them) or bytes (strings in the column's own charset,
binary data, geometry). Its column's `kind` says which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from backend.core.orphans.schema_change import SchemaChange
from backend.core.positions import FilePosition

Value = None | int | str | bytes


class ValueKind(StrEnum):
    """How a column's cells are written as literals and compared."""

    INT = "int"
    DECIMAL = "decimal"
    FLOAT = "float"
    TEXT = "text"
    BINARY = "binary"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    TIMESTAMP = "timestamp"
    NUMBERED = "numbered"
    GEOMETRY = "geometry"
    UNKNOWN = "unknown"


class Operation(StrEnum):
    """What happened to a row."""

    INSERT = "insert"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Column:
    """One column as the node's information_schema describes it; sizes are bytes, `fraction` digits of a second."""

    name: str
    data_type: str
    column_type: str
    charset: str | None = None
    octets: int | None = None
    precision: int | None = None
    scale: int | None = None
    fraction: int | None = None
    is_generated: bool = False

    @property
    def is_unsigned(self) -> bool:
        """Whether an integer column has no sign."""
        return "unsigned" in self.column_type.lower()

    @property
    def kind(self) -> ValueKind:
        """How its values are written; UNKNOWN where they cannot be."""
        if self.data_type in ("char", "varchar") or self.data_type.endswith("text"):
            return ValueKind.TEXT if self.charset else ValueKind.BINARY
        return _KINDS.get(self.data_type, ValueKind.UNKNOWN)


_KINDS = {
    **dict.fromkeys(("tinyint", "smallint", "mediumint", "int", "bigint", "year"), ValueKind.INT),
    **dict.fromkeys(("float", "double"), ValueKind.FLOAT),
    **dict.fromkeys(("binary", "varbinary", "inet4", "inet6"), ValueKind.BINARY),
    **dict.fromkeys(("tinyblob", "blob", "mediumblob", "longblob"), ValueKind.BINARY),
    **dict.fromkeys(("bit", "enum", "set"), ValueKind.NUMBERED),
    **dict.fromkeys(
        (
            "geometry", "point", "linestring", "polygon",
            "multipoint", "multilinestring", "multipolygon", "geometrycollection",
        ),
        ValueKind.GEOMETRY,
    ),
    "decimal": ValueKind.DECIMAL,
    "date": ValueKind.DATE,
    "time": ValueKind.TIME,
    "datetime": ValueKind.DATETIME,
    "timestamp": ValueKind.TIMESTAMP,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableShape:
    """A table as a node's information_schema describes it; `refusals` say why Hawser does not write its rows."""

    schema: str
    table: str
    columns: tuple[Column, ...]
    keys: tuple[tuple[str, ...], ...] = ()
    """Unique keys over whole columns, the primary key first where there is one."""
    refusals: tuple[str, ...] = ()
    version: int = 0
    """The number of later changes of its definition; 0 is the current definition."""

    @property
    def name(self) -> str:
        """`schema.table`."""
        return f"{self.schema}.{self.table}"

    @property
    def definition(self) -> str:
        """Its key in a list of orphans."""
        return definition_key(self.schema, self.table, self.version)

    def is_derived(self, column: Column) -> bool:
        """Whether the server computes the column and no unique key holds it: a row image says nothing of it.

        Since 11.8 (seen) the images of UPDATE and DELETE leave such columns out, although binlog_row_image is FULL.
        """
        return column.is_generated and not any(column.name in key for key in self.keys)

    @property
    def key(self) -> tuple[str, ...]:
        """Columns that identify a row; () where only the whole row does."""
        return self.keys[0] if self.keys else ()


def definition_key(schema: str, table: str, version: int) -> str:
    """`schema.table` for the current definition; for an earlier one a text that no table name can be (final space)."""
    return f"{schema}.{table}@{version} " if version else f"{schema}.{table}"


RowImage = tuple[Value, ...]
"""One row: a cell for each column of the table, in order."""


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row event's row: `before` is None for an insert, `after` for a delete."""

    schema: str
    table: str
    operation: Operation
    before: RowImage | None
    after: RowImage | None
    version: int = 0
    """The version of the table's definition, see `TableShape`."""

    @property
    def name(self) -> str:
        """`schema.table`."""
        return f"{self.schema}.{self.table}"

    @property
    def definition(self) -> str:
        """The key of the table's definition at that time in a list of orphans."""
        return definition_key(self.schema, self.table, self.version)


class TransactionKind(StrEnum):
    """Row changes, or one statement that changes a table definition."""

    ROWS = "rows"
    DDL = "ddl"


@dataclass(frozen=True, slots=True)
class OrphanTransaction:
    """One group that the other side never received. `refusal` says why it can be neither replayed nor undone exactly.

    `change`: a statement's change of a table definition; `is_void` where a later orphan removed all trace of it.
    """

    index: int
    begin: FilePosition
    end: FilePosition
    server_id: int
    gtid: str | None
    seqno: int | None
    at_s: int
    kind: TransactionKind
    statement: str | None
    content: str
    rows: tuple[RowChange, ...] = ()
    refusal: str = ""
    change: SchemaChange | None = None
    is_void: bool = False


@dataclass(frozen=True, slots=True)
class TableCount:
    """The numbers of rows in one table."""

    component: ClassVar[str] = "OrphanTable"
    schema: str
    table: str
    inserts: int = 0
    updates: int = 0
    deletes: int = 0


@dataclass(slots=True)
class OrphanList:
    """All orphans of one scan, oldest first, with the definitions of their tables on the node they were read from.

    `overwritten`: rows that the other side's channel wrote after an orphan, by the digest of their key, with the
    number of orphans before that.
    """

    digest: str
    transactions: tuple[OrphanTransaction, ...]
    table_definitions: dict[str, TableShape] = field(default_factory=dict)
    overwritten: Mapping[str, int] = field(default_factory=dict)
    refusals: tuple[str, ...] = ()
    """Why single transactions can neither be replayed nor undone, for the first of them."""

    @property
    def changes(self) -> tuple[OrphanTransaction, ...]:
        """The orphans that change a table definition, oldest first."""
        return tuple(one for one in self.transactions if one.kind is TransactionKind.DDL)

    def __len__(self) -> int:
        """The number of orphans."""
        return len(self.transactions)

    def ascending(self, first: int = 0) -> Iterator[OrphanTransaction]:
        """The orphans from an index on, oldest first."""
        return iter(self.transactions[first:])

    def descending(self, last: int) -> Iterator[OrphanTransaction]:
        """The orphans from an index down, newest first."""
        return iter(self.transactions[last::-1] if last >= 0 else ())
