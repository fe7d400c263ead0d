"""Positions in a replication stream, as values: parsed once, compared by method, never by string.

Three kinds exist: file and offset in one node's binlog (`FilePosition`), a GTID, and a cluster's own transaction
counter (`Seqno`), which is valid only in one state UUID.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LOG_FILE = re.compile(r"[A-Za-z0-9_.\-]{1,200}\.[0-9]{6,10}")
_MARIADB_GTID = re.compile(r"(\d{1,10})-(\d{1,10})-(\d{1,20})")
_STATE_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
FIRST_EVENT_OFFSET = 4
"""Offset of the first event: after the four magic bytes of every binlog file."""
DUMP_OFFSETS = 2**32
"""COM_BINLOG_DUMP has 32 bits for the offset: a replica that is told a larger one reads the file from another place."""


class PositionError(ValueError):
    """A text or number that is not a position; the message names the offending value."""


class NotComparableError(PositionError):
    """Two positions that cannot be compared (other base name, other state UUID)."""


@dataclass(frozen=True, slots=True)
class FilePosition:
    """A byte offset in one binlog file of one node, at an event boundary."""

    file: str
    offset: int

    def __post_init__(self) -> None:
        if not _LOG_FILE.fullmatch(self.file):
            raise PositionError(f"{self.file!r} is not the name of a binlog file")
        if not FIRST_EVENT_OFFSET <= self.offset < 2**63:
            raise PositionError(f"{self.offset} is not an offset in a binlog file")

    @property
    def base(self) -> str:
        """Name without the running number: `mariadb-bin` of `mariadb-bin.000211`."""
        return self.file.rpartition(".")[0]

    @property
    def number(self) -> int:
        """Running number of the file; it may grow past six digits, so files compare by it."""
        return int(self.file.rpartition(".")[2])

    def file_after(self, count: int) -> str:
        """Name of the file so many after its own."""
        return f"{self.base}.{self.number + count:06d}"

    def _key(self, other: FilePosition) -> tuple[tuple[int, int], tuple[int, int]]:
        if self.base != other.base:
            raise NotComparableError(f"{self.file} and {other.file} are not of one binlog")
        return (self.number, self.offset), (other.number, other.offset)

    def __lt__(self, other: FilePosition) -> bool:
        mine, theirs = self._key(other)
        return mine < theirs

    def __le__(self, other: FilePosition) -> bool:
        mine, theirs = self._key(other)
        return mine <= theirs

    def __str__(self) -> str:
        return f"{self.file}:{self.offset}"

    @classmethod
    def parse(cls, text: str) -> FilePosition:
        """Read `FILE:OFFSET`; raises PositionError."""
        file, _, offset = text.rpartition(":")
        if not offset.isdigit():
            raise PositionError(f"{text!r} is not FILE:OFFSET")
        return cls(file, int(offset))


@dataclass(frozen=True, slots=True)
class Seqno:
    """A cluster's transaction counter; comparable only within one state UUID.

    The Xid in a Galera node's binlog is this number, without the UUID (experiment 1).
    """

    state_uuid: str
    number: int

    def __post_init__(self) -> None:
        if not _STATE_UUID.fullmatch(self.state_uuid):
            raise PositionError(f"{self.state_uuid!r} is not a cluster state UUID")
        if self.number < 0:
            raise PositionError(f"{self.number} is not a seqno")

    def __str__(self) -> str:
        return f"{self.state_uuid}:{self.number}"


@dataclass(frozen=True, slots=True, order=True)
class MariadbGtid:
    """One MariaDB GTID, `domain-server-sequence`."""

    domain: int
    server_id: int
    seq_no: int

    def __str__(self) -> str:
        return f"{self.domain}-{self.server_id}-{self.seq_no}"

    @classmethod
    def parse(cls, text: str) -> MariadbGtid:
        """Read `0-11-57`; raises PositionError."""
        match = _MARIADB_GTID.fullmatch(text.strip())
        if match is None:
            raise PositionError(f"{text!r} is not a MariaDB GTID")
        return cls(*(int(part) for part in match.groups()))


@dataclass(frozen=True, slots=True)
class MariadbGtidSet:
    """A MariaDB GTID position: the last GTID of each domain."""

    by_domain: tuple[MariadbGtid, ...] = ()

    @classmethod
    def of(cls, gtids: Iterable[MariadbGtid]) -> MariadbGtidSet:
        """Keep the highest sequence of each domain."""
        last: dict[int, MariadbGtid] = {}
        for gtid in gtids:
            known = last.get(gtid.domain)
            if known is None or known.seq_no < gtid.seq_no:
                last[gtid.domain] = gtid
        return cls(tuple(last[domain] for domain in sorted(last)))

    @classmethod
    def parse(cls, text: str) -> MariadbGtidSet:
        """Read `0-11-57,1-21-3`; an empty text is the empty set."""
        return cls.of(MariadbGtid.parse(part) for part in text.split(",") if part.strip())

    def __iter__(self) -> Iterator[MariadbGtid]:
        return iter(self.by_domain)

    def of_domain(self, domain: int) -> MariadbGtid | None:
        """The last GTID of one domain, None where it has none."""
        return next((gtid for gtid in self.by_domain if gtid.domain == domain), None)

    def is_contained_in(self, other: MariadbGtidSet) -> bool:
        """True where `other` has reached at least every domain's sequence of this set."""
        reached = {gtid.domain: gtid.seq_no for gtid in other}
        return all(reached.get(gtid.domain, -1) >= gtid.seq_no for gtid in self)

    def __str__(self) -> str:
        return ",".join(str(gtid) for gtid in self)
