"""What moved in a node's facts since they were stored whole: of hundreds of values about thirty change in a second."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Path = tuple[str | int, ...]
Moved = tuple[Path, Any]


def moved_values(before: Any, now: Any, path: Path = ()) -> Iterator[Moved]:
    """The values of `now` that differ, each with its place; plain data of one shape is compared part by part."""
    for key in _shared_keys(before, now):
        one, other = before[key], now[key]
        if one is other or one == other:
            continue
        if _shared_keys(one, other):
            yield from moved_values(one, other, (*path, key))
        else:
            yield (*path, key), other


def _shared_keys(before: Any, now: Any) -> Sequence[Any]:
    """The keys or places of both where they have the same; nothing where the whole is another."""
    if isinstance(before, dict) and isinstance(now, dict):
        return list(now) if before.keys() == now.keys() else ()
    if isinstance(before, (list, tuple)) and isinstance(now, (list, tuple)) and len(before) == len(now):
        return range(len(now))
    return ()


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
