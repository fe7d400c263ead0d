"""Orphan groups and the raw events of the same log to orphan transactions with their row images."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from backend.core.binlog.groups import Group
from backend.core.orphans.model import OrphanList, OrphanTransaction, RowChange, TableShape, TransactionKind
from backend.core.orphans.rows.column_values import UnreadableError
from backend.core.orphans.rows.row_events import ROW_EVENTS, TABLE_MAP, TableMap, row_changes, table_map, table_number

OWN_SCHEMA = "hawser"
"""The console's own rows are neither orphans nor replayed."""
MAX_TRANSACTIONS = 20_000
MAX_ROWS = 200_000
MAX_BYTES = 128 * 1024 * 1024
"""More than this is not shown, replayed or undone: a side that went on for so long is rebuilt."""
_GTID = 162
_NO_TRACE = re.compile(r"\s*(FLUSH|ANALYZE|OPTIMIZE|REPAIR)\b", re.IGNORECASE)
_ACCOUNTS = re.compile(
    r"\s*(GRANT|REVOKE|(CREATE(\s+OR\s+REPLACE)?|ALTER|DROP|RENAME)\s+(USER|ROLE)|SET\s+(PASSWORD|DEFAULT\s+ROLE))\b",
    re.IGNORECASE,
)
"""Accounts are each side's own. The very grant that replay and undo need is such a statement."""
_CREATES_OWN = re.compile(r"CREATE (DATABASE|TABLE) IF NOT EXISTS `?hawser`?(\.`?probe`?)?( |\(|$)", re.IGNORECASE)
_HARMLESS = re.compile(r"(BEGIN|COMMIT|SAVEPOINT\s.*)$", re.IGNORECASE | re.DOTALL)


class RawEvent(NamedTuple):
    """One event as the dump protocol sends it; `end` is its end in its own file, 32 bits wide."""

    file: str
    kind: int
    at_s: int
    server_id: int
    end: int
    body: bytes


class TooManyError(Exception):
    """More orphans than are read; the sentence names the limit."""


class RawGroup(NamedTuple):
    """The events of one group, from its GTID event to its last."""

    at_s: int
    tables: Mapping[int, TableMap]
    rows: tuple[RawEvent, ...]


def split_groups(events: Iterable[RawEvent], wanted: Sequence[Group]) -> dict[str, RawGroup]:
    """Raw events of the wanted groups by their end position, stopping at the last of them.

    Raises TooManyError past the limits.
    """
    ends = {_end_key(group.file, group.end) for group in wanted if not is_trivial(group)}
    found: dict[str, RawGroup] = {}
    pending: list[RawEvent] = []
    held = size = 0
    for event in events:
        if event.kind == _GTID:
            pending, size = [event], held
        elif _matters(event):
            pending.append(event)
            size += len(event.body)
        if size > MAX_BYTES:
            raise TooManyError(f"the row images are larger than {MAX_BYTES // 2**20} MiB")
        end_key = _end_key(event.file, event.end)
        if end_key in ends:
            found[end_key], held = _raw(pending), size
            if len(found) == len(ends):
                break
    return found


def _end_key(file: str, end: int) -> str:
    return f"{file}:{end % 2**32}"


def _matters(event: RawEvent) -> bool:
    return event.kind == TABLE_MAP or event.kind in ROW_EVENTS


def _raw(events: Sequence[RawEvent]) -> RawGroup:
    tables = dict(table_map(event.body) for event in events if event.kind == TABLE_MAP)
    return RawGroup(events[0].at_s, tables, tuple(event for event in events if event.kind in ROW_EVENTS))


def tables_of(raws: Iterable[RawGroup]) -> set[tuple[str, str]]:
    """Every table the events name."""
    return {(table.schema, table.table) for raw in raws for table in raw.tables.values()}


def is_trivial(group: Group) -> bool:
    """A statement that leaves no trace in any application's table: FLUSH and the like, and accounts."""
    return is_about_accounts(group) or (group.kind == "ddl" and bool(_NO_TRACE.match(group.statement or "")))


def is_about_accounts(group: Group) -> bool:
    """A statement that changes who may log in or do what; left as it is, and said."""
    return group.kind == "ddl" and bool(_ACCOUNTS.match(group.statement or ""))


def build_orphan_list(
    groups: Sequence[Group], raws: Mapping[str, RawGroup], table_definitions: Mapping[str, TableShape]
) -> OrphanList:
    """The orphans with their rows, oldest first; TooManyError past the limits.

    Groups without a trace and the console's own (probes, undo) are no orphans.
    """
    found: list[OrphanTransaction] = []
    rows = 0
    for group in groups:
        raw = raws.get(_end_key(group.file, group.end))
        transaction = _transaction(len(found), group, raw, table_definitions)
        if is_trivial(group) or _is_own(transaction):
            continue
        rows += len(transaction.rows)
        if len(found) == MAX_TRANSACTIONS or rows > MAX_ROWS:
            raise TooManyError(f"there are more than {MAX_TRANSACTIONS:,} transactions or {MAX_ROWS:,} rows")
        found.append(transaction)
    digest = hashlib.sha256("\n".join(one.content for one in found).encode()).hexdigest()
    used = {row.name for one in found for row in one.rows}
    return OrphanList(digest, tuple(found), {name: shape for name, shape in table_definitions.items() if name in used})


def _transaction(
    index: int, group: Group, raw: RawGroup | None, table_definitions: Mapping[str, TableShape]
) -> OrphanTransaction:
    is_ddl = group.kind == "ddl"
    rows, refusal = ((), "") if is_ddl else _read(group, raw, table_definitions)
    return OrphanTransaction(
        index=index,
        begin=group.begin_position,
        end=group.end_position,
        server_id=group.server_id,
        gtid=str(group.gtid) if group.gtid else None,
        seqno=group.xid,
        at_s=raw.at_s if raw else 0,
        kind=TransactionKind.DDL if is_ddl else TransactionKind.ROWS,
        statement=group.statement,
        content=group.content,
        rows=rows,
        refusal=refusal,
    )


def _read(
    group: Group, raw: RawGroup | None, table_definitions: Mapping[str, TableShape]
) -> tuple[tuple[RowChange, ...], str]:
    if raw is None:
        return (), f"its row images do not stand at {group.begin_position} any more"
    for text in group.texts:
        if not _HARMLESS.match(text):
            return (), f"it was written as a statement, not as rows: {text[:80]}"
    try:
        return tuple(_rows(raw, table_definitions)), ""
    except UnreadableError as error:
        return (), str(error)


def _rows(raw: RawGroup, table_definitions: Mapping[str, TableShape]) -> Iterable[RowChange]:
    for event in raw.rows:
        table = raw.tables.get(table_number(event.body))
        if table is None:
            raise UnreadableError("a row event without its table")
        shape = table_definitions.get(table.name)
        if shape is None:
            raise UnreadableError(
                f"{table.name} is not there any more, or the monitor account lacks REFERENCES on it to see its columns"
            )
        yield from row_changes(event.kind, event.body, table, shape)


def _is_own(transaction: OrphanTransaction) -> bool:
    """Only the console's own rows, or an undo of this console: its marker is among the rows."""
    if transaction.kind is TransactionKind.DDL:
        return bool(_CREATES_OWN.match(transaction.statement or ""))
    own = [row for row in transaction.rows if row.schema == OWN_SCHEMA]
    if own and len(own) == len(transaction.rows):
        return True
    return any(row.table == "probe" and _says_undo(row) for row in own)


def _says_undo(row: RowChange) -> bool:
    image = row.after or ()
    return len(image) > 1 and image[1] == b"undo"
