"""The statements that read a range of a table: its last key, a digest of its rows, a digest for each row.

A row's digest is made of each column's bytes, so rows that are equal only by collation differ. Texts and binary values
stand in it by their length and digest: a row may be larger than `max_allowed_packet` once it is written as text, and
what the server cannot compute is NULL, which is counted and never equal. Sums keep rows apart that a table without a
key holds twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backend.core.orphans.model import Column, RowImage, TableShape, Value, ValueKind
from backend.core.orphans.rows.row_lookup import cell_sql, row_of, value_of
from backend.core.orphans.rows.sql_literals import identifier, literal
from backend.core.ports import Row

Key = tuple[Value, ...]
"""The values of a key's columns, in its order."""
_BY_BYTES = frozenset({ValueKind.TEXT, ValueKind.BINARY, ValueKind.GEOMETRY, ValueKind.UNKNOWN})
_NULL = "'N'"
"""No other cell reads so: the others are digits, dates and hexadecimal digests."""


@dataclass(frozen=True, slots=True)
class Digest:
    """Of some rows: their number and two sums; `unread` of them could not be computed."""

    rows: int
    sums: tuple[int, int]
    unread: int

    @classmethod
    def of(cls, row: Row) -> Digest:
        """From the row that `digest_sql` returns."""
        return cls(int(str(row["n"])), (int(str(row["a"])), int(str(row["b"]))), int(str(row["u"])))


def last_key_sql(shape: TableShape, after: Key | None, rows: int) -> str:
    """The key of the row so many rows behind a key; no row where there are fewer."""
    cells = ", ".join(f"{cell_sql(column)} AS c{i}" for i, column in enumerate(key_columns(shape)))
    order = ", ".join(identifier(name) for name in shape.key)
    return f"SELECT {cells} FROM {_table(shape)}{_where(shape, after, None)} ORDER BY {order} LIMIT 1 OFFSET {rows - 1}"


def digest_sql(shape: TableShape, after: Key | None = None, upto: Key | None = None) -> str:
    """The digest of the rows behind a key, up to another one; of all where there is no key."""
    return (
        "SELECT COUNT(*) AS n, COALESCE(SUM(CAST(CONV(SUBSTR(d, 1, 15), 16, 10) AS UNSIGNED)), 0) AS a, "
        "COALESCE(SUM(CAST(CONV(SUBSTR(d, 18, 15), 16, 10) AS UNSIGNED)), 0) AS b, COALESCE(SUM(d IS NULL), 0) AS u "
        f"FROM (SELECT {_row_digest(shape)} AS d FROM {_table(shape)}{_where(shape, after, upto)}) AS digests"
    )


def rows_sql(shape: TableShape, after: Key | None, upto: Key | None, limit: int) -> str:
    """The key and the digest of each of those rows, of at most `limit`."""
    return f"{_rows(shape)}{_where(shape, after, upto)} LIMIT {limit}"


def keys_sql(shape: TableShape, keys: Sequence[Key]) -> str:
    """The same of the rows with these keys."""
    found = " OR ".join(f"({' AND '.join(_equal(shape, key))})" for key in keys)
    return f"{_rows(shape)} WHERE {found}"


def keyed_digests(shape: TableShape, rows: Sequence[Row]) -> dict[Key, str | None]:
    """The rows of `rows_sql` and `keys_sql`: a row's digest by its key; None where it could not be computed."""
    return {key_of(shape, row): None if row["d"] is None else str(row["d"]) for row in rows}


def key_of(shape: TableShape, row: Row) -> Key:
    """The key in a row of `last_key_sql`, `rows_sql` and `keys_sql`."""
    return tuple(value_of(column, row[f"c{i}"]) for i, column in enumerate(key_columns(shape)))


def key_columns(shape: TableShape) -> list[Column]:
    """In the order of the key."""
    by_name = {column.name: column for column in shape.columns}
    return [by_name[name] for name in shape.key]


def _rows(shape: TableShape) -> str:
    cells = ", ".join(f"{cell_sql(column)} AS c{i}" for i, column in enumerate(key_columns(shape)))
    return f"SELECT {cells}, {_row_digest(shape)} AS d FROM {_table(shape)}"


def _row_digest(shape: TableShape) -> str:
    return f"MD5(CONCAT_WS(',', {', '.join(map(_cell, shape.columns))}))"


def _cell(column: Column) -> str:
    name = identifier(column.name)
    if column.kind not in _BY_BYTES:
        return f"COALESCE({cell_sql(column)}, {_NULL})"
    return f"IF({name} IS NULL, {_NULL}, CONCAT(OCTET_LENGTH({name}), ':', MD5(CAST({name} AS BINARY))))"


def _where(shape: TableShape, after: Key | None, upto: Key | None) -> str:
    found = [*_behind(shape, after), *_up_to(shape, upto)]
    return f" WHERE {' AND '.join(found)}" if found else ""


def _behind(shape: TableShape, after: Key | None) -> Iterator[str]:
    """The condition on the first column alone lets the server begin in its index: it does not for a row of values."""
    if after is None:
        return
    yield f"{_first(shape)} >= {_literals(shape, after)[0]}"
    yield _beyond(shape, after, ">")


def _up_to(shape: TableShape, upto: Key | None) -> Iterator[str]:
    if upto is None:
        return
    yield f"{_first(shape)} <= {_literals(shape, upto)[0]}"
    yield f"({_beyond(shape, upto, '<')} OR {' AND '.join(_equal(shape, upto))})"


def _first(shape: TableShape) -> str:
    return identifier(shape.key[0])


def _beyond(shape: TableShape, key: Key, sign: str) -> str:
    """Before, or behind, a key in the key's order."""
    equal, literals = list(_equal(shape, key)), _literals(shape, key)
    parts = []
    for i, name in enumerate(shape.key):
        parts.append(" AND ".join((*equal[:i], f"{identifier(name)} {sign} {literals[i]}")))
    return f"({' OR '.join(f'({part})' for part in parts)})"


def _equal(shape: TableShape, key: Key) -> Iterator[str]:
    pairs = zip(shape.key, _literals(shape, key), strict=True)
    return (f"{identifier(name)} = {value}" for name, value in pairs)


def _literals(shape: TableShape, key: Key) -> list[str]:
    return [literal(column, cell) for column, cell in zip(key_columns(shape), key, strict=True)]


def _table(shape: TableShape) -> str:
    return f"{identifier(shape.schema)}.{identifier(shape.table)}"


def images_sql(shape: TableShape, keys: Sequence[Key]) -> str:
    """Every column of the rows with these keys, as `images_of` reads them."""
    cells = ", ".join(f"{cell_sql(column)} AS c{i}" for i, column in enumerate(shape.columns))
    found = " OR ".join(f"({' AND '.join(_equal(shape, key))})" for key in keys)
    return f"SELECT {cells} FROM {_table(shape)} WHERE {found}"


def images_of(shape: TableShape, rows: Sequence[Row]) -> dict[Key, RowImage]:
    """The rows of `images_sql`, by key."""
    at = [shape.columns.index(column) for column in key_columns(shape)]
    images = (row_of(shape, tuple(row.values())) for row in rows)
    return {tuple(image[i] for i in at): image for image in images}
