"""One change of a definition: looked for, sent once, looked for again.

A definition commits by itself, so no marker can stand in its transaction: whoever comes after a crash sees in the
node's catalogue whether it was done.
"""

from __future__ import annotations

from backend.core.ports import NodeError, RowConflictError, SchemaStatement
from backend.gateway.connection.errors import NotAllowedError
from backend.gateway.connection.session import Session
from backend.gateway.connection.statement_filter import is_reading, is_schema_change


def apply_schema_change(session: Session, change: SchemaStatement, timeout_s: float) -> None:
    """See `NodeWriter.apply_schema_change`; the marker is the caller's."""
    _check_allowed(session.name, change)
    session.run(change.settings)
    if change.default_schema:
        session.run(f"USE `{change.default_schema.replace('`', '``')}`")
    stands = _count(session, change.parts)
    if stands == change.after:
        return
    if stands != change.before:
        raise RowConflictError(session.name, f"{stands} parts of it stand, awaited were {change.before}", ordinal=0)
    if _count(session, change.must_be_none):
        raise RowConflictError(session.name, "the table holds rows that are none of these orphans", ordinal=0)
    try:
        session.run(change.sql, timeout_s=timeout_s)
    except NodeError as error:
        if error.indeterminate:
            raise
        message = f"the server refused the definition: {error.message}"
        raise RowConflictError(session.name, message, ordinal=0, code=error.code) from error
    stands = _count(session, change.parts)
    if stands != change.after:
        message = f"it was sent, and {stands} parts of it stand instead of {change.after}"
        raise RowConflictError(session.name, message, ordinal=0)


def _count(session: Session, sql: str) -> int:
    return int(str(session.run(sql)[0]["n"]))


def _check_allowed(node: str, change: SchemaStatement) -> None:
    if not is_schema_change(change.sql, change.default_schema):
        raise NotAllowedError(node, "only tables, columns and indexes of applications are added or taken away")
    if not (is_reading(change.parts) and is_reading(change.must_be_none)):
        raise NotAllowedError(node, "reading back takes only SHOW and SELECT")
    if not change.settings.startswith("SET SESSION "):
        raise NotAllowedError(node, "settings are those of the session alone")
