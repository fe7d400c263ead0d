"""Searching a log: the bound is never behind the target, lookups equal brute force, production is not stalled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.binlog.events import FIRST_ROWS, HUGE_FILE_ROWS, MAX_SKIP_EVENTS, Cursor, EventBudgetError
from backend.core.binlog.file_search import is_beginning_of_history
from backend.core.binlog.groups import Group, foreign_to
from backend.core.binlog.search import find_xid, gtid_seq_of, lower_bound, xid_of
from backend.core.binlog.window import earlier_start, page_boundaries, read_window
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition, MariadbGtid
from tests.core.builders.built_logs import log_of
from tests.core.builders.examples import examples
from tests.fakes.log import FakeLog, Placed
from tests.fakes.transactions import Txn


def retained(log: FakeLog) -> list[Placed]:
    """What can still be read."""
    files = {name for name, _ in log.files()}
    return [p for p in log.placed if p.start.file in files]


def assert_gentle(log: FakeLog) -> None:
    """No call reads or skips more than production stands."""
    assert all(skip <= MAX_SKIP_EVENTS and limit <= MAX_SKIP_EVENTS for skip, limit in log.calls)


SMALL = st.lists(
    st.one_of(
        st.tuples(st.just("dml"), st.integers(1, 40)),
        st.tuples(st.just("ddl"), st.integers(1, 3)),
        st.tuples(st.just("local"), st.integers(1, 3)),
        st.tuples(st.just("hole"), st.integers(1, 50)),
        st.tuples(st.just("rotate"), st.just(0)),
        st.tuples(st.just("big"), st.integers(2, 300)),
    ),
    min_size=1,
    max_size=14,
)


def test_events__long_ones__a_page_has_few_of_them() -> None:
    """The server sends a page with its log locked."""
    log = FakeLog()
    for xid in range(1, 41):
        log.append(Txn(xid, 11, f"LOAD {xid}", row_events=10, row_bytes=1_000_000), xid)
    start = FilePosition(log.files()[0][0], FIRST_EVENT_OFFSET)
    read = list(Cursor(log).events_from(start))
    limits = [limit for _, limit in log.calls]
    assert sum(event.type == "Xid" for event in read) == 40
    assert limits[0] == FIRST_ROWS
    assert max(limits[1:]) < 20, limits


def test_events__short_ones_before_a_huge_transaction__its_page_has_few_of_them() -> None:
    """A page of 2,000 events of 2 MB is 4 GB, and the server sends it with its log locked."""
    log = FakeLog()
    for xid in range(1, 201):
        log.append(Txn(xid, 11, f"SHORT {xid}", row_events=10, row_bytes=50), xid)
    log.append(Txn(201, 11, "HUGE", row_events=1_200, row_bytes=2_000_000), 201)
    read = list(Cursor(log).events_from(FilePosition(log.files()[0][0], FIRST_EVENT_OFFSET)))
    assert sum(event.type == "Xid" for event in read) == 201
    assert max(limit for _, limit in log.calls) <= HUGE_FILE_ROWS


@examples(150)
@given(SMALL, st.integers(0, 3), st.data())
def test_find_xid__any_log__equals_brute_force(pieces: list[tuple[str, int]], purge: int, data: st.DataObject) -> None:
    log = log_of(pieces, purge=purge)
    numbers = [p.xid for p in retained(log) if p.xid is not None and not p.txn.is_local]
    wanted = data.draw(st.sampled_from(numbers) | st.integers(990, 1_300) if numbers else st.integers(990, 1_300))
    group, _ = find_xid(Cursor(log), wanted, None)
    expected = [p.end for p in retained(log) if p.xid == wanted and not p.txn.is_local]
    assert ([group.end_position] if group else []) == expected
    assert_gentle(log)


@examples(100)
@given(SMALL, st.integers(0, 3), st.data())
def test_find_xid__checkpoint_anywhere__same_answer(
    pieces: list[tuple[str, int]], purge: int, data: st.DataObject
) -> None:
    log = log_of(pieces, purge=purge)
    numbers = [p.xid for p in retained(log) if p.xid is not None and not p.txn.is_local]
    if not numbers:
        return
    wanted = data.draw(st.sampled_from(numbers))
    checkpoint = data.draw(st.sampled_from(log.placed)).end
    group, _ = find_xid(Cursor(log), wanted, checkpoint)
    assert group is not None
    assert group.xid == wanted


def test_find_xid__node_local_writes_behind_a_long_transaction__not_skipped_past_it() -> None:
    """Their numbers are lower than its own, so that it seemed to lie behind them."""
    log = log_of([("big", 179), ("local", 3)], purge=0)
    for checkpoint in (None, log.placed[0].end):
        group, _ = find_xid(Cursor(log), 1001, checkpoint)
        assert group is not None
        assert group.end_position == log.placed[0].end


def test_find_xid__later_files_of_node_local_writes_alone__found_in_the_file_before_them() -> None:
    log = log_of([("dml", 1), ("rotate", 0), ("local", 1), ("rotate", 0), ("local", 1)], purge=0)
    for checkpoint in (None, log.placed[0].end):
        group, _ = find_xid(Cursor(log), 1001, checkpoint)
        assert group is not None
        assert group.end_position == log.placed[0].end


@examples(150)
@given(SMALL, st.integers(990, 1_300))
def test_lower_bound__any_log__at_or_before_the_first_that_reaches_it(
    pieces: list[tuple[str, int]], value: int
) -> None:
    log = log_of(pieces)
    bound = lower_bound(Cursor(log), value, xid_of)
    assert bound is not None
    first = next((p for p in log.placed if p.xid is not None and p.xid >= value and not p.txn.is_local), None)
    if first is not None:
        assert bound <= first.start


LONG: list[list[tuple[str, int]]] = [
    [("dml", 9_000)],
    [("dml", 3_000), ("rotate", 0), ("dml", 3_000), ("rotate", 0), ("dml", 3_000)],
    [("dml", 2_000), ("big", 2_500), ("dml", 500), ("big", 25_000), ("dml", 2_000)],
    [("dml", 2_000), ("ddl", 4_000), ("dml", 2_000)],
]


@pytest.mark.parametrize("pieces", LONG, ids=range(len(LONG)))
def test_find_xid__long_logs__found_in_skips_of_at_most_20_000(pieces: list[tuple[str, int]]) -> None:
    log = log_of(pieces)
    numbers = [p for p in log.placed if p.xid is not None and not p.txn.is_local]
    for placed in (numbers[0], numbers[len(numbers) // 3], numbers[len(numbers) // 2], numbers[-1]):
        group, led = find_xid(Cursor(log), placed.xid or 0, None)
        assert group is not None
        assert group.end_position == placed.end
        assert not led
    assert_gentle(log)
    assert max(skip for skip, _ in log.calls) > 1_000


def test_find_xid__oldest_file_purged_and_headed_by_a_huge_group__still_found() -> None:
    log = log_of([("dml", 20), ("rotate", 0), ("big", 6_000), ("dml", 50)], purge=1)
    wanted = log.placed[-10]
    group, _ = find_xid(Cursor(log), wanted.xid or 0, None)
    assert group is not None
    assert group.end_position == wanted.end


def test_find_xid__checkpoint_in_a_purged_file__cold_search() -> None:
    log = log_of([("dml", 20), ("rotate", 0), ("dml", 20)], purge=1)
    group, led = find_xid(Cursor(log), log.placed[-3].xid or 0, log.placed[2].end)
    assert group is not None
    assert not led


def test_find_xid__from_a_checkpoint__reads_little() -> None:
    log = log_of([("dml", 5_000)])
    cursor = Cursor(log)
    group, led = find_xid(cursor, log.placed[-5].xid or 0, log.placed[-9].end)
    assert group is not None
    assert led
    assert cursor.scanned_events < 1_000


def test_lower_bound__by_gtid_sequence__of_that_domain_only() -> None:
    log = FakeLog()
    for n in range(300):
        log.append(Txn(n, 11, f"{n}"), 1_000 + n, MariadbGtid(n % 2, 11, 10 * n + 1))
    bound = lower_bound(Cursor(log), 2_001, gtid_seq_of(0))
    assert bound is not None
    assert bound <= log.placed[200].start
    assert gtid_seq_of(7)(log.events(log.placed[0].start.file, log.placed[0].start.offset, limit=1)[0]) is None


def test_cursor__skip_larger_than_production_stands__refused() -> None:
    with pytest.raises(ValueError, match="stall"):
        Cursor(FakeLog()).page("mariadb-bin.000001", 4, limit=1, skip=MAX_SKIP_EVENTS + 1)


def test_cursor__budget_used_up__stops() -> None:
    log = log_of([("dml", 500)])
    with pytest.raises(EventBudgetError):
        list(Cursor(log, budget_events=1_000).events_from(log.start))


def test_events_from__log_rotates_while_read__nothing_is_skipped() -> None:
    log = log_of([("dml", 30)])
    left = [3]

    def write_and_rotate() -> None:
        if left[0]:
            left[0] -= 1
            log.append(Txn(9_000 + left[0], 11, f"late {left[0]}"), 9_000 - left[0])
            log.rotate()

    log.on_read = write_and_rotate
    seen = [e.info for e in Cursor(log).events_from(log.start) if e.type == "Annotate_rows"]
    assert seen == [p.txn.statement for p in log.placed]


@examples(100)
@given(SMALL, st.data())
def test_read_window__any_start_and_target__complete_between_them(
    pieces: list[tuple[str, int]], data: st.DataObject
) -> None:
    log = log_of(pieces)
    if not log.placed:
        return
    begin = data.draw(st.sampled_from(log.placed)).start
    target = data.draw(st.integers(990, 1_300))

    def is_past(group: Group) -> bool:
        return group.xid is not None and group.xid > target

    window = read_window(Cursor(log), begin, foreign_to((12,)), is_past, following=2)
    behind = [p for p in log.placed if begin <= p.start]
    stream = [p for p in behind if p.txn.server_id != 12]
    assert [g.end_position for g in window.stream] == [p.end for p in stream[: len(window.stream)]]
    if window.reached_log_end:
        assert len(window.stream) == len(stream)
    else:
        assert sum(1 for g in window.stream if is_past(g)) == 3
    for placed in behind[: len(window.stream) + len(window.outside_stream)]:
        if placed.xid is not None and placed.end <= window.end:
            assert len(window.index_of_xid(placed.xid)) >= 1


@examples(100)
@given(SMALL, st.data())
def test_window__put_together_from_two__as_if_read_in_one(pieces: list[tuple[str, int]], data: st.DataObject) -> None:
    log = log_of(pieces)
    if not log.placed:
        return
    begin = data.draw(st.sampled_from(log.placed)).start
    middle = data.draw(st.sampled_from([p.start for p in log.placed if begin <= p.start]))
    in_stream = foreign_to((12,))
    after = read_window(Cursor(log), middle, in_stream, lambda _: False, following=0)
    before = read_window(Cursor(log), begin, in_stream, lambda _: False, following=0, until=after.first)
    assert before.followed_by(after) == read_window(Cursor(log), begin, in_stream, lambda _: False, following=0)


def test_page_boundaries__long_file__every_20_000_events() -> None:
    log = log_of([("dml", 9_000)])
    boundaries = page_boundaries(Cursor(log), log.retained[0].name)
    assert len(boundaries) == 3
    assert boundaries[0] == FilePosition(log.retained[0].name, 4)


def test_earlier_start__walks_back_to_the_beginning__then_none() -> None:
    log = log_of([("dml", 9_000), ("rotate", 0), ("dml", 10)])
    cursor, start, steps = Cursor(log), log.end, 0
    current: FilePosition | None = start
    while current is not None:
        earlier = earlier_start(cursor, current)
        assert earlier is None or earlier < current
        current, steps = earlier, steps + 1
    assert steps == 5


def test_is_beginning_of_history__first_file_purged__no() -> None:
    assert is_beginning_of_history(Cursor(log_of([("dml", 3), ("rotate", 0), ("dml", 3)])))
    assert not is_beginning_of_history(Cursor(log_of([("dml", 3), ("rotate", 0), ("dml", 3)], purge=1)))


def test_find_xid__rows_of_megabytes__skipped_by_their_bytes() -> None:
    """The server reads every byte that it skips, and no one commits meanwhile (4.3 GB in 31 s on 10.11.19)."""
    log = FakeLog()
    for n in range(1, 4_001):
        log.append(Txn(n, 11, f"INSERT {n}", row_bytes=2_000_000), n)
    group, _ = find_xid(Cursor(log), 3_900, None)
    assert group is not None
    assert group.xid == 3_900
    assert max(skip for skip, _ in log.calls) < 1_000
