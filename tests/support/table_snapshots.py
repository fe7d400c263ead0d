"""Nodes whose tables are in memory: the comparison's own statements are executed by SQLite."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from backend.core.orphans.model import Column, TableShape
from backend.core.ports import Row

SHAPE = TableShape("shop", "orders", (Column("id", "int", "int(11)"), Column("total", "int", "int(11)")), (("id",),))
PAIRS = TableShape(
    "shop",
    "parts",
    (Column("shop", "int", "int(11)"), Column("part", "int", "int(11)"), Column("total", "int", "int(11)")),
    (("shop", "part"),),
)
KEYLESS = TableShape("shop", "notes", (Column("id", "int", "int(11)"), Column("total", "int", "int(11)")))
_CREATE = (
    "CREATE TABLE shop.orders (id INT PRIMARY KEY, total INT)",
    "CREATE TABLE shop.parts (shop INT, part INT, total INT, PRIMARY KEY (shop, part))",
    "CREATE TABLE shop.notes (id INT, total INT)",
)


def _md5(text: str | None) -> str | None:
    return None if text is None else hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def _number(text: str | None, base: int, _to: int) -> int | None:
    """A part of it: SQLite has sums of 63 bits."""
    return None if text is None else int(text[:8], base)


def _joined(separator: str, *texts: str) -> str | None:
    return None if UNREADABLE in texts else separator.join(texts)


UNREADABLE = "-666"
"""A value of which the fake server computes no digest."""


def node() -> sqlite3.Connection:
    """An empty server."""
    server = sqlite3.connect(":memory:")
    server.row_factory = sqlite3.Row
    server.execute("ATTACH DATABASE ':memory:' AS shop")
    server.create_function("MD5", 1, _md5)
    server.create_function("CONCAT_WS", -1, _joined)
    server.create_function("CONV", 3, _number)
    for sql in _CREATE:
        server.execute(sql)
    return server


def put(server: sqlite3.Connection, table: str, rows: Sequence[tuple[int, ...]]) -> None:
    """Insert these rows, or replace those of their key."""
    marks = ", ".join("?" * len(rows[0]))
    server.executemany(f"INSERT OR REPLACE INTO shop.{table} VALUES ({marks})", rows)


@dataclass
class FakeSnapshots:
    """The servers by node id, the reference first."""

    servers: Mapping[str, sqlite3.Connection]
    touched: Collection[str] | None = ()
    asked: list[str] = field(default_factory=list)

    @property
    def node_ids(self) -> list[str]:
        """In their order."""
        return list(self.servers)

    def first(self, sql: str) -> Sequence[Row]:
        """Ask the reference."""
        return self._rows(self.node_ids[0], sql)

    def each(self, sql: str) -> Mapping[str, Sequence[Row]]:
        """Ask each."""
        return {node_id: self._rows(node_id, sql) for node_id in self.servers}

    def _rows(self, node_id: str, sql: str) -> Sequence[Row]:
        self.asked.append(sql)
        return [dict(row) for row in self.servers[node_id].execute(sql)]

    def end(self) -> None:
        """The tables stay as they are."""
