"""Triggers with which the database itself refuses UPDATE and DELETE on audit records.

On MariaDB with a binary log, creating them needs SUPER or log_bin_trust_function_creators.
"""

from __future__ import annotations

from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE: Final = "audit_auditrecord"
_MESSAGE: Final = "audit records are append-only"
_VERBS: Final = ("UPDATE", "DELETE")


def install(connection: BaseDatabaseWrapper) -> None:
    """Create both triggers."""
    with connection.cursor() as cursor:
        for verb in _VERBS:
            cursor.execute(_create(connection.vendor, verb))


def remove(connection: BaseDatabaseWrapper) -> None:
    """Drop both triggers."""
    with connection.cursor() as cursor:
        for verb in _VERBS:
            cursor.execute(f"DROP TRIGGER IF EXISTS {name_of(verb)}")


def reinstall(connection: BaseDatabaseWrapper) -> None:
    """Create both triggers again, whichever exist; on SQLite a rebuild of the table drops them."""
    remove(connection)
    install(connection)


def name_of(verb: str) -> str:
    """Name of the trigger that refuses this verb."""
    return f"{TABLE}_no_{verb.lower()}"


def _create(vendor: str, verb: str) -> str:
    head = f"CREATE TRIGGER {name_of(verb)} BEFORE {verb} ON {TABLE} FOR EACH ROW "
    if vendor == "sqlite":
        return f"{head} BEGIN SELECT RAISE(ABORT, '{_MESSAGE}'); END"
    if vendor == "mysql":
        return f"{head} SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '{_MESSAGE}'"
    raise NotImplementedError(f"no audit triggers for {vendor}")
