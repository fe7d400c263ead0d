"""The statements of a table definition change: a replay sends it as in the log, an undo its exact inverse."""

from __future__ import annotations

from backend.core.orphans.rows.sql_literals import identifier, text_literal
from backend.core.orphans.schema_change import ChangeKind, SchemaChange
from backend.core.orphans.transactions import UNDO_MARK
from backend.core.ports import SchemaStatement

NOTHING_FORBIDS = "SELECT 0 AS n"


def replay_change(change: SchemaChange) -> SchemaStatement:
    """The statement again, under the settings it was sent with."""
    return SchemaStatement(
        sql=change.sql,
        settings=_settings(change.sql_mode, checks_foreign_keys=change.checks_foreign_keys),
        default_schema=change.default_schema,
        parts=_parts(change),
        before=0,
        after=parts_count(change),
        must_be_none=NOTHING_FORBIDS,
    )


def undo_change(change: SchemaChange) -> SchemaStatement:
    """The statement that undoes it; a created table is only dropped where it has no row any more."""
    table = f"{identifier(change.schema)}.{identifier(change.table)}"
    if change.kind is ChangeKind.CREATE:
        sql, rest = (
            f"DROP TABLE {UNDO_MARK} {table}",
            f"SELECT COUNT(*) AS n FROM (SELECT 1 FROM {table} LIMIT 1) AS one",
        )
    else:
        # indexes first: an index on a dropped column would only lose that column and still exist
        dropped = [f"DROP INDEX {identifier(index.name)}" for index in change.indexes]
        dropped += [f"DROP COLUMN {identifier(column)}" for column in reversed(change.columns)]
        sql, rest = f"ALTER TABLE {table} {', '.join(dropped)} {UNDO_MARK}", NOTHING_FORBIDS
    return SchemaStatement(
        sql=sql,
        settings=_settings(0, checks_foreign_keys=True),
        default_schema="",
        parts=_parts(change),
        before=parts_count(change),
        after=0,
        must_be_none=rest,
    )


def parts_count(change: SchemaChange) -> int:
    """The number of parts that it adds: a table, or columns and indexes."""
    return 1 if change.kind is ChangeKind.CREATE else len(change.columns) + len(change.indexes)


def _settings(sql_mode: int, *, checks_foreign_keys: bool) -> str:
    """TOI: the change is ordered among the whole cluster's writes; under RSU it would be on one node only."""
    return (
        f"SET SESSION sql_mode={sql_mode}, foreign_key_checks={int(checks_foreign_keys)}, "
        "wsrep_OSU_method='TOI', wsrep_sync_wait=1"
    )


def _parts(change: SchemaChange) -> str:
    """The query for the number of its parts that exist in the node's information_schema."""
    there = f"TABLE_SCHEMA = {text_literal(change.schema)} AND TABLE_NAME = {text_literal(change.table)}"
    if change.kind is ChangeKind.CREATE:
        return f"SELECT COUNT(*) AS n FROM information_schema.TABLES WHERE {there}"
    found = []
    if change.columns:
        names = ", ".join(text_literal(name) for name in change.columns)
        found.append(f"(SELECT COUNT(*) FROM information_schema.COLUMNS WHERE {there} AND COLUMN_NAME IN ({names}))")
    if change.indexes:
        names = ", ".join(text_literal(index.name) for index in change.indexes)
        counted = "COUNT(DISTINCT INDEX_NAME)"
        found.append(f"(SELECT {counted} FROM information_schema.STATISTICS WHERE {there} AND INDEX_NAME IN ({names}))")
    return f"SELECT {' + '.join(found)} AS n"
