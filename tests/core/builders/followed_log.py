"""The log of a node as the monitor follows it, group by group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from backend.core.positions import FilePosition
from backend.core.row_digests import TableRows
from backend.core.stream_account import Jump, LoggedGroup, LogRead

FILE = "binlog.000001"


@dataclass(frozen=True)
class Written:
    """A group of 10 bytes."""

    end: int
    gtid: str
    server_id: int
    seqno: int | None
    changes_nothing: bool = False
    tables: frozenset[str] = frozenset({"bank.t"})

    @property
    def position(self) -> FilePosition:
        return FilePosition(FILE, self.end)

    @property
    def begins(self) -> FilePosition:
        return FilePosition(FILE, self.end - 10)


@dataclass
class Rows:
    """What is known of the rows in a log: `known` by the end of a transaction, read up to `until`."""

    known: dict[int, tuple[str, Mapping[str, TableRows]]] = field(default_factory=dict)
    until: int = 10**9

    def at(self, ends: FilePosition, gtid: str) -> Mapping[str, TableRows] | None:
        found = self.known.get(ends.offset)
        return found[1] if found is not None and found[0] == gtid else None

    def awaits(self, ends: FilePosition) -> bool:
        return ends.offset > self.until


@dataclass
class Log:
    """A node's binary log, followed from its beginning unless `start` says otherwise."""

    node: str
    groups: list[Written] = field(default_factory=list)
    start: int = 100
    jumped: Jump | None = None
    rows: Rows | None = None

    def fill_last(self, rows: int | None, *, columns: bytes = b"int", images: bytes = b"all", table: str = "t") -> None:
        """The last group changes these rows of a table."""
        self.rows = self.rows or Rows()
        last = self.groups[-1]
        self.rows.known[last.end] = last.gtid, {f"bank.{table}": TableRows(columns, images, rows)}

    def jump(self, *, is_gone: bool) -> None:
        """The follower goes on at the end."""
        self.jumped = Jump(FilePosition(FILE, self.end), is_gone)
        self.write("0-1-1", 1, None)
        self.start = self.end

    def write(self, gtid: str, server_id: int, seqno: int | None, *, changes_nothing: bool = False) -> None:
        self.groups.append(Written(self.end + 10, gtid, server_id, seqno, changes_nothing))

    def change_last(self, *tables: str) -> None:
        """The last group has rows of these."""
        self.groups[-1] = replace(self.groups[-1], tables=frozenset(tables))

    @property
    def end(self) -> int:
        return self.groups[-1].end if self.groups else 100

    def since(self, position: FilePosition, until: FilePosition | None = None) -> Sequence[LoggedGroup] | None:
        if position.offset < self.start or position.offset > self.end:
            return None
        last = self.end if until is None else until.offset
        return [group for group in self.groups if position.offset < group.end <= last]

    def end_of(self, seqno: int) -> FilePosition | None:
        found = [group.position for group in self.groups if group.seqno == seqno and group.end >= self.start]
        return found[0] if len(found) == 1 else None

    def read(self) -> LogRead:
        return LogRead(self.node, self, FilePosition(FILE, self.end), self.rows)
