"""What the console's accounts hold of the grants that they need, and the statement that grants the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from backend.core.dialects import needs_of, quoting
from backend.core.dialects.base import DialectError
from backend.core.dialects.needs import EVENTS, MISSING, Need
from backend.core.findings import Finding, Severity
from backend.core.orphans.rows.sql_literals import identifier
from backend.core.ports import NodeReader
from backend.gateway.excess_grants import canonical, excess

_GRANT = re.compile(r"GRANT (?P<what>.+?) ON (?P<where>\S+) TO ", re.IGNORECASE)
_ACCOUNT = re.compile(r" TO `(?P<user>[^`]*)`@`(?P<host>[^`]*)`")


@dataclass(frozen=True, slots=True)
class HeldPrivileges:
    """The privileges of an account: each grant as what it is on (`*.*`, a schema pattern or a table) and the names.

    `lines` are those of SHOW GRANTS.
    """

    grants: tuple[tuple[str, frozenset[str]], ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def everywhere(self) -> frozenset[str]:
        """Those on everything."""
        return self._on("", "")

    @property
    def account(self) -> str:
        """The account of the lines, as `'user'@'host'`; empty where it is not safe in SQL that an operator copies."""
        found = next((match for line in self.lines if (match := _ACCOUNT.search(line)) is not None), None)
        return quoted_account(found["user"], found["host"]) if found else ""

    def lacks(self, needed: Iterable[str], schema: str = "", table: str = "") -> tuple[str, ...]:
        """The privileges of `needed` that are not held on the table, the whole schema, or everything."""
        held = self._on(schema, table)
        return () if "ALL PRIVILEGES" in held else tuple(name for name in needed if canonical(name) not in held)

    def _on(self, schema: str, table: str) -> frozenset[str]:
        return frozenset().union(*(names for where, names in self.grants if _covers(where, schema, table)))


def held_privileges(reader: NodeReader) -> HeldPrivileges:
    """What the account of the session holds; raises NodeError."""
    return parse(str(next(iter(row.values()))) for row in reader.query("SHOW GRANTS FOR CURRENT_USER"))


def parse(lines: Iterable[str]) -> HeldPrivileges:
    """Parse the lines of SHOW GRANTS."""
    every = tuple(lines)
    found = (match for line in every if (match := _GRANT.match(line)) is not None)
    return HeldPrivileges(tuple((m["where"], frozenset(map(canonical, m["what"].split(",")))) for m in found), every)


def _covers(where: str, schema: str, table: str) -> bool:
    """Whether `*.*`, a schema pattern (with `%`, `_` and their escapes) or a table covers a schema or a table."""
    pattern, dot, granted = where.rpartition(".")
    if not dot:
        return False
    plain = pattern.strip("`").replace("``", "`")
    if granted != "*":
        return bool(table) and (plain, granted.strip("`")) == (schema, table)
    if plain == "*":
        return True
    parts = re.split(r"(\\.|[%_])", plain)
    text = "".join({"%": ".*", "_": "."}.get(p, re.escape(p[-1] if p[:1] == "\\" else p)) for p in parts)
    return bool(schema) and re.fullmatch(text, schema) is not None


def check(
    node: str, role: str, account: str, held: HeldPrivileges, *, runs_events: bool = False, flavor: str | None = None
) -> list[Finding]:
    """What an account (as in CURRENT_USER()) lacks or has too much of; one `ok` where neither applies.

    `runs_events`: the event scheduler of the node is on, so that its events count. `flavor`: the server's family.
    """
    about = _Account(node, role, account)
    every = needs_of(flavor)
    needs = [need for need in every if need.role == role and (runs_events or need.code != EVENTS)]
    found = [*_lacking(about, needs, held), *_excess(about, held, every)]
    if not found:
        message = f"{about.shown} on {node} has the privileges that the {role} account needs."
        found.append(Finding("grants", Severity.OK, message, "", about.facts))
    return found


def schema_pattern(schema: str) -> str:
    """A schema's name where a grant takes a pattern: `_` and `%` stand for themselves."""
    return identifier(re.sub(r"([_%])", r"\\\1", schema))


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
        if self.quoted and begin:
            return f"{begin} {self.quoted};"
        return (
            f"Make sure that {self.node} is the right server. Hawser offers no statement, because what it "
            "returns cannot be quoted safely."
        )


def _lacking(about: _Account, needs: Sequence[Need], held: HeldPrivileges) -> Iterator[Finding]:
    """One finding for each code: every privilege that is missing, what follows, and all statements that grant them."""
    for code in dict.fromkeys(need.code for need in needs):
        unmet = [
            (need, lacking)
            for need in needs
            if need.code == code and (lacking := held.lacks(need.privileges, need.schema, need.table))
        ]
        if unmet:
            lacks = ", ".join(_named(need, lacking) for need, lacking in unmet)
            without = " ".join(need.without for need, _ in unmet)
            message = f"The {about.role} account {about.shown} on {about.node} lacks {lacks}. {without}"
            severity = Severity.BLOCKER if code == MISSING else Severity.WARNING
            yield Finding(code, severity, message, about.statement(_grant(unmet)), about.facts)


def _named(need: Need, lacking: Sequence[str]) -> str:
    return ", ".join(lacking) + (f" on {need.on.replace('`', '')}" if need.schema else "")


def _grant(unmet: Sequence[tuple[Need, tuple[str, ...]]]) -> str:
    """The beginning of the one statement: the needs of one code are on one thing."""
    return f"GRANT {', '.join(name for _, lacking in unmet for name in lacking)} ON {unmet[0][0].on} TO"


def _excess(about: _Account, held: HeldPrivileges, needs: Sequence[Need]) -> list[Finding]:
    found = list(excess(about.role, held.lines, needs))
    if not found:
        return []
    account = f"The {about.role} account {about.shown} on {about.node}"
    message = f"{account} has more privileges than it needs: {'; '.join(what for what, _ in found)}."
    remedy = " ".join(dict.fromkeys(about.statement(begin) for _, begin in found))
    return [Finding("grants_excess", Severity.WARNING, message, remedy, about.facts)]
