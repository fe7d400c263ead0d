"""Tables in memory that understand exactly the statements replay and undo write; anything else is a fault.

Texts compare as servers compare them: without regard to case and to blanks at the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field

from backend.core.orphans.model import RowImage, TableShape
from backend.core.orphans.rows.sql_literals import literal
from backend.core.ports import RowConflictError, RowStatement, SchemaStatement

Row = dict[str, str]
_NAME = r"`((?:[^`]|``)+)`"
_LITERAL = r"(NULL|-?[0-9][0-9.e+\-]*|(?:_\w+ )?x'[0-9a-f]*'|'[^']*'|CAST\('' AS BINARY\))"
_TABLE = rf"{_NAME}\.{_NAME}"
_INSERT = re.compile(rf"INSERT INTO {_TABLE} \((.+)\) VALUES \((.+)\)")
_UPDATE = re.compile(rf"UPDATE {_TABLE} SET (.+) WHERE (.+) LIMIT 1")
_DELETE = re.compile(rf"DELETE FROM {_TABLE} WHERE (.+) LIMIT 1")
_COUNT = re.compile(rf"SELECT COUNT\(\*\) AS n FROM {_TABLE} WHERE (.+)")
_SET = re.compile(rf"{_NAME}={_LITERAL}")
_CONDITION = re.compile(
    rf"(?:CAST\({_NAME} AS BINARY\) <=> {_LITERAL}|{_NAME} IS NULL|{_NAME}\+0 <=> {_LITERAL}|{_NAME} <=> {_LITERAL})"
    r"(?: AND |$)"
)
PREFIX = "ROWS "
CHANGE_PREFIX = "DEFINITION "


@dataclass
class FakeTables:
    """One cluster's application tables: `keys` are unique columns by table."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    definitions: dict[str, int] = field(default_factory=dict)
    """How many parts of a change of a definition stand, by the question for them."""
    sent_changes: list[str] = field(default_factory=list)

    def apply(self, node: str, statements: Sequence[RowStatement]) -> None:
        """All or none, as the gateway's writer does it; raises RowConflictError."""
        before = deepcopy(self.rows)
        try:
            for ordinal, statement in enumerate(statements):
                found = self.change(node, ordinal, statement.sql)
                if found != 1:
                    raise RowConflictError(node, f"{found} found", ordinal=ordinal)
                count = self.count(statement.check)
                is_right = count == statement.expected if statement.expected is not None else True
                if not is_right:
                    raise RowConflictError(node, f"read back {count}", ordinal=ordinal)
        except RowConflictError:
            self.rows = before
            raise

    def change(self, node: str, ordinal: int, sql: str) -> int:
        """One statement; how many rows it found."""
        if match := _INSERT.fullmatch(sql):
            row = dict(zip(re.findall(_NAME, match[3]), _values(match[4]), strict=True))
            return self._insert(node, ordinal, f"{match[1]}.{match[2]}", row)
        if match := _UPDATE.fullmatch(sql):
            rows = self._matching(f"{match[1]}.{match[2]}", match[4])
            for row in rows[:1]:
                row.update(_SET.findall(match[3]))
            return len(rows[:1])
        match = _DELETE.fullmatch(sql)
        assert match, sql
        rows = self._matching(f"{match[1]}.{match[2]}", match[3])
        for row in rows[:1]:
            table = self.rows[f"{match[1]}.{match[2]}"]
            del table[next(i for i, one in enumerate(table) if one is row)]
        return len(rows[:1])

    def change_definition(self, change: SchemaStatement) -> None:
        """Unless it stands already, as the gateway's writer does it."""
        if self.definitions.get(change.parts, change.before) != change.after:
            self.definitions[change.parts] = change.after
            self.sent_changes.append(change.sql)

    def count(self, sql: str) -> int:
        """One counting statement."""
        match = _COUNT.fullmatch(sql)
        assert match, sql
        return len(self._matching(f"{match[1]}.{match[2]}", match[3]))

    def find(self, shape: TableShape, image: RowImage) -> RowImage | None:
        """The row under this one's key: its literals, in the order of the columns."""
        by_name = {column.name: literal(column, cell) for column, cell in zip(shape.columns, image, strict=True)}
        for row in self.rows.get(shape.name, []):
            if all(_looks_equal(row[name], by_name[name]) for name in shape.key):
                return tuple(row.get(column.name) for column in shape.columns)
        return None

    def _insert(self, node: str, ordinal: int, table: str, row: Row) -> int:
        key = self.keys.get(table)
        for other in self.rows.setdefault(table, []):
            if key and all(_looks_equal(other[name], row[name]) for name in key):
                raise RowConflictError(node, "the row already exists", ordinal=ordinal, code=1062)
        self.rows[table].append(row)
        return 1

    def _matching(self, table: str, where: str) -> list[Row]:
        conditions = list(_CONDITION.finditer(where))
        assert "".join(m[0] for m in conditions) == where, where
        return [row for row in self.rows.get(table, []) if all(_holds(row, m.groups()) for m in conditions)]


def _values(text: str) -> list[str]:
    found = [match[1] for match in re.finditer(rf"{_LITERAL}(?:, |$)", text)]
    assert ", ".join(found) == text, text
    return found


def _holds(row: Row, groups: Sequence[str | None]) -> bool:
    exact, exact_value, null, number, number_value, name, value = groups
    if exact is not None:
        return _bytes(row[exact]) == _bytes(str(exact_value)) and row[exact] != "NULL"
    if null is not None:
        return row[null] == "NULL"
    if number is not None:
        return row[number] == number_value
    return _looks_equal(row[str(name)], str(value))


def _bytes(literal: str) -> str:
    match = re.search(r"x'([0-9a-f]*)'", literal)
    return match[1] if match else ""


def _looks_equal(one: str, other: str) -> bool:
    if "NULL" in (one, other):
        return one == other
    if one.startswith("_") or other.startswith("_"):
        texts = [bytes.fromhex(_bytes(v)).decode("utf-8", "replace").casefold().rstrip(" ") for v in (one, other)]
        return texts[0] == texts[1]
    return one == other


def packed(statements: Sequence[RowStatement], marker: str) -> str:
    """A transaction as one text, so that sessions can hold it in flight like any statement."""
    parts = [[s.sql, s.check, s.expected, s.operation] for s in statements]
    return PREFIX + json.dumps({"statements": parts, "marker": marker})


def unpacked(text: str) -> tuple[list[RowStatement], str]:
    """Inverse of `packed`."""
    data = json.loads(text.removeprefix(PREFIX))
    return [RowStatement(*parts) for parts in data["statements"]], data["marker"]


def packed_change(change: SchemaStatement) -> str:
    """A change of a definition as one text, as above."""
    return CHANGE_PREFIX + json.dumps(asdict(change))


def unpacked_change(text: str) -> SchemaStatement:
    """Inverse of `packed_change`."""
    return SchemaStatement(**json.loads(text.removeprefix(CHANGE_PREFIX)))
