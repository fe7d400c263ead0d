"""Counts are written in the same form everywhere."""

from __future__ import annotations

import pytest

from backend.core.plural import pick, pluralize


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1_234_567, "1,234,567 rows")]
)
def test_counted__number__fits_the_noun(number: int, expected: str) -> None:
    assert pluralize(number, "row") == expected


def test_counted__irregular_plural__is_used_for_all_but_one() -> None:
    assert pluralize(1, "query", "queries") == "1 query"
    assert pluralize(3, "query", "queries") == "3 queries"


def test_pick__number__fits_the_verb() -> None:
    assert [pick(number, "is", "are") for number in (0, 1, 2)] == ["are", "is", "are"]
