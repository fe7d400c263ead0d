"""Where a transaction stops on paper is where the SQL thread stops."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.channel_errors import transaction_check
from backend.core.channel_errors.transaction_check import first_failing_row, stands_as_left
from backend.core.orphans.model import RowChange, RowImage
from tests.core.builders.orphan_worlds import KEYED, KEYLESS, delete, insert, row, update
from tests.core.channel_errors.replica_rows import DEFINITIONS, NAMED, ReplicaRows


def stop_of(rows: Sequence[RowChange], replica: ReplicaRows) -> tuple[int, str] | None:
    """As told on paper, in the judge's words."""
    failed = first_failing_row(rows, DEFINITIONS, replica)
    if failed is None:
        return None
    number = next(i for i, one in enumerate(rows) if one is failed.change)
    return number, "duplicate" if failed.blockers else "missing"


_NAMES = st.sampled_from([b"a", b"A", b"b", b"c"])
_SHAPES = st.sampled_from([KEYED, KEYLESS, NAMED])
_IMAGES = st.tuples(st.integers(1, 4), _NAMES).map(lambda one: row(*one))


@st.composite
def _replicas(draw: st.DrawFn) -> ReplicaRows:
    replica = ReplicaRows()
    for change in draw(st.lists(st.tuples(_SHAPES, _IMAGES), max_size=8)):
        replica.apply([insert(change[1], change[0])])
    return replica


@st.composite
def _transactions(draw: st.DrawFn) -> list[RowChange]:
    """Changes as a source executed them."""
    source, done = draw(_replicas()), list[RowChange]()
    for shape, one, what in draw(st.lists(st.tuples(_SHAPES, _IMAGES, st.integers(0, 2)), max_size=8)):
        there = source.rows[shape.name]
        before = there[one[0] % len(there)] if there else None  # type: ignore[operator]
        change = insert(one, shape) if before is None or not what else None
        change = change or (update(before, one, shape) if what == 1 and before else delete(before, shape))  # type: ignore[arg-type]
        tried = deepcopy(source)
        if tried.apply([change]) is None:
            source = tried
            done.append(change)
    return done


@given(_transactions(), _replicas())
def test_first_failing_row__any_transaction__stops_where_the_sql_thread_does(
    rows: list[RowChange], replica: ReplicaRows
) -> None:
    result = stop_of(rows, replica)
    assert result == deepcopy(replica).apply(rows)


@given(_transactions(), _replicas())
def test_stands_as_left__applied_before__told(rows: list[RowChange], replica: ReplicaRows) -> None:
    keyed = [one for one in rows if one.table != KEYLESS.table]
    if keyed and replica.apply(keyed) is None:
        assert stands_as_left(keyed, DEFINITIONS, replica)


def test_first_failing_row__the_row_differs__passes_as_the_server_lets_it() -> None:
    replica = ReplicaRows().with_rows(KEYED, row(1, b"by hand"))
    assert first_failing_row([update(row(1), row(1, b"x"))], DEFINITIONS, replica) is None


def test_first_failing_row__second_unique_key__that_row_is_shown() -> None:
    replica = ReplicaRows().with_rows(NAMED, row(7, b"a"))
    failed = first_failing_row([insert(row(1, b"a"), NAMED)], DEFINITIONS, replica)
    assert failed is not None
    assert failed.blockers == ((("name",), row(7, b"a")),)
    assert failed.differing == ("id", "twice")


def test_first_failing_row__goes_to_upper_case__is_not_in_its_own_way() -> None:
    replica = ReplicaRows().with_rows(NAMED, row(1, b"a"))
    assert first_failing_row([update(row(1, b"a"), row(1, b"A"), NAMED)], DEFINITIONS, replica) is None


def test_first_failing_row__the_row_taken_away_had_another_name_there__the_name_is_not_free() -> None:
    replica = ReplicaRows().with_rows(NAMED, row(2, b"by hand"), row(5, b"a"))
    assert stop_of([delete(row(2, b"a"), NAMED), insert(row(3, b"a"), NAMED)], replica) == (1, "duplicate")


def test_first_failing_row__equal_rows_without_a_key__counted_as_they_come_and_go() -> None:
    replica = ReplicaRows().with_rows(KEYLESS, row(1))
    gone = [delete(row(1), KEYLESS), delete(row(1), KEYLESS)]
    assert stop_of(gone, replica) == (1, "missing")
    assert stop_of([insert(row(1), KEYLESS), *gone], replica) is None


def test_first_failing_row__many_rows__asked_for_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transaction_check, "BATCH", 3)
    replica = ReplicaRows().with_rows(KEYED, row(8))
    assert stop_of([insert(row(number)) for number in range(1, 10)], replica) == (7, "duplicate")
    # A row that an earlier part of the transaction took away is missing for a later one, too.
    assert stop_of([delete(row(8)), *(insert(row(number)) for number in range(1, 10))], replica) is None


def test_stands_as_left__one_row_differs__not_told() -> None:
    replica = ReplicaRows().with_rows(KEYED, row(1), row(2, b"other"))
    assert not stands_as_left([insert(row(1)), insert(row(2))], DEFINITIONS, replica)


@pytest.mark.parametrize("left", [row(1), None])
def test_stands_as_left__inserted_and_deleted__only_the_end_counts(left: RowImage | None) -> None:
    replica = ReplicaRows().with_rows(KEYED, *([left] if left else []))
    assert stands_as_left([insert(row(1)), delete(row(1))], DEFINITIONS, replica) is (left is None)


def test_stands_as_left__no_key__cannot_be_told() -> None:
    replica = ReplicaRows().with_rows(KEYLESS, row(1))
    assert not stands_as_left([insert(row(1), KEYLESS)], DEFINITIONS, replica)


def test_stands_as_left__too_many_rows__cannot_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transaction_check, "MAX_COMPARED", 2)
    images = [row(number) for number in range(1, 6)]
    replica = ReplicaRows().with_rows(KEYED, *images)
    assert not stands_as_left([insert(one) for one in images], DEFINITIONS, replica)
