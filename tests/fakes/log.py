"""A binary log in memory (`EventSource`): built group by group, rotated, purged, tampered with."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from backend.core.binlog.events import LogEvent, RowImages
from backend.core.dialects import MARIADB_EVENTS, EventForms
from backend.core.ports import NodeError
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition, MariadbGtid, MariadbGtidSet
from tests.fakes.transactions import WRITTEN, Dress, Relogging, Txn, parts_of

WRONG_OFFSET = 1220


@dataclass(slots=True)
class LogFile:
    """One file with its events in order."""

    name: str
    size: int = FIRST_EVENT_OFFSET
    events: list[LogEvent] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)

    def put(self, kind: str, server_id: int, size: int, info: str) -> LogEvent:
        """Append one event."""
        event = LogEvent(self.name, self.size, kind, server_id, (self.size + size) % 2**32, info)
        self.events.append(event)
        self.offsets.append(self.size)
        self.size += size
        return event


@dataclass(frozen=True, slots=True)
class Placed:
    """Where one transaction stands in one log, and with how many events; kept also when its file is purged."""

    txn: Txn
    xid: int | None
    gtid: MariadbGtid | None
    start: FilePosition
    end: FilePosition
    by: Relogging = WRITTEN
    event_count: int = 0


class FakeLog:
    """Implements `EventSource`; `calls` keeps every (skip, limit) it was asked for, `era` counts its resets.

    `state`: the last number of each domain and server_id, as gtid_binlog_state has it.
    """

    def __init__(self, *, base: str = "mariadb-bin", number: int = 1, server_id: int = 11, dress: Dress | None = None):
        self.base = base
        self.server_id = server_id
        self.dress = dress or Dress()
        self.retained: list[LogFile] = []
        self.placed: list[Placed] = []
        self.forgotten: list[Placed] = []
        self.calls: list[tuple[int, int]] = []
        self.on_read: Callable[[], None] | None = None
        self.era = 0
        self.state: dict[tuple[int, int], int] = {}
        self._number = number
        self._last_gtid: MariadbGtid | None = None
        self._open()

    def _open(self) -> None:
        file = LogFile(f"{self.base}.{self._number:06d}")
        file.put("Format_desc", self.server_id, 252, "Server ver: 10.11.19-MariaDB-log, Binlog ver: 4")
        if self.dress.is_mysql:
            file.put("Previous_gtids", self.server_id, 71, "")
        else:
            file.put("Gtid_list", self.server_id, 29, f"[{self._last_gtid or ''}]")
            file.put("Binlog_checkpoint", self.server_id, 43, file.name)
        self.retained.append(file)

    @property
    def end(self) -> FilePosition:
        """Current end."""
        return FilePosition(self.retained[-1].name, self.retained[-1].size)

    @property
    def start(self) -> FilePosition:
        """Beginning of the oldest retained file."""
        return FilePosition(self.retained[0].name, FIRST_EVENT_OFFSET)

    @property
    def row_images(self) -> RowImages:
        """Whether its rows are logged whole."""
        return self.dress.row_images

    @property
    def forms(self) -> EventForms:
        """MariaDB's names of events."""
        return MARIADB_EVENTS

    def append(self, txn: Txn, xid: int | None, gtid: MariadbGtid | None = None, by: Relogging = WRITTEN) -> Placed:
        """Write one group; a DDL has no Xid whatever is given."""
        file, start = self.retained[-1], self.end
        first = len(file.events)
        gtid = gtid or MariadbGtid(0, txn.server_id, len(self.placed) + 1)
        for kind, size, info in parts_of(txn, xid, gtid, self.dress, by):
            file.put(kind, txn.server_id, size, info)
        self._last_gtid = gtid
        if not self.dress.is_mysql:
            self.state[gtid.domain, txn.server_id] = gtid.seq_no
        xid = xid if txn.kind == "dml" else None
        placed = Placed(txn, xid, gtid, start, self.end, by, len(file.events) - first)
        self.placed.append(placed)
        return placed

    def put_event(self, kind: str, info: str = "", size: int = 40) -> None:
        """Write a bare event, as of an unknown type."""
        self.retained[-1].put(kind, self.server_id, size, info)

    def rotate(self) -> None:
        """Close the file and open the next."""
        self._number += 1
        self.retained[-1].put("Rotate", self.server_id, 44, f"{self.base}.{self._number:06d};pos=4")
        self._open()

    def reopen(self) -> None:
        """Its server was killed and starts: a new file, and nothing at the end of the old one that says so."""
        self._number += 1
        self._open()

    def reset(self) -> None:
        """RESET MASTER: a new history, numbered from 1, that knows of nothing before it."""
        self.forgotten += self.placed
        self.era += 1
        self.retained, self.placed, self._number, self._last_gtid = [], [], 1, None
        self.state.clear()
        self._open()

    def lose_last(self) -> None:
        """Its server was killed before its last group was on disk."""
        gone, file = self.placed.pop(), self.retained[-1]
        index = bisect_left(file.offsets, gone.start.offset)
        del file.events[index:], file.offsets[index:]
        file.size = gone.start.offset

    def purge(self, count: int) -> None:
        """Forget the oldest `count` files, never the last one."""
        del self.retained[: min(count, len(self.retained) - 1)]

    def tamper(self, file: str, offset: int, change: Callable[[LogEvent], LogEvent]) -> None:
        """Replace the event at that place."""
        found = next(f for f in self.retained if f.name == file)
        index = found.offsets.index(offset)
        found.events[index] = change(found.events[index])

    def reaches(self, position: FilePosition) -> bool:
        """Whether a retained file of that name is at least so long."""
        return any(file.name == position.file and position.offset <= file.size for file in self.retained)

    def held_before(self, position: FilePosition) -> list[Placed]:
        """Brute force: what stands before `position`, purged and reset groups included."""
        return self.forgotten + [p for p in self.placed if p.end <= position]

    def executed(self) -> set[MariadbGtid]:
        """All it has logged: gtid_executed."""
        return {p.gtid for p in self.placed if p.gtid}

    def purged(self) -> set[MariadbGtid]:
        """What of it is in no retained file."""
        return {p.gtid for p in self.placed if p.gtid and not self.reaches(p.start)}

    def state_at(self, position: FilePosition) -> MariadbGtidSet:
        """What BINLOG_GTID_POS says: of each domain the GTID logged last before `position`, since the last reset."""
        last = {p.gtid.domain: p.gtid for p in self.placed if p.gtid and p.end <= position}
        return MariadbGtidSet(tuple(last[domain] for domain in sorted(last)))

    # -- EventSource

    def files(self) -> Sequence[tuple[str, int]]:
        """Retained files, oldest first."""
        return [(file.name, file.size) for file in self.retained]

    def events(self, file: str, offset: int, *, limit: int, skip: int = 0) -> Sequence[LogEvent]:
        """One page; NodeError for a file that is deleted or an offset that is no boundary."""
        self.calls.append((skip, limit))
        rows = self._page(file, offset, limit, skip)
        if self.on_read is not None:
            self.on_read()
        return rows

    def _page(self, file: str, offset: int, limit: int, skip: int) -> list[LogEvent]:
        found = next((f for f in self.retained if f.name == file), None)
        if found is None:
            raise NodeError(self.base, f"Could not find target log {file}", code=WRONG_OFFSET)
        if offset >= found.size:
            return []
        index = bisect_left(found.offsets, offset)
        if index == len(found.offsets) or found.offsets[index] != offset:
            raise NodeError(self.base, f"Wrong offset or I/O error at {offset}", code=WRONG_OFFSET)
        return found.events[index + skip : index + skip + limit]
