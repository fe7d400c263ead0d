"""The ways on from a row that a channel stopped on, with exact statements.

A transaction is never skipped. The row is mended so that the transaction passes, in a session that does not log, on
the node whose log the other direction reads: from there Galera carries the mend to the replica, and no channel carries
it to the other side (docs/evidence/measured-facts.md). What the replica had is written down before it goes.
Triggers show only to an account with TRIGGER on the schema, so that every mend says to look for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.core.channel_errors.model import ErrorState, FailedRow, NodeStatement, SourceRow, WayOn
from backend.core.orphans.statements import change_statement

UNLOGGED = (
    "SET SESSION sql_log_bin=0, time_zone='+00:00', "
    "sql_mode='STRICT_ALL_TABLES,ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO'"
)
LOGGED = UNLOGGED.replace("sql_log_bin=0, ", "")
"""Moments as the log has them, values as they are; what is sent here shall replicate."""
START_CHANNEL = "start_channel"
TRIGGERS = " See first that the table has no triggers there: they would fire."


@dataclass(frozen=True, slots=True)
class MendNodes:
    """Nodes (names): the channel's, and `unlogged_on`, whose log the other direction reads (the replica for none)."""

    source: str
    replica: str
    unlogged_on: str


def ways_on(state: ErrorState, row: FailedRow | None, source_row: SourceRow, nodes: MendNodes) -> tuple[WayOn, ...]:
    """The ways on, the first to be tried first."""
    return tuple(_ways(state, row, source_row, nodes))


def _ways(state: ErrorState, row: FailedRow | None, source_row: SourceRow, nodes: MendNodes) -> Iterator[WayOn]:
    if state is ErrorState.PASSES_NOW:
        yield WayOn(
            "start",
            "Start the channel",
            "Plan a start of the channel and attest that the cause is gone: the transaction is tried again.",
            plan_kind=START_CHANNEL,
        )
    if state is ErrorState.ALREADY_APPLIED:
        yield WayOn(
            "relocate",
            "Relocate: prove the place anew",
            f"A relocate reads both sides' logs. Where they prove that {nodes.replica} has the transaction, the "
            "channel resumes behind it; where they do not, the plan is refused and nothing is changed.",
            plan_kind="relocate",
        )
    if row is None or row.shape.refusals:
        return  # a mend would change more than the row: its children follow by CASCADE, or no transaction holds it
    if row.blockers:
        yield _take_away(row, nodes)
        if state is ErrorState.ROW_IN_THE_WAY:
            yield from _keep_replica_row(row, source_row, nodes)
    else:
        yield from _put_back(row, nodes)


def _unlogged(nodes: MendNodes, *statements: str) -> tuple[NodeStatement, ...]:
    return tuple(NodeStatement(nodes.unlogged_on, sql) for sql in (UNLOGGED, *statements))


def _take_away(row: FailedRow, nodes: MendNodes) -> WayOn:
    return WayOn(
        "keep_source_row",
        f"Keep {nodes.source}'s row",
        f"On {nodes.unlogged_on}, in one session without the binary log, delete the row in the way; Galera takes it "
        "from every node of that cluster. Then plan a start of the channel, attest that the cause is gone, and the "
        f"transaction writes its own row.{TRIGGERS}",
        _unlogged(nodes, *_deletes(row)),
        START_CHANNEL,
        _unlogged(nodes, *(change_statement(row.shape, None, image).sql for image in row.in_the_way)),
    )


def _deletes(row: FailedRow) -> list[str]:
    return [change_statement(row.shape, image, None).sql for image in row.in_the_way]


def _keep_replica_row(row: FailedRow, source_row: SourceRow, nodes: MendNodes) -> Iterator[WayOn]:
    """Only where both are one row by the table's key: else both rows have a right to stand, under another value."""
    key, theirs = row.blockers[0]
    if source_row.unread or len(row.in_the_way) != 1 or key != row.shape.key:
        return
    rewrite = change_statement(row.shape, source_row.image, theirs).sql
    yield WayOn(
        "keep_replica_row",
        f"Keep {nodes.replica}'s row",
        "Delete it as above so that the channel can start (plan a start of the channel, attest that the cause is "
        f"gone). Once the transaction is applied, write {nodes.replica}'s values on {nodes.source} as any change of "
        f"the application: they replicate to every node of both sides.{TRIGGERS}",
        (*_unlogged(nodes, *_deletes(row)), NodeStatement(nodes.source, LOGGED), NodeStatement(nodes.source, rewrite)),
        START_CHANNEL,
    )


def _put_back(row: FailedRow, nodes: MendNodes) -> Iterator[WayOn]:
    before = row.change.before
    if before is None:
        return
    yield WayOn(
        "put_row_back",
        "Put the row back as the transaction found it",
        f"On {nodes.unlogged_on}, in one session without the binary log, insert the row as {nodes.source} had it "
        "before; Galera brings it to every node of that cluster. Then plan a start of the channel, attest that the "
        f"cause is gone, and the transaction makes its {row.change.operation.value} on it.{TRIGGERS}",
        _unlogged(nodes, change_statement(row.shape, None, before).sql),
        START_CHANNEL,
    )
