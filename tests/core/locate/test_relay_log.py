"""The relay log: the source's own number of the last group executed, or the reason why it is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.binlog.events import LogEvent
from backend.core.binlog.logs import RelayLog
from backend.core.dialects.mariadb import MariadbDialect
from backend.core.locate.evidence import SeqnoClue
from backend.core.locate.relay_log import seqno_from_relay
from backend.core.topology import Direction
from tests.core.builders.examples import examples
from tests.fakes.gateway import FakeReader
from tests.fakes.world import FakeWorld

STEPS = st.lists(st.sampled_from(["dml", "dml", "ddl", "other", "echo", "rotate", "relay", "tick"]), max_size=25)


def world_after(steps: list[str], left: int) -> FakeWorld:
    """A channel that has read everything and has `left` groups to apply."""
    world = FakeWorld()
    world.connect("a1", "b1")
    for step in [*steps, "tick"]:
        if step in ("dml", "ddl", "other"):
            world.write("a2", kind=step)
        elif step == "echo":
            world.write("b2")
        elif step == "rotate":
            world.node("a1").log.rotate()
        elif step == "relay":
            world.node("b1").channels["link1"].open_relay()
        else:
            world.backlog = left
            world.tick()
    world.node("b1").channels["link1"].sql = "No"
    return world


def clue_of(world: FakeWorld) -> SeqnoClue | str:
    """What the relay log says."""
    node = world.node("b1")
    log = RelayLog(FakeReader(world, node), MariadbDialect(), "link1")
    return seqno_from_relay(log, node.channels["link1"].facts(), "b1")


@examples(100)
@given(STEPS, st.integers(0, 3))
def test_seqno_from_relay__any_history__the_executed_group_or_a_reason(steps: list[str], left: int) -> None:
    world = world_after(steps, left)
    clue = clue_of(world)
    got = world.received(Direction.FORWARD)
    if isinstance(clue, str):
        assert "b1" in clue
        return
    numbers = {e.txn.uid: (e.seqno, e.txn.kind) for e in world.a.history}
    last = next(i for i in reversed(range(len(got))) if numbers[got[i]][1] == "dml")
    assert clue.xid == numbers[got[last]][0]
    assert clue.trailing == len(got) - 1 - last
    assert clue.is_exact


def test_seqno_from_relay__groups_read_but_not_executed__left_out() -> None:
    world = world_after(["dml", "dml", "dml"], 2)
    clue = clue_of(world)
    assert isinstance(clue, SeqnoClue)
    assert clue.xid == world.a.history[0].seqno


def test_seqno_from_relay__ddl_last__counted_behind_the_number() -> None:
    clue = clue_of(world_after(["dml", "ddl", "ddl"], 0))
    assert isinstance(clue, SeqnoClue)
    assert clue.trailing == 2


def test_seqno_from_relay__rotated_since__cannot_be_told() -> None:
    clue = clue_of(world_after(["dml", "tick", "relay"], 0))
    assert isinstance(clue, str)
    assert "rotated" in clue


def test_seqno_from_relay__executed_position_before_what_the_log_shows__cannot_be_told() -> None:
    world = world_after(["dml", "dml"], 0)
    node = world.node("b1")
    facts = replace(node.channels["link1"].facts(), exec_offset=330)
    log = RelayLog(FakeReader(world, node), MariadbDialect(), "link1")
    assert "does not match the channel's executed position" in str(seqno_from_relay(log, facts, "b1"))


def test_seqno_from_relay__no_relay_log__cannot_be_told() -> None:
    world = world_after(["dml"], 0)
    node = world.node("b1")
    log = RelayLog(FakeReader(world, node), MariadbDialect(), "link1")
    assert isinstance(seqno_from_relay(log, replace(node.channels["link1"].facts(), relay_file=""), "b1"), str)


def test_seqno_from_relay__long_log__read_in_bounded_pages() -> None:
    world = FakeWorld()
    world.connect("a1", "b1")
    for size in (1, 25_000, 1):
        world.write("a2", row_events=size)
    world.tick()
    clue = clue_of(world)
    assert isinstance(clue, SeqnoClue)
    assert clue.xid == world.a.history[-1].seqno


@pytest.mark.parametrize(
    ("sizes", "most"),
    [([1] * 900, 4), ([1] * 900 + [3_000] + [1] * 90, 9), ([3_000] + [1] * 900, 9), ([1], 3)],
    ids=["equal", "a long one behind", "a long one first", "short"],
)
def test_seqno_from_relay__events_of_a_log__its_end_is_found_by_few_calls(sizes: list[int], most: int) -> None:
    world = FakeWorld()
    world.connect("a1", "b1")
    for size in sizes:
        world.write("a2", row_events=size)
    world.tick()
    node = world.node("b1")
    calls: list[int] = []

    class Counted(RelayLog):
        """Keeps how much each call skips."""

        def events(self, file: str, offset: int, *, limit: int, skip: int = 0) -> Sequence[LogEvent]:
            """Counted."""
            calls.append(skip)
            return super().events(file, offset, limit=limit, skip=skip)

    log = Counted(FakeReader(world, node), MariadbDialect(), "link1")
    clue = seqno_from_relay(log, node.channels["link1"].facts(), "b1")
    assert isinstance(clue, SeqnoClue)
    assert clue.xid == world.a.history[-1].seqno
    assert len(calls) <= most, calls
