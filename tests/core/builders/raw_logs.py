"""A log of a small table as its events' bytes and as groups: what the dump protocol and SHOW BINLOG EVENTS tell."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from backend.core.binlog.groups import Group
from backend.core.orphans.model import Column, Operation, TableShape
from backend.core.orphans.transactions import RawEvent

COLUMNS = (Column("id", "int", "int(11)"), Column("name", "varchar", "varchar(20)", charset="utf8mb4", octets=80))
SMALL = TableShape("shop", "small", COLUMNS, keys=(("id",),))
FILE = "binlog.000001"
_GTID, _TABLE_MAP, _XID = 162, 19, 16
_KINDS = {Operation.INSERT: 23, Operation.UPDATE: 24, Operation.DELETE: 25}
SmallRow = tuple[int, str]


@dataclass
class RawLog:
    """Groups and raw events of one log, one transaction after the other."""

    groups: list[Group] = field(default_factory=list)
    events: list[RawEvent] = field(default_factory=list)
    end: int = 256

    def write(
        self,
        server_id: int,
        before: SmallRow | None,
        after: SmallRow | None,
        *,
        table: str = "small",
        is_whole: bool = True,
    ) -> None:
        """One transaction that changes one row."""
        start = self.end
        operation = Operation.INSERT if before is None else Operation.DELETE if after is None else Operation.UPDATE
        images = b"".join(_image(one) for one in (before, after) if one is not None)
        bitmap = bytes([3 if is_whole else 1])
        rows = _NUMBER + b"\x01\x00\x02" + bitmap * (2 if operation is Operation.UPDATE else 1) + images
        for kind, body in ((_GTID, b""), (_TABLE_MAP, _table_map(table)), (_KINDS[operation], rows), (_XID, b"")):
            self.end += 19 + len(body)
            self.events.append(RawEvent(FILE, kind, 1_800_000_000, server_id, self.end, body))
        self.groups.append(
            Group(FILE, start, self.end, server_id, None, len(self.groups), "dml", f"{len(self.groups):064x}",
                  (f"shop.{table}",), (operation.value,), (), None, 4, self.end)
        )  # fmt: skip

    def of(self, server_id: int) -> list[Group]:
        """Groups that originate there."""
        return [group for group in self.groups if group.server_id == server_id]


_NUMBER = b"\x07\x00\x00\x00\x00\x00"


def _table_map(table: str) -> bytes:
    names = b"".join(bytes([len(name)]) + name.encode() + b"\0" for name in ("shop", table))
    return _NUMBER + b"\x01\x00" + names + bytes([2, 3, 15, 2]) + struct.pack("<H", 80) + b"\x03"


def _image(row: SmallRow) -> bytes:
    number, name = row
    return b"\x00" + struct.pack("<i", number) + bytes([len(name)]) + name.encode()


def shape_of(schema: str, table: str) -> TableShape | None:
    """The catalogue."""
    return SMALL if (schema, table) == ("shop", "small") else None
