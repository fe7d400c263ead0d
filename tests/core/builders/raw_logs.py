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
_GTID, _TABLE_MAP, _XID, _QUERY = 162, 19, 16, 2
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
        is_narrow: bool = False,
    ) -> None:
        """One transaction that changes one row; `is_narrow`: the table has its first column alone."""
        start = self.end
        operation = Operation.INSERT if before is None else Operation.DELETE if after is None else Operation.UPDATE
        images = b"".join(_image(one, is_narrow=is_narrow) for one in (before, after) if one is not None)
        mapped = _table_map(table, is_narrow=is_narrow)
        bitmap = bytes([3 if is_whole and not is_narrow else 1])
        bitmaps = bitmap * (2 if operation is Operation.UPDATE else 1)
        rows = _NUMBER + b"\x01\x00" + bytes([1 if is_narrow else 2]) + bitmaps + images
        for kind, body in ((_GTID, b""), (_TABLE_MAP, mapped), (_KINDS[operation], rows), (_XID, b"")):
            self.end += 19 + len(body)
            self.events.append(RawEvent(FILE, kind, 1_800_000_000, server_id, self.end, body))
        self.groups.append(
            Group(FILE, start, self.end, server_id, None, len(self.groups), "dml", f"{len(self.groups):064x}",
                  (f"shop.{table}",), (operation.value,), (), None, 4, self.end)
        )  # fmt: skip

    def define(self, server_id: int, sql: str, *, with_rows: bool = False) -> None:
        """One statement that changes a definition, in the schema `shop`; `with_rows` no server writes so."""
        start = self.end
        settings = b"\x00" + bytes(4) + b"\x01" + bytes(8)
        body = struct.pack("<IIBHH", 7, 0, 4, 0, len(settings)) + settings + b"shop\0" + sql.encode()
        rows = ((_TABLE_MAP, _table_map("small")), (23, _NUMBER)) if with_rows else ()
        for kind, part in ((_GTID, b""), *rows, (_QUERY, body)):
            self.end += 19 + len(part)
            self.events.append(RawEvent(FILE, kind, 1_800_000_000, server_id, self.end, part))
        self.groups.append(
            Group(FILE, start, self.end, server_id, None, None, "ddl", f"{len(self.groups):064x}", (), (), (sql,),
                  f"use `shop`; {sql}", 2, self.end)
        )  # fmt: skip

    def of(self, server_id: int) -> list[Group]:
        """Groups that originate there."""
        return [group for group in self.groups if group.server_id == server_id]


_NUMBER = b"\x07\x00\x00\x00\x00\x00"


def _table_map(table: str, *, is_narrow: bool = False) -> bytes:
    names = b"".join(bytes([len(name)]) + name.encode() + b"\0" for name in ("shop", table))
    if is_narrow:
        return _NUMBER + b"\x01\x00" + names + bytes([1, 3, 0]) + b"\x01"
    return _NUMBER + b"\x01\x00" + names + bytes([2, 3, 15, 2]) + struct.pack("<H", 80) + b"\x03"


def _image(row: SmallRow, *, is_narrow: bool = False) -> bytes:
    number, name = row
    if is_narrow:
        return b"\x00" + struct.pack("<i", number)
    return b"\x00" + struct.pack("<i", number) + bytes([len(name)]) + name.encode()


def shape_of(schema: str, table: str) -> TableShape | None:
    """The catalogue."""
    return SMALL if (schema, table) == ("shop", "small") else None
