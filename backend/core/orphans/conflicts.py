"""Simulates a replay: compares the rows each orphan requires on the other side with the rows that are there.

The other side is only read. The state of rows that orphans themselves change is tracked separately, so
that a chain of changes is judged as it would run. A transaction that touches a row of one that
cannot be replayed depends on it, and is not replayed either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from backend.core.orphans.decisions import Decision, Decisions, Resolution, row_name
from backend.core.orphans.leaving_rows import LeavingRows
from backend.core.orphans.model import OrphanTransaction, RowChange, RowImage, TableShape
from backend.core.orphans.rows.row_keys import RowKey, key_digest, row_key_of, unique_row_keys
from backend.core.orphans.schema_changes.projection import ProjectedRow
from backend.core.orphans.serialization import shown_image
from backend.core.orphans.side_rows import NodeRows
from backend.core.orphans.statements import count_sql, key_count_sql
from backend.core.orphans.transactions import OWN_SCHEMA

SHOWN = 200
"""The number of conflicts whose rows are looked up for display."""
BATCH = 200
"""The number of transactions whose rows are queried at once."""
Query = Callable[[Sequence[str]], Mapping[str, int]]
"""Runs counting statements and returns the counts by statement text."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A row of a transaction that cannot be replayed: the reason, or the transaction it depends on."""

    index: int
    seqno: int | None
    table: str
    reason: str
    depends_on: int | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    """The row on each node, and before and after the orphan; empty where it was not looked up."""
    row: str = ""
    """The row's name in a decision; empty where no key identifies it."""
    decision: Decision | None = None
    """LEAVE_OUT where that was decided; None without a decision, or where the decision cannot be carried out."""

    def to_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "index": self.index,
            "seqno": self.seqno,
            "table": self.table,
            "reason": self.reason,
            "depends_on": self.depends_on,
            "values": dict(self.values),
            "row": self.row,
            "decision": self.decision.value if self.decision else None,
        }


_MISSING = object()


@dataclass(slots=True)
class _World:
    """What orphans replayed so far changed: images by key, unique values used or free, more or fewer equal rows.

    The changes of the current transaction can be reverted. Rows are stored as digests: there may be a million.
    """

    state: dict[str, object] = field(default_factory=dict)
    _log: list[tuple[str, object]] = field(default_factory=list)

    def get(self, what: str, row_key: RowKey, default: object = None) -> object:
        """The stored value; `default` where none is stored."""
        return self.state.get(_name(what, row_key), default)

    def put(self, what: str, row_key: RowKey, value: object) -> None:
        """Store a value."""
        name = _name(what, row_key)
        self._log.append((name, self.state.get(name, _MISSING)))
        self.state[name] = value

    def keep(self) -> None:
        """Commit the transaction."""
        self._log.clear()

    def mark(self) -> int:
        """A savepoint within the transaction."""
        return len(self._log)

    def take_back(self, mark: int = 0) -> None:
        """Revert what the transaction did since the savepoint."""
        for name, value in reversed(self._log[mark:]):
            if value is _MISSING:
                del self.state[name]
            else:
                self.state[name] = value
        del self._log[mark:]


def _name(what: str, row_key: RowKey) -> str:
    return key_digest((f"{what}/{row_key[0]}/{','.join(row_key[1])}", (), row_key[2]))


def _digest(image: RowImage) -> str:
    return key_digest(("", (), image))


class _Refused(Exception):  # noqa: N818 - a turn of the walk, not a fault
    pass


def find_conflicts(
    transactions: Iterable[OrphanTransaction], table_definitions: Mapping[str, TableShape], query: Query
) -> tuple[Conflict, ...]:
    """Conflicts in order, with everything that depends on them; raises what `query` raises."""
    return tuple(ReplayJudge(table_definitions, query).conflicts(transactions))


@dataclass(slots=True)
class ReplayJudge:
    """The conflicts of a replay on the active side under the decisions; `resolutions` is complete after `conflicts`.

    `rows` looks up single rows; without it no row is taken over, and conflicts show no values.
    """

    table_definitions: Mapping[str, TableShape]
    query: Query
    decisions: Decisions = field(default_factory=Decisions)
    rows: NodeRows | None = None
    resolutions: list[Resolution] = field(default_factory=list)
    _world: _World = field(default_factory=_World)
    _leaving: LeavingRows = field(default_factory=LeavingRows)
    _left_out: dict[str, int] = field(default_factory=dict)
    _fate: dict[int, Decision | None] = field(default_factory=dict)
    """The decision on each transaction that is not replayed."""
    _retained: set[str] = field(default_factory=set)
    _shown: int = 0

    def conflicts(self, transactions: Iterable[OrphanTransaction]) -> Iterator[Conflict]:
        """Conflicting rows, oldest orphan first; raises what querying raises."""
        rest = (t for t in transactions if t.rows)
        while some := list(islice(rest, BATCH)):
            asked = (sql for t in some for row in _rows(t) for sql in _questions(row, self.table_definitions))
            counts = self.query(list(dict.fromkeys(asked)))
            for transaction in some:
                yield from self._judge(transaction, counts)

    def _judge(self, transaction: OrphanTransaction, counts: Mapping[str, int]) -> list[Conflict]:
        keys = [key_digest(row_key) for row_key in _row_keys(transaction, self.table_definitions)]
        on = next((self._left_out[key] for key in keys if key in self._left_out), None)
        if on is not None:
            found = [self._dependent(transaction, on)]
            resolved: list[Resolution] = []
        else:
            found, resolved = self._judge_rows(transaction, counts)
        if not found:
            self.resolutions += resolved
            self._world.keep()
            return []
        self._world.take_back()
        decided = {conflict.decision for conflict in found}
        self._fate[transaction.index] = None if None in decided else Decision.LEAVE_OUT
        for key in keys:
            self._left_out.setdefault(key, transaction.index)
        return found

    def _dependent(self, transaction: OrphanTransaction, on: int) -> Conflict:
        reason = f"it changes a row of transaction {on + 1}, which is not replayed"
        row = next(_rows(transaction))
        return Conflict(transaction.index, transaction.seqno, row.name, reason, on, decision=self._fate[on])

    def _judge_rows(
        self, transaction: OrphanTransaction, counts: Mapping[str, int]
    ) -> tuple[list[Conflict], list[Resolution]]:
        found: list[Conflict] = []
        resolved: dict[str, Resolution] = {}
        for row in _rows(transaction):
            shape = self.table_definitions[row.definition]
            name, keys = row_name(row, shape), _keys_of(row, shape)
            if keys & self._retained:
                self._retained |= keys
                resolved[name] = Resolution(transaction.index, name, Decision.KEEP_ACTIVE)
                continue
            mark = self._world.mark()
            try:
                self._apply(row, shape, counts)
            except _Refused as refused:
                self._world.take_back(mark)
                outcome = self._decided(transaction, row, str(refused), counts)
                if isinstance(outcome, Resolution):
                    resolved[name] = outcome
                else:
                    found.append(outcome)
        return found, list(resolved.values())

    def _decided(
        self, transaction: OrphanTransaction, row: RowChange, reason: str, counts: Mapping[str, int]
    ) -> Resolution | Conflict:
        """The simulated result of the decision on a row in conflict; the conflict itself without a decision."""
        shape = self.table_definitions[row.definition]
        name = row_name(row, shape)
        decision = self.decisions.of(row.name, name)
        if decision is Decision.KEEP_ACTIVE and name:
            self._retained |= _keys_of(row, shape)
            return Resolution(transaction.index, name, decision)
        if decision is Decision.TAKE_ORPHAN:
            try:
                return self._taken(transaction.index, row, shape, counts)
            except _Refused as refused:
                reason = f"{reason}; the orphan's row cannot be taken: {refused}"
        left_out = decision if decision is Decision.LEAVE_OUT else None
        values = self._values(row, shape)
        return Conflict(transaction.index, transaction.seqno, row.name, reason, None, values, name, left_out)

    def _taken(self, index: int, row: RowChange, shape: TableShape, counts: Mapping[str, int]) -> Resolution:
        """Replace the active side's row with the orphan's."""
        image = row.before if row.before is not None else row.after
        assert image is not None
        if not shape.key or self.rows is None:
            raise _Refused("no key identifies it")
        if isinstance(row, ProjectedRow):
            raise _Refused("orphaned transactions changed the table's definition")
        if self._world.get("image", row_key_of(image, shape), _MISSING) is not _MISSING:
            raise _Refused("an earlier orphaned transaction changes it, too")
        current = self.rows.find(shape, image)
        if current is not None:
            self._world.put("image", row_key_of(current, shape), None)
            for unique in unique_row_keys(current, shape):
                self._world.put("taken", unique, value=False)
        if row.after is not None:
            self._put_there(row.after, shape, counts, current)
        is_alike = current is not None and current == row.after
        return Resolution(index, row_name(row, shape), Decision.TAKE_ORPHAN, current, is_alike)

    def _apply(self, row: RowChange, shape: TableShape, counts: Mapping[str, int]) -> None:
        if row.before is not None:
            _take_away(row.before, shape, counts, self._world)
            self._leaving.add(row.before, shape)
        if row.after is not None:
            self._put_there(row.after, shape, counts, row.before)

    def _leaves(self, unique: RowKey, image: RowImage, shape: TableShape, leaving: RowImage | None) -> bool:
        """Whether the row that has these unique values is removed or changed before."""

        def is_gone(one: RowImage) -> bool:
            return self._world.get("image", row_key_of(one, shape), _MISSING) is None

        return self._leaving.hold(unique, image, shape, count=self.query, is_gone=is_gone, also=leaving)

    def _put_there(
        self, image: RowImage, shape: TableShape, counts: Mapping[str, int], leaving: RowImage | None
    ) -> None:
        """Simulate that the row is written; its unique values must be free, or held by a row that leaves."""
        world = self._world
        for unique in unique_row_keys(image, shape):
            known = world.get("taken", unique)
            is_taken = known if known is not None else counts[key_count_sql(shape, unique[1], image)] > 0
            if is_taken and (known or not self._leaves(unique, image, shape, leaving)):
                raise _Refused(f"another row there has the same {', '.join(unique[1])}")
            world.put("taken", unique, value=True)
        row_key = row_key_of(image, shape)
        if shape.key:
            world.put("image", row_key, _digest(image))
        else:
            world.put("twins", row_key, int(str(world.get("twins", row_key, 0))) + 1)

    def _values(self, row: RowChange, shape: TableShape) -> dict[str, object]:
        """The row's values for display, for the first conflicts only."""
        if self.rows is None or not shape.key or self._shown == SHOWN:
            return {}
        self._shown += 1
        image = row.before if row.before is not None else row.after
        assert image is not None
        return {
            self.rows.node: shown_image(self.rows.find(shape, image), shape),
            "orphan": shown_image(row.after, shape),
            "before": shown_image(row.before, shape),
        }


def _rows(transaction: OrphanTransaction) -> Iterator[RowChange]:
    return (row for row in transaction.rows if row.schema != OWN_SCHEMA)


def _keys_of(row: RowChange, shape: TableShape) -> set[str]:
    return {key_digest(row_key_of(image, shape)) for image in (row.before, row.after) if image is not None}


def _take_away(image: RowImage, shape: TableShape, counts: Mapping[str, int], world: _World) -> None:
    """Simulate that the row is removed; it must be there as it was."""
    row_key = row_key_of(image, shape)
    stands = counts[count_sql(shape, image)]
    if shape.key:
        known = world.get("image", row_key, _MISSING)
        is_there = known == _digest(image) if known is not _MISSING else stands == 1
        world.put("image", row_key, None)
    else:
        more = int(str(world.get("twins", row_key, 0)))
        is_there = stands + more >= 1
        world.put("twins", row_key, more - 1)
    if not is_there:
        raise _Refused("the row was changed or removed on the active side in the meantime")
    for unique in unique_row_keys(image, shape):
        world.put("taken", unique, value=False)


def _row_keys(transaction: OrphanTransaction, table_definitions: Mapping[str, TableShape]) -> list[RowKey]:
    images = [(row, image) for row in _rows(transaction) for image in (row.before, row.after) if image is not None]
    return [row_key_of(image, table_definitions[row.definition]) for row, image in images]


def _questions(row: RowChange, table_definitions: Mapping[str, TableShape]) -> Iterator[str]:
    shape = table_definitions[row.definition]
    if row.before is not None:
        yield count_sql(shape, row.before)
    if row.after is not None:
        yield from (key_count_sql(shape, row_key[1], row.after) for row_key in unique_row_keys(row.after, shape))
