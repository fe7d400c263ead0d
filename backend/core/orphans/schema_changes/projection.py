"""Projects orphans on the columns that a table has before, between and after its definition changes.

Rows of one table under several definitions are compared by the columns that all of them have; only the statements
sent name every column. A column added among orphans is dropped with its values when the change is undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from backend.core.orphans.model import OrphanList, OrphanTransaction, RowChange, RowImage, TableShape
from backend.core.orphans.rows.sql_literals import identifier
from backend.core.orphans.side_rows import NodeRows

Shapes = Mapping[str, TableShape]


@dataclass(frozen=True, slots=True)
class ProjectedRow(RowChange):
    """A row by the common columns of its table; `whole` is the complete row."""

    whole: RowChange | None = None


class ProjectedList(OrphanList):
    """A list of orphans by common columns; `there` are the table definitions on the node compared with."""

    def __init__(self, book: OrphanList, there: Shapes) -> None:
        super().__init__(book.digest, (), _common(book.table_definitions, there), book.overwritten, book.refusals)
        self._book = book
        self._indexes = {
            key: _columns_at(shape, self.table_definitions[shape.name]) for key, shape in book.table_definitions.items()
        }

    def __len__(self) -> int:
        """The number of orphans."""
        return len(self._book)

    @property
    def changes(self) -> tuple[OrphanTransaction, ...]:
        """The orphans without projection."""
        return self._book.changes

    def ascending(self, first: int = 0) -> Iterator[OrphanTransaction]:
        """The orphans from an index on, oldest first."""
        return map(self._projected, self._book.ascending(first))

    def descending(self, last: int) -> Iterator[OrphanTransaction]:
        """The orphans from an index down, newest first."""
        return map(self._projected, self._book.descending(last))

    def _projected(self, transaction: OrphanTransaction) -> OrphanTransaction:
        if all(self._indexes[row.definition] is None for row in transaction.rows if row.definition in self._indexes):
            return transaction
        return replace(transaction, rows=tuple(self._rows(transaction.rows)))

    def _rows(self, rows: Iterable[RowChange]) -> Iterator[RowChange]:
        for row in rows:
            indexes = self._indexes.get(row.definition)
            if indexes is None:
                yield row
                continue
            before, after = _part(row.before, indexes), _part(row.after, indexes)
            if before != after:
                yield ProjectedRow(row.schema, row.table, row.operation, before, after, 0, row)


def whole_rows(transaction: OrphanTransaction) -> OrphanTransaction:
    """The transaction with its complete rows."""
    rows = tuple(row.whole if isinstance(row, ProjectedRow) and row.whole else row for row in transaction.rows)
    return replace(transaction, rows=rows)


def _common(definitions: Shapes, there: Shapes) -> dict[str, TableShape]:
    """Each table by the smallest set of columns of its definitions."""
    found: dict[str, TableShape] = {}
    for shape in definitions.values():
        known = [found[shape.name]] if shape.name in found else []
        found[shape.name] = min([*known, shape], key=lambda one: len(one.columns))
    for name, shape in found.items():
        standing = there.get(name)
        if standing is not None and _names(standing) < _names(shape):
            found[name] = standing
    return {name: replace(shape, version=0) for name, shape in found.items()}


def _names(shape: TableShape) -> set[str]:
    return {column.name for column in shape.columns}


def _columns_at(shape: TableShape, common: TableShape) -> tuple[int, ...] | None:
    """The indexes of the common columns in a definition; None where they are all columns of the current one."""
    if shape.columns == common.columns and not shape.version:
        return None
    places = {column.name: i for i, column in enumerate(shape.columns)}
    return tuple(places[column.name] for column in common.columns if column.name in places)


def _part(image: RowImage | None, indexes: tuple[int, ...]) -> RowImage | None:
    return None if image is None else tuple(image[i] for i in indexes)


class RowsWithoutTables:
    """Implements `NodeRows` on a node that lacks some of the tables defined: they count as empty."""

    def __init__(self, rows: NodeRows, definitions: Shapes, there: Shapes) -> None:
        absent = [shape for shape in definitions.values() if shape.name not in there]
        self._rows = rows
        self._names = {shape.name for shape in absent}
        self._heads = tuple(_counting(shape) for shape in absent)

    @property
    def node(self) -> str:
        """The node's name."""
        return self._rows.node

    def count(self, asked: Sequence[str]) -> Mapping[str, int]:
        """The counts; 0 for a table that does not exist."""
        absent = [sql for sql in asked if self._heads and sql.startswith(self._heads)]
        rest = [sql for sql in asked if sql not in set(absent)] if absent else list(asked)
        return {**dict.fromkeys(absent, 0), **(self._rows.count(rest) if rest else {})}

    def find(self, shape: TableShape, image: RowImage) -> RowImage | None:
        """The row; None in a table that does not exist."""
        return None if shape.name in self._names else self._rows.find(shape, image)

    def close(self) -> None:
        """End the session."""
        self._rows.close()


def _counting(shape: TableShape) -> str:
    return f"SELECT COUNT(*) AS n FROM {identifier(shape.schema)}.{identifier(shape.table)} WHERE "
