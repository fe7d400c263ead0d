"""Orphans of one node: its groups behind the point where the histories part, with their row images."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.locate.groups import Group
from backend.core.orphans.catalogue import read_shapes
from backend.core.orphans.gather import book_of, is_trivial, split, tables_of
from backend.core.orphans.model import OrphanBook
from backend.core.ports import NodeReader
from backend.core.positions import FilePosition
from backend.gateway.dump import read_events
from backend.gateway.endpoint import NodeAccess

LIMIT_S = 60.0


def read_book(
    access: NodeAccess, reader: NodeReader, begins: FilePosition, groups: Sequence[Group], *, limit_s: float = LIMIT_S
) -> OrphanBook:
    """These groups of that node with every row before and after; raises NodeError, TooManyError."""
    if all(is_trivial(group) for group in groups):
        return book_of(groups, {}, {})
    raws = split(read_events(access.ref.name, access.monitor, begins, limit_s=limit_s), groups)
    return book_of(groups, raws, read_shapes(reader, tables_of(raws.values())))
