"""What of a table can be compared between nodes: by which key, which columns, or why not.

Everything that nodes are told here is told of the definitions that the first of them, the reference, has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from backend.core.orphans.model import Column, TableShape, ValueKind
from backend.core.orphans.rows.information_schema import read_shape
from backend.core.orphans.rows.sql_literals import text_literal
from backend.core.ports import NodeReader, Row

LIST_SQL = (
    "SELECT TABLE_SCHEMA AS s, TABLE_NAME AS n, TABLE_TYPE AS t, ENGINE AS e, COALESCE(TABLE_ROWS, 0) AS r "
    "FROM information_schema.TABLES WHERE TABLE_SCHEMA NOT IN "
    "('information_schema', 'mysql', 'performance_schema', 'sys', 'hawser') "
    "AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY 1, 2"
)
_ORDERED = frozenset(
    {
        ValueKind.INT,
        ValueKind.DECIMAL,
        ValueKind.TEXT,
        ValueKind.BINARY,
        ValueKind.DATE,
        ValueKind.TIME,
        ValueKind.DATETIME,
        ValueKind.TIMESTAMP,
    }
)
"""Kinds of key columns whose values have literals by which the server finds a range in its index."""
_TRANSACTIONAL = "InnoDB"


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A base table of a node; `rows` is the server's estimate."""

    schema: str
    table: str
    engine: str
    rows: int

    @property
    def name(self) -> str:
        """`schema.table`."""
        return f"{self.schema}.{self.table}"


@dataclass(frozen=True, slots=True)
class Definition:
    """A table of one node; `collations` by column, of texts alone."""

    shape: TableShape
    engine: str
    collations: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Comparable:
    """What of a table is compared: `shape` has the columns that all nodes share, and at most one key.

    Without a key the number of rows and the sum of their digests are. `left_out`: a sentence for each column, or
    definition, that is not compared.
    """

    shape: TableShape
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotComparable:
    """Why nothing of a table is compared."""

    code: str
    sentence: str


def tables_of(rows: Sequence[Row]) -> dict[str, ListedTable]:
    """The rows of `LIST_SQL`, by name."""
    listed = (ListedTable(str(row["s"]), str(row["n"]), str(row["e"]), int(str(row["r"]))) for row in rows)
    return {one.name: one for one in listed}


def definition(reader: NodeReader, schema: str, table: str) -> Definition | None:
    """A node's table; None where it does not exist. Raises NodeError."""
    there = f"TABLE_SCHEMA = {text_literal(schema)} AND TABLE_NAME = {text_literal(table)}"
    shape = read_shape(reader, schema, table)
    about = reader.query(f"SELECT ENGINE AS e FROM information_schema.TABLES WHERE {there}")
    texts = reader.query(
        "SELECT COLUMN_NAME AS n, COLLATION_NAME AS c FROM information_schema.COLUMNS "
        f"WHERE {there} AND COLLATION_NAME IS NOT NULL"
    )
    if shape is None or not about:
        return None
    return Definition(shape, str(about[0]["e"]), {str(row["n"]): str(row["c"]) for row in texts})


def comparable(name: str, found: Mapping[str, Definition | None]) -> Comparable | NotComparable:
    """What of the table can be compared; `found`: its definition by node, the reference first."""
    absent = [node for node, one in found.items() if one is None]
    definitions = {node: one for node, one in found.items() if one is not None}
    if absent:
        present = ", ".join(definitions) or "no node"
        return NotComparable("table_missing", f"{name} exists on {present}, not on {', '.join(absent)}.")
    for node, one in definitions.items():
        if one.engine != _TRANSACTIONAL:
            return NotComparable(
                "engine_without_transactions",
                f"{name} uses {one.engine} on {node}: no two nodes can be read as of one moment, and Galera does not "
                "replicate its rows.",
            )
    return _shared(definitions)


def _shared(definitions: Mapping[str, Definition]) -> Comparable | NotComparable:
    (node, reference), *others = definitions.items()
    shape, said = reference.shape, list[str]()
    columns = []
    for column in shape.columns:
        apart = [other for other, one in others if column not in one.shape.columns]
        if shape.is_derived(column):
            said.append(f"{column.name} is computed by the server")
        elif apart:
            said.append(f"{column.name} is defined differently, or is not there, on {', '.join(apart)}")
        else:
            columns.append(column)
    said += [f"{extra} is on {other} alone" for other, one in others for extra in _more(one.shape, shape)]
    if not columns:
        return NotComparable("no_shared_column", f"{shape.name} has no column that is the same on every node.")
    shared = replace(shape, columns=tuple(columns), keys=())
    key = next(_keys(definitions, {column.name: column for column in columns}), None)
    if key is None:
        said.append(f"no key of {node} orders its rows alike on every node, so their number and sum is compared")
    return Comparable(replace(shared, keys=() if key is None else (key,)), tuple(said))


def _more(shape: TableShape, reference: TableShape) -> Iterator[str]:
    known = {column.name for column in reference.columns}
    return (column.name for column in shape.columns if column.name not in known)


def _keys(definitions: Mapping[str, Definition], shared: Mapping[str, Column]) -> Iterator[tuple[str, ...]]:
    """Keys that every node has, over whole columns that are never NULL, in one order everywhere."""
    reference, *others = definitions.values()
    for key in reference.shape.keys:
        if not key:  # the first key may be NULL, and those behind it
            return
        are_ordered = all(name in shared and is_ordered(shared[name]) for name in key)
        collations = [[one.collations.get(name) for name in key] for one in (reference, *others)]
        if are_ordered and all(key in one.shape.keys for one in others) and all(c == collations[0] for c in collations):
            yield key


def is_ordered(column: Column) -> bool:
    """Whether a range of its values can be asked for."""
    return column.kind in _ORDERED or column.data_type == "uuid"
