"""Tables outside InnoDB: Galera does not replicate their rows unless `wsrep_mode` says so, and never what is applied.

Measured on MariaDB 10.11: a row of a MyISAM or Aria table that is written through one node exists on that node only.
With `wsrep_mode` REPLICATE_MYISAM or REPLICATE_ARIA it exists on every node of that cluster, but what a channel applies
still exists on its replica only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backend.core.findings import Finding, Severity
from backend.core.plural import pluralize
from backend.core.ports import NodeReader

_SHOWN = 5
_MOST = 200
_NAME = 64
_SQL = (
    "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) AS name, ENGINE AS engine, TABLE_ROWS AS table_rows "
    "FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE' AND ENGINE <> 'InnoDB' "
)


@dataclass(frozen=True, slots=True)
class OutsideTable:
    """One table; `table_rows` is exact for MyISAM and Aria."""

    name: str
    engine: str
    table_rows: int


def read_outside_tables(reader: NodeReader) -> tuple[OutsideTable, ...]:
    """All tables outside InnoDB that the account can see, without the servers' own schemas; raises NodeError."""
    own = "AND TABLE_SCHEMA NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') "
    return _read(reader, f"{own}ORDER BY TABLE_SCHEMA, TABLE_NAME LIMIT {_MOST}")


def outside_among(reader: NodeReader, tables: Iterable[str]) -> tuple[OutsideTable, ...]:
    """Those of these tables (`schema.table`) that are outside InnoDB; raises NodeError."""
    names = [name.partition(".")[::2] for name in dict.fromkeys(tables)]
    plain = [(schema, table) for schema, table in names if _is_plain(schema) and _is_plain(table)]
    if not plain:
        return ()
    wanted = " OR ".join(f"(TABLE_SCHEMA = '{schema}' AND TABLE_NAME = '{table}')" for schema, table in plain)
    return _read(reader, f"AND ({wanted})")


def _read(reader: NodeReader, where: str) -> tuple[OutsideTable, ...]:
    rows = reader.query(_SQL + where)
    return tuple(OutsideTable(str(r["name"]), str(r["engine"]), int(str(r["table_rows"] or 0))) for r in rows)


def _is_plain(name: str) -> bool:
    """Whether a name needs no escape in a literal, whatever the session's sql_mode."""
    return 0 < len(name) <= _NAME and name.isprintable() and not set(name) & {"'", '"', "\\"}


def outside_finding(side: str, seen: Mapping[str, tuple[OutsideTable, ...]], modes: Iterable[str]) -> Finding | None:
    """A warning that names the tables and the nodes that have their rows; None where all are InnoDB.

    `seen` maps each node that answered to its tables, `modes` are the nodes' wsrep_mode.
    """
    engines = {table.name: table.engine for tables in seen.values() for table in tables}
    if not engines:
        return None
    shown = [f"{name} ({engine}; {_rows_of(name, seen)})" for name, engine in sorted(engines.items())]
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return Finding(
        "tables_outside_innodb",
        Severity.WARNING,
        f"{side} has tables that are not InnoDB: {', '.join(shown[:_SHOWN])}{more}. {_who_has_rows(engines, modes)} "
        "What a channel applies to them exists on its replica only: after a move to another replica those rows are "
        "missing.",
        "Run ALTER TABLE … ENGINE=InnoDB for each of these tables.",
        {"tables": engines, "nodes": sorted(seen)},
    )


def _rows_of(name: str, seen: Mapping[str, tuple[OutsideTable, ...]]) -> str:
    counts = {node: next((t.table_rows for t in tables if t.name == name), None) for node, tables in seen.items()}
    reported = {node: count for node, count in counts.items() if count is not None}
    if len(set(reported.values())) == 1:
        return f"{pluralize(next(iter(reported.values())), 'row')} on {', '.join(reported)}"
    return ", ".join(f"{pluralize(count, 'row')} on {node}" for node, count in reported.items())


def _who_has_rows(engines: Mapping[str, str], modes: Iterable[str]) -> str:
    settings = [mode.upper() for mode in modes]
    if settings and all(f"REPLICATE_{engine.upper()}" in mode for engine in engines.values() for mode in settings):
        return "wsrep_mode replicates what clients write to them."
    return "What a client writes to them exists only on the node through which it was written."
