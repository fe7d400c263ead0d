"""Reads the transaction that a channel stopped on from its source's log, with its rows."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace

from backend.core.binlog.events import Cursor, EventBudgetError
from backend.core.binlog.groups import Group, UnknownEventError, groups_from
from backend.core.binlog.logs import log_of
from backend.core.channel_errors.assess import assess, begin_report, mend_nodes, why_not_the_failed_one
from backend.core.channel_errors.model import (
    ChannelErrorReport,
    ErrorState,
    FailedRow,
    FailedTransaction,
    SourceRow,
)
from backend.core.dialects.base import DialectError
from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelView
from backend.core.orphans.model import OrphanList
from backend.core.orphans.transactions import TooManyError
from backend.core.ports import NodeError
from backend.core.row_event_bytes import UnreadableError
from backend.core.topology import Direction
from backend.gateway.gateway import NodeGateway
from backend.gateway.orphan_rows import RowReader, read_orphans

BUDGET_EVENTS = 200_000
ACCESS_DENIED = frozenset({1044, 1142, 1143})
"""ER_DBACCESS_DENIED_ERROR, ER_TABLEACCESS_DENIED_ERROR, ER_COLUMNACCESS_DENIED_ERROR."""


class NotToldError(Exception):
    """The transaction, or what it did, is unknown; the sentence says why."""


def read_channel_error(gateway: NodeGateway, link: LinkFacts, direction: Direction) -> ChannelErrorReport:
    """The report on the direction's channel now; never raises for a server's error."""
    report, channel = begin_report(link, direction)
    if channel is None:
        return report
    try:
        return _FailedTransactionReader(gateway, link, channel).read(report)
    except (NotToldError, DialectError, UnknownEventError, EventBudgetError, UnreadableError, TooManyError) as error:
        return replace(report, detail=f"The row is unknown: {error}.")
    except NodeError as error:
        remedy = f" Grant SELECT on the table to the operator account of {error.node}." * (error.code in ACCESS_DENIED)
        return replace(report, detail=f"The row is unknown: {error.node}: {error.message}.{remedy}")


@dataclass(frozen=True, slots=True)
class _FailedTransactionReader:
    gateway: NodeGateway
    link: LinkFacts
    channel: ChannelView

    def read(self, report: ChannelErrorReport) -> ChannelErrorReport:
        group = self._group()
        book = self._rows_of(group)
        transaction = _described(group, book)
        report = replace(report, transaction=transaction)
        if why := why_not_the_failed_one(transaction, report.error):
            return replace(report, detail=f"The row is unknown: {why}.")
        if not book.transactions:
            return replace(
                report,
                state=ErrorState.OTHER_ERROR,
                detail="The transaction changes only rows of Hawser's own schema.",
            )
        (orphan,) = book.transactions
        if orphan.refusal or group.kind == "ddl":
            why = orphan.refusal or "the transaction changes a table definition"
            return replace(report, detail=f"The row is unknown: {why}.")
        nodes = mend_nodes(self.link, self.channel)
        with closing(RowReader(self.gateway.access(self.channel.replica_node_id))) as rows:
            return assess(report, orphan, book.table_definitions, rows, self._source_row, nodes)

    def _group(self) -> Group:
        """The first group after the executed position that the channel does not ignore."""
        channel, source = self.channel.channel, self.link.node(self.channel.source_node_id)
        begins = channel.exec_position
        if begins is None:
            raise NotToldError("the channel has executed nothing yet")
        log = log_of(self.gateway.reader(source.node.id), source)
        if begins.file not in {name for name, _ in log.files()}:
            raise NotToldError(f"{source.node.name} no longer retains {begins.file}")
        for group in groups_from(Cursor(log, budget_events=BUDGET_EVENTS), begins):
            if group.server_id not in channel.ignore_server_ids:
                return group
        raise NotToldError(f"the log of {source.node.name} has no transaction after {begins}")

    def _rows_of(self, group: Group) -> OrphanList:
        """The rows by the replica's table definitions, as they are compared there."""
        access = self.gateway.access(self.channel.source_node_id)
        return read_orphans(access, self.gateway.reader(self.channel.replica_node_id), group.begin_position, [group])

    def _source_row(self, failed: FailedRow) -> SourceRow:
        """The source's current row with the same key, possibly changed since."""
        image = failed.change.after if failed.change.after is not None else failed.change.before
        if image is None or not failed.shape.key:
            return SourceRow(unread="no key identifies the row")
        try:
            with closing(RowReader(self.gateway.access(self.channel.source_node_id))) as rows:
                return SourceRow(rows.find(failed.shape, image))
        except NodeError as error:
            return SourceRow(unread=f"{error.node}: {error.message}")


def _described(group: Group, book: OrphanList) -> FailedTransaction:
    rows = [row for one in book.transactions for row in one.rows]
    return FailedTransaction(
        begin=group.begin_position,
        end=group.end_position,
        seqno=group.xid,
        gtid=str(group.gtid) if group.gtid else None,
        at_s=book.transactions[0].at_s if book.transactions else 0,
        tables=group.tables,
        rows=len(rows),
    )
