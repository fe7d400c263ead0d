"""Compares what two sides hold, table by table, and names each difference."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.equal_data.contents import VIEW, SideContents, TableContents


def differences(one: SideContents, other: SideContents, *, has_checksums: bool) -> tuple[str, ...]:
    """A sentence for each table that is missing, defined otherwise, or holds other rows.

    A checksum that could not be computed is a difference: unknown rows are never equal.
    """
    return tuple(_differences(one, other, has_checksums=has_checksums))


def _differences(one: SideContents, other: SideContents, *, has_checksums: bool) -> Iterator[str]:
    for name in sorted(one.tables.keys() | other.tables.keys()):
        here, there = one.tables.get(name), other.tables.get(name)
        if here is None or there is None:
            present, absent = (other, one) if here is None else (one, other)
            yield f"{name} exists on {present.node}, not on {absent.node}"
        elif (here.kind, here.definition) != (there.kind, there.definition):
            yield f"{name} is defined differently on {one.node} and {other.node}"
        elif has_checksums and here.kind != VIEW:
            yield from _rows_of(name, one.node, here, other.node, there)


def _rows_of(name: str, node: str, here: TableContents, other_node: str, there: TableContents) -> Iterator[str]:
    for at, table in ((node, here), (other_node, there)):
        if table.checksum is None:
            yield f"the rows of {name} on {at} could not be read"
            return
    if here.checksum != there.checksum:
        yield f"the rows of {name} differ: checksum {here.checksum} on {node}, {there.checksum} on {other_node}"
