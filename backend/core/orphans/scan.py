"""Locates the divergence point in a returned node's own log, and the orphans after it.

The point is the end of the seam (the last groups of the node's stream that the survivor had; those that its channel is
known to have passed without applying them stand between them in the node's log). It is found by the
binlog position that the survivor had applied if that very node returned, else by its Xid, else by
the only occurrence of the seam in the retained logs. Anything less is reported as unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from backend.core.binlog.content import ContentsDigest, are_same
from backend.core.binlog.events import Cursor, EventBudgetError
from backend.core.binlog.groups import Group, InStream, UnknownEventError, foreign_to, groups_from
from backend.core.binlog.search import find_xid
from backend.core.binlog.window import Window, earlier_start, extend_back, page_boundaries, read_window, to_log_end
from backend.core.link_facts import Divergence
from backend.core.orphans.transactions import (
    MAX_SCHEMA_CHANGES,
    is_about_accounts,
    is_schema_change,
    is_trivial,
)
from backend.core.plural import pluralize
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition, PositionError

_AFTER_XID = 64


class UnknownDivergenceError(Exception):
    """The divergence point is unknown in this log; the sentence says why."""


@dataclass(slots=True)
class DivergedLog:
    """One node's log after the divergence point: what `measure` found there, and the log's end at that time.

    `orphans` only where all of them were requested at once.
    """

    begins: FilePosition
    found_by: str
    ends: FilePosition = field(init=False)
    contents: ContentsDigest = field(default_factory=ContentsDigest)
    last_begin: FilePosition | None = None
    last_content: str = ""
    """The last group of all after the point, by which the log is recognized later."""
    accounts: int = 0
    schema_changes: list[str] = field(default_factory=list)
    """Statements that change table definitions, as the log's pages show them; up to one more than the limit."""
    orphans: tuple[Group, ...] = ()

    def __post_init__(self) -> None:
        self.ends = self.begins

    @property
    def count(self) -> int:
        """The number of groups that `measure` found."""
        return self.contents.count


def split_at_divergence(
    cursor: Cursor, divergence: Divergence, survivor_ids: Sequence[int], *, node_id: str
) -> DivergedLog:
    """Find the point and read on to the log's end; raises UnknownDivergenceError, NodeError."""
    found = DivergedLog(*divergence_point(cursor, divergence, survivor_ids, node_id=node_id))
    found.orphans = tuple(groups_behind(cursor, found, survivor_ids))
    return found


def divergence_point(
    cursor: Cursor, divergence: Divergence, survivor_ids: Sequence[int], *, node_id: str
) -> tuple[FilePosition, str]:
    """The point, and how it was found; raises UnknownDivergenceError, NodeError."""
    try:
        return _Search(cursor, divergence, foreign_to(survivor_ids), node_id).point()
    except (UnknownEventError, EventBudgetError) as error:
        raise UnknownDivergenceError(f"its log cannot be read to the end: {error}") from error


def groups_behind(cursor: Cursor, log: DivergedLog, survivor_ids: Sequence[int]) -> Iterator[Group]:
    """The groups after the point that are not the survivor's, one at a time; `log.ends` is the position read up to."""
    in_stream = foreign_to(survivor_ids)
    log.ends = log.begins
    try:
        for group in groups_from(cursor, log.begins):
            log.ends = group.end_position
            if in_stream(group):
                yield group
    except (UnknownEventError, EventBudgetError) as error:
        raise UnknownDivergenceError(f"its log cannot be read to the end: {error}") from error


def measure(cursor: Cursor, log: DivergedLog, survivor_ids: Sequence[int]) -> None:
    """Count the groups after the point and digest their content, without storing them."""
    for group in groups_behind(cursor, log, survivor_ids):
        log.accounts += is_about_accounts(group)
        log.last_begin, log.last_content = group.begin_position, group.content
        if not is_trivial(group):
            log.contents.add(group.content)
        if is_schema_change(group) and len(log.schema_changes) <= MAX_SCHEMA_CHANGES:
            log.schema_changes.append(group.statement or "")


@dataclass(frozen=True, slots=True)
class _Search:
    """Of one node's log for the place up to which the survivor had its stream."""

    cursor: Cursor
    divergence: Divergence
    in_stream: InStream
    node_id: str

    def point(self) -> tuple[FilePosition, str]:
        """By each way in turn."""
        seam, seqno = self.divergence.seam, self.divergence.applied_seqno
        if not seam:
            raise UnknownDivergenceError("the survivor had no transaction of this side to find the point by")
        reasons = []
        if self.node_id == self.divergence.source_node_id:
            where = self._by_coordinates()
            if isinstance(where, FilePosition):
                return where, "its own position and the transactions that end there"
            reasons.append(where)
        if seqno is not None:
            found = self._by_seqno(seqno)
            if isinstance(found, FilePosition):
                return found, f"seqno {seqno} and the transactions that end there"
            reasons.append(found)
        alone = self._by_content()
        if isinstance(alone, FilePosition):
            times = "occurs" if len(seam) == 1 else "occur"
            return alone, f"{pluralize(len(seam), 'transaction')} that {times} exactly once in its log"
        raise UnknownDivergenceError("; ".join([*reasons, alone]))

    def _was_passed_over(self, group: Group) -> bool:
        """Whether the survivor's channel passed it without applying it."""
        return any(one.is_group(group.xid, group.gtid_text, self.node_id) for one in self.divergence.passed_over)

    def _had(self, groups: Sequence[Group]) -> list[Group]:
        return [group for group in groups if not self._was_passed_over(group)]

    def _before(self, point: FilePosition) -> Window | None:
        wanted = len(self.divergence.seam) + len(self.divergence.passed_over)
        return groups_before(self.cursor, point, self.in_stream, wanted)

    def _is_seam(self, groups: Sequence[Group]) -> bool:
        return are_same([group.content for group in groups][-len(self.divergence.seam) :], self.divergence.seam)

    def _by_coordinates(self) -> FilePosition | str:
        try:
            point = FilePosition(str(self.divergence.applied_file), int(self.divergence.applied_offset or 0))
        except PositionError:
            return "the survivor recorded no position"
        if point.file not in {name for name, _ in self.cursor.files()}:
            return f"{point.file} is no longer retained"
        # What was applied may end after events outside any group (a new file's head), never inside one.
        window = self._before(point)
        if window is None or point < window.end:
            return f"{point} is inside a transaction there, so the log is a different one"
        if not self._is_seam(self._had(window.stream)):
            return f"the transactions that end at {point} are not those that the survivor had"
        return window.end

    def _by_seqno(self, seqno: int) -> FilePosition | str:
        numbered, _ = find_xid(self.cursor, seqno, None)
        if numbered is None:
            return f"its log does not hold seqno {seqno}"
        before = self._before(numbered.end_position)
        known = self._had(before.stream) if before is not None else []
        after: list[Group] = []
        for group in groups_from(self.cursor, numbered.end_position):
            if self.in_stream(group):
                if group.xid is not None or len(after) == _AFTER_XID:
                    break
                after += self._had([group])
        groups = [*known, *after]
        places = [i for i in range(len(known), len(groups) + 1) if self._is_seam(groups[:i])]
        if len(places) != 1 or (places[0] == len(known) and not known):
            return f"the transactions that end at seqno {seqno} are not those that the survivor had"
        return groups[places[0] - 1].end_position if places[0] > len(known) else numbered.end_position

    def _by_content(self) -> FilePosition | str:
        files, count = self.cursor.files(), len(self.divergence.seam)
        if not files:
            return "it retains no log"
        latest: list[Group] = []
        places = []
        for group in groups_from(self.cursor, FilePosition(files[0][0], FIRST_EVENT_OFFSET)):
            if not self.in_stream(group) or self._was_passed_over(group):
                continue
            latest = [*latest, group][-count:]
            if self._is_seam(latest):
                places.append(group.end_position)
        if len(places) == 1:
            return places[0]
        last = f"the last {pluralize(count, 'transaction')} that the survivor had"
        return f"{last} occur {len(places)} times in its log" if places else f"its log does not hold {last}"


def groups_before(cursor: Cursor, point: FilePosition, in_stream: InStream, wanted: int) -> Window | None:
    """The groups before `point`, far enough back to include `wanted` of the stream."""
    starts = [p for p in page_boundaries(cursor, point.file) if p.offset < point.offset]
    start: FilePosition | None = starts[-1] if starts else earlier_start(cursor, point)
    window = read_window(cursor, start, in_stream, to_log_end, following=0, until=point) if start is not None else None
    while window is not None and len(window.stream) < wanted:
        longer = extend_back(cursor, window, in_stream)
        if longer is None:
            break
        window = longer
    return window
