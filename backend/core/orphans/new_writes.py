"""Finds writes on the returned side since its orphans were read: the list is then no longer complete."""

from __future__ import annotations

from collections.abc import Collection

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import Group, foreign_to, groups_from
from backend.core.orphans.transactions import is_trivial
from backend.core.positions import FilePosition

_MARKER_TABLE = "hawser.probe"


def orphans_since(cursor: Cursor, ends: FilePosition, survivor_ids: Collection[int]) -> list[Group]:
    """Groups of this side after `ends` that are not the console's own; raises what reading raises."""
    in_stream = foreign_to(survivor_ids)
    return [group for group in groups_from(cursor, ends) if in_stream(group) and not is_of_the_console(group)]


def is_of_the_console(group: Group) -> bool:
    """Whether a group is a probe, a progress marker with its rows, an undo, or a statement that leaves no trace."""
    return _MARKER_TABLE in group.tables or is_trivial(group)
