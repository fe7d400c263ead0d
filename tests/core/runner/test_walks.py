"""Every plan walked unbroken, and broken at every point: same end, nothing sent twice, never two channels."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.builders.examples import examples, moments
from tests.core.builders.situations import SITUATIONS, Situation
from tests.core.runner.walks import EXHAUSTED, assert_verified, channel_shapes, drive_to_end, unbroken, walked_with_some
from tests.fakes.driver import Memory, Walker, run_to_end
from tests.fakes.gateway import FakeGateway, Fault

FEWER_SENT = ("all_stopped", "replica_back_behind_and_kept", "gtid_source_lost", "remove_channels_and_a_stray")
"""Situations in which a planned statement is not needed."""
LOSSES = [f for f in Fault if f not in (Fault.REFUSED, Fault.WARNED)]


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda s: s.name)
def test_walk__undisturbed__verified_and_every_statement_as_planned(situation: Situation) -> None:
    world, plan = situation.build()
    memory = run_to_end(world, plan)
    assert_verified(world, memory, channel_shapes(world))
    planned = [(step.node, step.sql[0]) for step in plan.steps if step.sql]
    left = iter(planned)
    for executed in world.executed:
        node, sql = next((n, q) for n, q in left if n == executed.node and _is_filled(q, executed.sql))
        assert (node, _is_filled(sql, executed.sql)) == (executed.node, True)
    # The reverse channel stays as it is, the replica that stays has the GTID position already, a stray one is stopped.
    if situation.name not in FEWER_SENT:
        assert len(world.executed) == len(planned)


def _is_filled(planned: str, sent: str) -> bool:
    """Equal but for what only the run can know: late positions and the probe's token; never a password."""
    placeholders = re.compile(r"\{\{(?:(?:forward|reverse)\.(?:file|offset|gtid)|probe)\}\}")
    pieces = [re.escape(piece) for piece in placeholders.split(planned)]
    return re.fullmatch(r"[\w.,\-]+".join(pieces), sent) is not None


@pytest.mark.parametrize("stores", [False, True], ids=["before_storing", "after_storing"])
@pytest.mark.parametrize("situation", EXHAUSTED, ids=lambda s: s.name)
def test_walk__dies_at_any_transition__successor_reaches_the_same_end(situation: Situation, stores: bool) -> None:
    expected, transitions, _ = unbroken(situation)
    for at in moments(transitions, SITUATIONS.index(situation) + stores, one_in=3):
        world, plan = situation.build()
        gateway = FakeGateway(world)
        memory = run_to_end(world, plan, gateway, dies_at=at + 1, dies_after_storing=stores)
        drive_to_end(world, memory, gateway)
        assert_verified(world, memory, expected)


@pytest.mark.parametrize(
    ("fault", "runs_before_kill"),
    [(Fault.DIES_BEFORE, False), (Fault.DIES_AFTER, False), (Fault.DIES_LATE, False), (Fault.DIES_LATE, True)],
)
@pytest.mark.parametrize("situation", EXHAUSTED, ids=lambda s: s.name)
def test_walk__dies_while_a_statement_runs__successor_looks_first(
    situation: Situation, fault: Fault, runs_before_kill: bool
) -> None:
    for world, memory, gateway in walked_with_some(situation, fault, runs_before_kill):
        drive_to_end(world, memory, gateway)
        assert_verified(world, memory, unbroken(situation)[0])


@pytest.mark.parametrize(
    ("fault", "runs_before_kill"),
    [(Fault.LOST_BEFORE, False), (Fault.LOST_AFTER, False), (Fault.LATE, False), (Fault.LATE, True)],
)
@pytest.mark.parametrize("situation", EXHAUSTED, ids=lambda s: s.name)
def test_walk__outcome_unknown__session_ended_and_looked_at_before_sending_again(
    situation: Situation, fault: Fault, runs_before_kill: bool
) -> None:
    for world, memory, gateway in walked_with_some(situation, fault, runs_before_kill):
        gateway.run_late()
        assert_verified(world, memory, unbroken(situation)[0])


@examples(150)
@given(
    st.sampled_from(SITUATIONS),
    st.lists(st.tuples(st.integers(1, 30), st.booleans()), min_size=1, max_size=6),
    st.dictionaries(st.integers(1, 14), st.sampled_from(LOSSES), max_size=2),
    st.booleans(),
)
def test_walk__dies_again_and_again__same_end(
    situation: Situation, deaths: list[tuple[int, bool]], faults: dict[int, Fault], kill_comes_late: bool
) -> None:
    expected, _, _ = unbroken(situation)
    world, plan = situation.build()
    memory, gateway = Memory(plan), FakeGateway(world, faults, does_kill_come_late=kill_comes_late)
    for at, stores in deaths:
        if memory.end is None:
            Walker(world, gateway, memory, dies_at=at, dies_after_storing=stores).run()
    drive_to_end(world, memory, gateway)
    assert_verified(world, memory, expected)
