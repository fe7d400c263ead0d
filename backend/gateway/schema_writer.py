"""Sends one table definition change: its parts are counted, it is sent once, and they are counted again.

A DDL commits implicitly, so no progress marker can be in its transaction: after a crash the node's
information_schema shows whether it was done.
"""

from __future__ import annotations

from backend.core.plural import pluralize
from backend.core.ports import NodeError, RowConflictError, SchemaStatement
from backend.gateway.connection.errors import NotAllowedError
from backend.gateway.connection.session import Session
from backend.gateway.connection.statement_filter import is_reading, is_schema_change


def apply_schema_change(session: Session, change: SchemaStatement, timeout_s: float) -> None:
    """See `NodeWriter.apply_schema_change`; the caller writes the progress marker."""
    _check_allowed(session.name, change)
    session.run(change.settings)
    if change.default_schema:
        session.run(f"USE `{change.default_schema.replace('`', '``')}`")
    stands = _count(session, change.parts)
    if stands == change.after:
        return
    if stands != change.before:
        message = f"the table has {pluralize(stands, 'part')} of the change, {change.before} expected"
        raise RowConflictError(session.name, message, ordinal=0)
    if _count(session, change.must_be_none):
        message = "the table has rows that the orphaned transactions did not write"
        raise RowConflictError(session.name, message, ordinal=0)
    try:
        session.run(change.sql, timeout_s=timeout_s)
    except NodeError as error:
        if error.indeterminate:
            raise
        message = f"the server refused the change: {error.message}"
        raise RowConflictError(session.name, message, ordinal=0, code=error.code) from error
    stands = _count(session, change.parts)
    if stands != change.after:
        message = f"the change was sent; the table has {pluralize(stands, 'part')} of it, {change.after} expected"
        raise RowConflictError(session.name, message, ordinal=0)


def _count(session: Session, sql: str) -> int:
    return int(str(session.run(sql)[0]["n"]))


def _check_allowed(node: str, change: SchemaStatement) -> None:
    if not is_schema_change(change.sql, change.default_schema):
        raise NotAllowedError(node, "only tables, columns and indexes of applications may be changed; nothing was sent")
    if not (is_reading(change.parts) and is_reading(change.must_be_none)):
        raise NotAllowedError(node, "a read-back may only use SHOW and SELECT; nothing was sent")
    if not change.settings.startswith("SET SESSION "):
        raise NotAllowedError(node, "only session settings may be set; nothing was sent")
