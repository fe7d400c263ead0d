"""The statements that would make a node's rows those of the reference; Hawser shows them and executes none."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.orphans.model import RowImage, TableShape
from backend.core.orphans.statements import change_statement
from backend.core.row_event_bytes import UnreadableError


def repair_sql(shape: TableShape, reference: RowImage | None, held: RowImage | None) -> str:
    """The statement for one row, which requires the row that was found there; a comment where there is none.

    `reference`, `held`: the row on the reference and on the node, None where it is not there.
    """
    if reference == held:
        return f"-- {shape.name}: the rows were equal when they were read again"
    try:
        return f"{change_statement(shape, held, reference).sql};"
    except UnreadableError as error:
        return f"-- {shape.name}: no statement, as {error}"


def preamble(node: str, side: str, taken_at: str) -> Iterator[str]:
    """How the statements have to be run (docs/evidence/measured-facts.md)."""
    yield f"-- Rows of {node} ({side}) as they were read at {taken_at}. Compare again before you use them."
    yield f"-- Run this on {node} alone, in one session, after the channel of its side is stopped, or while nothing"
    yield "-- writes to these tables. Each statement changes one row, and none where the row is another one by now."
    yield "-- Nothing of it stands in a log or reaches another node: each node that differs has statements of its own."
    yield "SET SESSION wsrep_on=OFF, sql_log_bin=0, time_zone='+00:00', sql_mode='', foreign_key_checks=1;"
    yield "START TRANSACTION;"


CLOSING = ("-- Look at the number of changed rows of each statement (1), then: COMMIT; or ROLLBACK;",)
