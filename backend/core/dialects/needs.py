"""A grant that the console's accounts need, what it is used for, and what stays unknown or is refused without it.

The check of a cluster and the page of privileges are made from each family's list (`grants`).
"""

from __future__ import annotations

from dataclasses import dataclass

PROBE = ("CREATE", "SELECT", "INSERT", "DELETE")
MISSING, ORPHANS, PROBES, HAWSER, EVENTS = (
    *("grants_missing", "grants_orphans", "grants_probe"),
    *("grants_hawser", "grants_events"),
)
"""The findings of the check: the first is a blocker, the others are warnings."""


@dataclass(frozen=True, slots=True)
class Need:
    """Privileges of one account on everything, on a schema or on one table.

    `without` is a sentence for the check and the page; `code` is the finding of the check where they are missing.
    """

    role: str
    privileges: tuple[str, ...]
    code: str
    used_for: str
    without: str
    schema: str = ""
    table: str = ""

    @property
    def on(self) -> str:
        """The part of a GRANT statement behind ON."""
        return f"`{self.schema}`.{f'`{self.table}`' if self.table else '*'}" if self.schema else "*.*"
