"""How a server knows the account of a login: its name with the host part, and the hashes that log in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.connection.session import Session

_NAMED = re.compile(r"CREATE USER `(?P<user>[^`]+)`@`(?P<host>[^`]+)` (?P<rest>.*)", re.DOTALL)
_HASHES = re.compile(
    r"IDENTIFIED (?:BY PASSWORD '(\*[0-9A-F]{40})'|VIA mysql_native_password USING '(\*[0-9A-F]{40})'"
    r"(?: OR mysql_native_password USING '(\*[0-9A-F]{40})')?)(?! OR )(?= |$)"
)


@dataclass(frozen=True, slots=True)
class OwnAccount:
    """`hashes` is empty where the account logs in by another plugin, or by more than two passwords."""

    user: str
    host: str
    hashes: tuple[str, ...]


def own_account(node: str, endpoint: NodeEndpoint) -> OwnAccount | None:
    """The account of this login; None where the server describes it in an unknown form. Raises NodeError."""
    session = Session(node, endpoint, read_only=True)
    try:
        rows = session.run("SHOW CREATE USER")
    finally:
        session.close()
    return parse_account(str(next(iter(rows[0].values()))))


def parse_account(text: str) -> OwnAccount | None:
    """The answer of SHOW CREATE USER, which an account may ask of itself without a privilege."""
    named = _NAMED.fullmatch(text)
    if named is None:
        return None
    found = _HASHES.match(named["rest"])
    hashes = tuple(one for one in found.groups() if one) if found else ()
    return OwnAccount(named["user"], named["host"], hashes)
