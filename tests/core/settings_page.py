"""The reference of judged settings: `python -m tests.core.settings_page` writes docs/reference/server-settings.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from backend.core.server_settings.judgements import (
    EVERY,
    MARIADB,
    ChangesPlan,
    EqualWithin,
    Judgement,
    MustBe,
    Neutral,
    Scope,
    Setting,
)
from backend.core.server_settings.table import SUBJECTS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "server-settings.md"
HEAD = """# Settings of servers

For DBAs. You look up what Hawser makes of a variable that can change what is written, logged, sent, applied,
acknowledged or skipped.

- **needed, blocker**: on the page of a link, of every node. The link is degraded where it is at an end of a channel,
  and where what the node's own clients write stays on it, channel or not (log filters, `wsrep_OSU_method`). So it is
  where the node does not tell the value. A plan takes another node, or is refused, also while the value is unknown.
  A failover warns.
- **needed, warning**: on the page of a link and in plans.
- **equal**: the same, where nodes of a cluster, or of both, have different values.
- **plan**: a check or a plan reads it for itself; the module is named.
- **neutral**: nothing rests on it, and why.

Values of the first three are read in each poll. A variable of that kind without a row fails the tests of a new release.
Columns of `SHOW MASTER STATUS` and of a channel's status are judged beside them:
[columns.py](../../backend/core/server_settings/columns.py). Codes are in the [list of findings](findings.md).

This page is written by `python -m tests.core.settings_page` from `backend/core/server_settings`.
"""


def written() -> str:
    """The page as it must be."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield HEAD
    for subject, rows in SUBJECTS.items():
        yield f"## {subject}\n\n| variable | servers | judgement | why |\n|---|---|---|---|"
        for row in rows:
            for one in row.judgements:
                judgement, why = _judgement(one)
                yield f"| `{row.name}` | {_servers(row)} | {judgement} | {why} |"
        yield ""


def _servers(row: Setting) -> str:
    if row.families == EVERY:
        return "all"
    if row.families == MARIADB:
        return f"MariaDB {row.since[0]}.{row.since[1]} and later" if row.since else "MariaDB"
    return "with Galera" if "mariadb" in row.families else "MySQL"


def _judgement(one: Judgement) -> tuple[str, str]:
    if isinstance(one, Neutral):
        return "neutral", one.reason
    if isinstance(one, ChangesPlan):
        return "plan", f"`{one.where.removeprefix('backend.core.')}`"
    if isinstance(one, MustBe):
        value = " or ".join(f"`{value}`" if value else "empty" for value in (one.value, *one.also))
        value = "harmless" if one.accepts else value
        return f"needed: {value}, {one.severity.value}", f"{one.why}."
    if isinstance(one, EqualWithin):
        return f"equal {'on both sides' if one.scope is Scope.LINK else 'within a cluster'}", f"{one.why}."
    return f"at least {one.times} times `{one.other}` of the other side", f"{one.why}."


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
