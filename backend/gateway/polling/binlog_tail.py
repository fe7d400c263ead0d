"""Follows the end of a node's binlog, a few hundred events at a time.

It holds in memory the end of each of the latest groups, its seqno and origin. With these a replica's
executed position becomes an exact count of the groups it still lacks. A tail that cannot
keep up jumps to the end and reports nothing about what it skipped.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from backend.core.dialects import Dialect
from backend.core.known_groups import AppliedPlace, KnownGroups
from backend.core.ports import ER_ERROR_WHEN_EXECUTING_COMMAND, NodeError
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.core.stream_account import COLUMN_DEFAULT, Jump

PAGE_EVENTS = 2_000
MAX_PAGES = 10
KEEP_GROUPS = 50_000
TOO_FAR_BYTES = 64 * 1024 * 1024

RawRow = tuple[Any, ...]
Query = Callable[[str], Sequence[RawRow]]
T = TypeVar("T")
Steps = Generator[str, Sequence[RawRow], T]
"""Reading in steps: each statement out, its rows in."""
_ENDS = (b"COMMIT", b"ROLLBACK")
_BEGINS = (b"BEGIN", b"XA START")
_HALF = re.compile(rb" (START|ROLLBACK) ALTER\b")
"""An ALTER in two halves counts once, by its COMMIT ALTER: what begins it, or takes it back, changes nothing."""
_GTID = re.compile(rb"GTID (\d+-\d+-\d+)|GTID_NEXT= '([^']+)'")
_TABLE = re.compile(rb"\((.+)\)\s*$")
_FLUSH = re.compile(rb"(use `[^`]*`; )?(\s|/\*.*?\*/)*FLUSH\b", re.IGNORECASE | re.DOTALL)
_CHANGE_OF_ROWS = re.compile(rb"(INSERT|UPDATE|DELETE|REPLACE|LOAD|WITH|SELECT|ANALYZE)\b", re.IGNORECASE)
"""SELECT: of a function that writes, whichever statement called it."""
_FILLS_ROWS = re.compile(
    rb"SELECT\b|CREATE\s+(OR\s+REPLACE\s+)?TABLE\b.*\b(SELECT\b|VALUES\s*\()", re.IGNORECASE | re.DOTALL
)
"""As a group of its own: a function that a condition (IF, CASE, WHILE) calls, and what a table is created from."""
_BY_STATEMENT = (("binlog_format", "STATEMENT in a session"),)
_ADDED_COLUMN = re.compile(rb"ALTER\s+(ONLINE\s+)?(IGNORE\s+)?TABLE\b.*?\bADD\b", re.IGNORECASE | re.DOTALL)
_OF_EACH_SERVER = re.compile(
    rb"\b(?:(UUID|UUID_SHORT|UUID_V4|UUID_V7|SYS_GUID|RAND|CONNECTION_ID|USER|SESSION_USER|SYSTEM_USER|CURRENT_USER|"
    rb"VERSION)\s*\(\s*\)|(SYSDATE|RANDOM_BYTES)\s*\()",
    re.IGNORECASE,
)
"""What each server computes for itself: a column that is added with it is filled with other values on each."""
_OF_EACH_SERVER_IN_DEFAULT = re.compile(
    rb"\b(?:(CURRENT_USER|CURRENT_ROLE)\b|(NEXTVAL|LASTVAL|SETVAL|ENCRYPT)\s*\(|"
    rb"(CURRENT_TIMESTAMP|NOW|LOCALTIME|LOCALTIMESTAMP|CURRENT_TIME|CURTIME|UTC_TIMESTAMP|UTC_TIME)\s*\(\s*[1-6]\s*\))|"
    rb"(?P<no_function>\b(?:NEXT|PREVIOUS)\s+VALUE\s+FOR\b|@@?[\w.]*)",
    re.IGNORECASE,
)
"""The same where it stands for that in a DEFAULT alone: elsewhere a key may have such a name. The time of a statement
that Galera brings has no fraction of a second. A DDL is logged without the variables of its session."""
_DEFAULT = re.compile(rb"\bDEFAULT\b", re.IGNORECASE)
_AROUND_DEFAULT = re.compile(rb"[(),]|\bON\s+UPDATE\b", re.IGNORECASE)
_NO_SYNTAX = re.compile(
    rb"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(`)[^`]*`|(/\*M?!\d*|\*/)|/\*.*?\*/|--\s[^\n]*|\#[^\n]*""", re.DOTALL
)
_BEFORE_STATEMENT = re.compile(rb"\s*(?:use\s+``;\s*)?(?:SET\s+STATEMENT\b.*?\bFOR\s+)?", re.IGNORECASE | re.DOTALL)


def run_steps(steps: Steps[T], query: Query) -> T:
    """Read to the end over a session that waits; raises NodeError."""
    try:
        sql = next(steps)
        while True:
            try:
                rows = query(sql)
            except NodeError as error:
                sql = steps.throw(error)
            else:
                sql = steps.send(rows)
    except StopIteration as ended:
        found: T = ended.value
        return found


@dataclass(frozen=True, slots=True)
class TailGroup:
    """The end of a group, its Xid (None: DDL and the like) and its origin server; `changes_nothing` is not counted:
    half a statement, and a FLUSH.

    `last_event`: where its last event begins, and `begin` where its first one does. `gtid` is empty where it has none.
    `tables`: of which it has rows, as DATABASE.TABLE. `unsafe`: the settings or statements, with their values, with
    which each server makes rows of its own of it.
    """

    position: FilePosition
    seqno: int | None
    server_id: int
    changes_nothing: bool = False
    last_event: int = 0
    begin: int = FIRST_EVENT_OFFSET
    gtid: str = ""
    tables: frozenset[str] = frozenset()
    unsafe: tuple[tuple[str, str], ...] = ()

    @property
    def begins(self) -> FilePosition:
        """Where its first event begins."""
        return FilePosition(self.position.file, self.begin)

    @property
    def key(self) -> tuple[int, int]:
        """The order within one binlog."""
        return self.position.number, self.position.offset


class BinlogTail:
    """One node's latest groups; `start` is the position it was read from, `is_followed` whether it was ever read on.

    `is_caught_up`: the last completed read reached the end; `is_current`: none was started or aborted since.
    `read_at_s`: when the log's end that it reached was told (Unix time).
    `began_anew`: the last read found the log shorter than the one before (RESET MASTER, or a rebuilt node).
    `is_of_another_log`: the log became another one, so that the next read begins at its end.
    """

    def __init__(self, start: FilePosition | None = None) -> None:
        self.start = start
        self.cursor = start
        self.is_caught_up = False
        self.is_current = False
        self.is_followed = False
        self.read_at_s: float | None = None
        self._has_jumped = False
        self.began_anew = False
        self.is_of_another_log = False
        self.jumped: Jump | None = None
        self._unsafe: dict[tuple[str, int], str] = {}
        self._end = start
        self._groups: list[TailGroup] = []
        self._stream: tuple[tuple[Collection[int], TailGroup | None], KnownGroups] | None = None

    @property
    def last(self) -> TailGroup | None:
        """The newest group read."""
        return self._groups[-1] if self._groups else None

    def advance(self, query: Query, dialect: Dialect, end: FilePosition) -> None:
        """Read on towards `end`; raises NodeError where the node does not respond."""
        run_steps(self.steps(dialect, end), query)

    def steps(self, dialect: Dialect, end: FilePosition) -> Steps[None]:
        """The same for a caller who sends the statements: yields each, and is sent its rows or thrown its NodeError."""
        self.is_followed, self.is_current = True, False
        self.began_anew = self._ends_before_its_cursor(end)
        is_same, self.is_of_another_log = not self.is_of_another_log, False
        is_near = is_same and self._can_follow(end) and not (yield from self._is_before_huge_files(dialect, end))
        if is_near:
            yield from self._read_retained(dialect, self.cursor or end, end)
        else:
            self._jump(end, is_gone=self.began_anew)
        self._end = end if self.is_caught_up else self.cursor
        self.is_current = True

    def has_read(self, end: FilePosition) -> bool:
        """Whether the last read reached exactly this end, and no part of it is missing."""
        return self.is_current and self.is_caught_up and self.cursor == end

    def _ends_before_its_cursor(self, end: FilePosition) -> bool:
        known = self.cursor
        return known is not None and known.base == end.base and end < known

    def _can_follow(self, end: FilePosition) -> bool:
        known = self.cursor
        return known is not None and known.base == end.base and known <= end and not _is_too_far(known, end)

    def _is_before_huge_files(self, dialect: Dialect, end: FilePosition) -> Steps[bool]:
        """Whether much is left of files that others follow: a page of one could hold gigabytes.

        The server reads a page under LOCK_log, so it delays every commit, and one that is given up is asked for again.
        Each start of a server begins a file.
        """
        known = self.cursor
        if known is None or known.number == end.number:
            return False
        sizes = {row[0].decode(): int(row[1]) for row in (yield dialect.binlog_files_query())}
        files = map(known.file_after, range(end.number - known.number))
        return sum(sizes.get(file, 0) for file in files) - known.offset > TOO_FAR_BYTES

    def gap_after(self, executed: FilePosition, own_ids: Collection[int]) -> int | None:
        """The number of groups after `executed` that are not of `own_ids`; None where it is unknown."""
        if self.start is None or self.cursor is None or executed.base != self.cursor.base:
            return None
        if not self.is_caught_up or executed < self.start:
            return None
        first = bisect_right(self._groups, (executed.number, executed.offset), key=lambda g: g.key)
        return sum(_counts(group, own_ids) for group in self._groups[first:])

    def place_at(self, executed: FilePosition, left_out: Collection[int]) -> AppliedPlace | None:
        """What ends at or before `executed`; groups of `left_out` are not counted. None where it is unknown.

        A replica under load has applied more than was read of its source: then another log has to tell.
        """
        if self.start is None or not self.reaches(executed) or executed < self.start:
            return None
        behind = bisect_right(self._groups, (executed.number, executed.offset), key=lambda g: g.key)
        trailing = 0
        for group in reversed(self._groups[:behind]):
            if group.seqno is not None:
                return AppliedPlace(group.seqno, trailing)
            trailing += _counts(group, left_out)
        return None

    def reaches(self, executed: FilePosition) -> bool:
        """Whether the log was read up to there; a replica may have applied more than that."""
        read = self._end if self.is_current else self.cursor
        return read is not None and executed.base == read.base and executed <= read

    def since(self, position: FilePosition, until: FilePosition | None = None) -> Sequence[TailGroup] | None:
        """The groups behind a position, up to another one; None where it was not read on from there without a gap."""
        if self.start is None or self.cursor is None or position.base != self.cursor.base:
            return None
        if not self.start <= position <= self.cursor:
            return None
        first = bisect_right(self._groups, (position.number, position.offset), key=lambda g: g.key)
        if until is None or until.base != position.base:
            return self._groups[first:]
        return self._groups[first : bisect_right(self._groups, (until.number, until.offset), key=lambda g: g.key)]

    def end_of(self, seqno: int) -> FilePosition | None:
        """Where the group of a seqno ends; None where it was not read, or stands there twice."""
        found = [group.position for group in self._groups if group.seqno == seqno]
        return found[0] if len(found) == 1 else None

    def take_unsafe(self) -> dict[tuple[str, int], str]:
        """What was written since in a way in which servers come to differ: its value by setting and server_id."""
        found, self._unsafe = self._unsafe, {}
        return found

    def stream(self, left_out: Collection[int]) -> KnownGroups:
        """Its groups that are not of `left_out`; kept until more is read."""
        key = left_out, self.last
        if self._stream is None or self._stream[0] != key:
            groups = ((group.seqno, _counts(group, left_out)) for group in self._groups)
            self._stream = key, KnownGroups.of_log(groups)
        return self._stream[1]

    def holds(self, seqno: int) -> bool:
        """Whether the group of the seqno was read, and the log from there to its end."""
        return self.is_caught_up and sum(group.seqno == seqno for group in self._groups) == 1

    def ends_by(self, seqno: int | None) -> bool:
        """Whether the log is known, to its end, to hold nothing after the seqno: older numbers, or nothing new."""
        if not self.is_caught_up:
            return False
        if not self._groups:
            return not self._has_jumped
        numbers = [group.seqno for group in self._groups if group.seqno is not None]
        return seqno is not None and bool(numbers) and max(numbers) < seqno

    def _jump(self, end: FilePosition, *, is_gone: bool) -> None:
        self._has_jumped = True
        self.jumped = None if self.cursor is None else Jump(self.cursor, is_gone)
        self.start = self.cursor = end
        self.is_caught_up = True
        self._groups.clear()

    def _read_retained(self, dialect: Dialect, start: FilePosition, end: FilePosition) -> Steps[None]:
        """Read on, or go on at the end: also where the file was purged before it was read to its end."""
        try:
            if not (yield from self._read_on(dialect, start, end)):
                self._jump(end, is_gone=False)
        except NodeError as error:
            if error.code != ER_ERROR_WHEN_EXECUTING_COMMAND:
                raise
            self._jump(end, is_gone=True)

    def _read_on(self, dialect: Dialect, start: FilePosition, end: FilePosition) -> Steps[bool]:
        """Read page by page; False where one group is too large to be followed."""
        file, offset, skip = start.file, start.offset, 0
        scan = _Scan(file)
        for _ in range(MAX_PAGES):
            rows = yield dialect.binlog_events_query(file, offset, limit=PAGE_EVENTS, skip=skip)
            self._keep(scan.take(rows))
            if len(rows) == PAGE_EVENTS:
                offset, skip = _next_page(rows[-1])
            elif file == end.file:
                self.is_caught_up = True
                return True
            else:
                file, offset, skip = FilePosition(file, offset).file_after(1), FIRST_EVENT_OFFSET, 0
                scan, self.cursor = _Scan(file), FilePosition(file, offset)
        self.is_caught_up = False
        return self.cursor != start

    def _keep(self, groups: list[TailGroup]) -> None:
        if not groups:
            return
        self._groups += groups
        self.cursor = groups[-1].position
        self._unsafe |= {(variable, one.server_id): value for one in groups for variable, value in one.unsafe}
        if len(self._groups) > KEEP_GROUPS:
            del self._groups[: KEEP_GROUPS // 5]
            self.start = self._groups[0].position


def _counts(group: TailGroup, left_out: Collection[int]) -> bool:
    """Whether the group changes something and is of the stream."""
    return not group.changes_nothing and group.server_id not in left_out


class _Scan:
    """Finds the ends of groups in raw rows (file, pos, type, server id, end pos, info)."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._origin: int | None = None
        self._standalone = self._is_idle = False
        self._begin = FIRST_EVENT_OFFSET
        self._gtid = ""
        self._tables: set[bytes] = set()
        self._unsafe: tuple[tuple[str, str], ...] = ()

    def take(self, rows: Sequence[RawRow]) -> list[TailGroup]:
        """The groups that end within these rows; an incomplete one continues on the next page."""
        found = []
        for row in rows:
            kind, info = row[2], row[5]
            if kind == b"Gtid":
                self._origin, self._standalone = row[3], not info.startswith(_BEGINS)
                self._is_idle = _HALF.search(info) is not None
                self._begin, self._gtid = int(row[1]), _gtid_of(info)
                self._tables.clear()
                self._unsafe = ()
            elif self._origin is None:
                continue
            elif kind == b"Table_map":
                self._tables.add(info)
            elif kind == b"Xid":
                found.append(self._end(row, int(info.split(b"xid=")[1].split()[0])))
            elif not self._standalone and (
                kind == b"Execute_load_query" or (kind.startswith(b"Query") and _is_change_of_rows(info))
            ):
                self._unsafe = _BY_STATEMENT
            elif kind == b"XA_prepare" or (kind.startswith(b"Query") and (self._standalone or info in _ENDS)):
                self._is_idle |= self._standalone and _FLUSH.match(info) is not None
                if self._standalone and not self._is_idle:
                    self._unsafe = _unsafe_alone(info)
                found.append(self._end(row, None))
        return found

    def _end(self, row: RawRow, seqno: int | None) -> TailGroup:
        origin, self._origin = self._origin or 0, None
        end = FilePosition(self._file, _end_of(row))
        ends = end, seqno, origin, self._is_idle, int(row[1])
        return TailGroup(*ends, self._begin, self._gtid, _named(frozenset(self._tables)), self._unsafe)


@lru_cache(maxsize=1024)
def _named(table_maps: frozenset[bytes]) -> frozenset[str]:
    """The tables of these events; mostly the same object for groups of the same tables, as 50,000 groups are kept."""
    found = map(_TABLE.search, table_maps)
    return frozenset(match[1].decode("utf-8", "replace") for match in found if match)


def _is_change_of_rows(text: bytes) -> bool:
    """Whether a statement stands there where rows should: each server executes it for itself."""
    return _CHANGE_OF_ROWS.match(_statement(text)) is not None


def _unsafe_alone(text: bytes) -> tuple[tuple[str, str], ...]:
    """What a statement that is a group of its own has in it of which each server makes rows of its own."""
    statement = _statement(text)
    if _FILLS_ROWS.match(statement):
        return _BY_STATEMENT
    name = _of_each_server(statement)
    return () if name is None else ((COLUMN_DEFAULT, name),)


def _of_each_server(statement: bytes) -> str | None:
    """That with which an ALTER TABLE may fill a column on each server with other values."""
    added = _ADDED_COLUMN.match(statement)
    if added is None:
        return None
    in_defaults = (_OF_EACH_SERVER_IN_DEFAULT.search(one) for one in _defaults(statement, added.end()))
    found = _OF_EACH_SERVER.search(statement, added.end()) or next(filter(None, in_defaults), None)
    if found is None:
        return None
    name = b" ".join(next(filter(None, found.groups())).split()).decode("utf-8", "replace").upper()
    return name if found.lastgroup else f"{name}()"


def _defaults(statement: bytes, begin: int) -> Iterator[bytes]:
    """What stands behind each DEFAULT, to the end of its column or its ON UPDATE."""
    for default in _DEFAULT.finditer(statement, begin):
        depth, end = 0, len(statement)
        for around in _AROUND_DEFAULT.finditer(statement, default.end()):
            if depth == 0 and around[0] != b"(":
                end = around.start()
                break
            depth += {b"(": 1, b")": -1}.get(around[0], 0)
        yield statement[default.end() : end]


def _statement(text: bytes) -> bytes:
    """Without the schema and the settings before it, texts and comments; what stands in an executable comment stays."""
    plain = _NO_SYNTAX.sub(lambda found: b"``" if found[1] else b" " if found[0][:2] in (b"/*", b"*/") else b"''", text)
    before = _BEFORE_STATEMENT.match(plain)
    return plain[before.end() if before else 0 :]


def _gtid_of(info: bytes) -> str:
    found = _GTID.search(info)
    return (found[1] or found[2]).decode() if found else ""


def _is_too_far(cursor: FilePosition, end: FilePosition) -> bool:
    if cursor.number == end.number:
        return end.offset - cursor.offset > TOO_FAR_BYTES
    return end.number - cursor.number > MAX_PAGES or end.offset > TOO_FAR_BYTES


def _next_page(last: RawRow) -> tuple[int, int]:
    """Where to read on, and how many events to skip there: since 11.4 an event inside a group may tell no end."""
    return (_end_of(last), 0) if int(last[4]) else (int(last[1]), 1)


def _end_of(row: RawRow) -> int:
    """Offset after an event; the server's own figure is 32 bits wide and may have wrapped."""
    pos, end = int(row[1]), int(row[4])
    return pos + (end - pos) % 2**32
