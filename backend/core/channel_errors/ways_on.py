"""The solutions for a row that a channel stopped on, with exact statements.

A transaction is never skipped. The row is fixed so that the transaction passes, on each node of the replica's cluster,
in a session that neither logs nor replicates: what Galera replicates stands in the logs of the other nodes, and the
other direction takes it to the other side once it reads one of these (docs/evidence/measured-facts.md). The replica's
row is saved before it is deleted.
Triggers are visible only to an account with TRIGGER on the schema, so every fix tells the operator to check for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.core.channel_errors.model import ErrorState, FailedRow, NodeStatement, SourceRow, WayOn
from backend.core.orphans.statements import change_statement

UNLOGGED = (
    "SET SESSION wsrep_on=OFF, sql_log_bin=0, time_zone='+00:00', "
    "sql_mode='STRICT_ALL_TABLES,ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO'"
)
LOGGED = UNLOGGED.replace("wsrep_on=OFF, sql_log_bin=0, ", "")
"""Time zone and SQL mode as in the log, values unchanged; these statements are to replicate."""
START_CHANNEL = "start_channel"
TRIGGERS = " Check first that the table has no triggers there, because they would fire."


@dataclass(frozen=True, slots=True)
class MendNodes:
    """Node names: the channel's, and all of the replica's cluster, on each of which the row is fixed."""

    source: str
    replica: str
    cluster: tuple[str, ...]


def ways_on(state: ErrorState, row: FailedRow | None, source_row: SourceRow, nodes: MendNodes) -> tuple[WayOn, ...]:
    """The solutions, in the order in which to try them."""
    return tuple(_ways(state, row, source_row, nodes))


def _ways(state: ErrorState, row: FailedRow | None, source_row: SourceRow, nodes: MendNodes) -> Iterator[WayOn]:
    if state is ErrorState.PASSES_NOW:
        yield WayOn(
            "start",
            "Start the channel",
            "Plan a start of the channel and attest that the cause is fixed. The channel then retries the transaction.",
            plan_kind=START_CHANNEL,
        )
    if state is ErrorState.ALREADY_APPLIED:
        yield WayOn(
            "relocate",
            "Relocate: prove the position again",
            f"A relocate reads both sides' logs. If they prove that {nodes.replica} has the transaction, the "
            "channel resumes after it. If not, the plan is refused and nothing is changed.",
            plan_kind="relocate",
        )
    if row is None or row.shape.refusals:
        return  # a fix would change more than the row: its children follow by CASCADE, or no transaction protects it
    if row.blockers:
        yield _take_away(row, nodes)
        if state is ErrorState.ROW_IN_THE_WAY:
            yield from _keep_replica_row(row, source_row, nodes)
    else:
        yield from _put_back(row, nodes)


def _unlogged(nodes: MendNodes, *statements: str) -> tuple[NodeStatement, ...]:
    return tuple(NodeStatement(node, sql) for node in nodes.cluster for sql in (UNLOGGED, *statements))


def _on_each(nodes: MendNodes) -> str:
    one = "On" if len(nodes.cluster) == 1 else "On each of"
    return f"{one} {', '.join(nodes.cluster)}, in one session that neither logs nor replicates,"


def _take_away(row: FailedRow, nodes: MendNodes) -> WayOn:
    return WayOn(
        "keep_source_row",
        f"Keep {nodes.source}'s row",
        f"{_on_each(nodes)} delete the conflicting row. Then plan a start of the channel and attest that the cause is "
        f"fixed. The transaction then writes its own row.{TRIGGERS}",
        _unlogged(nodes, *_deletes(row)),
        START_CHANNEL,
        _unlogged(nodes, *(change_statement(row.shape, None, image).sql for image in row.in_the_way)),
    )


def _deletes(row: FailedRow) -> list[str]:
    return [change_statement(row.shape, image, None).sql for image in row.in_the_way]


def _keep_replica_row(row: FailedRow, source_row: SourceRow, nodes: MendNodes) -> Iterator[WayOn]:
    """Only where both are one row by the table's key: else both rows are valid, under another value."""
    key, theirs = row.blockers[0]
    if source_row.unread or len(row.in_the_way) != 1 or key != row.shape.key:
        return
    rewrite = change_statement(row.shape, source_row.image, theirs).sql
    yield WayOn(
        "keep_replica_row",
        f"Keep {nodes.replica}'s row",
        "Delete the row as above so that the channel can start. Plan a start of the channel and attest that the cause "
        f"is fixed. Once the transaction is applied, write {nodes.replica}'s values on {nodes.source} like an "
        f"application change. They replicate to every node of both sides.{TRIGGERS}",
        (*_unlogged(nodes, *_deletes(row)), NodeStatement(nodes.source, LOGGED), NodeStatement(nodes.source, rewrite)),
        START_CHANNEL,
    )


def _put_back(row: FailedRow, nodes: MendNodes) -> Iterator[WayOn]:
    before = row.change.before
    if before is None:
        return
    yield WayOn(
        "put_row_back",
        "Restore the row as it was before the transaction",
        f"{_on_each(nodes)} insert the row as {nodes.source} had it before. Then plan a start of the channel and "
        "attest that the cause is fixed. The transaction then runs its "
        f"{row.change.operation.value} on it.{TRIGGERS}",
        _unlogged(nodes, change_statement(row.shape, None, before).sql),
        START_CHANNEL,
    )
