"""The rows of a table as lines of JSON, in the order of its primary key, a bounded page at a time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from django.db import connection

from backend.config.backup.errors import BackupError
from backend.config.backup.schema import Table

PAGE_BYTES: Final = 4_000_000
"""Aim for one page: rows differ in size by a factor of a thousand."""
MAX_PAGE: Final = 5000
_FIRST_PAGE: Final = 50
_PLAIN: Final = (bool, int, float, str)


@dataclass(slots=True)
class Digest:
    """Counts and hashes lines."""

    rows: int = 0
    size: int = 0
    _hash: Any = field(default_factory=hashlib.sha256)

    def add(self, line: bytes) -> None:
        """One more line, with its line feed."""
        self.rows += 1
        self.size += len(line)
        self._hash.update(line)

    @property
    def sha256(self) -> str:
        """The hash of all lines so far, in hex."""
        return str(self._hash.hexdigest())


def lines(table: Table) -> Iterator[bytes]:
    """Each row as one line: a JSON array of the values in the order of the table's columns."""
    key = [table.columns.index(column) for column in table.key]
    limit = _FIRST_PAGE
    after: list[Any] = []
    while rows := _page(table, after=after, limit=limit):
        size = 0
        for row in rows:
            line = encode(row, table)
            size += len(line)
            yield line
        if len(rows) < limit:
            return
        after, limit = [rows[-1][index] for index in key], _next_limit(len(rows), size)


def digest_of(table: Table) -> Digest:
    """Count and hash of the rows that the table has now."""
    found = Digest()
    for line in lines(table):
        found.add(line)
    return found


def encode(row: Sequence[Any], table: Table) -> bytes:
    """A row as a line."""
    values = [_plain(value, table) for value in row]
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def decode(line: bytes) -> list[Any]:
    """The values of a line."""
    row: list[Any] = json.loads(line)
    return row


def insert(table: Table, rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows with the values as they were read."""
    quote = connection.ops.quote_name
    columns = ", ".join(quote(column) for column in table.columns)
    placeholders = ", ".join(["%s"] * len(table.columns))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {quote(table.name)} ({columns}) VALUES ({placeholders})", list(rows))  # noqa: S608


def _page(table: Table, *, after: Sequence[Any], limit: int) -> list[Sequence[Any]]:
    quote = connection.ops.quote_name
    columns, order = (", ".join(map(quote, names)) for names in (table.columns, table.key))
    where, values = _after([quote(column) for column in table.key], after) if after else ("1 = 1", [])
    with connection.cursor() as cursor:
        sql = f"SELECT {columns} FROM {quote(table.name)} WHERE {where} ORDER BY {order} LIMIT {limit}"  # noqa: S608
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def _after(key: Sequence[str], values: Sequence[Any]) -> tuple[str, list[Any]]:
    """A condition for keys after these values, in a form for which MariaDB uses the index."""
    if len(key) == 1:
        return f"{key[0]} > %s", [values[0]]
    rest, more = _after(key[1:], values[1:])
    return f"({key[0]} > %s OR ({key[0]} = %s AND {rest}))", [values[0], values[0], *more]


def _next_limit(rows: int, size: int) -> int:
    return max(1, min(MAX_PAGE, rows * PAGE_BYTES // max(1, size)))


def _plain(value: Any, table: Table) -> Any:
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, datetime | date | Decimal):
        return str(value)
    raise BackupError(f"{table.name} has a value of the type {type(value).__name__}, which the archive cannot hold")
