"""The statements that create the console's three accounts with the privileges that they need, and no others.

Only clusters of MariaDB are registered with an administrator's account.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.core.dialects import MARIADB_NEEDS, quoting
from backend.core.dialects.needs import EVENTS
from backend.core.facts.activity import WRITE_THROUGH_VIEW_SQL

ROLES = ("monitor", "operator", "replication")
SCHEMA_SQL = "CREATE DATABASE IF NOT EXISTS hawser"
CHOSEN = "choose a password"
"""Stands for the password in statements that a person runs."""
_ACCOUNT = r"'[^'\\\x00-\x1f]{1,128}'@'[^'\\\x00-\x1f]{1,255}'"
_CREATE = re.compile(
    rf"CREATE USER IF NOT EXISTS {_ACCOUNT} IDENTIFIED VIA mysql_native_password USING "
    rf"'\{{\{{secret:({'|'.join(ROLES)})\}}\}}'"
)
_GRANT = re.compile(rf"GRANT (?P<names>[A-Z_, ]+) ON (?P<on>\S+) TO {_ACCOUNT}")


@dataclass(frozen=True, slots=True)
class AccountName:
    """An account as SQL names it."""

    user: str
    host: str

    @property
    def quoted(self) -> str:
        """`'user'@'host'`; raises DialectError where it does not fit into a statement."""
        return f"{quoting.plain(self.user, 'user')}@{quoting.plain(self.host, 'host')}"


@dataclass(frozen=True, slots=True)
class AccountStatement:
    """One statement: `role` is the account that it is for, empty for the view that all of them use."""

    role: str
    sql: str
    purpose: str


def account_statements(names: Mapping[str, AccountName], *, runs_events: bool) -> tuple[AccountStatement, ...]:
    """All statements in the order in which they are sent; passwords are marks that are filled in when sent.

    `IF NOT EXISTS`: the statement is replicated to nodes that may have the account already, where it must not fail.
    Not the password is sent but its hash, so that no log of a server and no network sees it.
    """
    found: list[AccountStatement] = []
    for role in ROLES:
        quoted = names[role].quoted
        created = (
            f"CREATE USER IF NOT EXISTS {quoted} IDENTIFIED VIA mysql_native_password USING '{{{{secret:{role}}}}}'"
        )
        found.append(AccountStatement(role, created, f"creates the {role} account"))
        found += _grants(role, quoted, runs_events=runs_events)
    return (
        *found,
        AccountStatement("", SCHEMA_SQL, "holds the table and the view of Hawser"),
        AccountStatement("", WRITE_THROUGH_VIEW_SQL, "lists the accounts that bypass read_only, for a switchover"),
    )


def own_statements(names: Mapping[str, AccountName], *, runs_events: bool) -> tuple[str, ...]:
    """The same for a person to run, with a placeholder for each password."""
    return tuple(
        re.sub(r"IDENTIFIED VIA .*", f"IDENTIFIED BY '{CHOSEN}'", one.sql) + ";"
        for one in account_statements(names, runs_events=runs_events)
    )


def _grants(role: str, quoted: str, *, runs_events: bool) -> list[AccountStatement]:
    """One statement for everything on one thing."""
    needs = [need for need in MARIADB_NEEDS if need.role == role and (runs_events or need.code != EVENTS)]
    found = []
    for on in dict.fromkeys(need.on for need in needs):
        same = [need for need in needs if need.on == on]
        names = ", ".join(name for need in same for name in need.privileges)
        purpose = "; ".join(need.used_for.replace("`", "") for need in same)
        found.append(AccountStatement(role, f"GRANT {names} ON {on} TO {quoted}", purpose))
    return found


def statements_digest(address: tuple[str, int], statements: Sequence[AccountStatement]) -> str:
    """What a person confirms: these statements, on this server."""
    text = "\n".join([f"{address[0]}:{address[1]}", *(one.sql for one in statements)])
    return hashlib.sha256(text.encode()).hexdigest()


def is_account_statement(sql: str) -> bool:
    """Whether it creates an account with a password to be filled in, grants what is needed, or makes the view."""
    if sql in (SCHEMA_SQL, WRITE_THROUGH_VIEW_SQL) or _CREATE.fullmatch(sql):
        return True
    grant = _GRANT.fullmatch(sql)
    if grant is None:
        return False
    allowed = {name for need in MARIADB_NEEDS if need.on == grant["on"] for name in need.privileges}
    return set(grant["names"].split(", ")) <= allowed


def native_hash(password: str) -> str:
    """What mysql_native_password stores of a password."""
    inner = hashlib.sha1(password.encode()).digest()  # noqa: S324 - the algorithm of the server's plugin
    return "*" + hashlib.sha1(inner).hexdigest().upper()  # noqa: S324
