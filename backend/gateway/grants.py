"""Which privileges the console's accounts need, which they have, and the statement that fixes the rest.

The list is what was measured on MariaDB 10.11 (each statement of ours run under each privilege).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backend.core.findings import Finding, Severity

_GRANT = re.compile(r"GRANT (?P<what>.+?) ON (?P<where>\S+) TO ", re.IGNORECASE)
READING = ("BINLOG MONITOR", "SLAVE MONITOR", "PROCESS")
NEEDED = {
    "monitor": READING,
    "operator": (*READING, "REPLICATION SLAVE ADMIN", "RELOAD", "READ_ONLY ADMIN"),
    "replication": ("REPLICATION SLAVE",),
}
ORPHANS = ("REPLICATION SLAVE", "REFERENCES")
"""What the monitor account needs beside to read row images and the columns they belong to."""
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
    """Privileges an account holds on everything, and on the schema `hawser`."""

    everywhere: frozenset[str]
    on_probe: frozenset[str]

    def lacks(self, needed: Iterable[str]) -> tuple[str, ...]:
        """What of `needed` is not held on everything."""
        if "ALL PRIVILEGES" in self.everywhere:
            return ()
        return tuple(name for name in needed if name not in self.everywhere)


def parse(lines: Iterable[str]) -> HeldPrivileges:
    """Read the lines of SHOW GRANTS."""
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
"""What replay and undo of orphans need on an application's schema; TRIGGER only to see whether there are any."""


def missing_on(lines: Iterable[str], schema: str, needed: Iterable[str] = ROWS) -> tuple[str, ...]:
    """What of `needed` the lines of SHOW GRANTS do not give on that schema."""
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
    """What an account lacks or has too much of; one `ok` where it fits."""
    facts = {"node": node, "account": account, "role": role}
    found = [*_lacking(node, role, account, held, facts), *_excess(node, role, account, held, facts)]
    if not found:
        message = f"{account} on {node} has what the {role} account needs."
        found.append(Finding("grants", Severity.OK, message, "", facts))
    return found


def _lacking(node: str, role: str, account: str, held: HeldPrivileges, facts: dict[str, str]) -> list[Finding]:
    found = []
    lacking = held.lacks(NEEDED[role])
    if lacking:
        message = f"The {role} account {account} on {node} lacks {', '.join(lacking)}."
        remedy = f"GRANT {', '.join(lacking)} ON *.* TO {account};"
        found.append(Finding("grants_missing", Severity.BLOCKER, message, remedy, facts))
    if role == "monitor" and (lacking := held.lacks(ORPHANS)):
        message = f"{account} on {node} could not read what a lost side wrote alone (lacks {', '.join(lacking)})."
        remedy = f"GRANT {', '.join(lacking)} ON *.* TO {account};"
        found.append(Finding("grants_orphans", Severity.WARNING, message, remedy, facts))
    if role == "operator" and _lacks_probe(held):
        message = f"{account} on {node} cannot write probes: a run would end without that proof."
        remedy = f"GRANT {', '.join(PROBE)} ON `hawser`.* TO {account};"
        found.append(Finding("grants_probe", Severity.WARNING, message, remedy, facts))
    return found


def _lacks_probe(held: HeldPrivileges) -> bool:
    names = held.everywhere | held.on_probe
    return "ALL PRIVILEGES" not in names and not set(PROBE) <= names


def _excess(node: str, role: str, account: str, held: HeldPrivileges, facts: dict[str, str]) -> list[Finding]:
    excess: Sequence[str] = [name for name in EXCESSIVE if name in held.everywhere]
    if not excess:
        return []
    message = f"The {role} account {account} on {node} may more than it needs: {', '.join(excess)}."
    remedy = f"REVOKE {', '.join(excess)} ON *.* FROM {account};"
    return [Finding("grants_excess", Severity.WARNING, message, remedy, facts)]
