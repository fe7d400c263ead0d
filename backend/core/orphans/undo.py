"""Simulates an undo: which rows of the returned side it has to change, and which already have the wanted values.

A row has the wanted values where it is as before the orphan, or where the returned side's old channel wrote the
survivor's version over it: its log shows that, or it equals the survivor's row. A row that is neither is a conflict.
An applier whose event would change nothing logs nothing (measured on MariaDB 10.11.19), so a row that both sides
changed in the same way is identified by the survivor's row: left unchanged, the channel's change of it succeeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from backend.core.orphans.batches import in_batches
from backend.core.orphans.conflicts import Conflict
from backend.core.orphans.leaving_rows import LeavingRows
from backend.core.orphans.model import OrphanList, OrphanTransaction, RowChange, RowImage, TableShape, TransactionKind
from backend.core.orphans.rows.row_keys import RowKey, key_digest, row_key_of, unique_row_keys
from backend.core.orphans.serialization import shown_image
from backend.core.orphans.side_rows import NodeRows
from backend.core.orphans.statements import count_sql, key_count_sql
from backend.core.orphans.transactions import OWN_SCHEMA

BATCH = 200
"""Transactions whose rows are queried at once."""
_UNKNOWN = object()


@dataclass(frozen=True, slots=True)
class UndoPart:
    """One orphan with the rows still to be undone, or why it cannot be undone; `settled` rows need no change."""

    transaction: OrphanTransaction
    settled: int = 0
    conflict: Conflict | None = None


class _Refused(Exception):  # noqa: N818 - a turn of the walk, not a fault
    def __init__(self, reason: str, values: Mapping[str, object] | None = None) -> None:
        super().__init__(reason)
        self.values = values or {}


@dataclass(slots=True)
class UndoJudge:
    """The simulated undo of one list on the returned side; `own` is that side, `survivor` the other."""

    book: OrphanList
    own: NodeRows
    survivor: NodeRows
    overwritten: Mapping[str, int]
    is_replayed: Callable[[int, str], bool] = lambda _, __: False
    """Whether an orphan is replayed on the survivor, and with it the row with this key."""
    is_live: bool = False
    """Whether a yielded orphan is undone before the next rows are queried: then no simulated state is stored."""
    _images: dict[str, object] = field(default_factory=dict)
    _twins: dict[str, int] = field(default_factory=dict)
    _leaving: LeavingRows = field(default_factory=LeavingRows)
    _taken: dict[str, bool] = field(default_factory=dict)
    _refused: dict[str, int] = field(default_factory=dict)
    _settled: set[str] = field(default_factory=set)
    _inserted: set[str] | None = None

    def parts(self, transactions: Iterable[OrphanTransaction]) -> Iterator[UndoPart]:
        """For each orphan, given newest first, what remains to be undone; raises what looking up raises."""
        for some in in_batches(transactions, BATCH, changes_definition):
            counts = self.own.count(list(dict.fromkeys(self._questions(some))))
            for transaction in some:
                yield self._part(transaction, counts)
            if self.is_live:
                self._images.clear()
                self._leaving.clear()
                self._twins.clear()
                self._taken.clear()

    def _questions(self, transactions: Iterable[OrphanTransaction]) -> Iterator[str]:
        for transaction in transactions:
            for row in _rows(transaction):
                yield from _questions(row, self._shape(row))

    def _shape(self, row: RowChange) -> TableShape:
        return self.book.table_definitions[row.definition]

    def _part(self, transaction: OrphanTransaction, counts: Mapping[str, int]) -> UndoPart:
        left: list[RowChange] = []
        settled = 0
        for row in reversed(list(_rows(transaction))):
            try:
                if self._is_settled(transaction.index, row, counts):
                    settled += 1
                else:
                    left.append(row)
            except _Refused as refused:
                self._refused.update(dict.fromkeys(self._keys(row), transaction.index))
                conflict = Conflict(transaction.index, transaction.seqno, row.name, str(refused), values=refused.values)
                return UndoPart(transaction, settled, conflict)
        return UndoPart(replace(transaction, rows=tuple(reversed(left))), settled)

    def _keys(self, row: RowChange) -> list[str]:
        shape = self._shape(row)
        return [key_digest(row_key_of(image, shape)) for image in (row.after, row.before) if image is not None]

    def _is_settled(self, index: int, row: RowChange, counts: Mapping[str, int]) -> bool:
        """Whether the row already has the wanted values; False where it must be undone. Raises _Refused for neither."""
        shape, keys = self._shape(row), self._keys(row)
        for key in keys:
            if key in self._refused:
                raise _Refused(f"it changes a row of transaction {self._refused[key] + 1}, which cannot be undone")
        if not shape.key:
            self._take_twin(row, shape, counts)
            return False
        if all(self.overwritten.get(key, 0) > index or key in self._settled for key in keys):
            return True
        is_replayed = all(self.is_replayed(index, key) for key in keys)
        if not is_replayed and self._is_changed_alike(row, shape, counts):
            self._settled.update(keys)
            return True
        if self._stands(row.after, row.before, shape, counts):
            self._free_unique_values(row, shape, counts)
            self._put(row.before, row.after, shape)
            return False
        if self._stands(row.before, row.after, shape, counts):
            self._put(row.before, row.after, shape)
            return True
        self._compare(row, shape)
        return True

    def _is_changed_alike(self, row: RowChange, shape: TableShape, counts: Mapping[str, int]) -> bool:
        """Whether the survivor changed a row that both had before to the same values as the orphan."""
        keys = set(self._keys(row))
        if row.before is None or row.after is None or len(keys) > 1 or keys & self._images.keys():
            return False
        asked = count_sql(shape, row.after)
        if not (counts[asked] == 1 and self.survivor.count([asked])[asked] == 1):
            return False
        return not keys & self._all_inserted()

    def _all_inserted(self) -> set[str]:
        """Keys of rows that an orphan inserted: the survivor's own insert with such a key needs them removed."""
        if self._inserted is None:
            self._inserted = {
                key_digest(row_key_of(row.after, self._shape(row)))
                for one in self.book.ascending()
                for row in _rows(one)
                if row.before is None and row.after is not None
            }
        return self._inserted

    def _stands(
        self, image: RowImage | None, other: RowImage | None, shape: TableShape, counts: Mapping[str, int]
    ) -> bool:
        """Whether the row is as in `image`, and no row has the key of `other` where that is a different key."""
        is_moved = other is not None and (image is None or row_key_of(other, shape) != row_key_of(image, shape))
        if is_moved and other is not None and not self._is_free(other, shape, counts, image):
            return False
        if image is None:
            return True
        known = self._images.get(key_digest(row_key_of(image, shape)), _UNKNOWN)
        return counts[count_sql(shape, image)] == 1 if known is _UNKNOWN else known == _digest(image, shape)

    def _is_free(self, image: RowImage, shape: TableShape, counts: Mapping[str, int], leaving: RowImage | None) -> bool:
        """Whether no row has its key, but for one that leaves: a collation may call both keys equal."""
        known = self._images.get(key_digest(row_key_of(image, shape)), _UNKNOWN)
        if known is not _UNKNOWN:
            return known is None
        if counts[key_count_sql(shape, shape.key, image)] == 0:
            return True
        return self._leaves(row_key_of(image, shape), image, shape, leaving)

    def _leaves(self, unique: RowKey, image: RowImage, shape: TableShape, leaving: RowImage | None) -> bool:
        """Whether the row that has these unique values is removed or changed before."""

        def is_gone(one: RowImage) -> bool:
            return self._images.get(key_digest(row_key_of(one, shape)), _UNKNOWN) is None

        return self._leaving.hold(unique, image, shape, count=self.own.count, is_gone=is_gone, also=leaving)

    def _put(self, image: RowImage | None, other: RowImage | None, shape: TableShape) -> None:
        if other is not None:
            self._images[key_digest(row_key_of(other, shape))] = None
            self._leaving.add(other, shape)
        if image is not None:
            self._images[key_digest(row_key_of(image, shape))] = _digest(image, shape)

    def _take_twin(self, row: RowChange, shape: TableShape, counts: Mapping[str, int]) -> None:
        """Rows without a key are identified by their whole image alone: one of them must be there."""
        if row.after is not None:
            key = key_digest(row_key_of(row.after, shape))
            more = self._twins.get(key, 0)
            if counts[count_sql(shape, row.after)] + more < 1:
                raise _Refused("no row has the values that the orphaned transaction wrote, and no key identifies one")
            self._twins[key] = more - 1
        if row.before is not None:
            key = key_digest(row_key_of(row.before, shape))
            self._twins[key] = self._twins.get(key, 0) + 1

    def _free_unique_values(self, row: RowChange, shape: TableShape, counts: Mapping[str, int]) -> None:
        """Where the row gets back other unique values, these must be free."""
        held = unique_row_keys(row.after, shape) if row.after is not None else []
        wanted = unique_row_keys(row.before, shape) if row.before is not None else []
        self._taken.update({_unique_digest(one): False for one in held})
        for unique in wanted:
            if unique in held or unique[1] == shape.key:
                continue
            assert row.before is not None
            known = self._taken.get(_unique_digest(unique))
            is_taken = counts[key_count_sql(shape, unique[1], row.before)] > 0 if known is None else known
            if is_taken and (known or not self._leaves(unique, row.before, shape, row.after)):
                raise _Refused(f"another row there has the same {', '.join(unique[1])}")
        self._taken.update({_unique_digest(one): True for one in wanted})

    def _compare(self, row: RowChange, shape: TableShape) -> None:
        """A row equal on both sides was written by the channel; the right values of any other row are unknown."""
        images = [image for image in (row.after, row.before) if image is not None]
        own_rows = [self.own.find(shape, image) for image in images]
        survivor_rows = [self.survivor.find(shape, image) for image in images]
        is_changed = any(self._images.get(key, _UNKNOWN) is not _UNKNOWN for key in self._keys(row))
        if own_rows == survivor_rows and not is_changed:
            self._settled.update(self._keys(row))
            return
        values = {
            self.own.node: shown_image(own_rows[0], shape),
            self.survivor.node: shown_image(survivor_rows[0], shape),
            "orphan": shown_image(row.after, shape),
            "before": shown_image(row.before, shape),
        }
        raise _Refused("the row has neither the orphaned transaction's values nor those before it", values)


def changes_definition(transaction: OrphanTransaction) -> bool:
    """Whether it must be undone alone: rows are then queried under the table definition they were written under."""
    return transaction.kind is TransactionKind.DDL


def _rows(transaction: OrphanTransaction) -> Iterator[RowChange]:
    return (row for row in transaction.rows if row.schema != OWN_SCHEMA)


def _digest(image: RowImage, shape: TableShape) -> str:
    return key_digest((shape.name, (), image))


def _unique_digest(row_key: RowKey) -> str:
    return key_digest((f"{row_key[0]}/{','.join(row_key[1])}", row_key[1], row_key[2]))


def _questions(row: RowChange, shape: TableShape) -> Iterator[str]:
    for image in (row.after, row.before):
        if image is not None:
            yield count_sql(shape, image)
            yield from (key_count_sql(shape, unique[1], image) for unique in unique_row_keys(image, shape))
