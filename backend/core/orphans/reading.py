"""Reads a returned node's log together with its groups: its orphans with their rows, one at a time.

The returned side's old channel may have applied more after them: rows that it wrote over an orphan's are recorded
by the digest of their key, with the number of orphans before that. Only the log shows this: two sides that
incremented the same counter have equal rows, and only the order shows whose change was the last.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from backend.core.binlog.groups import Group
from backend.core.orphans.model import OrphanTransaction, RowChange, TableShape, TransactionKind, definition_key
from backend.core.orphans.rows.row_events import TableMap, row_changes, table_map
from backend.core.orphans.rows.row_keys import key_digest, row_key_of
from backend.core.orphans.rows.sql_literals import check_literals
from backend.core.orphans.schema_changes.history import SchemaHistory
from backend.core.orphans.schema_changes.query_event import QUERY, QUERY_COMPRESSED, as_sent, read_query_event
from backend.core.orphans.schema_changes.tokens import UnsupportedChangeError
from backend.core.orphans.transactions import (
    MAX_SCHEMA_CHANGES,
    OWN_SCHEMA,
    RawEvent,
    TooManyError,
    is_own,
    is_schema_change,
    is_trivial,
    refusal_of_texts,
)
from backend.core.row_event_bytes import ROW_EVENTS, TABLE_MAP, UnreadableError, table_number

MAX_TRANSACTIONS = 1_000_000
MAX_ROWS = 5_000_000
MAX_BYTES = 2 * 1024**3
"""More than this is not shown, replayed or undone: a side that wrote for so long is rebuilt."""
_GTID = 162
ShapeOf = Callable[[str, str], TableShape | None]
"""Returns a table as the node's information_schema describes it now, by schema and name; None where it is missing."""


@dataclass(slots=True)
class _RawGroup:
    """The events of one group, from its GTID event on."""

    at_s: int = 0
    server_id: int = 0
    tables: dict[int, TableMap] = field(default_factory=dict)
    rows: list[RawEvent] = field(default_factory=list)
    query: RawEvent | None = None


@dataclass(slots=True)
class OrphanReader:
    """One pass over one log; its results are complete once `transactions` has ended."""

    shape_of: ShapeOf
    survivor_ids: Collection[int] = ()
    history: SchemaHistory = field(default_factory=lambda: SchemaHistory(()))
    overwritten: dict[str, int] = field(default_factory=dict)
    table_definitions: dict[str, TableShape] = field(default_factory=dict)
    _keys: set[str] = field(default_factory=set)
    _found: int = 0
    _changed: int = 0
    """The number of table definition changes read so far."""
    _versions: dict[str, int] = field(default_factory=dict)

    def transactions(self, groups: Iterable[Group], events: Iterable[RawEvent]) -> Iterator[OrphanTransaction]:
        """The orphans among these groups, oldest first; raises TooManyError past the limits, and what reading raises.

        Groups without a trace and the console's own (probes, undo) are not orphans.
        """
        if len(self.history.changes) > MAX_SCHEMA_CHANGES:
            raise TooManyError(f"more than {MAX_SCHEMA_CHANGES:,} changes of table definitions")
        raws = _RawGroups(events, self._passed)
        rows = size = 0
        for group in groups:
            if is_trivial(group):
                continue
            raw = raws.ending_at(group.file, group.end)
            transaction = self._transaction(group, raw)
            if is_own(transaction):
                continue
            rows += len(transaction.rows)
            size += sum(len(event.body) for event in raw.rows) if raw else 0
            if self._found == MAX_TRANSACTIONS or rows > MAX_ROWS:
                raise TooManyError(f"more than {MAX_TRANSACTIONS:,} transactions or {MAX_ROWS:,} rows")
            if size > MAX_BYTES:
                raise TooManyError(f"row images larger than {MAX_BYTES // 2**20} MiB")
            self._keep(transaction)
            yield transaction
        if self.survivor_ids:
            raws.drain()

    def _transaction(self, group: Group, raw: _RawGroup | None) -> OrphanTransaction:
        if group.kind == "ddl":
            return self._change(group, raw)
        rows, refusal = self._read(group, raw)
        return replace(self._described(group, raw), rows=rows, refusal=refusal)

    def _described(self, group: Group, raw: _RawGroup | None) -> OrphanTransaction:
        is_ddl = group.kind == "ddl"
        return OrphanTransaction(
            index=self._found,
            begin=group.begin_position,
            end=group.end_position,
            server_id=group.server_id,
            gtid=str(group.gtid) if group.gtid else None,
            seqno=group.xid,
            at_s=raw.at_s if raw else 0,
            kind=TransactionKind.DDL if is_ddl else TransactionKind.ROWS,
            statement=group.statement,
            content=group.content,
        )

    def _change(self, group: Group, raw: _RawGroup | None) -> OrphanTransaction:
        """A change of a table definition, with the settings it was sent under."""
        found = self._described(group, raw)
        if not is_schema_change(group):
            return found
        ordinal, self._changed = self._changed, self._changed + 1
        self._versions.clear()
        change = self.history.changes[ordinal] if ordinal < len(self.history.changes) else None
        try:
            if why := self.history.refused.get(ordinal):
                raise UnsupportedChangeError(why)
            if change is None or raw is None or raw.query is None or raw.rows:
                raise UnsupportedChangeError("the log changed after its transactions were counted")
            sent = as_sent(change, read_query_event(raw.query.kind, raw.query.body))
            return replace(found, change=sent, is_void=ordinal in self.history.void)
        except (UnsupportedChangeError, UnreadableError) as error:
            return replace(found, refusal=str(error))

    def _read(self, group: Group, raw: _RawGroup | None) -> tuple[tuple[RowChange, ...], str]:
        if raw is None:
            return (), f"its row images are no longer at {group.begin_position}"
        if why := refusal_of_texts(group):
            return (), why
        try:
            rows = tuple(_rows_of(raw, self._lasting(raw), self._shape))
            for row in rows:
                check_literals(row, self.table_definitions[row.definition])
            return rows, ""
        except UnreadableError as error:
            return (), str(error)

    def _lasting(self, raw: _RawGroup) -> Iterator[RawEvent]:
        """Its row events, except those of tables that one orphan created and a later one drops."""
        for event in raw.rows:
            table = raw.tables.get(table_number(event.body))
            if table is None or not self.history.is_void(table.name, self._changed):
                yield event

    def _shape(self, table: TableMap) -> TableShape | None:
        """The table definition when these rows were written; the current one is stored, too, to identify rows later."""
        version = self._version(table.name)
        key = definition_key(table.schema, table.table, version)
        if key not in self.table_definitions:
            now = self.table_definitions.get(table.name) or self.shape_of(table.schema, table.table)
            shape = None if now is None else self.history.shape(now, version)
            if now is None or shape is None:
                return None
            self.table_definitions[table.name] = now
            self.table_definitions[key] = shape
        return self.table_definitions[key]

    def _version(self, name: str) -> int:
        if name not in self._versions:
            self._versions[name] = self.history.version(name, self._changed)
        return self._versions[name]

    def _keep(self, transaction: OrphanTransaction) -> None:
        self._found += 1
        if self.survivor_ids:
            self._keys.update(key for row in transaction.rows for key in _keys_of(row, self.table_definitions))

    def _passed(self, raw: _RawGroup) -> None:
        """Handle a group that is not an orphan: one of the other side, applied here, may touch orphans' rows."""
        if raw.server_id not in self.survivor_ids:
            return
        try:
            for key in _touched(raw, self.table_definitions, self._shape):
                if key in self._keys:
                    self.overwritten[key] = self._found
        except UnreadableError as error:
            self._refuse(raw, str(error))

    def _refuse(self, raw: _RawGroup, why: str) -> None:
        """It is unknown which orphans' rows such a group wrote over, so Hawser writes none of its tables."""
        for table in raw.tables.values():
            shape = self.table_definitions.get(table.name)
            if shape is not None:
                reason = f"{table.name}: unknown what the other side's channel wrote there ({why})"
                self.table_definitions[table.name] = replace(shape, refusals=(*shape.refusals, reason))


def overwritten_rows(
    events: Iterable[RawEvent],
    survivor_ids: Collection[int],
    table_definitions: Mapping[str, TableShape],
    count: int,
) -> dict[str, int]:
    """Rows of these tables that the other side's groups among these events touch; all come after `count` orphans.

    Raises UnreadableError where a row cannot be decoded.
    """
    found: dict[str, int] = {}

    def passed(raw: _RawGroup) -> None:
        if raw.server_id in survivor_ids:
            now = _touched(raw, table_definitions, lambda table: table_definitions[table.name])
            found.update(dict.fromkeys(now, count))

    _RawGroups(events, passed).drain()
    return found


def _rows_of(
    raw: _RawGroup, events: Iterable[RawEvent], shape_of: Callable[[TableMap], TableShape | None]
) -> Iterator[RowChange]:
    for event in events:
        table = raw.tables.get(table_number(event.body))
        if table is None:
            raise UnreadableError("a row event without its table")
        shape = shape_of(table)
        if shape is None:
            raise UnreadableError(
                f"{table.name} does not exist any more, or the monitor account lacks REFERENCES on it"
            )
        yield from row_changes(event.kind, event.body, table, shape)


def _keys_of(row: RowChange, table_definitions: Mapping[str, TableShape]) -> Iterator[str]:
    shape = table_definitions[row.definition]
    if row.schema != OWN_SCHEMA and shape.key:
        yield from (key_digest(row_key_of(image, shape)) for image in (row.before, row.after) if image is not None)


def _touched(
    raw: _RawGroup,
    table_definitions: Mapping[str, TableShape],
    shape_of: Callable[[TableMap], TableShape | None],
) -> Iterator[str]:
    """Keys of the rows that a group touches in these tables; other tables are not read."""
    names = {number: table.name for number, table in raw.tables.items()}
    events = [event for event in raw.rows if names.get(table_number(event.body)) in table_definitions]
    for row in _rows_of(raw, events, shape_of):
        yield from _keys_of(row, table_definitions)


class _RawGroups:
    """The raw events group by group; groups that were not requested are passed to `passed`."""

    def __init__(self, events: Iterable[RawEvent], passed: Callable[[_RawGroup], None]) -> None:
        self._events = iter(events)
        self._passed = passed
        self._pending: _RawGroup | None = None

    def ending_at(self, file: str, end: int) -> _RawGroup | None:
        """The group that ends at a position; None where the events do not reach it."""
        for event in self._events:
            self._take(event)
            if (event.file, event.end) == (file, end % 2**32):
                found, self._pending = self._pending, None
                return found
        return None

    def drain(self) -> None:
        """Read all remaining events."""
        for event in self._events:
            self._take(event)
        self._close()

    def _take(self, event: RawEvent) -> None:
        if event.kind == _GTID:
            self._close()
            self._pending = _RawGroup(event.at_s, event.server_id)
        elif self._pending is not None and event.kind == TABLE_MAP:
            number, table = table_map(event.body)
            self._pending.tables[number] = table
        elif self._pending is not None and event.kind in ROW_EVENTS:
            self._pending.rows.append(event)
        elif self._pending is not None and event.kind in (QUERY, QUERY_COMPRESSED):
            self._pending.query = event

    def _close(self) -> None:
        if self._pending is not None and self._pending.rows:
            self._passed(self._pending)
        self._pending = None
