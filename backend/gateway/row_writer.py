"""Writes one transaction of row changes, all or none, each row found exactly once and read back.

The progress marker in hawser.probe is written in the same transaction, so that after a crash the
server itself shows the progress.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from backend.core.plural import pluralize
from backend.core.ports import NodeError, RowConflictError, RowStatement
from backend.gateway.connection.errors import NotAllowedError
from backend.gateway.connection.session import Session
from backend.gateway.connection.statement_filter import is_changing, is_reading, is_row_change

SETTINGS = (
    "SET SESSION sql_mode='STRICT_ALL_TABLES,ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO', time_zone='+00:00', "
    "foreign_key_checks=1, unique_checks=1, innodb_lock_wait_timeout=5, wsrep_sync_wait=1"
)
"""Values are stored unchanged or not at all; foreign keys are checked as in any session; the node has first
applied all that its cluster committed, so that an old row is not taken for the current one."""
_DEADLOCK, _DUPLICATE = 1213, 1062
_ATTEMPTS = 3


def apply_transaction(session: Session, statements: Sequence[RowStatement], marker: str, timeout_s: float) -> None:
    """See `NodeWriter.apply_transaction`; `SETTINGS` were sent on this session before.

    After a certification conflict the transaction is sent again: it was rolled back in full.
    """
    _check_allowed(session.name, statements, marker)
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            _once(session, statements, marker, time.monotonic() + timeout_s)
            return
        except NodeError as error:
            if error.code != _DEADLOCK or attempt == _ATTEMPTS:
                raise


def _check_allowed(node: str, statements: Sequence[RowStatement], marker: str) -> None:
    for statement in statements:
        if not is_row_change(statement.sql) or not is_reading(statement.check):
            raise NotAllowedError(node, "only single rows of application tables may be changed; nothing was sent")
    if not is_changing(marker):
        raise NotAllowedError(node, "the progress marker must be a row of hawser.probe; nothing was sent")


def _once(session: Session, statements: Sequence[RowStatement], marker: str, until: float) -> None:
    session.run("START TRANSACTION")
    try:
        for ordinal, statement in enumerate(statements):
            _change(session, ordinal, statement, max(1.0, until - time.monotonic()))
        session.run(marker)
    except NodeError as error:
        if not error.indeterminate:
            session.run("ROLLBACK")
        raise
    session.run("COMMIT", timeout_s=max(5.0, until - time.monotonic()))


def _change(session: Session, ordinal: int, statement: RowStatement, timeout_s: float) -> None:
    try:
        found, warnings = session.change(statement.sql, timeout_s=timeout_s)
    except NodeError as error:
        if error.indeterminate or error.code == _DEADLOCK:
            raise
        word = "the row already exists" if error.code == _DUPLICATE else "the server refused the row"
        raise RowConflictError(session.name, f"{word}: {error.message}", ordinal=ordinal, code=error.code) from error
    if found != 1:
        raise RowConflictError(
            session.name,
            f"the row to {statement.operation} was changed or removed: {found} found, 1 expected",
            ordinal=ordinal,
        )
    if warnings:
        rows = session.run("SHOW WARNINGS")
        warning_texts = "; ".join(f"{row['Code']} {row['Message']}" for row in rows)
        raise RowConflictError(session.name, f"the server warned: {warning_texts}", ordinal=ordinal)
    _read_back(session, ordinal, statement)


def _read_back(session: Session, ordinal: int, statement: RowStatement) -> None:
    """Check that the expected row image is there; without a key, at least one row equal to it."""
    count = int(str(session.run(statement.check)[0]["n"]))
    is_right = count == statement.expected
    if statement.expected is None:
        is_right = count >= 1 or statement.operation == "delete"
    if not is_right:
        raise RowConflictError(
            session.name,
            f"the read-back after the {statement.operation} found {pluralize(count, 'equal row')}",
            ordinal=ordinal,
        )
