"""A replica that returned from a crash with its channel behind its data; one that stopped on a true data error."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.findings import Severity
from backend.core.locate.evidence import Evidence, Family
from backend.core.locate.evidence_families import bounded_evidence
from backend.core.plan import Plan
from backend.core.topology import Direction
from tests.core.builders.worlds import REPEATED, ask, forward
from tests.fakes.plans import plan_relocate
from tests.fakes.world import FakeWorld


def back(groups: int, *, starts: bool = True) -> FakeWorld:
    """b1 was killed and is back, so many groups behind its data; more was written meanwhile."""
    world = FakeWorld.classic()
    world.write_times(6, "a1")
    world.tick()
    world.remember()
    world.crash("b1", groups, starts=starts)
    world.write_times(3, "a1")
    return world


def refusing(plan: Plan) -> set[str]:
    """Codes that refuse."""
    return {finding.code for finding in plan.findings if finding.refuses}


@pytest.mark.parametrize("pair", [("a1", "b1"), ("a1", "b2"), ("a2", "b1"), ("a3", "b3")])
@pytest.mark.parametrize("groups", [1, 3])
def test_relocate__stopped_on_what_was_applied_before__ready_and_resumes_behind_it(
    pair: tuple[str, str], groups: int
) -> None:
    world = back(groups)
    assert world.node("b1").channels["link1"].sql_errno == 1062
    plan = plan_relocate(world, *pair)
    assert not refusing(plan)
    found = next(f for f in plan.findings if f.code == "channel_behind_its_data")
    assert found.severity is Severity.WARNING
    assert "already has" in found.message
    position = forward(ask(world, *pair)).position
    last = [p for p in world.node(pair[0]).log.placed if p.txn.uid in world.received(Direction.FORWARD)][-1]
    assert position == last.end


@pytest.mark.parametrize("pair", [("a1", "b1"), ("a2", "b2")])
def test_relocate__stopped_on_what_was_never_applied__refused(pair: tuple[str, str]) -> None:
    """A row of another writer is in the way: it would at any other place, too."""
    world = back(0)
    channel = world.node("b1").channels["link1"]
    channel.stop_on_duplicate()
    world.write("a1")
    world.tick()
    assert "channel_sql_error" in refusing(plan_relocate(world, *pair))


def test_relocate__position_not_proven_either__data_error_still_refuses() -> None:
    world = back(1)
    for node in ("b2", "b3"):
        world.node(node).log.put_event("Nobody_knows")
    assert {"channel_sql_error", "log_event_unknown"} <= refusing(plan_relocate(world, "a2", "b2"))


def test_locate__killed_and_not_started__its_record_is_the_least_that_was_applied() -> None:
    located = forward(ask(back(2, starts=False), "a2", "b2"))
    assert located.is_proven, located.reasons
    seqno = next(e for e in located.evidence if e.family is Family.SEQNO)
    assert (seqno.agrees, seqno.is_bound, seqno.facts["groups_behind"]) == (True, True, 2)
    assert "2 transactions behind the data" in seqno.detail


def test_relocate__stopped_on_a_duplicate_of_a_server_seen_to_run_on__its_record_is_a_lower_bound_all_the_same() -> (
    None
):
    """Where uptime shows no restart, the error itself says that the record may lie behind."""
    world = FakeWorld.classic()
    world.write_times(6, "a1")
    world.tick()
    world.node("b1").channels["link1"].fall_back(1)
    world.tick()
    world.remember()
    assert world.node("b1").channels["link1"].sql_errno == 1062
    assert not refusing(plan_relocate(world, "a2", "b2"))


def stopped_behind_identical_statements() -> FakeWorld:
    """Content agrees with any number there, the true one too; the channel's record is one group behind."""
    world = FakeWorld().connect_both_ways()
    world.write_times(20, "a1", REPEATED[0])
    world.tick()
    channel = world.node("b1").channels["link1"]
    channel.fall_back(1)
    channel.io = channel.sql = "No"
    world.write_times(5, "a1", REPEATED[0])
    return world


def test_locate__stopped_and_never_seen_to_run__its_record_is_not_believed_alone() -> None:
    assert not forward(ask(stopped_behind_identical_statements(), "a2", "b2")).is_proven


def test_locate__only_its_receiver_was_seen_to_run__its_record_is_not_believed_alone_either() -> None:
    """`START SLAVE IO_THREAD` after a crash: on record as running, but nothing was applied since."""
    world = stopped_behind_identical_statements()
    channel = world.node("b1").channels["link1"]
    channel.io = "Yes"
    world.remember()
    channel.io = "No"
    assert world.recorded
    assert not forward(ask(world, "a2", "b2")).is_proven


def test_bounded__place_before_what_was_surely_applied__disagrees() -> None:
    evidence = Evidence(Family.SEQNO, True, "said.", index=5, is_bound=True)
    assert bounded_evidence(evidence, 4).agrees is False
    assert bounded_evidence(evidence, 5).facts["groups_behind"] == 0
    assert bounded_evidence(evidence, None) == evidence
    assert bounded_evidence(replace(evidence, is_bound=False), 4).agrees is True
