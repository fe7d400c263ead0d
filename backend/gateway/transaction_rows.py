"""Reads the rows of one transaction from a node's binary log, by the node's own table definitions."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.binlog.events import Cursor, EventBudgetError
from backend.core.binlog.groups import Group, UnknownEventError, groups_from
from backend.core.binlog.logs import log_of
from backend.core.dialects.base import DialectError
from backend.core.link_facts import LinkFacts
from backend.core.orphans.model import OrphanList, RowChange, TableShape
from backend.core.orphans.transactions import TooManyError
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.row_event_bytes import UnreadableError
from backend.gateway.gateway import NodeGateway
from backend.gateway.orphan_rows import read_orphans

MAX_BYTES = 8 * 2**20
MAX_ROWS = 100
BUDGET_EVENTS = 200_000


class NotReadError(Exception):
    """The rows are not shown; the sentence says why."""


@dataclass(frozen=True, slots=True)
class TransactionRows:
    """The first rows of a transaction with their table definitions; `detail` says why there are none, or not all."""

    begin: FilePosition
    end: FilePosition | None = None
    tables: tuple[str, ...] = ()
    rows: tuple[tuple[RowChange, TableShape], ...] = ()
    row_count: int | None = None
    detail: str = ""


def read_transaction(gateway: NodeGateway, link: LinkFacts, node_id: str, begins: FilePosition) -> TransactionRows:
    """The rows of the transaction that begins there; never raises for a server's error."""
    name = link.node(node_id).node.name
    try:
        return _read(gateway, link, node_id, begins)
    except NotReadError as error:
        return TransactionRows(begins, detail=str(error))
    except NodeError as error:
        return TransactionRows(begins, detail=f"The rows are unknown: {name}: {error.message}.")
    except (DialectError, UnknownEventError, EventBudgetError, UnreadableError, TooManyError) as error:
        return TransactionRows(begins, detail=f"The rows are unknown: {error}.")


def _read(gateway: NodeGateway, link: LinkFacts, node_id: str, begins: FilePosition) -> TransactionRows:
    facts = link.node(node_id)
    if not facts.is_up:
        raise NotReadError(f"The rows are unknown: {facts.node.name} is not responding: {facts.error}.")
    reader = gateway.reader(node_id)
    cursor = Cursor(log_of(reader, facts), budget_events=BUDGET_EVENTS)
    if begins.file not in {name for name, _ in cursor.files()}:
        raise NotReadError(f"{facts.node.name} does not retain {begins.file} any more.")
    group = next(groups_from(cursor, begins), None)
    if group is None or group.begin_position != begins:
        raise NotReadError(f"No transaction begins at {begins} on {facts.node.name}.")
    if group.end - group.start > MAX_BYTES:
        limit = f"{MAX_BYTES // 2**20} MiB"
        raise NotReadError(f"The transaction is larger than {limit}, the limit for showing rows. Use mariadb-binlog.")
    if group.kind == "ddl":
        return TransactionRows(begins, group.end_position, group.tables, row_count=0, detail="It changes no rows.")
    return _shown(group, read_orphans(gateway.access(node_id), reader, begins, [group]))


def _shown(group: Group, book: OrphanList) -> TransactionRows:
    if not book.transactions:
        detail = "It changes only rows of Hawser's own schema."
        return TransactionRows(group.begin_position, group.end_position, group.tables, detail=detail)
    (one,) = book.transactions
    if one.refusal:
        detail = f"The rows are unknown: {one.refusal}."
        return TransactionRows(group.begin_position, group.end_position, group.tables, detail=detail)
    rows = tuple((row, book.table_definitions[row.definition]) for row in one.rows[:MAX_ROWS])
    detail = f"The first {MAX_ROWS} of {len(one.rows):,} rows." if len(one.rows) > MAX_ROWS else ""
    return TransactionRows(group.begin_position, group.end_position, group.tables, rows, len(one.rows), detail)
