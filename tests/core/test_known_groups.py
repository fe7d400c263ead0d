"""Counting what the other side lacks in what was read of several nodes' logs."""

from __future__ import annotations

import random

import pytest

from backend.core.known_groups import MOST_STRETCHES, AppliedPlace, KnownGroups, Stretch, time_text

DDL = None


def log(*seqnos: int | None) -> KnownGroups:
    """One log whose groups are all of the stream."""
    return KnownGroups.of_log((seqno, True) for seqno in seqnos)


def test_of_log__holes_in_the_numbers__only_groups_are_counted() -> None:
    """Not every seqno is a transaction: views and failed certifications use some."""
    found = log(10, 11, 14, 15, 19)
    assert found.stretches == (Stretch(10, 11), Stretch(14, 15), Stretch(19, 19))
    assert [found.after(AppliedPlace(seqno)) for seqno in (9, 10, 12, 15, 19, 25)] == [5, 4, 3, 1, 0, 0]


def test_of_log__other_origins__not_counted_and_a_ddl_behind_one_is() -> None:
    found = KnownGroups.of_log([(10, True), (11, False), (DDL, True), (DDL, False), (12, False), (13, True)])
    assert [found.after(AppliedPlace(seqno)) for seqno in (9, 10, 11, 12)] == [3, 2, 2, 1]
    assert found.after(AppliedPlace(10, 1)) == 1, "the relay log has the DDL behind 10: it does not hold 11"


def test_of_log__number_falls__only_what_follows_counts() -> None:
    """Bootstrapped anew, or a write with wsrep_on=OFF, whose number is none of the cluster."""
    assert log(900, 901, 3, 4).stretches == (Stretch(3, 4),)
    assert log(900, 35, 901).after(AppliedPlace(899)) == 1, "fewer than there are, never more"


def test_of_log__begins_with_a_ddl__nobody_knows_where_it_belongs() -> None:
    assert log(DDL, 10).after(AppliedPlace(5)) == 1


@pytest.mark.parametrize(
    ("one", "other", "counts"),
    [
        ([10, 11], [11, 12, 13], {9: 4, 10: 3, 12: 1}),
        ([10, DDL, 11], [10, DDL, DDL, 11, 12], {9: 5, 10: 4, 11: 1}),
        ([10, DDL], [10, 11], {9: 3, 10: 2}),
        ([], [10], {9: 1}),
        ([10], [], {9: 1}),
        ([30], [10], {9: 2, 20: 1}),
    ],
)
def test_joined__a_neighbour_was_read_further__counts_once(
    one: list[int | None], other: list[int | None], counts: dict[int, int]
) -> None:
    for joined in (log(*one).joined(log(*other)), log(*other).joined(log(*one))):
        assert {seqno: joined.after(AppliedPlace(seqno)) for seqno in counts} == counts


def test_joined__parts_of_one_stream__as_the_whole() -> None:
    dice = random.Random(7)
    for _ in range(300):
        stream: list[int | None] = []
        seqno = 100
        for _ in range(dice.randrange(1, 30)):
            seqno += dice.choice((1, 1, 1, 2, 5))
            stream.append(seqno)
            stream += [DDL] * dice.choice((0, 0, 0, 1, 2))
        numbered = [place for place, one in enumerate(stream) if one is not None]
        parts = [log(*stream[dice.choice(numbered) :]), log(*stream[: dice.randrange(1, len(stream) + 1)])]
        joined = parts[0].joined(parts[1]).joined(log())
        begin = dice.choice(numbered)
        place = AppliedPlace(stream[begin] or 0)
        behind = len(stream) - begin - 1
        assert joined.after(place) <= behind
        assert KnownGroups(()).joined(log(*stream)).after(place) == behind
        assert max(part.after(place) for part in parts) <= joined.after(place)


@pytest.mark.parametrize(("place", "is_beyond"), [((12, 0), False), ((12, 1), False), ((12, 2), True), ((13, 0), True)])
def test_ends_before__replica_has_more_than_was_read__told(place: tuple[int, int], is_beyond: bool) -> None:
    assert log(10, 12, DDL).ends_before(AppliedPlace(*place)) is is_beyond


def test_json__many_stretches__the_newest_are_kept_and_the_bound_holds() -> None:
    found = log(*range(10, 10 + 3 * MOST_STRETCHES, 2))
    again = KnownGroups.from_json(found.to_json())
    assert len(again.stretches) == MOST_STRETCHES
    assert again.after(AppliedPlace(0)) == MOST_STRETCHES < found.after(AppliedPlace(0))
    last = found.stretches[-3].last
    assert again.after(AppliedPlace(last)) == found.after(AppliedPlace(last)) == 2


def test_time_text__date_and_zone() -> None:
    assert time_text(1_800_000_000.0) == "2027-01-15 08:00:00 UTC"
