"""Reads what a side holds: its tables, views and sequences with their definitions, sizes and checksums.

Checksums are those of `CHECKSUM TABLE … EXTENDED`: they depend on the rows, not on their order or on the pages, and are
equal between servers whose row format of the table is the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from backend.core.orphans.rows.sql_literals import identifier
from backend.core.ports import Row

LIST_SQL = (
    "SELECT TABLE_SCHEMA AS `schema`, TABLE_NAME AS `name`, TABLE_TYPE AS `type`, "
    "COALESCE(DATA_LENGTH, 0) + COALESCE(INDEX_LENGTH, 0) AS `bytes` FROM information_schema.TABLES "
    "WHERE TABLE_SCHEMA NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys', 'hawser') "
    "AND TABLE_TYPE NOT LIKE '%TEMPORARY%' ORDER BY 1, 2"
)
VIEW = "VIEW"
_COUNTER = re.compile(r" AUTO_INCREMENT=\d+")
"""The next value is each side's own: it says nothing of the rows."""


@dataclass(frozen=True, slots=True)
class TableContents:
    """A table, view or sequence; `checksum` is None where it was not computed, and of a view."""

    kind: str
    definition: str
    size_bytes: int
    checksum: int | None = None


@dataclass(frozen=True, slots=True)
class SideContents:
    """What one node of a side holds, by `schema.table`."""

    node: str
    tables: Mapping[str, TableContents]

    @property
    def size_bytes(self) -> int:
        """Size of data and indexes as the server estimates it."""
        return sum(table.size_bytes for table in self.tables.values())


@dataclass(frozen=True, slots=True)
class MissingGrants:
    """What an account of a node lacks to read every table, in words, and the statements that grant it."""

    node: str
    sentence: str
    statements: tuple[str, ...]


class ContentsReader(Protocol):
    """Reads nodes of a link side by side."""

    def __call__(self, node_ids: Sequence[str], *, has_checksums: bool, limit_s: float) -> Sequence[SideContents]:
        """What each node holds, in order; raises NodeError."""
        ...


class Session(Protocol):
    """A session that reads; both ports' sessions have this."""

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """Rows of one reading statement; raises NodeError."""
        ...


def read_contents(node: str, listing: Session, tables: Session, *, has_checksums: bool, limit_s: float) -> SideContents:
    """`listing` sees the names of every table, `tables` may read the rows; raises NodeError.

    `limit_s` bounds each checksum.
    """
    found = {}
    for row in listing.query(LIST_SQL):
        name = f"{row['schema']}.{row['name']}"
        quoted = f"{identifier(str(row['schema']))}.{identifier(str(row['name']))}"
        kind = str(row["type"])
        shown = tables.query(f"SHOW CREATE TABLE {quoted}")[0]
        checksum = _checksum(tables, quoted, limit_s) if has_checksums and kind != VIEW else None
        found[name] = TableContents(kind, _definition(shown), int(str(row["bytes"])), checksum)
    return SideContents(node, found)


def _definition(row: Row) -> str:
    text = str(row.get("Create Table") or row.get("Create View") or "")
    return _COUNTER.sub("", text)


def _checksum(session: Session, quoted: str, limit_s: float) -> int | None:
    """None where the server computes none: the table is damaged, or not readable."""
    rows = session.query(f"CHECKSUM TABLE {quoted} EXTENDED", timeout_s=limit_s)
    value = rows[0]["Checksum"] if rows else None
    return None if value is None else int(str(value))
