"""Checks whether table definition changes among orphans can be replayed on one node and undone on another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from backend.core.orphans.model import OrphanList, OrphanTransaction, TableCount, TableShape
from backend.core.orphans.progress_marker import OrphanAction
from backend.core.orphans.rows.information_schema import differences, read_shapes
from backend.core.orphans.rows.sql_literals import identifier, text_literal
from backend.core.orphans.schema_change import ChangeKind, SchemaChange
from backend.core.orphans.schema_changes.history import SchemaHistory
from backend.core.orphans.schema_changes.statements import undo_change
from backend.core.plural import pluralize
from backend.core.ports import NodeError, NodeReader

PRIVILEGES = {
    (OrphanAction.REPLAY, ChangeKind.CREATE): ("CREATE",),
    (OrphanAction.REPLAY, ChangeKind.ADD): ("ALTER", "CREATE", "INDEX", "INSERT"),
    (OrphanAction.UNDO, ChangeKind.CREATE): ("DROP",),
    (OrphanAction.UNDO, ChangeKind.ADD): ("ALTER", "CREATE", "INDEX", "INSERT"),
}
"""The privileges that each kind of statement needs on the schema (ALTER TABLE also needs CREATE and INSERT)."""


@dataclass(slots=True)
class SchemaChecks:
    """The changes of one list; `survivor` are the definitions of the tables concerned on the survivor's node."""

    book: OrphanList
    returned: NodeReader
    survivor_reader: NodeReader
    now: dict[str, TableShape] = field(default_factory=dict)
    survivor: dict[str, TableShape] = field(default_factory=dict)
    _changes: tuple[OrphanTransaction, ...] = ()

    def __post_init__(self) -> None:
        """Read the definitions on both nodes; raises NodeError."""
        self._changes = self.book.changes
        names = {(shape.schema, shape.table) for shape in self.book.table_definitions.values()}
        names |= {(change.schema, change.table) for _, change in self._living()}
        self.now = read_shapes(self.returned, names)
        self.survivor = read_shapes(self.survivor_reader, names)

    @property
    def count(self) -> int:
        """The number of changes that leave a trace."""
        return sum(1 for _ in self._living())

    def _living(self) -> Iterator[tuple[OrphanTransaction, SchemaChange]]:
        for one in self._changes:
            if one.change is not None and not one.is_void:
                yield one, one.change

    @property
    def settled(self) -> tuple[int, ...]:
        """Tables created IF NOT EXISTS that the survivor has, too: nothing is to be replayed or undone."""
        return tuple(
            one.index for one, change in self._living() if change.is_conditional and change.name in self.survivor
        )

    def privileges(self, way: OrphanAction) -> Mapping[str, Sequence[str]]:
        """The privileges that the operator account needs for an action, by schema."""
        found: dict[str, list[str]] = {}
        for _, change in self._living():
            found.setdefault(change.schema, []).extend(PRIVILEGES[way, change.kind])
        return {schema: tuple(dict.fromkeys(names)) for schema, names in found.items()}

    def against_replay(self, rows: NodeReader) -> Iterator[str]:
        """Why the survivor's schema does not allow the changes; `rows` is a session of the operator account there."""
        history = SchemaHistory([one.change for one in self._changes])
        for name in dict.fromkeys(change.name for _, change in self._living()):
            if why := self._misfit(history, name):
                yield why
        yield from self._other_collations()
        for _, change in self._living():
            yield from _shared_values(change, self.survivor.get(change.name), rows)

    def _misfit(self, history: SchemaHistory, name: str) -> str:
        """Why the survivor's table is neither as before nor has some of the changes already; empty where it is."""
        now, there = self.now.get(name), self.survivor.get(name)
        if now is None:
            return f"{name} does not exist any more on the returned side"
        versions = [history.shape(now, version) for version in range(history.version(name, 0), -1, -1)]
        if any(change.is_conditional for _, change in self._living() if change.name == name):
            versions.append(None)
        if any(_is_same(shape, there) for shape in versions):
            return ""
        if versions[0] is None:
            return f"{name} was created on both sides, with other columns"
        return differences(versions[0], there) or f"{name} differs"

    def _other_collations(self) -> Iterator[str]:
        """Schemas with another default collation: a table gets its schema's where the statement names none."""
        schemas = sorted({change.schema for _, change in self._living() if change.kind is ChangeKind.CREATE})
        for schema in schemas:
            ours, theirs = _collation(self.survivor_reader, schema), _collation(self.returned, schema)
            if ours is None:
                yield f"the schema {schema} does not exist there"
            elif ours != theirs:
                yield f"the schema {schema} has another default collation there ({ours}, not {theirs})"

    def against_undo(self, rows: NodeReader, tables: Sequence[TableCount]) -> Iterator[str]:
        """Why the changes cannot be undone from the last on; `rows` is an operator session on the returned side."""
        standing = {f"{t.schema}.{t.table}": t.inserts - t.deletes for t in tables}
        for one, change in self._living():
            if one.index in self.settled:
                continue
            sent = undo_change(change)
            stands = _number(rows, sent.parts)
            if stands != sent.before:
                yield (
                    f"of {pluralize(sent.before, 'part')} that transaction {one.index + 1} added to {change.name}, "
                    f"the operator account sees {stands}"
                )
            elif change.kind is ChangeKind.CREATE:
                yield from _foreign_rows(change, standing.get(change.name, 0), rows)


def _is_same(shape: TableShape | None, there: TableShape | None) -> bool:
    if shape is None or there is None:
        return shape is there
    return not differences(shape, there)


def _collation(reader: NodeReader, schema: str) -> object:
    there = f"information_schema.SCHEMATA WHERE SCHEMA_NAME = {text_literal(schema)}"
    found = reader.query(f"SELECT DEFAULT_COLLATION_NAME AS c FROM {there}")
    return found[0]["c"] if found else None


def _shared_values(change: SchemaChange, there: TableShape | None, rows: NodeReader) -> Iterator[str]:
    """Unique keys that cannot be added because rows of the survivor already share their values."""
    for index in change.indexes:
        standing = {column.name for column in there.columns} if there is not None else set()
        if there is None or not index.is_unique or not index.columns or not standing.issuperset(index.columns):
            continue
        names = ", ".join(map(identifier, index.columns))
        filled = " AND ".join(f"{identifier(name)} IS NOT NULL" for name in index.columns)
        table = f"{identifier(change.schema)}.{identifier(change.table)}"
        shared = f"SELECT 1 FROM {table} WHERE {filled} GROUP BY {names} HAVING COUNT(*) > 1 LIMIT 1"
        if _number(rows, f"SELECT COUNT(*) AS n FROM ({shared}) AS one"):
            yield f"rows of {change.name} there share values of {', '.join(index.columns)}, which {index.name} forbids"


def _foreign_rows(change: SchemaChange, ours: int, rows: NodeReader) -> Iterator[str]:
    """A table that cannot be dropped because not all of its rows are the orphans'."""
    table = f"{identifier(change.schema)}.{identifier(change.table)}"
    stands = _number(rows, f"SELECT COUNT(*) AS n FROM {table}")
    if stands != ours:
        yield (
            f"{change.name}, created by an orphaned transaction, has {pluralize(stands, 'row')}, "
            f"of which orphaned transactions wrote {ours:,}"
        )


def _number(reader: NodeReader, sql: str) -> int:
    rows = reader.query(sql)
    if not rows:
        raise NodeError(reader.node.name, f"no result of {sql[:80]}")
    return int(str(rows[0]["n"]))
