"""The search range: the smallest part of the new source's log that must hold the position."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from backend.core.binlog.content import are_same
from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import Group, foreign_to
from backend.core.binlog.search import GTID_SLACK, approach, gtid_seq_of, lower_bound, xid_of
from backend.core.binlog.window import Window, earlier_start, extend_back, read_to_end, read_window, to_log_end
from backend.core.locate.evidence import LowerBound, SeqnoClue
from backend.core.locate.evidence_families import content_matches, lower_bound_index
from backend.core.locate.last_applied import LastApplied
from backend.core.locate.model import FOLLOWING_GROUPS, Search
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition, MariadbGtid

_GTID_LOOKAHEAD = 64


def whole_range(search: Search, source: Cursor, groups: int, read: Window) -> Window | None:
    """All that could hold the position: from the last sampled group (itself included) to the log's end.

    It begins early enough that `groups` can be compared with those that end at the sampled one.
    Without a sample it is everything retained. A match is unique only where no earlier copy of the
    same statements can precede the part that was searched. The window `read` already is used
    where it reaches far enough.
    """
    in_stream = foreign_to(search.receiving_server_ids)
    lower_bound = search.lower_bound
    if lower_bound is None:
        files = source.files()
        return read_to_end(source, FilePosition(files[0][0], FIRST_EVENT_OFFSET), in_stream, read)
    if read.reached_log_end and _compares(read, lower_bound, groups):
        return read
    whole = read if read.reached_log_end else None
    found = whole if whole is not None and lower_bound_index(whole, lower_bound) is not None else None
    for start in starts_before(search, source, lower_bound.seqno - 1):
        if whole is not None and whole.start <= start:
            continue  # it was read from there, and that start was too late
        whole = read_to_end(source, start, in_stream, whole)
        found = whole if lower_bound_index(whole, lower_bound) is not None else found
        if _compares(whole, lower_bound, groups):
            break
    return found


def _compares(window: Window, lower_bound: LowerBound, groups: int) -> bool:
    """Whether the window holds the sampled group and N groups up to it."""
    reached = lower_bound_index(window, lower_bound)
    return reached is not None and reached + 1 >= groups


def window_for(search: Search, source: Cursor, applied: LastApplied) -> tuple[Window | None, bool]:
    """The part of the new source's log that holds the position, with enough groups before it."""
    target = _target_seqno(search)
    last: Window | None = None
    tried: FilePosition | None = None
    if target is not None:
        for checkpoint in _retained(source, search.source_checkpoints(target)):
            tried = checkpoint
            near = approach(source, checkpoint, target, xid_of) if _is_exact(search.seqno_clue) else checkpoint
            last = _read(search, source, applied, near, last)
            if _holds_place(search, last, applied) or _reaches_back(search, last, applied):
                return last, True
    start = _cold_start(search, source, applied)
    if start is None or (tried is not None and tried.number == start.number and tried < start):
        start = tried
    for _ in range(4):
        if start is None:
            break
        last = _read(search, source, applied, start, last)
        if _holds_place(search, last, applied) or _reaches_back(search, last, applied):
            return last, False
        if is_cut_short(search, last, applied):
            return _lengthened(search, source, applied, last), False
        start = earlier_start(source, start)
    return last, False


def _lengthened(search: Search, source: Cursor, applied: LastApplied, window: Window) -> Window:
    """The window extended back to all groups to compare: the last eight of an idle stream may be many files apart."""
    in_stream = foreign_to(search.receiving_server_ids)
    while is_cut_short(search, window, applied):
        longer = extend_back(source, window, in_stream)
        if longer is None:
            break
        window = longer
    return window


def is_cut_short(search: Search, window: Window, applied: LastApplied) -> bool:
    """Whether the window holds the wanted Xid and agrees before it, but does not hold all groups to compare."""
    clue = search.seqno_clue
    if not isinstance(clue, SeqnoClue) or not clue.is_exact:
        return False
    indexes = window.index_of_xid(clue.xid)
    if len(indexes) != 1:
        return False
    have = window.contents()[: indexes[0] + 1 + clue.trailing]
    wanted = [group.content for group in applied.groups]
    return len(have) < len(wanted) and (not have or are_same(wanted[-len(have) :], have))


def _read(search: Search, source: Cursor, applied: LastApplied, start: FilePosition, last: Window | None) -> Window:
    in_stream, is_past = foreign_to(search.receiving_server_ids), _is_past(search, applied)
    if is_past is to_log_end:
        return read_to_end(source, start, in_stream, last)
    return read_window(source, start, in_stream, is_past, following=FOLLOWING_GROUPS)


def starts_before(search: Search, source: Cursor, seqno: int) -> Iterator[FilePosition]:
    """Boundaries to read from, the nearest to `seqno` first, each earlier than the previous one."""
    last: FilePosition | None = None
    for checkpoint in _retained(source, search.source_checkpoints(seqno)):
        last = checkpoint
        yield checkpoint
    start = lower_bound(source, seqno, xid_of) if last is None else earlier_start(source, last)
    for _ in range(4):
        if start is None:
            return
        yield start
        start = earlier_start(source, start)


def _retained(source: Cursor, starts: Iterator[FilePosition]) -> Iterator[FilePosition]:
    """The boundaries in files that are still retained."""
    names = {name for name, _ in source.files()}
    return (start for start in starts if start.file in names)


def _cold_start(search: Search, source: Cursor, applied: LastApplied) -> FilePosition | None:
    """Skip to the wanted Xid; without one the retained logs are read from their beginning."""
    if isinstance(search.seqno_clue, SeqnoClue):
        return lower_bound(source, search.seqno_clue.xid, xid_of)
    gtid, start = applied.groups[-1].gtid, None
    if gtid is not None and search.has_cluster_wide_gtids:
        start = lower_bound(source, max(0, gtid.seq_no - GTID_SLACK), gtid_seq_of(gtid.domain))
    elif search.lower_bound is not None:
        start = lower_bound(source, search.lower_bound.seqno, xid_of)
    if start is not None:
        return start
    files = source.files()
    return FilePosition(files[0][0], FIRST_EVENT_OFFSET) if files else None


def _is_exact(clue: SeqnoClue | str) -> bool:
    return isinstance(clue, SeqnoClue) and clue.is_exact


def _target_seqno(search: Search) -> int | None:
    """The seqno that the start must precede: the wanted one, else the sampled group, which is then read itself."""
    if isinstance(search.seqno_clue, SeqnoClue):
        return search.seqno_clue.xid
    return search.lower_bound.seqno - 1 if search.lower_bound else None


def xid_above(seqno: int) -> Callable[[Group], bool]:
    return lambda group: group.xid is not None and group.xid > seqno


def _is_past(search: Search, applied: LastApplied) -> Callable[[Group], bool]:
    """When reading may stop: past the exact Xid, or well past the GTID; else at the log's end.

    A GTID counts only where it is numbered cluster-wide: else every node numbers its own, and after some restarts
    (or a full state transfer) two nodes differ by thousands (4,400 observed after half an hour).
    """
    if isinstance(search.seqno_clue, SeqnoClue) and search.seqno_clue.is_exact:
        return xid_above(search.seqno_clue.xid + search.seqno_clue.trailing)
    gtid = applied.groups[-1].gtid
    if gtid is None or not search.has_cluster_wide_gtids:
        return to_log_end
    return _gtid_passed(gtid)


def _gtid_passed(gtid: MariadbGtid) -> Callable[[Group], bool]:
    """Some groups after the wanted GTID, or (where it does not occur) far beyond its sequence."""
    behind = 0

    def is_past(group: Group) -> bool:
        nonlocal behind
        behind += bool(behind) or group.gtid == gtid
        own = group.gtid is not None and group.gtid.domain == gtid.domain
        return behind > _GTID_LOOKAHEAD or (own and group.gtid.seq_no > gtid.seq_no + GTID_SLACK)  # type: ignore[union-attr]

    return is_past


def _reaches_back(search: Search, window: Window, applied: LastApplied) -> bool:
    """Whether no earlier start could help: the position is not before the sample; all after it was compared."""
    if search.lower_bound is None or not window.reached_log_end or _is_exact(search.seqno_clue):
        return False
    return _compares(window, search.lower_bound, len(applied.groups))


def _holds_place(search: Search, window: Window, applied: LastApplied) -> bool:
    """Whether the window holds the position together with all groups to compare before it."""
    if isinstance(search.seqno_clue, SeqnoClue) and search.seqno_clue.is_exact:
        indexes = window.index_of_xid(search.seqno_clue.xid)
        return bool(indexes) and indexes[0] + 1 >= len(applied.groups)
    return bool(content_matches(window, applied.groups))
