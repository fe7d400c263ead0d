"""Reads the definitions of tables that orphans touch, and why Hawser does not write some of them.

The monitor account sees columns and keys by REFERENCES, foreign keys by PROCESS; triggers are visible only
to an account with TRIGGER on the schema, so only such an account shows that there are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from backend.core.orphans.model import Column, TableShape
from backend.core.orphans.rows.sql_literals import text_literal
from backend.core.ports import NodeReader, Row

_CASCADES = 1 | 2 | 4 | 8
"""InnoDB's flags: on delete cascade, on delete set null, on update cascade, on update set null."""


def read_shapes(reader: NodeReader, tables: Iterable[tuple[str, str]]) -> dict[str, TableShape]:
    """Table definitions by `schema.table`; a table that does not exist is omitted. Raises NodeError."""
    found = {}
    for schema, table in sorted(set(tables)):
        shape = read_shape(reader, schema, table)
        if shape is not None:
            found[shape.name] = shape
    return found


def read_shape(reader: NodeReader, schema: str, table: str) -> TableShape | None:
    """One table's definition; None where it does not exist."""
    there = f"TABLE_SCHEMA = {text_literal(schema)} AND TABLE_NAME = {text_literal(table)}"
    about = reader.query(f"SELECT ENGINE AS e, TABLE_TYPE AS t FROM information_schema.TABLES WHERE {there}")
    columns = reader.query(
        "SELECT COLUMN_NAME AS n, DATA_TYPE AS d, COLUMN_TYPE AS ct, CHARACTER_SET_NAME AS cs, "
        "CHARACTER_OCTET_LENGTH AS o, NUMERIC_PRECISION AS p, NUMERIC_SCALE AS s, DATETIME_PRECISION AS f, "
        f"IS_GENERATED AS g FROM information_schema.COLUMNS WHERE {there} ORDER BY ORDINAL_POSITION"
    )
    if not about or not columns:
        return None
    keys = reader.query(
        "SELECT INDEX_NAME AS i, COLUMN_NAME AS n, SUB_PART AS part, NULLABLE AS nullable "
        f"FROM information_schema.STATISTICS WHERE {there} AND NON_UNIQUE = 0 ORDER BY INDEX_NAME, SEQ_IN_INDEX"
    )
    cascading = reader.query(
        "SELECT ID AS id, FOR_NAME AS child, REF_NAME AS parent, TYPE AS type "
        f"FROM information_schema.INNODB_SYS_FOREIGN WHERE TYPE & {_CASCADES}"
    )
    return TableShape(
        schema,
        table,
        tuple(_column(row) for row in columns),
        _keys(keys),
        tuple(_refusals(f"{schema}.{table}", about[0], cascading)),
    )


def _column(row: Row) -> Column:
    return Column(
        name=str(row["n"]),
        data_type=str(row["d"]).lower(),
        column_type=str(row["ct"]),
        charset=None if row["cs"] is None else str(row["cs"]),
        octets=_int(row["o"]),
        precision=_int(row["p"]),
        scale=_int(row["s"]),
        fraction=_int(row["f"]),
        is_generated=str(row["g"]).upper() == "ALWAYS",
    )


def _int(value: object) -> int | None:
    return None if value is None else int(str(value))


def _keys(rows: Sequence[Row]) -> tuple[tuple[str, ...], ...]:
    """Unique keys, the primary first. A key over a part of a column identifies no row by whole values."""
    keys: dict[str, list[str]] = {}
    partial = {str(row["i"]) for row in rows if row["part"] is not None}
    nullable = {str(row["i"]) for row in rows if str(row["nullable"]).upper() == "YES"}
    for row in rows:
        if str(row["i"]) not in partial:
            keys.setdefault(str(row["i"]), []).append(str(row["n"]))
    ordered = sorted(keys, key=lambda name: (name != "PRIMARY", name in nullable, name))
    if ordered and (ordered[0] in nullable):
        return ((), *(tuple(keys[name]) for name in ordered))
    return tuple(tuple(keys[name]) for name in ordered)


def _refusals(name: str, about: Row, cascading: Sequence[Row]) -> Iterable[str]:
    if str(about["t"]).upper() != "BASE TABLE":
        yield f"{name} is a {str(about['t']).lower()}, not a base table"
    elif str(about["e"]) != "InnoDB":
        yield f"{name} uses the storage engine {about['e']}, which has no transactions"
    children = sorted(_decoded(str(row["child"])) for row in cascading if _decoded(str(row["parent"])) == name)
    if children:
        yield (
            f"{name} is referenced by {', '.join(children)} with CASCADE or SET NULL, "
            "and the resulting changes have no row images"
        )


def _decoded(name: str) -> str:
    """InnoDB's `schema/table` with its @0040 escapes, as `schema.table`."""
    parts = name.split("@")
    text = parts[0] + "".join(_escaped(part) for part in parts[1:])
    return text.replace("/", ".", 1)


def _escaped(part: str) -> str:
    code = part[:4]
    return (
        chr(int(code, 16)) + part[4:] if len(code) == 4 and all(c in "0123456789abcdef" for c in code) else "@" + part
    )


def read_triggers(reader: NodeReader, tables: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Triggers by `schema.table`, as far as the account sees them (see the module). Raises NodeError."""
    wanted = set(tables)
    found: dict[str, tuple[str, ...]] = {}
    for schema in sorted({name.partition(".")[0] for name in wanted}):
        rows = reader.query(
            "SELECT EVENT_OBJECT_TABLE AS t, TRIGGER_NAME AS n FROM information_schema.TRIGGERS "
            f"WHERE EVENT_OBJECT_SCHEMA = {text_literal(schema)}"
        )
        for row in rows:
            name = f"{schema}.{row['t']}"
            if name in wanted:
                found[name] = (*found.get(name, ()), str(row["n"]))
    return found


def differences(one: TableShape, other: TableShape | None) -> str:
    """Why rows of `one` do not match the other side's table; empty where they do."""
    if other is None:
        return f"{one.name} does not exist there"
    if one.columns != other.columns:
        return f"{one.name} has other columns there"
    return ""
