"""A replay tried out on paper: what each orphan needs of the other side, against what stands there.

The other side is only read. The state of rows that orphans themselves change is kept beside it, so
that a chain of changes is judged as it would run. Whatever touches a row of a transaction that
cannot be replayed depends on it, and is not replayed either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from backend.core.orphans.model import OrphanTransaction, RowChange, RowImage, TableShape
from backend.core.orphans.rows.row_keys import RowKey, key_digest, row_key_of, unique_row_keys
from backend.core.orphans.statements import count_sql, key_count_sql
from backend.core.orphans.transactions import OWN_SCHEMA

BATCH = 200
"""Transactions whose rows are asked for at once."""
Query = Callable[[Sequence[str]], Mapping[str, int]]
"""Answers counting statements, by their text."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A transaction that cannot be replayed: why, or on which other one it depends."""

    index: int
    seqno: int | None
    table: str
    reason: str
    depends_on: int | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    """The row as it stands on each node, and as the orphan left and found it; empty where it was not looked up."""

    def to_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "index": self.index,
            "seqno": self.seqno,
            "table": self.table,
            "reason": self.reason,
            "depends_on": self.depends_on,
            "values": dict(self.values),
        }


_MISSING = object()


@dataclass(slots=True)
class _World:
    """What orphans replayed so far changed: images by key, unique values taken or free, twins more or fewer.

    The changes of the transaction under way can be taken back. Rows are kept as digests: there may be a million.
    """

    state: dict[str, object] = field(default_factory=dict)
    _log: list[tuple[str, object]] = field(default_factory=list)

    def get(self, what: str, row_key: RowKey, default: object = None) -> object:
        """What is known of it."""
        return self.state.get(_name(what, row_key), default)

    def put(self, what: str, row_key: RowKey, value: object) -> None:
        """Know it from now on."""
        name = _name(what, row_key)
        self._log.append((name, self.state.get(name, _MISSING)))
        self.state[name] = value

    def keep(self) -> None:
        """The transaction stands."""
        self._log.clear()

    def take_back(self) -> None:
        """The transaction never was."""
        for name, value in reversed(self._log):
            if value is _MISSING:
                del self.state[name]
            else:
                self.state[name] = value
        self._log.clear()


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
    world, skipped = _World(), dict[str, int]()
    found = []
    rest = (t for t in transactions if t.rows)
    while some := list(islice(rest, BATCH)):
        counts = query(
            list(dict.fromkeys(sql for t in some for row in _rows(t) for sql in _questions(row, table_definitions)))
        )
        for transaction in some:
            conflict = _judge(transaction, table_definitions, counts, world, skipped)
            if conflict is None:
                world.keep()
                continue
            world.take_back()
            found.append(conflict)
            for row_key in _row_keys(transaction, table_definitions):
                skipped.setdefault(key_digest(row_key), transaction.index)
    return tuple(found)


def _rows(transaction: OrphanTransaction) -> Iterator[RowChange]:
    return (row for row in transaction.rows if row.schema != OWN_SCHEMA)


def _judge(
    transaction: OrphanTransaction,
    table_definitions: Mapping[str, TableShape],
    counts: Mapping[str, int],
    world: _World,
    skipped: Mapping[str, int],
) -> Conflict | None:
    touched = map(key_digest, _row_keys(transaction, table_definitions))
    on = next((skipped[key] for key in touched if key in skipped), None)
    for row in _rows(transaction):
        try:
            if on is not None:
                raise _Refused(f"it touches a row of transaction {on + 1}, which is not replayed")
            _apply(row, table_definitions[row.definition], counts, world)
        except _Refused as refused:
            return Conflict(transaction.index, transaction.seqno, row.name, str(refused), on)
    return None


def _apply(row: RowChange, shape: TableShape, counts: Mapping[str, int], world: _World) -> None:
    if row.before is not None:
        _take_away(row.before, shape, counts, world)
    if row.after is not None:
        _put_there(row.after, shape, counts, world)


def _take_away(image: RowImage, shape: TableShape, counts: Mapping[str, int], world: _World) -> None:
    """The row stands there as it was; then it is gone."""
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
        raise _Refused("the row is not there as it was before: it was changed or removed meanwhile")
    for unique in unique_row_keys(image, shape):
        world.put("taken", unique, value=False)


def _put_there(image: RowImage, shape: TableShape, counts: Mapping[str, int], world: _World) -> None:
    """Its unique values are free; then the row stands there."""
    for unique in unique_row_keys(image, shape):
        known = world.get("taken", unique)
        is_taken = known if known is not None else counts[key_count_sql(shape, unique[1], image)] > 0
        if is_taken:
            raise _Refused(f"another row stands there with the same {', '.join(unique[1])}")
        world.put("taken", unique, value=True)
    row_key = row_key_of(image, shape)
    if shape.key:
        world.put("image", row_key, _digest(image))
    else:
        world.put("twins", row_key, int(str(world.get("twins", row_key, 0))) + 1)


def _row_keys(transaction: OrphanTransaction, table_definitions: Mapping[str, TableShape]) -> list[RowKey]:
    images = [(row, image) for row in _rows(transaction) for image in (row.before, row.after) if image is not None]
    return [row_key_of(image, table_definitions[row.definition]) for row, image in images]


def _questions(row: RowChange, table_definitions: Mapping[str, TableShape]) -> Iterator[str]:
    shape = table_definitions[row.definition]
    if row.before is not None:
        yield count_sql(shape, row.before)
    if row.after is not None:
        yield from (key_count_sql(shape, row_key[1], row.after) for row_key in unique_row_keys(row.after, shape))
