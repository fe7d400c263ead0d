"""Identifies an orphan's row: by its primary key, its other unique values, and a digest to be stored."""

from __future__ import annotations

import hashlib

from backend.core.orphans.model import RowImage, TableShape, Value

RowKey = tuple[str, tuple[str, ...], tuple[Value, ...]]
"""A table, columns (all of them where it has no key), and their values."""
_DIGEST_BYTES = 10


def row_key_of(image: RowImage, shape: TableShape) -> RowKey:
    """The key that identifies the row; the whole row where there is none."""
    if not shape.key:
        return shape.name, (), image
    return shape.name, shape.key, _values(image, shape, shape.key)


def unique_row_keys(image: RowImage, shape: TableShape) -> list[RowKey]:
    """The values of its unique keys; a key with a NULL in it is not unique."""
    found = [(shape.name, key, _values(image, shape, key)) for key in shape.keys if key]
    return [row_key for row_key in found if None not in row_key[2]]


def key_digest(row_key: RowKey) -> str:
    """A short name of the row, for lists of many: 20 hexadecimal digits."""
    table, _, values = row_key
    return hashlib.blake2b(repr((table, values)).encode(), digest_size=_DIGEST_BYTES).hexdigest()


def _values(image: RowImage, shape: TableShape, names: tuple[str, ...]) -> tuple[Value, ...]:
    by_column = {column.name: value for column, value in zip(shape.columns, image, strict=True)}
    return tuple(by_column[name] for name in names)
