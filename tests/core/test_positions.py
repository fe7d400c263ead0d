"""Positions as values: parsed once, compared only within one space."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.positions import (
    FilePosition,
    MariadbGtid,
    MariadbGtidSet,
    NotComparableError,
    PositionError,
    Seqno,
)
from tests.core.builders.examples import examples

UUID = "01234567-89ab-cdef-0123-456789abcdef"
OTHER = "11234567-89ab-cdef-0123-456789abcdef"

numbers = st.integers(1, 9_999_999)
offsets = st.integers(4, 2**40)
positions = st.builds(lambda n, o: FilePosition(f"mariadb-bin.{n:06d}", o), numbers, offsets)
gtids = st.builds(MariadbGtid, st.integers(0, 5), st.integers(1, 99), st.integers(1, 2**63))
gtid_sets = st.lists(gtids, max_size=8).map(MariadbGtidSet.of)


@examples(100)
@given(positions)
def test_file_position__written_and_read_back__equal(position: FilePosition) -> None:
    assert FilePosition.parse(str(position)) == position


@examples(100)
@given(positions, positions)
def test_file_position__compared__by_number_then_offset(one: FilePosition, other: FilePosition) -> None:
    assert (one < other) == ((one.number, one.offset) < (other.number, other.offset))
    assert (one <= other) == (one < other or one == other)


def test_file_position__number_grows_past_six_digits__still_after() -> None:
    assert FilePosition("mariadb-bin.999999", 900) < FilePosition("mariadb-bin.1000000", 4)


def test_file_position__other_base__not_comparable() -> None:
    with pytest.raises(NotComparableError):
        _ = FilePosition("mariadb-bin.000001", 4) < FilePosition("mysql-bin.000002", 4)


@pytest.mark.parametrize(
    "text",
    [
        *("", ":4", "mariadb-bin.000001", "mariadb-bin.000001:", "mariadb-bin.000001:3", "mariadb-bin.000001:-4"),
        *("mariadb-bin.01:4", "mariadb-bin:4", "a'b.000001:4", "../x/y.000001:4", "mariadb-bin.000001:4x", "x:+4"),
    ],
)
def test_file_position__not_one__refused(text: str) -> None:
    with pytest.raises(PositionError):
        FilePosition.parse(text)


@examples(100)
@given(st.text(max_size=40))
def test_file_position__any_text__read_exactly_or_refused(text: str) -> None:
    try:
        position = FilePosition.parse(text)
    except PositionError:
        return
    assert position.file == text.rpartition(":")[0]


@pytest.mark.parametrize(("uuid", "number"), [("", 1), (UUID.upper(), 1), (UUID + "0", 1), (UUID, -1)])
def test_seqno__not_one__refused(uuid: str, number: int) -> None:
    with pytest.raises(PositionError):
        Seqno(uuid, number)


@examples(100)
@given(gtids)
def test_gtid__written_and_read_back__equal(gtid: MariadbGtid) -> None:
    assert MariadbGtid.parse(str(gtid)) == gtid


@pytest.mark.parametrize("text", ["", "0-1", "0-1-2-3", "a-1-2", "0-1-", "0--1-2", "0-1-2,0-1-3"])
def test_gtid__not_one__refused(text: str) -> None:
    with pytest.raises(PositionError):
        MariadbGtid.parse(text)


@examples(100)
@given(gtid_sets)
def test_gtid_set__written_and_read_back__equal_and_one_a_domain(gtids: MariadbGtidSet) -> None:
    assert MariadbGtidSet.parse(str(gtids)) == gtids
    assert len({g.domain for g in gtids}) == len(gtids.by_domain)


@examples(100)
@given(gtid_sets, gtid_sets, gtid_sets)
def test_gtid_set__containment__a_partial_order(a: MariadbGtidSet, b: MariadbGtidSet, c: MariadbGtidSet) -> None:
    assert a.is_contained_in(a)
    assert MariadbGtidSet().is_contained_in(a)
    if a.is_contained_in(b) and b.is_contained_in(c):
        assert a.is_contained_in(c)
    joined = MariadbGtidSet.of([*a, *b])
    assert a.is_contained_in(joined)
    assert b.is_contained_in(joined)
