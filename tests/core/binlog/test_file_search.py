"""A log of thousands of files: the one that holds a number is found by the heads of few of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.binlog.events import Cursor
from backend.core.binlog.search import find_xid
from tests.core.builders.examples import examples
from tests.fakes.log import FakeLog
from tests.fakes.transactions import Txn

FILES = 2_000


def log_of(heads: list[int | None], *, locals_in: frozenset[int] = frozenset()) -> FakeLog:
    """A file for each of these Xids, with nothing in it for None; before it a node-local number where named."""
    log = FakeLog()
    for index, xid in enumerate(heads):
        if index:
            log.rotate()
        if index in locals_in:
            log.append(Txn(5, 11, f"local {index}", is_local=True), 5)
        if xid is not None:
            log.append(Txn(xid, 11, f"INSERT {xid}"), xid)
    return log


@pytest.fixture(scope="module")
def long_log() -> FakeLog:
    """Two thousand files, and every seventh is empty."""
    return log_of([None if number % 7 == 3 else 1_000 + number for number in range(FILES)])


@pytest.mark.parametrize("number", [0, 1, 700, 1_989, FILES - 1])
def test_find_xid__two_thousand_files__reads_the_heads_of_few(long_log: FakeLog, number: int) -> None:
    long_log.calls.clear()
    group, _ = find_xid(Cursor(long_log), 1_000 + number, None)
    assert group is not None
    assert group.xid == 1_000 + number
    assert len(long_log.calls) < 100, "each head that is read is a round trip"


def test_find_xid__cluster_bootstrapped_anew__found_in_its_newest_history() -> None:
    log = log_of([*range(5_000, 5_060), *range(1, 30)])
    group, _ = find_xid(Cursor(log), 7, None)
    assert group is not None
    assert group.begin_position.file == log.files()[66][0]


@examples(20)
@given(st.sets(st.integers(0, 23)), st.sets(st.integers(0, 23)), st.integers(0, 23))
def test_find_xid__heads_without_numbers_or_of_local_ones__found_all_the_same(
    empty: set[int], local: set[int], wanted: int
) -> None:
    empty -= {wanted}
    log = log_of([None if n in empty else 1_000 + n for n in range(24)], locals_in=frozenset(local - empty))
    group, _ = find_xid(Cursor(log), 1_000 + wanted, None)
    assert group is not None
    assert group.xid == 1_000 + wanted
