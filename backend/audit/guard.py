"""Checks whether the database refuses changes of audit records by this account, through triggers or privileges.

On MariaDB an account without TRIGGER does not see triggers; one without UPDATE and DELETE needs none.
"""

from __future__ import annotations

from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

from backend.audit import triggers

_CHANGING: Final = ("UPDATE", "DELETE")
_TRIGGERS: Final = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "mysql": "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()"
    " AND EVENT_OBJECT_TABLE = 'audit_auditrecord'",
}
_SELF: Final = (
    "CONCAT(QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', 1)), '@', QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', -1)))"
)
_PRIVILEGES: Final = (
    f"SELECT PRIVILEGE_TYPE FROM information_schema.USER_PRIVILEGES WHERE GRANTEE = {_SELF}"  # noqa: S608 - constants
    " UNION SELECT PRIVILEGE_TYPE FROM information_schema.SCHEMA_PRIVILEGES"
    f" WHERE GRANTEE = {_SELF} AND DATABASE() LIKE TABLE_SCHEMA"
    " UNION SELECT PRIVILEGE_TYPE FROM information_schema.TABLE_PRIVILEGES"
    f" WHERE GRANTEE = {_SELF} AND TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '{triggers.TABLE}'"
)


def unguarded(connection: BaseDatabaseWrapper) -> list[str]:
    """Verbs that this account may use on records without a trigger against them."""
    present = _column(connection, _TRIGGERS[connection.vendor])
    missing = [verb for verb in _CHANGING if triggers.name_of(verb) not in present]
    if not missing or connection.vendor == "sqlite":
        return missing
    held = _column(connection, _PRIVILEGES)
    return [verb for verb in missing if verb in held]


def _column(connection: BaseDatabaseWrapper, sql: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return {str(row[0]) for row in cursor.fetchall()}
