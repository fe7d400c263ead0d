"""Monitors that share the links: whatever happens, a link soon has one owner, and no sample replaces a newer one.

One seed each stands for what goes wrong without a rule of `tests/backend/seeded_bugs/ownership_rules.py`.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.core.builders.examples import examples
from tests.sim.shared_links.faults import lived


@examples(1_000, few=4)
@given(st.integers(0, 10**6), st.booleans())
def test_worlds__any_faults__every_invariant_holds(seed: int, crash_loop: bool) -> None:
    assert lived(seed, seconds=40, crash_loop=crash_loop).faults == []


def test_world__owners_frozen_between_poll_and_store__no_two_writers() -> None:
    world = lived(0)
    assert world.faults == []
    assert world.takeovers > 10
    assert world.samples > 200


def test_world__taken_over_while_it_is_polled__no_older_sample() -> None:
    assert lived(8).faults == []


def test_world__taken_over_while_a_slow_poll_runs__no_older_sample() -> None:
    assert lived(34).faults == []


def test_world__missed_poll_before_a_freeze_and_a_slow_one_after__no_older_sample() -> None:
    assert lived(100).faults == []


def test_world__monitors_that_start_and_freeze_again_and_again__no_link_without_owner() -> None:
    assert lived(0, seconds=20, crash_loop=True).faults == []


def test_judge__database_without_row_locks__two_writers_are_seen() -> None:
    assert any("two writers" in fault for fault in lived(1, respects_locks=False).faults)
