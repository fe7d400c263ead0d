"""Creates the console's accounts on a cluster, through the one class that changes servers.

An account that is there already is not touched: it may belong to another user. Where it is the one that this very
registration created, or that the channel brought from the other cluster, its password works, and it is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.core.dialects import quoting
from backend.core.ports import NodeError
from backend.core.topology import NodeRef
from backend.gateway.account_statements import ROLES, SCHEMA_SQL, AccountName, AccountStatement, native_hash
from backend.gateway.administrator import Login
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.connection.login import try_login
from backend.gateway.writer import Writer

STATEMENT_S = 10.0
_VIEW_IS_THERE = "SELECT COUNT(*) AS n FROM hawser.write_through"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one statement: `done`, `already_there`, or `failed` with the server's reason."""

    sql: str
    result: str
    error: str = ""


class AccountTakenError(Exception):
    """An account of that name exists, and its password is not the one that would be set."""

    def __init__(self, role: str, detail: str) -> None:
        super().__init__(detail)
        self.role = role


def create_accounts(
    endpoint: NodeEndpoint,
    names: Mapping[str, AccountName],
    passwords: Mapping[str, str],
    statements: Sequence[AccountStatement],
) -> list[Outcome]:
    """Send the statements in order until one fails; raises NodeError where no session opens, and AccountTakenError."""
    writer = Writer(NodeRef("", endpoint.host, endpoint.host, endpoint.port, ""), endpoint)
    try:
        there = {role for role in ROLES if _is_ours(writer, endpoint, role, names[role], passwords[role])}
        outcomes: list[Outcome] = []
        for one in statements:
            outcomes.append(_send(writer, one, passwords, is_there=_is_there(writer, one, there)))
            if outcomes[-1].result == "failed":
                break
        return outcomes
    finally:
        writer.close()


def _is_there(writer: Writer, statement: AccountStatement, accounts: set[str]) -> bool:
    if statement.sql.startswith("CREATE USER"):
        return statement.role in accounts
    return not statement.role and statement.sql != SCHEMA_SQL and _has_view(writer)


def _is_ours(writer: Writer, endpoint: NodeEndpoint, role: str, name: AccountName, password: str) -> bool:
    """Whether the account exists with this password. Where that is unknown, nothing is sent."""
    where = f"User={quoting.plain(name.user, 'user')} AND Host={quoting.plain(name.host, 'host')}"
    try:
        found = writer.query(f"SELECT COUNT(*) AS n FROM mysql.user WHERE {where}")
    except NodeError as error:
        raise AccountTakenError(role, f"whether {name.quoted} exists could not be read: {error.message}") from None
    if int(str(found[0]["n"])) == 0:
        return False
    login = Login(name.user, password, policy=endpoint.policy, ca_pem=endpoint.tls.ca_pem, client=endpoint.tls)
    refusal = try_login(endpoint.host, login.endpoint(endpoint.host, endpoint.port, endpoint.tls.mode.value))
    if refusal is not None:
        raise AccountTakenError(role, f"{name.quoted} exists on {endpoint.host} and has another password")
    return True


def _has_view(writer: Writer) -> bool:
    try:
        return int(str(writer.query(_VIEW_IS_THERE)[0]["n"])) > 0
    except NodeError:
        return False


def _send(writer: Writer, one: AccountStatement, passwords: Mapping[str, str], *, is_there: bool) -> Outcome:
    if is_there:
        return Outcome(one.sql, "already_there")
    secrets = {role: native_hash(password) for role, password in passwords.items()}
    try:
        writer.apply_account_statement(one.sql, secrets=secrets, timeout_s=STATEMENT_S)
    except NodeError as error:
        return Outcome(one.sql, "failed", error.message)
    return Outcome(one.sql, "done")
