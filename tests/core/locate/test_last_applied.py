"""What the receiving side applied last, read from its own log's end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.binlog.events import Cursor, LogEvent
from backend.core.binlog.groups import foreign_to
from backend.core.locate.last_applied import LastApplied, TailStart, read_last_applied
from backend.core.positions import FilePosition
from tests.core.builders.examples import examples
from tests.fakes.log import FakeLog
from tests.fakes.transactions import Txn

OWN = (21, 22, 23)


def log_of(server_ids: list[int], rotations: set[int], *, purge: int = 0) -> FakeLog:
    """One group each, rotated after those."""
    log = FakeLog(server_id=21)
    for n, server_id in enumerate(server_ids):
        log.append(Txn(n, server_id, f"INSERT {n}"), 5_000 + n)
        if n in rotations:
            log.rotate()
    log.purge(purge)
    return log


def read(log: FakeLog, starts: list[TailStart], wanted: int = 8, since_s: float | None = None) -> LastApplied:
    """Read the tail of the stream foreign to cluster b."""
    return read_last_applied(Cursor(log), starts, foreign_to(OWN), wanted=wanted, enough_since_s=since_s)


@examples(150)
@given(
    st.lists(st.sampled_from([11, 12, 21, 22]), max_size=40),
    st.sets(st.integers(0, 39), max_size=4),
    st.integers(0, 2),
    st.integers(1, 12),
    st.lists(st.integers(0, 39), max_size=3),
)
def test_read_applied__any_log_and_starts__a_suffix_of_the_stream(
    server_ids: list[int], rotations: set[int], purge: int, wanted: int, starts: list[int]
) -> None:
    log = log_of(server_ids, rotations, purge=purge)
    places = [log.placed[i].end for i in sorted(starts, reverse=True) if i < len(log.placed)]
    applied = read(log, [TailStart(position, 10.0) for position in places], wanted)
    files = {name for name, _ in log.files()}
    stream = [p for p in log.placed if p.txn.server_id not in OWN and p.start.file in files]
    ends = [g.end_position for g in applied.groups]
    assert ends == [p.end for p in stream][len(stream) - len(ends) :]
    assert len(ends) <= wanted
    if not ends:
        assert stream == [] or not applied.is_whole_history


def test_read_applied__newest_start_holds_enough__read_no_further() -> None:
    log = log_of([11] * 30, set())
    cursor = Cursor(log)
    start = TailStart(log.placed[19].end, 10.0)
    read_last_applied(
        cursor, [start, TailStart(log.placed[0].end, 1.0)], foreign_to(OWN), wanted=8, enough_since_s=None
    )
    assert cursor.scanned_events == 50


def test_read_applied__start_purged__the_next_one_is_used() -> None:
    log = log_of([11] * 20, {9}, purge=1)
    applied = read(log, [TailStart(FilePosition("mariadb-bin.000001", 328), 10.0)], 4)
    assert len(applied.groups) == 4


def test_read_applied__nothing_since_the_sample__says_how_far_back_it_looked() -> None:
    log = log_of([21] * 10, set())
    applied = read(log, [TailStart(log.placed[5].end, 90.0)], since_s=95.0)
    assert applied.groups == ()
    assert applied.reaches_back_to(95.0)
    assert not applied.reaches_back_to(80.0)


def test_read_applied__no_start_from_before_the_sample__read_on_without_one() -> None:
    """What came since the oldest start is not all that came since the sample."""
    log = log_of([11] * 30, set())
    assert len(read(log, [TailStart(log.placed[25].end, 10.0)], since_s=5.0).groups) == 8


def test_read_applied__whole_history_without_the_stream__said() -> None:
    applied = read(log_of([21] * 10, {3}), [])
    assert applied.groups == ()
    assert applied.is_whole_history
    assert applied.reaches_back_to(0.0)


def test_read_applied__older_logs_purged__not_the_whole_history() -> None:
    applied = read(log_of([21] * 10, {3}, purge=1), [])
    assert applied.groups == ()
    assert not applied.is_whole_history
    assert not applied.reaches_back_to(1e12)


class Counting:
    """A log that counts the events it returned."""

    def __init__(self, log: FakeLog) -> None:
        self._log, self.returned = log, 0

    def __getattr__(self, name: str) -> Any:
        """All else is the log's own."""
        return getattr(self._log, name)

    def events(self, file: str, offset: int, *, limit: int, skip: int = 0) -> Sequence[LogEvent]:
        """Counted."""
        rows = self._log.events(file, offset, limit=limit, skip=skip)
        self.returned += len(rows)
        return rows


@pytest.mark.parametrize("own_at_end", [0, 150, 5_000])
def test_read_applied__thousands_since_the_sample__read_from_near_the_end(own_at_end: int) -> None:
    log = log_of([11] * 2_000 + [21] * own_at_end, set())
    source: Any = Counting(log)
    applied = read_last_applied(
        Cursor(source), [TailStart(log.placed[0].end, 10.0)], foreign_to(OWN), wanted=8, enough_since_s=None
    )
    assert [group.end_position for group in applied.groups] == [one.end for one in log.placed[1_992:2_000]]
    assert source.returned <= 2 * 5 * own_at_end + 4_600


def test_read_applied__some_hundred_events_of_its_own_at_the_end__a_page_is_not_read_for_what_precedes_them() -> None:
    log = log_of([11] * 320 + [21] * 60, set())
    source: Any = Counting(log)
    applied = read_last_applied(
        Cursor(source), [TailStart(log.placed[0].start, 10.0)], foreign_to(OWN), wanted=8, enough_since_s=None
    )
    assert [group.end_position for group in applied.groups] == [one.end for one in log.placed[312:320]]
    assert source.returned < 700
