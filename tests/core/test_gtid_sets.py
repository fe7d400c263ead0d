"""Sets of MySQL GTIDs against a model that counts single transactions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.gtid_sets import MysqlGtid, MysqlGtidSet
from backend.core.positions import PositionError

A, B = "57e801c0-e9a7-11f1-a3b8-02fc00000001", "57e801c0-e9a7-11f1-a3b8-02fc00000002"
SOURCES = [(A, ""), (A, "blue"), (B, "")]
PAIRS = st.lists(
    st.tuples(
        st.sampled_from(SOURCES), st.tuples(st.integers(1, 12), st.integers(0, 4)).map(lambda p: (p[0], p[0] + p[1]))
    ),
    max_size=6,
)
SETS = PAIRS.map(MysqlGtidSet.of)


def members(found: MysqlGtidSet) -> set[MysqlGtid]:
    """Each transaction alone."""
    return {
        MysqlGtid(*source, number)
        for source, intervals in found.intervals.items()
        for first, last in intervals
        for number in range(first, last + 1)
    }


@given(SETS, SETS)
def test_operations__any_sets__as_sets_of_transactions(one: MysqlGtidSet, other: MysqlGtidSet) -> None:
    assert members(one.minus(other)) == members(one) - members(other)
    assert members(one.plus(other)) == members(one) | members(other)
    assert one.is_contained_in(other) is (members(one) <= members(other))
    assert one.count == len(members(one))
    assert all(one.holds(gtid) is (gtid in members(one)) for gtid in members(other))
    assert members(one.without_sources([A])) == {gtid for gtid in members(one) if gtid.uuid != A}
    last = {(gtid.uuid, gtid.tag): gtid.number for gtid in sorted(members(other))}
    assert members(one.beyond(other)) == {g for g in members(one) if g.number > last.get((g.uuid, g.tag), 0)}


@given(SETS)
def test_text__any_set__is_read_back(one: MysqlGtidSet) -> None:
    assert MysqlGtidSet.parse(str(one)) == one
    assert MysqlGtidSet.parse(str(one).replace(",", ",\n")) == one


@given(SETS)
def test_holes__any_set__with_them_it_is_whole_from_one_on(one: MysqlGtidSet) -> None:
    whole = one.plus(one.holes())
    assert whole.holes().count == 0
    assert all(intervals[0][0] == 1 and len(intervals) == 1 for intervals in whole.intervals.values())


def test_parse__as_the_server_shows_it__tags_hold_for_what_is_behind_them() -> None:
    found = MysqlGtidSet.parse(f"{A}:1-18:20:blue:1,\n{B.upper()}:7")
    assert found.intervals == {(A, ""): ((1, 18), (20, 20)), (A, "blue"): ((1, 1),), (B, ""): ((7, 7),)}
    assert str(found.of_sources([B])) == f"{B}:7"
    assert MysqlGtidSet.parse("").count == 0


@pytest.mark.parametrize(
    "text", ["0-1-5", A, f"{A}:", f"{A}:0", f"{A}:5-3", f"{A}:blue", f"{A}:1:-2", f"{A}:Ü:1", f"x{A[1:]}:1", f"{A}:1-"]
)
def test_parse__not_a_set__refused(text: str) -> None:
    with pytest.raises(PositionError):
        MysqlGtidSet.parse(text)


def test_parse_one__a_set_of_several__refused() -> None:
    assert MysqlGtid.parse(f"{A}:blue:4") == MysqlGtid(A, "blue", 4)
    with pytest.raises(PositionError, match="not one GTID"):
        MysqlGtid.parse(f"{A}:1-2")
