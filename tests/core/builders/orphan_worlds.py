"""Orphans in memory: a table shape, changes drawn by hypothesis, and the transactions they make."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from backend.core.orphans.model import (
    Column,
    Operation,
    OrphanList,
    OrphanTransaction,
    RowChange,
    RowImage,
    TableShape,
    TransactionKind,
    Value,
)
from backend.core.orphans.rows.sql_literals import literal
from backend.core.positions import FilePosition
from tests.fakes.rows import FakeTables, Row

COLUMNS = (
    Column("id", "int", "int(11)"),
    Column("name", "varchar", "varchar(20)", charset="utf8mb4", octets=80),
    Column("amount", "decimal", "decimal(10,2)", precision=10, scale=2),
    Column("data", "varbinary", "varbinary(10)", octets=10),
    Column("rate", "double", "double"),
    Column("kind", "enum", "enum('x','y')"),
    Column("at", "datetime", "datetime(6)", fraction=6),
    Column("twice", "int", "int(11)", is_generated=True),
)
KEYED = TableShape("shop", "keyed", COLUMNS, keys=(("id",),))
KEYLESS = TableShape("shop", "keyless", COLUMNS)
SHAPES = {shape.name: shape for shape in (KEYED, KEYLESS)}

_TEXTS = st.sampled_from([b"", b"a", b"A", b"a ", b"\xc3\xbc", b"\xc3\x9c", b"it's", b"\\", b"%_;--"])
CELLS: dict[str, st.SearchStrategy[Value]] = {
    "id": st.integers(1, 6),
    "name": st.none() | _TEXTS,
    "amount": st.none() | st.sampled_from(["0.00", "-1.50", "1.50"]),
    "data": st.none() | st.sampled_from([b"", b"\0", b"\0\0", b"'"]),
    "rate": st.none() | st.sampled_from(["0.1", "-2.5e-300", "16777216.0"]),
    "kind": st.none() | st.integers(1, 2),
    "at": st.none() | st.sampled_from(["0000-00-00 00:00:00.000000", "1999-12-31 23:59:59.123456"]),
}


def image(values: dict[str, Value]) -> RowImage:
    """A row; the generated column follows from the id."""
    return (*(values[c.name] for c in COLUMNS[:-1]), int(str(values["id"])) * 2)


images = st.fixed_dictionaries(CELLS).map(image)


Steps = list[tuple[TableShape, RowImage, int, str]]


@dataclass
class Model:
    """What a table really holds, as images: the judge of replay and undo."""

    rows: dict[str, list[RowImage]] = field(default_factory=lambda: {name: [] for name in SHAPES})

    def change(self, shape: TableShape, one: RowImage, pick: int, what: str) -> RowChange | None:
        """One change as a server would let it happen, or None where it would not."""
        table = self.rows[shape.name]
        if what == "insert" or not table:
            if shape.key and any(row[0] == one[0] for row in table):
                return None
            table.append(one)
            return RowChange(shape.schema, shape.table, Operation.INSERT, None, one)
        before = table[pick % len(table)]
        if what == "delete":
            table.remove(before)
            return RowChange(shape.schema, shape.table, Operation.DELETE, before, None)
        taken = shape.key and one[0] != before[0] and any(row[0] == one[0] for row in table)
        if taken:
            return None
        table[table.index(before)] = one
        return RowChange(shape.schema, shape.table, Operation.UPDATE, before, one)

    def tables(self) -> FakeTables:
        """The same as a fake server holds it."""
        rows = {name: [stored(row) for row in found] for name, found in self.rows.items()}
        return FakeTables(rows, {KEYED.name: ("id",)})


def holding(*rows: RowImage, shape: TableShape | None = None) -> Model:
    """A side whose one table (the keyed one, unless another is named) holds these rows."""
    model = Model()
    model.rows[(shape or KEYED).name] += rows
    return model


def diverged(first: Steps, theirs: Steps, ours: Steps) -> tuple[OrphanList, Model]:
    """Both sides begin alike and go on apart: the lost side's changes as orphans, and what the other side holds."""
    model, other = Model(), Model()
    for one in first:
        model.change(*one)
        other.change(*one)
    for one in theirs:
        other.change(*one)
    return book_of([[change] for one in ours if (change := model.change(*one)) is not None]), other


def stored(row: RowImage) -> Row:
    """An image as the fake server keeps it: literals by column."""
    pairs = zip(COLUMNS, row, strict=True)
    return {column.name: literal(column, cell) for column, cell in pairs if not column.is_generated}


def same_contents(one: FakeTables, other: FakeTables) -> bool:
    """Equal rows, whatever their order."""
    return all(_sorted(one.rows.get(name, [])) == _sorted(other.rows.get(name, [])) for name in SHAPES)


def _sorted(rows: list[Row]) -> list[list[tuple[str, str]]]:
    return sorted(sorted(row.items()) for row in rows)


steps = st.lists(
    st.tuples(
        st.sampled_from([KEYED, KEYLESS]), images, st.integers(0, 9), st.sampled_from(["insert", "update", "delete"])
    ),
    max_size=12,
)


def transaction(index: int, rows: list[RowChange], **changes: object) -> OrphanTransaction:
    """An orphan with these rows."""
    one = OrphanTransaction(
        index=index,
        begin=FilePosition("binlog.000001", 100 + 10 * index),
        end=FilePosition("binlog.000001", 110 + 10 * index),
        server_id=11,
        gtid=f"0-11-{index + 1}",
        seqno=500 + index,
        at_s=1_800_000_000 + index,
        kind=TransactionKind.ROWS,
        statement="update",
        content=f"{index:064x}",
        rows=tuple(rows),
    )
    return replace(one, **changes)  # type: ignore[arg-type]


def book_of(rows: list[list[RowChange]]) -> OrphanList:
    """One transaction a list."""
    return OrphanList("d" * 64, tuple(transaction(i, part) for i, part in enumerate(rows)), dict(SHAPES))


def row(number: int, name: bytes = b"n", amount: str = "1.50") -> RowImage:
    """A simple row."""
    return image({"id": number, "name": name, "amount": amount, "data": None, "rate": None, "kind": 1, "at": None})


def insert(one: RowImage, shape: TableShape = KEYED) -> RowChange:
    """An insert."""
    return RowChange(shape.schema, shape.table, Operation.INSERT, None, one)


def update(one: RowImage, other: RowImage, shape: TableShape = KEYED) -> RowChange:
    """An update."""
    return RowChange(shape.schema, shape.table, Operation.UPDATE, one, other)


def delete(one: RowImage, shape: TableShape = KEYED) -> RowChange:
    """A delete."""
    return RowChange(shape.schema, shape.table, Operation.DELETE, one, None)
