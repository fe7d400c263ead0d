"""Which groups of a returned side's log are orphans, and the raw events that hold their row images."""

from __future__ import annotations

import re
from typing import NamedTuple

from backend.core.binlog.groups import Group
from backend.core.orphans.model import OrphanTransaction, RowChange, TransactionKind

UNDO_MARK = "/* hawser undo */"
"""In the statement, where the server keeps it in the log (measured, 10.11.19: behind DROP TABLE, too)."""
OWN_SCHEMA = "hawser"
"""The console's own rows are neither orphans nor replayed."""
_NO_TRACE = re.compile(r"\s*(FLUSH|ANALYZE|OPTIMIZE|REPAIR)\b", re.IGNORECASE)
_ACCOUNTS = re.compile(
    r"\s*(GRANT|REVOKE|(CREATE(\s+OR\s+REPLACE)?|ALTER|DROP|RENAME)\s+(USER|ROLE)|SET\s+(PASSWORD|DEFAULT\s+ROLE))\b",
    re.IGNORECASE,
)
"""Accounts are each side's own. The very grant that replay and undo need is such a statement."""
_CREATES_OWN = re.compile(r"CREATE (DATABASE|TABLE) IF NOT EXISTS `?hawser`?(\.`?probe`?)?( |\(|$)", re.IGNORECASE)
MAX_SCHEMA_CHANGES = 1_000
_HARMLESS = re.compile(r"(BEGIN|COMMIT|SAVEPOINT\s.*)$", re.IGNORECASE | re.DOTALL)


class RawEvent(NamedTuple):
    """One event as the dump protocol sends it; `end` is its end in its own file, 32 bits wide."""

    file: str
    kind: int
    at_s: int
    server_id: int
    end: int
    body: bytes


class TooManyError(Exception):
    """More orphans than are read; the sentence names the limit."""


def is_own_undo(group: Group) -> bool:
    """The console's own taking back of a definition: no marker can stand in its transaction, so it says so itself."""
    return group.kind == "ddl" and UNDO_MARK in (group.statement or "")


def is_trivial(group: Group) -> bool:
    """A statement that is no orphan: FLUSH and the like, about accounts, or the undo of one."""
    is_traceless = group.kind == "ddl" and bool(_NO_TRACE.match(group.statement or ""))
    return is_traceless or is_about_accounts(group) or is_own_undo(group)


def is_about_accounts(group: Group) -> bool:
    """A statement that changes who may log in or do what; left as it is, and said."""
    return group.kind == "ddl" and bool(_ACCOUNTS.match(group.statement or ""))


def is_schema_change(group: Group) -> bool:
    """A statement that changes a definition of an application's."""
    return group.kind == "ddl" and not is_trivial(group) and not _CREATES_OWN.match(group.statement or "")


def refusal_of_texts(group: Group) -> str:
    """Why a group's rows do not tell all it did; empty where they do."""
    for text in group.texts:
        if not _HARMLESS.match(text):
            return f"it was written as a statement, not as rows: {text[:80]}"
    return ""


def is_own(transaction: OrphanTransaction) -> bool:
    """Only the console's own rows, or an undo of this console: its marker is among the rows."""
    if transaction.kind is TransactionKind.DDL:
        return bool(_CREATES_OWN.match(transaction.statement or ""))
    own = [row for row in transaction.rows if row.schema == OWN_SCHEMA]
    if own and len(own) == len(transaction.rows):
        return True
    return any(row.table == "probe" and _says_undo(row) for row in own)


def _says_undo(row: RowChange) -> bool:
    image = row.after or ()
    return len(image) > 1 and image[1] == b"undo"
