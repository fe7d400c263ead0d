"""Decides which groups of a returned side's log are orphans, and defines the raw events with their row images."""

from __future__ import annotations

import re
from typing import NamedTuple

from backend.core.binlog.groups import Group
from backend.core.orphans.model import OrphanTransaction, RowChange, TransactionKind

UNDO_MARK = "/* hawser undo */"
"""A comment within the statement, which the server retains in the log (measured on 10.11.19, DROP TABLE, too)."""
OWN_SCHEMA = "hawser"
"""The console's own rows are neither orphans nor replayed."""
_NO_TRACE = re.compile(r"\s*(ANALYZE|OPTIMIZE|REPAIR)\b", re.IGNORECASE)
_ACCOUNTS = re.compile(
    r"\s*(GRANT|REVOKE|(CREATE(\s+OR\s+REPLACE)?|ALTER|DROP|RENAME)\s+(USER|ROLE)|SET\s+(PASSWORD|DEFAULT\s+ROLE))\b",
    re.IGNORECASE,
)
"""Statements about accounts, which belong to each side. The grant that replay and undo need is such a statement."""
_CREATES_OWN = re.compile(r"CREATE (DATABASE|TABLE) IF NOT EXISTS `?hawser`?(\.`?probe`?)?( |\(|$)", re.IGNORECASE)
MAX_SCHEMA_CHANGES = 1_000
_HARMLESS = re.compile(r"(BEGIN|COMMIT|SAVEPOINT\s.*)$", re.IGNORECASE | re.DOTALL)


class RawEvent(NamedTuple):
    """One event of the dump protocol; `end` is its end in its own file, 32 bits wide, 0 for one that is not in it."""

    file: str
    kind: int
    at_s: int
    server_id: int
    end: int
    body: bytes


class TooManyError(Exception):
    """More orphans than the limits allow; the sentence names the limit."""


def is_own_undo(group: Group) -> bool:
    """Whether a statement is the console's undo of a table definition, marked by a comment: a DDL has no marker row."""
    return group.kind == "ddl" and UNDO_MARK in (group.statement or "")


def is_trivial(group: Group) -> bool:
    """Whether a statement is not an orphan: ANALYZE and the like, one about accounts, or an undo."""
    is_traceless = group.kind == "ddl" and bool(_NO_TRACE.match(group.statement or ""))
    return is_traceless or is_about_accounts(group) or is_own_undo(group)


def is_about_accounts(group: Group) -> bool:
    """Whether a statement changes accounts or privileges; Hawser leaves those unchanged and reports them."""
    return group.kind == "ddl" and bool(_ACCOUNTS.match(group.statement or ""))


def is_schema_change(group: Group) -> bool:
    """Whether a statement changes a table definition of an application."""
    return group.kind == "ddl" and not is_trivial(group) and not _CREATES_OWN.match(group.statement or "")


def refusal_of_texts(group: Group) -> str:
    """Why a group's rows are not all of its changes; empty where they are."""
    for text in group.texts:
        if not _HARMLESS.match(text):
            return f"it was logged as a statement, not as rows: {text[:80]}"
    return ""


def is_own(transaction: OrphanTransaction) -> bool:
    """Whether all rows are the console's own, or the group is an undo of this console (it has its marker row)."""
    if transaction.kind is TransactionKind.DDL:
        return bool(_CREATES_OWN.match(transaction.statement or ""))
    own = [row for row in transaction.rows if row.schema == OWN_SCHEMA]
    if own and len(own) == len(transaction.rows):
        return True
    return any(row.table == "probe" and _says_undo(row) for row in own)


def _says_undo(row: RowChange) -> bool:
    image = row.after or ()
    return len(image) > 1 and image[1] == b"undo"
