"""Locates the divergence point in a returned node's own log, and the orphans after it.

The point is the end of the seam (the last groups of the node's stream that the survivor had). It is found by the
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
        return _point(cursor, divergence, foreign_to(survivor_ids), is_source=node_id == divergence.source_node_id)
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


def _point(cursor: Cursor, divergence: Divergence, in_stream: InStream, *, is_source: bool) -> tuple[FilePosition, str]:
    if not divergence.seam:
        raise UnknownDivergenceError("the survivor had no transaction of this side to find the point by")
    reasons = []
    if is_source:
        where = _by_coordinates(cursor, divergence, in_stream)
        if isinstance(where, FilePosition):
            return where, "its own position and the transactions that end there"
        reasons.append(where)
    if divergence.applied_seqno is not None:
        found = _by_seqno(cursor, divergence, in_stream)
        if isinstance(found, FilePosition):
            return found, f"seqno {divergence.applied_seqno} and the transactions that end there"
        reasons.append(found)
    alone = _by_content(cursor, divergence, in_stream)
    if isinstance(alone, FilePosition):
        seam = pluralize(len(divergence.seam), "transaction")
        return alone, f"{seam} that {'occurs' if len(divergence.seam) == 1 else 'occur'} exactly once in its log"
    raise UnknownDivergenceError("; ".join([*reasons, alone]))


def _by_coordinates(cursor: Cursor, divergence: Divergence, in_stream: InStream) -> FilePosition | str:
    try:
        point = FilePosition(str(divergence.applied_file), int(divergence.applied_offset or 0))
    except PositionError:
        return "the survivor recorded no position"
    if point.file not in {name for name, _ in cursor.files()}:
        return f"{point.file} is no longer retained"
    # What was applied may end after events outside any group (a new file's head), never inside one.
    window = groups_before(cursor, point, in_stream, len(divergence.seam))
    if window is None or point < window.end:
        return f"{point} is inside a transaction there, so the log is a different one"
    if not are_same(window.contents()[-len(divergence.seam) :], divergence.seam):
        return f"the transactions that end at {point} are not those that the survivor had"
    return window.end


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


def _by_seqno(cursor: Cursor, divergence: Divergence, in_stream: InStream) -> FilePosition | str:
    seqno, seam = divergence.applied_seqno, list(divergence.seam)
    assert seqno is not None
    numbered, _ = find_xid(cursor, seqno, None)
    if numbered is None:
        return f"its log does not hold seqno {seqno}"
    before = groups_before(cursor, numbered.end_position, in_stream, len(seam))
    known = before.stream if before is not None else []
    after: list[Group] = []
    for group in groups_from(cursor, numbered.end_position):
        if in_stream(group):
            if group.xid is not None or len(after) == _AFTER_XID:
                break
            after.append(group)
    groups = [*known, *after]
    ends = range(len(known), len(groups) + 1)
    places = [i for i in ends if are_same([g.content for g in groups[:i]][-len(seam) :], seam)]
    if len(places) != 1 or (places[0] == len(known) and not known):
        return f"the transactions that end at seqno {seqno} are not those that the survivor had"
    return groups[places[0] - 1].end_position if places[0] > len(known) else numbered.end_position


def _by_content(cursor: Cursor, divergence: Divergence, in_stream: InStream) -> FilePosition | str:
    files, seam = cursor.files(), list(divergence.seam)
    if not files:
        return "it retains no log"
    start = FilePosition(files[0][0], FIRST_EVENT_OFFSET)
    latest: list[str] = []
    places = []
    for group in groups_from(cursor, start):
        if not in_stream(group):
            continue
        latest = [*latest, group.content][-len(seam) :]
        if are_same(latest, seam):
            places.append(group.end_position)
    if len(places) == 1:
        return places[0]
    last = f"the last {pluralize(len(seam), 'transaction')} that the survivor had"
    return f"{last} occur {len(places)} times in its log" if places else f"its log does not hold {last}"
