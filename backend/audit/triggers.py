"""Triggers that refuse UPDATE and DELETE on audit records inside the database itself.

On MariaDB with its binary log on, creating them takes SUPER or log_bin_trust_function_creators.
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
    """Create both triggers, whichever of them was there; what rebuilds the table on SQLite loses them."""
    remove(connection)
    install(connection)


def name_of(verb: str) -> str:
    """The trigger that refuses this verb."""
    return f"{TABLE}_no_{verb.lower()}"


def _create(vendor: str, verb: str) -> str:
    head = f"CREATE TRIGGER {name_of(verb)} BEFORE {verb} ON {TABLE} FOR EACH ROW "
    if vendor == "sqlite":
        return f"{head} BEGIN SELECT RAISE(ABORT, '{_MESSAGE}'); END"
    if vendor == "mysql":
        return f"{head} SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '{_MESSAGE}'"
    raise NotImplementedError(f"no audit triggers for {vendor}")
