"""What moved in a node's facts since they were stored whole: of hundreds of values about thirty change in a second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Path = tuple[str | int, ...]
Moved = tuple[Path, Any]
_WHOLE = frozenset({str, int, float, bool})
"""Values without parts, which most of those are that move."""


def moved_values(before: Any, now: Any) -> list[Moved]:
    """The values of `now` that differ, each with its place; plain data of one shape is compared part by part."""
    found: list[Moved] = []
    if _is_of_one_shape(before, now):
        _add_moved(before, now, (), found)
    return found


def _add_moved(before: Any, now: Any, path: Path, found: list[Moved]) -> None:
    parts = now.items() if isinstance(now, dict) else enumerate(now)
    for key, other in [(key, other) for key, other in parts if before[key] is not other and before[key] != other]:
        one = before[key]
        if other.__class__ not in _WHOLE and _is_of_one_shape(one, other):
            _add_moved(one, other, (*path, key), found)
        else:
            found.append(((*path, key), other))


def _is_of_one_shape(before: Any, now: Any) -> bool:
    """Whether both have the same keys or places, and any."""
    if isinstance(now, dict):
        return isinstance(before, dict) and bool(now) and before.keys() == now.keys()
    if isinstance(now, (list, tuple)):
        return isinstance(before, (list, tuple)) and len(before) == len(now) > 0
    return False


def with_moved(before: Mapping[str, Any], moved: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """The facts with what moved since; `before` stays as it is."""
    found = dict(before)
    for path, value in moved:
        _put(found, path, value)
    return found


def _put(whole: Any, path: Sequence[Any], value: Any) -> None:
    """Set the value at its place; each part on the way is copied first."""
    for key in path[:-1]:
        part = whole[key]
        whole[key] = dict(part) if isinstance(part, dict) else list(part)
        whole = whole[key]
    whole[path[-1]] = value
