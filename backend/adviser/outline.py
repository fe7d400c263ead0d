"""A response of the API as lines for a terminal: names with values, lists of equal things as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

INDENT: Final = "  "
WIDEST_TABLE: Final = 160


def outline(value: Mapping[str, Any], depth: int = 0) -> str:
    """All of it, in the order of the response; what is null is shown as "-"."""
    return "".join(f"{line}\n" for line in _of_mapping(value, depth))


def _of_mapping(value: Mapping[str, Any], depth: int) -> Iterator[str]:
    for name, part in value.items():
        title = f"{INDENT * depth}{name.replace('_', ' ')}:"
        if not _is_nested(part):
            yield f"{title} {_text(part)}"
        else:
            yield title
            yield from _of_mapping(part, depth + 1) if isinstance(part, Mapping) else _of_list(part, depth + 1)


def _of_list(values: Sequence[Any], depth: int) -> Iterator[str]:
    table = _table(values)
    if table is not None:
        yield from (INDENT * depth + line for line in table)
        return
    for value in values:
        if isinstance(value, Mapping):
            first, *rest = _of_mapping(value, 0)
            yield f"{INDENT * depth}- {first}"
            yield from (f"{INDENT * (depth + 1)}{line}" for line in rest)
        else:
            yield f"{INDENT * depth}- {_text(value)}"


def _table(values: Sequence[Any]) -> list[str] | None:
    """Mappings with the same flat values, where a terminal shows them side by side."""
    if not all(isinstance(value, Mapping) for value in values) or len({tuple(value) for value in values}) != 1:
        return None
    if any(_is_nested(part) for value in values for part in value.values()):
        return None
    head = [name.replace("_", " ") for name in values[0]]
    rows = [head, *([_text(part) for part in value.values()] for value in values)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) > WIDEST_TABLE:
        return None
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _is_nested(value: object) -> bool:
    """Lists of plain values stand on one line."""
    if isinstance(value, Mapping):
        return bool(value)
    return isinstance(value, list | tuple) and any(isinstance(part, Mapping | list | tuple) for part in value)


def _text(value: object) -> str:
    if value is None or value == "" or value == {}:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value)) or "none"
    return str(value)
