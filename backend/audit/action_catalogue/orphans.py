"""Orphaned transactions: who scanned them and who read them."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_SCAN = "`link_id`; `target`: id of the scan"
_TRANSACTIONS = DocumentedField("transactions", "integer", "orphaned transactions that it found")

ORPHANS = (
    ActionEntry(
        actions=("api:orphans:scan",),
        title="The lost side was scanned",
        who="An operator.",
        recorded_when="The scan ended.",
        identifies=_SCAN,
        values=Values.ADDED,
        facts=(
            DocumentedField("state", "string", "state of the scan"),
            _TRANSACTIONS,
            DocumentedField("rows", "integer", "rows that they changed"),
            DocumentedField("node", "string", "name of the node that was read"),
        ),
    ),
    ActionEntry(
        actions=("api:orphans:export",),
        title="Orphaned transactions were exported",
        who="An operator.",
        recorded_when="Before the rows were sent.",
        identifies=_SCAN,
        values=Values.NONE,
        facts=(
            DocumentedField("format", "string", "`jsonl` or `sql`"),
            _TRANSACTIONS,
            DocumentedField("digest", "string", "digest of the scan"),
        ),
    ),
)
