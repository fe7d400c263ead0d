"""Deletes rows whose retention time is over: a bounded number in a statement, and a bounded number in a call.

One statement over a million rows locks them all, fills the undo log of the console's database, and holds up a Galera
cluster that the console's database may be. What a call leaves is deleted by the next one.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet

ROWS_A_STATEMENT: Final = 1_000
ROWS_A_CALL: Final = 50_000


def delete_in_portions(rows: QuerySet[Any, Any]) -> int:
    """Delete these rows, in as many statements as it takes; returns how many, at most `ROWS_A_CALL`."""
    deleted = 0
    while deleted < ROWS_A_CALL:
        keys = list(rows.order_by().values_list("pk", flat=True)[:ROWS_A_STATEMENT])
        if keys:
            # With the condition again: a row may have been renewed since it was read.
            rows.filter(pk__in=keys).delete()
        deleted += len(keys)
        if len(keys) < ROWS_A_STATEMENT:
            break
    return deleted
