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
        first, second = one.tables.get(name), other.tables.get(name)
        if first is None or second is None:
            present, absent = (other, one) if first is None else (one, other)
            yield f"{name} exists on {present.node}, not on {absent.node}"
        elif (first.kind, first.definition) != (second.kind, second.definition):
            yield f"{name} is defined differently on {one.node} and {other.node}"
        elif has_checksums and first.kind != VIEW:
            yield from _rows_of(name, one.node, first, other.node, second)


def _rows_of(name: str, node: str, first: TableContents, other_node: str, second: TableContents) -> Iterator[str]:
    for at, table in ((node, first), (other_node, second)):
        if table.checksum is None:
            yield f"the rows of {name} on {at} could not be read"
            return
    if first.checksum != second.checksum:
        yield f"the rows of {name} differ: checksum {first.checksum} on {node}, {second.checksum} on {other_node}"
