"""What an account holds beyond what its role needs, with the statement that takes it away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from backend.core.dialects.needs import Need

ROWS = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRIGGER")
"""What replay and undo of orphans need on an application's schema; TRIGGER only to find whether there are triggers."""
READING_TABLES = ("SELECT",)
READING = (*READING_TABLES, "SHOW VIEW")
"""What the comparison of both sides needs there, before channels are created; SHOW VIEW where a schema has views."""
SOMETIMES = {"operator": ("REPLICATION MASTER ADMIN",)}
"""What only links with semi-synchronous replication need: to turn the wait off for a run."""
_OWN_SCHEMAS = ("mysql", "sys", "information_schema", "performance_schema")
_GRANT = re.compile(r"GRANT (?P<what>.+?) ON (?P<where>\S+) TO (?P<rest>.*)", re.IGNORECASE)
_ROLE = re.compile(r"GRANT (?P<role>`[^`]+`|[\w-]+) TO ", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_ ]+(?:\([^)]*\))?")
_SAFE = re.compile(r"[`\w.*%\\$, -]+")
"""Text of a server that may stand in a statement which a person copies."""
_SYNONYMS = {
    "REPLICATION CLIENT": "BINLOG MONITOR",
    "REPLICA MONITOR": "SLAVE MONITOR",
    "REPLICATION REPLICA ADMIN": "REPLICATION SLAVE ADMIN",
    "REPLICATION REPLICA": "REPLICATION SLAVE",
}


def canonical(text: str) -> str:
    """The name of a privilege as MariaDB writes it."""
    name = text.strip().upper()
    return _SYNONYMS.get(name, name)


def excess(role: str, lines: Iterable[str], needs: Sequence[Need]) -> Iterator[tuple[str, str]]:
    """What is too much, and the beginning of the statement that revokes it, for each line of SHOW GRANTS.

    The statement is empty where the server's text is not safe in one.
    """
    return ((what, begin if _SAFE.fullmatch(begin) else "") for what, begin in _excess(role, lines, needs))


def _excess(role: str, lines: Iterable[str], needs: Sequence[Need]) -> Iterator[tuple[str, str]]:
    for line in lines:
        grant = _GRANT.match(line)
        if grant is None:
            held = _ROLE.match(line)
            if held is not None:
                yield f"the role {held['role']}", f"REVOKE {held['role']} FROM"
            continue
        where = grant["where"]
        names = [name for part in _NAME.findall(grant["what"]) if (name := canonical(part))]
        more = [name for name in names if name not in _allowed(role, where, needs)]
        if "WITH GRANT OPTION" in grant["rest"].upper():
            more.append("GRANT OPTION")
        if more:
            on = "" if where == "*.*" else f" on {where.replace('`', '')}"
            yield f"{', '.join(more)}{on}", f"REVOKE {', '.join(more)} ON {where} FROM"


def _allowed(role: str, where: str, needs: Sequence[Need]) -> frozenset[str]:
    needed = {canonical(name) for need in needs if need.role == role and need.on == where for name in need.privileges}
    sometimes = SOMETIMES.get(role, ()) if where == "*.*" else ()
    return frozenset(needed | {"USAGE"} | set(sometimes) | set(_rows_of(role, where)))


def _rows_of(role: str, where: str) -> tuple[str, ...]:
    """The operator account may compare an application's schema, replay orphans in it and move its events."""
    schema = where.partition(".")[0].strip("`")
    is_application = schema not in ("*", "hawser", *_OWN_SCHEMAS)
    return (*ROWS, *READING, "EVENT") if role == "operator" and is_application else ()
