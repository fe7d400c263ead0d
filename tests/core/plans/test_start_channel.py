"""A channel that stopped automatically: started where it stands, or refused with the way on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.core.findings import Finding
from backend.core.plan import Plan
from backend.core.topology import Reach
from tests.fakes.driver import run_to_end
from tests.fakes.plans import plan_start, sound
from tests.fakes.world import FakeWorld


def stopped(
    *, by_gtid: bool = False, io: str = "Yes", sql: str = "No", errno: int = 0, node: str = "b1", backlog: int = 4
) -> FakeWorld:
    """A link under writes whose channel on `node` stopped automatically; so many transactions were written since."""
    world = FakeWorld.classic(has_gtid_channels=by_gtid)
    channel = world.node(node).channels["link1"]
    channel.io, channel.sql = io, sql
    channel.sql_errno, channel.sql_error = errno, "Node has dropped from cluster" if errno else ""
    for _ in range(backlog):
        world.write("a2")
        world.write("b2")
        world.tick()
    return world


def refusing(plan: Plan) -> dict[str, Finding]:
    """Findings that refuse, by code."""
    return {f.code: f for f in plan.findings if f.refuses}


def starts_at_a_proven_place(world: FakeWorld) -> bool:
    """Whether the run ends in success with both threads running, nothing lost and nothing doubled."""
    memory = run_to_end(world, plan_start(world))
    world.converge()
    return memory.end is not None and memory.end.state == "succeeded" and world.faults() == []


@pytest.mark.parametrize("by_gtid", [False, True])
@pytest.mark.parametrize(
    ("io", "sql", "errno"),
    [
        ("Yes", "No", 0),
        ("No", "Yes", 0),
        ("No", "No", 0),
        ("Yes", "No", 1047),
        ("Yes", "No", 1317),
        ("Yes", "No", 1792),
    ],
)
def test_start__channel_stopped_by_itself__started_in_place_nothing_lost_or_doubled(
    by_gtid: bool, io: str, sql: str, errno: int
) -> None:
    world = stopped(by_gtid=by_gtid, io=io, sql=sql, errno=errno)
    assert starts_at_a_proven_place(world)
    channel = world.node("b1").channels["link1"]
    assert (channel.io, channel.sql, channel.sql_errno) == ("Yes", "Yes", 0)
    assert {e.verb for e in world.executed} <= {"START", "PROBE"}


def test_start__only_the_reverse_channel_stands__the_forward_one_is_not_touched() -> None:
    world = stopped(node="a1", io="No")
    plan = plan_start(world)
    assert plan.summary == "Start the reverse channel on a1 at its position"
    assert (plan.target["source_name"], plan.target["replica_name"]) == ("a1", "b1")
    assert [s.node for s in plan.steps if s.code == "resume_channel"] == ["a1"]
    assert starts_at_a_proven_place(world)


def test_start__both_stand__each_is_started() -> None:
    world = stopped(io="No")
    world.node("a1").channels["link1"].sql = "No"
    assert [s.node for s in plan_start(world).steps if s.code == "resume_channel"] == ["b1", "a1"]
    assert starts_at_a_proven_place(world)


def both_stopped(spoil: Callable[[FakeWorld], None]) -> FakeWorld:
    """Both channels stand, and that of b1 cannot be started."""
    world = stopped(io="No")
    world.node("a1").channels["link1"].sql = "No"
    spoil(world)
    return world


def test_start__one_of_two_cannot_be_started__the_other_one_is_and_it_is_said_why() -> None:
    for spoil in (_small_packet, _ahead):
        world = both_stopped(spoil)
        plan = plan_start(world)
        assert [s.node for s in plan.steps if s.code == "resume_channel"] == ["a1"]
        assert plan.options == {"direction": "reverse"}
        (left_out,) = [f for f in plan.findings if f.code == "direction_left_out"]
        assert left_out.message.startswith("The forward channel is not started by this plan")
        assert left_out.remedy
        memory = run_to_end(world, plan)
        assert memory.ended.state == "succeeded"
        assert world.node("b1").channels["link1"].io == "No"


def test_start__one_direction_asked_for__only_that_one_even_where_both_could() -> None:
    world = both_stopped(lambda _: None)
    plan = sound(plan_start(world, direction="reverse"))
    assert [s.node for s in plan.steps if s.code == "resume_channel"] == ["a1"]
    assert plan_start(both_stopped(_small_packet), direction="forward").is_refused


def test_start__direction_that_runs_asked_for__nothing_to_start() -> None:
    assert "nothing_to_start" in refusing(plan_start(stopped(), direction="reverse"))


def _ahead(world: FakeWorld) -> None:
    channel = world.node("b1").channels["link1"]
    channel.position = channel.read = world.node("a1").log.end
    channel.pending.clear()


def test_start__place_is_named_and_the_plan_shows_one_changing_statement() -> None:
    plan = plan_start(stopped())
    found = {f.code: f for f in plan.findings}
    assert "The channel of b1 is at" in found["place_is_last_applied"].message
    assert "stopped without an error" in found["channel_stop_cause"].message
    assert [(s.code, s.sql) for s in plan.steps if s.point_of_no_return] == [
        ("resume_channel", ("START SLAVE 'link1'",))
    ]


def test_start__killed_replica_stands_behind_its_data__refused_relocate_named() -> None:
    world = FakeWorld.classic()
    world.remember()
    world.crash("b1", 2, starts=False)
    plan = plan_start(world)
    assert plan.is_refused
    assert plan.steps == ()
    (finding,) = refusing(plan).values()
    assert finding.code == "place_not_last_applied"
    assert finding.remedy.startswith("Relocate the link")


def test_start__somebody_pointed_it_ahead__refused() -> None:
    world = stopped()
    _ahead(world)
    assert set(refusing(plan_start(world))) == {"place_not_last_applied"}


def _purged(world: FakeWorld) -> None:
    channel = world.node("b1").channels["link1"]
    channel.io, channel.io_error = "No", "1236: Could not find first log file name"


def _small_packet(world: FakeWorld) -> None:
    _purged(world)
    world.node("b1").channels["link1"].io_error = "1153: Got a packet bigger than 'slave_max_allowed_packet' bytes"
    world.node("b1").variables["slave_max_allowed_packet"] = "1048576"


def _packet_unread(world: FakeWorld) -> None:
    _small_packet(world)
    del world.node("b1").variables["slave_max_allowed_packet"]


def _unheard_of(world: FakeWorld) -> None:
    _purged(world)
    world.node("b1").channels["link1"].io_error = "1236: a text of a release to come"


def _relay_log(world: FakeWorld) -> None:
    channel = world.node("b1").channels["link1"]
    channel.sql_errno, channel.sql_error = 1594, "Relay log read failure: Could not parse relay log event entry."


def _duplicate(world: FakeWorld) -> None:
    world.node("b1").channels["link1"].stop_on_duplicate()


def _hole(world: FakeWorld) -> None:
    world.node("b1").channels["link1"].ignore = (21, 22)


def _stray(world: FakeWorld) -> None:
    world.connect("a1", "b3", is_running=False)


def _donor(world: FakeWorld) -> None:
    world.node("b1").local_state = 2


def _unread(world: FakeWorld) -> None:
    world.node("b2").are_channels_readable = False


def _hung(world: FakeWorld) -> None:
    world.kill("b2", reach=Reach.HUNG, is_expelled=False)


def _none(world: FakeWorld) -> None:
    channel = world.node("b1").channels["link1"]
    channel.io = channel.sql = "Yes"


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (_purged, "place_not_in_source_logs"),
        (_small_packet, "reading_would_stop_again"),
        (_packet_unread, "reading_cause_unknown"),
        (_unheard_of, "reading_cause_unknown"),
        (_relay_log, "relay_log_unreadable"),
        (_duplicate, "transaction_would_fail_again"),
        (_hole, "loop_guard_incomplete"),
        (_stray, "second_channel"),
        (_donor, "node_not_synced"),
        (_unread, "channels_unknown"),
        (_hung, "unreachable_node_may_run"),
        (_none, "nothing_to_start"),
    ],
)
def test_start__what_would_not_go_well__refused_with_a_way_on(spoil: Callable[[FakeWorld], None], code: str) -> None:
    world = stopped()
    spoil(world)
    plan = plan_start(world)
    found = refusing(plan)
    assert code in found, found
    assert all(finding.remedy for finding in found.values())
    assert plan.steps == ()


def test_start__row_larger_than_the_replica_accepts__variable_and_value_named_and_started_once_it_is_set() -> None:
    world = stopped()
    _small_packet(world)
    finding = refusing(plan_start(world))["reading_would_stop_again"]
    assert "slave_max_allowed_packet is 1048576 on b1" in finding.message
    assert "SET GLOBAL slave_max_allowed_packet=1073741824 on b1" in finding.remedy
    world.node("b1").variables["slave_max_allowed_packet"] = "1073741824"
    assert starts_at_a_proven_place(world)


def test_start__data_error_whose_cause_a_person_attests_to_be_gone__tried_again() -> None:
    world = stopped(errno=1062)
    plan = sound(plan_start(world, attests=True))
    assert run_to_end(world, plan).end.state == "succeeded"  # type: ignore[union-attr]
