"""Writes the page of what each role may call: `python -m tests.api.access_page`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from backend.common.rest.proof import NOT_ASKED
from backend.common.roles import CONSOLE_WIDE, PERMISSIONS, Role
from tests.support.access_table import Row, address_in_table, rows

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

**Proof**: before the call the user of a session must have given a password or a second factor within the time of
[`HAWSER_STEP_UP_S`](../how-to/second-factors.md); where it says *always*, within 15 minutes without that setting as
well. API tokens are not asked. Each change beyond an operator's permissions asks for it, except:

{not_asked}

Aborting a run or an incident, and pausing a link, ask for none: they lead back or stop, and must not wait for
a telephone that is not at hand. Resuming a run asks, as starting one does.

"""
_PROOFS: Final = {"proof": "yes", "proof-always": "always"}


def _columns(row: Row) -> list[str]:
    if row.needed is None:
        return ["yes"] * len(_ROLES)
    return ["yes" if row.needed in PERMISSIONS[role] else "–" for role in _ROLES]


def _call(method: str, path: str) -> str:
    return f"`{method} /{path.replace('<', '{').replace('>', '}')}`"


def _proof(row: Row) -> str:
    return next((word for mark, word in _PROOFS.items() if mark in row.marks), "–")


def written() -> str:
    """The page."""
    wide = ", ".join(f"`{name}`" for name in sorted(CONSOLE_WIDE))
    head = ["call", "permission", "where", "proof", *(f"`{role}`" for role in _ROLES)]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for row in rows():
        if row.path.startswith("/"):
            continue
        columns = [
            _call(row.method, row.path),
            f"`{row.needed}`" if row.needed else "–",
            row.where,
            _proof(row),
            *_columns(row),
        ]
        lines.append(f"| {' | '.join(columns)} |")
    not_asked = "\n".join(
        f"- {_call(method, address_in_table(path))}: {reason}" for (method, path), reason in NOT_ASKED.items()
    )
    return _INTRO.format(wide=wide, not_asked=not_asked) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(written())
