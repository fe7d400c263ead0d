"""Assesses a channel's error before anything is read, and its transaction once that was read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from backend.core.channel_errors.error_text import parse_row_error
from backend.core.channel_errors.model import (
    ChannelErrorReport,
    ErrorState,
    FailedRow,
    FailedTransaction,
    SourceRow,
)
from backend.core.channel_errors.transaction_check import first_failing_row, stands_as_left
from backend.core.channel_errors.ways_on import MendNodes, ways_on
from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelView, view_direction
from backend.core.orphans.model import OrphanTransaction, TableShape
from backend.core.orphans.side_rows import NodeRows
from backend.core.topology import ROW_ERRORS, Direction

FindSourceRow = Callable[[FailedRow], SourceRow]


def begin_report(link: LinkFacts, direction: Direction) -> tuple[ChannelErrorReport, ChannelView | None]:
    """The report from facts alone, and the channel where its transaction has to be read."""
    channel = view_direction(link, direction).channel
    if channel is None:
        return ChannelErrorReport(direction, ErrorState.NONE, f"No {direction} channel of this link is known."), None
    source, replica = link.node(channel.source_node_id), link.node(channel.replica_node_id)
    report = ChannelErrorReport(
        direction,
        ErrorState.UNKNOWN,
        "",
        errno=channel.channel.sql_errno,
        error=channel.channel.sql_error,
        replica=replica.node.name,
        source=source.node.name,
    )
    if channel.recorded:
        return replace(report, detail=f"The state of the channel is unknown: {channel.reason}."), None
    if not channel.is_stopped_by_data:
        sentence = f"The {direction} channel on {replica.node.name} did not stop on a transaction."
        return replace(report, state=ErrorState.NONE, detail=sentence), None
    if report.errno not in ROW_ERRORS:
        sentence = f"Error {report.errno} is not about a conflicting or missing row."
        return replace(report, state=ErrorState.OTHER_ERROR, detail=sentence), None
    if not source.is_up:
        sentence = f"{source.node.name}, whose binary log has the transaction, is not responding."
        return replace(report, detail=sentence), None
    return report, channel


def mend_nodes(link: LinkFacts, channel: ChannelView) -> MendNodes:
    """The channel's nodes, and all of the cluster that receives."""
    source, replica = (link.node(node_id).node.name for node_id in (channel.source_node_id, channel.replica_node_id))
    cluster = link.receiving_cluster(channel.direction)
    return MendNodes(source, replica, tuple(node.node.name for node in cluster.nodes))


def why_not_the_failed_one(transaction: FailedTransaction, error: str) -> str:
    """Why this transaction is not the one that the error names; empty where it is."""
    parsed = parse_row_error(error)
    if parsed.table is not None and parsed.table not in transaction.tables:
        return f"the error names {parsed.table}, which the transaction at {transaction.begin} does not change"
    end = parsed.end_offset
    if end is not None and not transaction.begin.offset < end <= transaction.end.offset:
        return f"the error names an event that ends at {end}, outside the transaction at {transaction.begin}"
    return ""


def assess(
    report: ChannelErrorReport,
    orphan: OrphanTransaction,
    table_definitions: Mapping[str, TableShape],
    replica_rows: NodeRows,
    find_source_row: FindSourceRow,
    nodes: MendNodes,
) -> ChannelErrorReport:
    """The whole report of a transaction whose rows were read; raises NodeError."""
    failed = first_failing_row(orphan.rows, table_definitions, replica_rows)
    if failed is None:
        sentence = f"No row on {nodes.replica} conflicts with this transaction any more. A start would apply it."
        found = replace(report, state=ErrorState.PASSES_NOW, detail=sentence)
        return replace(found, ways=ways_on(found.state, None, SourceRow(), nodes))
    is_whole = stands_as_left(orphan.rows, table_definitions, replica_rows)
    source_row = find_source_row(failed)
    state = ErrorState.ROW_IN_THE_WAY if failed.blockers else ErrorState.ROW_MISSING
    state = ErrorState.ALREADY_APPLIED if is_whole else state
    return replace(
        report,
        state=state,
        detail=" ".join([_sentence(state, failed, nodes), *_why_no_mend(failed)]),
        row=failed,
        source_row=source_row,
        ways=ways_on(state, failed, source_row, nodes),
    )


def _why_no_mend(failed: FailedRow) -> list[str]:
    why = "; ".join(failed.shape.refusals)
    return [f"Hawser offers no statement, because it would change more than this row: {why}."] if why else []


def _sentence(state: ErrorState, failed: FailedRow, nodes: MendNodes) -> str:
    table, operation = failed.change.name, failed.change.operation.value
    if state is ErrorState.ALREADY_APPLIED:
        return (
            f"Every row of this transaction is on {nodes.replica} with the values that the transaction wrote. "
            "It was applied before, or the same was written there by hand."
        )
    if failed.blockers:
        keys = "; ".join(", ".join(key) for key, _ in failed.blockers)
        return (
            f"The {operation} in {table} cannot be applied: {nodes.replica} has another row with the same value of "
            f"the unique key ({keys})."
        )
    return f"The {operation} in {table} cannot be applied: {nodes.replica} does not have the row."
