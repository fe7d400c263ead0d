"""The privileges of the console's run-time account in its own database, table by table.

Privileges add up: one on the whole schema would allow changes of audit records, whatever their own table grants. So
none is given there, and each table has its own statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from backend.audit.triggers import TABLE

_USUAL: Final = ("SELECT", "INSERT", "UPDATE", "DELETE")
_FEWER: Final = {
    TABLE: ("SELECT", "INSERT"),
    "audit_audithead": ("SELECT", "INSERT", "UPDATE"),
    "django_migrations": ("SELECT",),
}


def grants(schema: str, tables: Iterable[str], account: str) -> Iterator[str]:
    """A GRANT for each table, in the order of their names; `account` is `user@host`."""
    for table in sorted(tables):
        privileges = ", ".join(_FEWER.get(table, _USUAL))
        yield f"GRANT {privileges} ON {_identifier(schema)}.{_identifier(table)} TO {quoted_account(account)}"


def quoted_account(account: str) -> str:
    """`user@host` in MariaDB's form; any host if none is given."""
    user, _, host = account.rpartition("@") if "@" in account else (account, "", "%")
    return f"{_text(user)}@{_text(host)}"


def _identifier(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _text(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
