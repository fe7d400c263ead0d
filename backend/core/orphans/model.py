"""Orphan transactions as values: which rows, before and after, exact to the byte.

A cell is None (NULL), an int (integers, years, bits, enum and set numbers), a text (decimals,
floats, dates and times as the server writes them) or bytes (strings in the column's own charset,
binary data, geometry). Its column's `kind` says which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

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
    """One column as the node's own catalogue describes it; sizes are bytes, `fraction` digits of a second."""

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
        """How its cells are written; UNKNOWN where they cannot be."""
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
    """A table as a node's catalogue describes it; `refusals` say why its rows are not to be written by us."""

    schema: str
    table: str
    columns: tuple[Column, ...]
    keys: tuple[tuple[str, ...], ...] = ()
    """Unique keys over whole columns, the primary key first where there is one."""
    refusals: tuple[str, ...] = ()
    version: int = 0
    """How many changes of its definition came after this one; 0 is the table of now."""

    @property
    def name(self) -> str:
        """`schema.table`."""
        return f"{self.schema}.{self.table}"

    @property
    def definition(self) -> str:
        """Where a list of orphans keeps it."""
        return definition_key(self.schema, self.table, self.version)

    @property
    def key(self) -> tuple[str, ...]:
        """Columns that name a row; () where only the whole row does."""
        return self.keys[0] if self.keys else ()


def definition_key(schema: str, table: str, version: int) -> str:
    """`schema.table` for the table of now; of an earlier one, a text no name can be: names do not end with a space."""
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
    """Of the table's definition, see `TableShape`."""

    @property
    def name(self) -> str:
        """`schema.table`."""
        return f"{self.schema}.{self.table}"

    @property
    def definition(self) -> str:
        """Where a list of orphans keeps the table as it was then."""
        return definition_key(self.schema, self.table, self.version)


class TransactionKind(StrEnum):
    """Row changes, or one statement that changes a definition."""

    ROWS = "rows"
    DDL = "ddl"


@dataclass(frozen=True, slots=True)
class OrphanTransaction:
    """One group the other side never received. `refusal` says why it can be neither replayed nor undone exactly.

    `change`: what a statement changes of a definition; `is_void` where a later one of the orphans left no trace of it.
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
    """How many rows of one table orphans insert, update and delete."""

    schema: str
    table: str
    inserts: int = 0
    updates: int = 0
    deletes: int = 0


@dataclass(slots=True)
class OrphanList:
    """All orphans of one scan, oldest first, with the shapes of their tables on the node they were read from.

    `overwritten`: rows that the other side's channel wrote behind an orphan, by the digest of their key, with the
    number of orphans before that.
    """

    digest: str
    transactions: tuple[OrphanTransaction, ...]
    table_definitions: dict[str, TableShape] = field(default_factory=dict)
    overwritten: Mapping[str, int] = field(default_factory=dict)
    refusals: tuple[str, ...] = ()
    """Why single ones can neither be replayed nor undone, the first of them."""

    @property
    def changes(self) -> tuple[OrphanTransaction, ...]:
        """Those that change a definition, oldest first."""
        return tuple(one for one in self.transactions if one.kind is TransactionKind.DDL)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.transactions)

    def ascending(self, first: int = 0) -> Iterator[OrphanTransaction]:
        """From that index on, oldest first."""
        return iter(self.transactions[first:])

    def descending(self, last: int) -> Iterator[OrphanTransaction]:
        """From that index down, newest first."""
        return iter(self.transactions[last::-1] if last >= 0 else ())
