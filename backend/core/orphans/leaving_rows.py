"""Rows that leave before another one is written, and whether one of them holds its unique values.

A server compares texts by their collation: `a` and `A`, `e` and `é`, `a` and `a` with a blank may be one key. So the
row that is found under a key may be the very one that is changed, or one that was removed before. Only the server can
tell; which rows it is asked about is narrowed down here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from backend.core.orphans.model import RowImage, TableShape, ValueKind
from backend.core.orphans.rows.row_keys import RowKey
from backend.core.orphans.statements import held_sql

Count = Callable[[Sequence[str]], Mapping[str, int]]


@dataclass(slots=True)
class LeavingRows:
    """Rows that were taken away on paper, by table and folded unique value; the server still has them."""

    _rows: dict[tuple[str, tuple[str, ...], str], list[RowImage]] = field(default_factory=dict)

    def add(self, image: RowImage, shape: TableShape) -> None:
        """A row that leaves; only texts can be equal without being the same."""
        for key in _text_keys(shape):
            self._rows.setdefault((shape.name, key, _folded(image, shape, key)), []).append(image)

    def hold(
        self,
        unique: RowKey,
        image: RowImage,
        shape: TableShape,
        *,
        count: Count,
        is_gone: Callable[[RowImage], bool],
        also: RowImage | None,
    ) -> bool:
        """Whether one of them, or `also`, is the row that has these unique values of `image` on the server.

        `is_gone` says of one of them whether it left for good: the change of it may have been refused.
        """
        key = unique[1]
        if key not in _text_keys(shape):
            return False
        known = filter(is_gone, self._rows.get((shape.name, key, _folded(image, shape, key)), []))
        asked = [held_sql(shape, one, key, image) for one in dict.fromkeys([*known, *([also] if also else [])])]
        return bool(asked) and 1 in count(asked).values()

    def clear(self) -> None:
        """Forget all: the server has none of them any more."""
        self._rows.clear()


def _text_keys(shape: TableShape) -> list[tuple[str, ...]]:
    texts = {column.name for column in shape.columns if column.kind is ValueKind.TEXT}
    return [key for key in shape.keys if texts & set(key)]


def _folded(image: RowImage, shape: TableShape, key: tuple[str, ...]) -> str:
    """Equal for most values that a collation could call equal; the server decides."""
    by_name = {column.name: cell for column, cell in zip(shape.columns, image, strict=True)}
    return "/".join(_fold(by_name[name]) for name in key)


def _fold(cell: object) -> str:
    if not isinstance(cell, bytes):
        return str(cell)
    text = unicodedata.normalize("NFKD", cell.decode("utf-8", "replace"))
    return "".join(one for one in text if not unicodedata.combining(one)).casefold().rstrip(" ")
