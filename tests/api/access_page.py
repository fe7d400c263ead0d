"""Writes the page of what each role may call: `python -m tests.api.access_page`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from backend.common.roles import CONSOLE_WIDE, PERMISSIONS, Role
from tests.support.access_table import Row, rows

PAGE: Final = Path(__file__).parents[2] / "docs/reference/access-matrix.md"
_ROLES: Final = [role for role in Role if role is not Role.NONE]
_INTRO: Final = """# Who may call what

Every call of the API, the [permission](../explanation/security.md) that it needs, and the roles that include it. For
administrators who [assign roles](../how-to/assign-roles.md) and for the users who review them. Written by
`python -m tests.api.access_page` from the table with which a test compares every call, for every kind of caller.

Where the permission is needed:

- **object**: on the link or cluster of what the path names. What the caller may not read is answered with 404, like
  something that does not exist; what the caller may read but not do, with 403.
- **readable**: for anything. What the caller may not read is left out of the answer; objects of the body are checked.
- **nothing**: for anything. The answer shows nothing of any link or cluster.
- **everywhere**: for everything. A role for an environment, a cluster or a link is not enough.
- **public**: no sign-in is needed.

A role for a scope never includes the permissions {wide}. A user without any role may still use the own account.

"""


def _columns(row: Row) -> list[str]:
    if row.needed is None:
        return ["yes"] * len(_ROLES)
    return ["yes" if row.needed in PERMISSIONS[role] else "–" for role in _ROLES]


def written() -> str:
    """The page."""
    wide = ", ".join(f"`{name}`" for name in sorted(CONSOLE_WIDE))
    head = ["call", "permission", "where", *(f"`{role}`" for role in _ROLES)]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for row in rows():
        if row.path.startswith("/"):
            continue
        call = f"`{row.method} /{row.path.replace('<', '{').replace('>', '}')}`"
        columns = [call, f"`{row.needed}`" if row.needed else "–", row.where, *_columns(row)]
        lines.append(f"| {' | '.join(columns)} |")
    return _INTRO.format(wide=wide) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(written())
