"""What a plan shows of a replay and an undo: their statements, in the order they are sent in."""

from __future__ import annotations

import pytest

from backend.core.orphans.progress_marker import OrphanAction
from backend.core.orphans.report import first_statements
from tests.core.builders.orphan_worlds import book_of, insert, row

BOOK = book_of([[insert(row(1)), insert(row(2))], [insert(row(3))]])


def numbers(statements: tuple[str, ...], placeholders: tuple[str, str]) -> list[str]:
    """The id that each statement names."""
    return [sql.partition(placeholders[0])[2].partition(placeholders[1])[0] for sql in statements]


def test_shown_undo__newest_first() -> None:
    assert numbers(first_statements(BOOK, OrphanAction.UNDO), ("`id` <=> ", " ")) == ["3", "2", "1"]


def test_shown_replay__oldest_first() -> None:
    assert numbers(first_statements(BOOK, OrphanAction.REPLAY), ("VALUES (", ",")) == ["1", "2", "3"]


@pytest.mark.parametrize("way", list(OrphanAction))
def test_shown_statements__the_first_twenty_and_how_many_there_are(way: OrphanAction) -> None:
    orphan_list = book_of([[insert(row(number))] for number in range(30)])
    shown = first_statements(orphan_list, way)
    assert len(shown) == 21
    assert shown[-1] == "-- and more: 30 transactions in total"
