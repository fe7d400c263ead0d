"""Counts in sentences."""

from __future__ import annotations

import pytest

from backend.core.plural import listed, pick, pluralize


@pytest.mark.parametrize(
    ("count", "noun", "plural", "expected"),
    [
        (1, "transaction", None, "1 transaction"),
        (0, "transaction", None, "0 transactions"),
        (1_234_567, "transaction", None, "1,234,567 transactions"),
        (2, "query", "queries", "2 queries"),
        (1, "query", "queries", "1 query"),
    ],
)
def test_pluralize__count__noun_in_its_number(count: int, noun: str, plural: str | None, expected: str) -> None:
    assert pluralize(count, noun, plural) == expected


def test_pick__count__fits_the_verb() -> None:
    assert [pick(count, "is", "are") for count in (0, 1, 2)] == ["are", "is", "are"]


def test_listed__names__an_and_before_the_last() -> None:
    assert [listed(["a", "b", "c"][:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]
