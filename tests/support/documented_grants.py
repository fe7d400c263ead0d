"""The accounts of the console as the page for administrators makes them."""

from __future__ import annotations

import re

from deploy.services.process import ROOT

PAGE = ROOT / "docs/how-to/prepare-servers.md"
ROLES = {"monitor": "hawser_monitor", "operator": "hawser_operator", "replication": "hawser_repl"}
_GRANT = re.compile(r"^GRANT (?P<what>.+) ON (?P<where>\S+) TO '(?P<user>\w+)'@'[^']+';$", re.MULTILINE)


def documented() -> set[tuple[str, str, str]]:
    """Each privilege as role, what it is on, and its name."""
    roles = {user: role for role, user in ROLES.items()}
    return {
        (roles[found["user"]], found["where"], name)
        for found in _GRANT.finditer(PAGE.read_text())
        for name in found["what"].split(", ")
    }


def statements(role: str, account: str) -> list[str]:
    """The GRANT statements of one role for another account, but those on an application's schema."""
    return [
        f"GRANT {found['what']} ON {found['where']} TO {account}"
        for found in _GRANT.finditer(PAGE.read_text())
        if found["user"] == ROLES[role] and "your_schema" not in found["where"]
    ]


def view_statements() -> list[str]:
    """What an administrator runs for a switchover."""
    block = PAGE.read_text().partition("## For a switchover")[2].partition("```sql\n")[2].partition("```")[0]
    return [" ".join(one.split()) for one in block.split(";") if one.strip()]
