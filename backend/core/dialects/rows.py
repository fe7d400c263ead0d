"""Values of result rows: a value that does not have its form is an error that names the column."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from backend.core.dialects.base import DialectError, Row


def text_in(row: Row, column: str) -> str:
    """The text of a column; empty where it is NULL or the server has no such column."""
    value = row.get(column)
    if value.__class__ is str:  # nearly all are, and a poll has hundreds
        return value
    return "" if value is None else str(value)


def integer_in(row: Row, column: str) -> int:
    """The number of a column; raises DialectError."""
    return number_of({column: text_in(row, column)}, column)


def number_of(values: Mapping[str, str], name: str) -> int:
    """The number that a status counter or setting has; raises DialectError."""
    value = values.get(name, "")
    if value.isdigit():
        return int(value)
    if not value.lstrip("-").isdigit():
        raise DialectError(f"{name} is {value!r}, not a number")
    return int(value)


@lru_cache(maxsize=64)
def names_of(names: tuple[str, ...]) -> str:
    """Names as the list of an IN condition; they are constants of the dialects."""
    return ",".join(f"'{name}'" for name in names)


def ids_of(text: str) -> tuple[int, ...]:
    """The numbers of a list with commas."""
    return tuple(int(part) for part in text.replace(",", " ").split())
