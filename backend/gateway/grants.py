"""The privileges that the console's accounts need, those they have, and the statement that grants the rest.

The list was measured on MariaDB 10.11 (each statement of Hawser run under each privilege).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backend.core.dialects import quoting
from backend.core.dialects.base import DialectError
from backend.core.findings import Finding, Severity

_GRANT = re.compile(r"GRANT (?P<what>.+?) ON (?P<where>\S+) TO ", re.IGNORECASE)
READING = ("BINLOG MONITOR", "SLAVE MONITOR", "PROCESS")
NEEDED = {
    "monitor": READING,
    "operator": (*READING, "REPLICATION SLAVE ADMIN", "RELOAD", "READ_ONLY ADMIN"),
    "replication": ("REPLICATION SLAVE",),
}
ORPHANS = ("REPLICATION SLAVE", "REFERENCES")
"""What the monitor account also needs to read row images and the columns they belong to."""
PROBE = ("CREATE", "SELECT", "INSERT", "DELETE")
EXCESSIVE = ("SUPER", "FILE", "ALL PRIVILEGES")
_SYNONYMS = {
    "REPLICATION CLIENT": "BINLOG MONITOR",
    "REPLICA MONITOR": "SLAVE MONITOR",
    "REPLICATION REPLICA ADMIN": "REPLICATION SLAVE ADMIN",
    "REPLICATION REPLICA": "REPLICATION SLAVE",
}


@dataclass(frozen=True, slots=True)
class HeldPrivileges:
    """Privileges of an account on everything, and on the schema `hawser`."""

    everywhere: frozenset[str]
    on_probe: frozenset[str]

    def lacks(self, needed: Iterable[str]) -> tuple[str, ...]:
        """The privileges of `needed` that are not held on everything."""
        if "ALL PRIVILEGES" in self.everywhere:
            return ()
        return tuple(name for name in needed if name not in self.everywhere)


def parse(lines: Iterable[str]) -> HeldPrivileges:
    """Parse the lines of SHOW GRANTS."""
    everywhere: set[str] = set()
    on_probe: set[str] = set()
    for line in lines:
        match = _GRANT.match(line)
        if match is None:
            continue
        names = {_name(part) for part in match["what"].split(",")}
        where = match["where"].replace("`", "")
        if where == "*.*":
            everywhere |= names
        elif where == "hawser.*":
            on_probe |= names
    return HeldPrivileges(frozenset(everywhere), frozenset(on_probe))


def _name(text: str) -> str:
    name = text.strip().upper()
    return _SYNONYMS.get(name, name)


ROWS = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRIGGER")
"""What replay and undo of orphans need on an application's schema; TRIGGER only to find whether there are triggers."""


def missing_on(lines: Iterable[str], schema: str, needed: Iterable[str] = ROWS) -> tuple[str, ...]:
    """The privileges of `needed` that the lines of SHOW GRANTS do not grant on the schema."""
    held: set[str] = set()
    for line in lines:
        match = _GRANT.match(line)
        if match is not None and _covers(match["where"], schema):
            held |= {_name(part) for part in match["what"].split(",")}
    return () if "ALL PRIVILEGES" in held else tuple(name for name in needed if name not in held)


def _covers(where: str, schema: str) -> bool:
    """Whether `*.*` or a schema pattern (with `%`, `_` and their escapes) covers a schema."""
    pattern, dot, table = where.rpartition(".")
    if not dot or table != "*":
        return False
    plain = pattern.strip("`").replace("``", "`")
    if plain == "*":
        return True
    parts = re.split(r"(\\.|[%_])", plain)
    text = "".join({"%": ".*", "_": "."}.get(p, re.escape(p[-1] if p[:1] == "\\" else p)) for p in parts)
    return re.fullmatch(text, schema) is not None


def check(node: str, role: str, account: str, held: HeldPrivileges) -> list[Finding]:
    """What an account (as in CURRENT_USER()) lacks or has too much of; one `ok` where neither applies."""
    about = _Account(node, role, account)
    found = [*_lacking(about, held), *_excess(about, held)]
    if not found:
        message = f"{about.shown} on {node} has the privileges that the {role} account needs."
        found.append(Finding("grants", Severity.OK, message, "", about.facts))
    return found


def quoted_account(user: str, host: str) -> str:
    """`'user'@'host'`; empty where a text from a server or a row is not safe in SQL that an operator copies."""
    try:
        return f"{quoting.plain(user, 'user')}@{quoting.plain(host, 'host')}"
    except DialectError:
        return ""


@dataclass(frozen=True, slots=True)
class _Account:
    """The account whose grants are checked; `name` is as the server returns it."""

    node: str
    role: str
    name: str

    @property
    def quoted(self) -> str:
        user, _, host = self.name.rpartition("@")
        return quoted_account(user, host)

    @property
    def shown(self) -> str:
        return self.quoted or f"with the name {self.name[:80]!r}"

    @property
    def facts(self) -> dict[str, str]:
        return {"node": self.node, "account": self.quoted or self.name[:80], "role": self.role}

    def statement(self, begin: str) -> str:
        """The statement that fixes the grants, or why none is offered."""
        if self.quoted:
            return f"{begin} {self.quoted};"
        return (
            f"Make sure that {self.node} is the right server. Hawser offers no statement, because the account name "
            "that it returns cannot be quoted safely."
        )


def _lacking(about: _Account, held: HeldPrivileges) -> list[Finding]:
    found = []
    node, role, facts = about.node, about.role, about.facts
    lacking = held.lacks(NEEDED[role])
    if lacking:
        message = f"The {role} account {about.shown} on {node} lacks {', '.join(lacking)}."
        remedy = about.statement(f"GRANT {', '.join(lacking)} ON *.* TO")
        found.append(Finding("grants_missing", Severity.BLOCKER, message, remedy, facts))
    if role == "monitor" and (lacking := held.lacks(ORPHANS)):
        message = f"{about.shown} on {node} lacks {', '.join(lacking)}, which reading orphaned transactions needs."
        remedy = about.statement(f"GRANT {', '.join(lacking)} ON *.* TO")
        found.append(Finding("grants_orphans", Severity.WARNING, message, remedy, facts))
    if role == "operator" and _lacks_probe(held):
        message = f"{about.shown} on {node} cannot write probes, so a run would end without that proof."
        remedy = about.statement(f"GRANT {', '.join(PROBE)} ON `hawser`.* TO")
        found.append(Finding("grants_probe", Severity.WARNING, message, remedy, facts))
    return found


def _lacks_probe(held: HeldPrivileges) -> bool:
    names = held.everywhere | held.on_probe
    return "ALL PRIVILEGES" not in names and not set(PROBE) <= names


def _excess(about: _Account, held: HeldPrivileges) -> list[Finding]:
    excess: Sequence[str] = [name for name in EXCESSIVE if name in held.everywhere]
    if not excess:
        return []
    account = f"The {about.role} account {about.shown} on {about.node}"
    message = f"{account} has more privileges than it needs: {', '.join(excess)}."
    remedy = about.statement(f"REVOKE {', '.join(excess)} ON *.* FROM")
    return [Finding("grants_excess", Severity.WARNING, message, remedy, about.facts)]
