"""Rows that differ are found wherever they stand, and none that is on its way is called different."""

from __future__ import annotations

import json

import pytest

from backend.core.orphans.model import TableShape
from backend.core.table_comparison.walk import (
    MOST_DIFFERENT,
    MOST_LOOKS,
    Apart,
    Difference,
    Walk,
    step,
    walk_from_json,
    walk_to_json,
)
from tests.support.table_snapshots import KEYLESS, PAIRS, SHAPE, UNREADABLE, FakeSnapshots, node, put

ROWS = [(number, 10 * number) for number in range(1, 96)]


def sides(table: str = "orders", rows: list[tuple[int, ...]] | None = None) -> FakeSnapshots:
    """Two nodes with equal rows."""
    servers = {"milan": node(), "frankfurt": node()}
    for server in servers.values():
        put(server, table, ROWS if rows is None else rows)
    return FakeSnapshots(servers)


def walked(
    shape: TableShape, snapshots: FakeSnapshots, walk: Walk | None = None, rows: int = 10
) -> tuple[Walk, list[Difference]]:
    """The walk to its end, stored and read again before each step, and what it found."""
    walk, found = walk or Walk(), []
    for _ in range(200):
        if walk.is_done:
            return walk, found
        taken = step(shape, walk_from_json(json.loads(json.dumps(walk_to_json(walk)))), snapshots, rows)
        walk, found = taken.walk, [*found, *taken.found]
    raise AssertionError("it does not end")


def test_walk__equal_rows__every_row_is_compared_once() -> None:
    walk, found = walked(SHAPE, sides())
    assert (walk.rows, walk.while_written, walk.different, found) == (95, 0, 0, [])


@pytest.mark.parametrize("key", [1, 10, 11, 50, 95])
def test_walk__a_row_differs__it_is_named(key: int) -> None:
    snapshots = sides()
    put(snapshots.servers["frankfurt"], "orders", [(key, -1)])
    walk, found = walked(SHAPE, snapshots)
    assert found == [Difference("frankfurt", (key,), Apart.DIFFERENT, is_confirmed=True)]
    assert (walk.rows, walk.different) == (95, 1)


def test_walk__rows_missing_and_extra__each_is_named_also_before_and_behind_all_others() -> None:
    snapshots = sides()
    snapshots.servers["frankfurt"].execute("DELETE FROM shop.orders WHERE id IN (1, 40, 95)")
    put(snapshots.servers["frankfurt"], "orders", [(-7, 1), (900, 1)])
    _, found = walked(SHAPE, snapshots)
    named = {(one.key, one.apart) for one in found}
    missing = {((key,), Apart.MISSING) for key in (1, 40, 95)}
    assert named == missing | {((-7,), Apart.EXTRA), ((900,), Apart.EXTRA)}


def test_walk__a_key_of_two_columns__every_row_is_compared_once_and_the_right_one_named() -> None:
    rows = [(shop, part, shop * part) for shop in range(7) for part in range(9)]
    snapshots = sides("parts", rows)
    put(snapshots.servers["frankfurt"], "parts", [(3, 4, -1)])
    walk, found = walked(PAIRS, snapshots)
    assert walk.rows == len(rows)
    assert found == [Difference("frankfurt", (3, 4), Apart.DIFFERENT, is_confirmed=True)]


def test_walk__empty_on_the_reference__what_others_have_is_extra() -> None:
    snapshots = sides(rows=[(5, 5)])
    snapshots.servers["milan"].execute("DELETE FROM shop.orders")
    _, found = walked(SHAPE, snapshots)
    assert found == [Difference("frankfurt", (5,), Apart.EXTRA, is_confirmed=True)]


@pytest.mark.parametrize("touched", [("shop.orders",), None])
def test_walk__a_row_is_on_its_way__it_is_looked_up_again_and_equal(touched: tuple[str, ...] | None) -> None:
    snapshots = sides()
    put(snapshots.servers["milan"], "orders", [(50, -1)])
    snapshots.touched = touched
    walk = Walk()
    while not walk.at_end:
        taken = step(SHAPE, walk, snapshots, 10)
        walk = taken.walk
        assert not taken.found
    assert [doubt.key for doubt in walk.doubts] == [(50,)]
    put(snapshots.servers["frankfurt"], "orders", [(50, -1)])
    walk, found = walked(SHAPE, snapshots, walk)
    assert (found, walk.different, walk.rows, walk.while_written) == ([], 0, 95, 95)


def test_walk__a_doubt_and_a_quiet_moment__the_difference_is_confirmed() -> None:
    snapshots = sides()
    put(snapshots.servers["frankfurt"], "orders", [(50, -1)])
    snapshots.touched = {"shop.orders"}
    walk = Walk()
    while not walk.at_end:
        walk = step(SHAPE, walk, snapshots, 10).walk
    snapshots.touched = {"shop.others"}
    walk, found = walked(SHAPE, snapshots, walk)
    assert found == [Difference("frankfurt", (50,), Apart.DIFFERENT, is_confirmed=True)]


def test_walk__written_all_the_time__a_lasting_difference_is_told_as_unconfirmed() -> None:
    snapshots = sides()
    put(snapshots.servers["frankfurt"], "orders", [(50, -1)])
    snapshots.touched = {"shop.orders"}
    _, found = walked(SHAPE, snapshots)
    assert found == [Difference("frankfurt", (50,), Apart.DIFFERENT, is_confirmed=False)]
    looks = [sql for sql in snapshots.asked if "OR" not in sql and "WHERE (`id` = 50)" in sql]
    assert len(looks) == MOST_LOOKS * 2


def test_walk__three_nodes__each_is_compared_with_the_first() -> None:
    snapshots = sides()
    third = node()
    put(third, "orders", ROWS)
    snapshots.servers = {**snapshots.servers, "frankfurt-2": third}
    put(snapshots.servers["milan"], "orders", [(3, -1)])
    put(third, "orders", [(3, -1)])
    _, found = walked(SHAPE, snapshots)
    assert [one.node_id for one in found] == ["frankfurt"]


def test_walk__a_digest_that_the_server_cannot_compute__is_not_equal() -> None:
    snapshots = sides()
    for server in snapshots.servers.values():
        put(server, "orders", [(50, int(UNREADABLE))])
    walk, found = walked(SHAPE, snapshots)
    assert walk.is_done
    assert not found
    assert walk.sentence == "The server could not compute rows of shop.orders: 1 on milan, 1 on frankfurt."


def test_walk__most_rows_differ__it_ends_and_says_so() -> None:
    snapshots = sides(rows=[(number, 1) for number in range(2 * MOST_DIFFERENT)])
    put(snapshots.servers["frankfurt"], "orders", [(number, 2) for number in range(2 * MOST_DIFFERENT)])
    walk, found = walked(SHAPE, snapshots, rows=500)
    assert walk.sentence == f"More than {MOST_DIFFERENT} rows of shop.orders differ: the rest was not compared."
    assert len(found) > MOST_DIFFERENT


def test_walk__a_range_of_many_more_rows_on_one_node__is_told_by_its_numbers() -> None:
    snapshots = sides(rows=[(1, 1), (1000, 1)])
    put(snapshots.servers["frankfurt"], "orders", [(number, 1) for number in range(2, 200)])
    walk, _ = walked(SHAPE, snapshots)
    assert walk.sentence == "One range of shop.orders has 2 on milan, 200 on frankfurt rows: the rest was not compared."


def test_walk__no_key__number_and_sum_are_compared() -> None:
    snapshots = sides("notes", [(1, 1), (1, 1), (2, 2)])
    walk, found = walked(KEYLESS, snapshots)
    assert (walk.rows, found) == (3, [])


@pytest.mark.parametrize(
    ("change", "apart"),
    [
        ("DELETE FROM shop.notes WHERE id = 2", Apart.MISSING),
        ("INSERT INTO shop.notes VALUES (1, 1)", Apart.EXTRA),
        ("UPDATE shop.notes SET total = 3 WHERE id = 2", Apart.DIFFERENT),
    ],
)
def test_walk__no_key_and_a_difference__the_table_differs(change: str, apart: Apart) -> None:
    snapshots = sides("notes", [(1, 1), (1, 1), (2, 2)])
    snapshots.servers["frankfurt"].execute(change)
    walk, found = walked(KEYLESS, snapshots)
    assert found == [Difference("frankfurt", None, apart, is_confirmed=True)]
    assert walk.different == 1


def test_walk__no_key_and_twins_in_place_of_others__sums_differ() -> None:
    snapshots = sides("notes", [(1, 1), (2, 2), (2, 2)])
    snapshots.servers["frankfurt"].execute("DELETE FROM shop.notes WHERE id = 2")
    put(snapshots.servers["frankfurt"], "notes", [(1, 1), (1, 1)])
    _, found = walked(KEYLESS, snapshots)
    assert found == [Difference("frankfurt", None, Apart.DIFFERENT, is_confirmed=True)]


def test_walk__no_key_and_written_all_the_time__is_told_as_unconfirmed() -> None:
    snapshots = sides("notes", [(1, 1)])
    put(snapshots.servers["frankfurt"], "notes", [(2, 2)])
    snapshots.touched = None
    walk, found = walked(KEYLESS, snapshots)
    assert found == [Difference("frankfurt", None, Apart.EXTRA, is_confirmed=False)]
    assert walk.is_done
