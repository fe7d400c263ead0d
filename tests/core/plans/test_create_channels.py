"""A link without channels is set up: what refuses it, at which positions the channels begin, and how it is reverted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.core.equal_data.contents import MissingGrants
from backend.core.findings import Finding, Severity
from backend.core.link_facts import Divergence
from backend.core.plan import Plan
from backend.core.plans.copied_side import copy_findings
from backend.core.plans.equal_sides import ComparedSides, equal_findings
from backend.core.plans.step_proofs import proofs_of
from backend.core.runner import StepDone
from backend.core.topology import Direction, Reach
from tests.core.builders.link_facts import context, link, with_variable
from tests.core.builders.unlinked_worlds import not_linked
from tests.fakes.driver import Memory, Walker, assert_whole, at_start_of, run_to_end
from tests.fakes.gateway import FakeGateway, ProcessDied
from tests.fakes.plans import context_of, plan_create, sound
from tests.fakes.world import FakeWorld

FORWARD, REVERSE = Direction.FORWARD, Direction.REVERSE


def refusing(plan: Plan) -> dict[str, Finding]:
    """Findings that refuse, by code."""
    return {f.code: f for f in plan.findings if f.refuses}


def variable(world: FakeWorld, name: str = "read_only") -> dict[str, str]:
    """A variable of every node."""
    return {node.name: node.variables.get(name, "OFF") for node in world.nodes}


def test_plan__equal_sides__compared_under_the_fence_of_both_and_opened_before_the_channels_begin() -> None:
    plan = sound(plan_create(not_linked()))
    codes = [step.code for step in plan.steps]
    assert codes == [
        "recheck",
        *["fence"] * 3,
        "verify_fence",
        *["fence"] * 3,
        "verify_fence",
        "verify_equal_data",
        "locate_log_end",
        "locate_log_end",
        *["unfence"] * 3,
        "change_source",
        "change_source",
        "start_channel",
        "start_channel",
        "probe",
        "probe",
        "verify",
    ]
    assert [step.code for step in plan.steps if step.point_of_no_return] == ["unfence"]
    assert plan.loss["transactions"] == 0


def test_plan__proofs__each_fence_is_of_the_side_it_closes() -> None:
    plan = sound(plan_create(not_linked()))
    claims = [proof.claim for proof in proofs_of(plan.steps, plan.target) if proof and "can no longer" in proof.claim]
    assert claims == ["Clients can no longer write on cluster-a", "Clients can no longer write on cluster-b"]


def test_plan__statement__has_tls_the_loop_guard_and_a_position_to_fill() -> None:
    (forward, _) = [step for step in sound(plan_create(not_linked())).steps if step.code == "change_source"]
    (sql,) = forward.sql
    for part in (
        "MASTER_SSL=1",
        "MASTER_SSL_VERIFY_SERVER_CERT=0",
        "MASTER_USE_GTID=no",
        "MASTER_LOG_FILE='{{forward.file}}'",
        "IGNORE_SERVER_IDS=(21,22,23)",
    ):
        assert part in sql


def test_plan__verified_tls__names_the_authority() -> None:
    plan = sound(plan_create(not_linked(), options={"channel_tls": "verify", "channel_ca": "/etc/mysql/ca.pem"}))
    sql = next(step.sql[0] for step in plan.steps if step.code == "change_source")
    assert "MASTER_SSL_CA='/etc/mysql/ca.pem'" in sql
    assert "MASTER_SSL_VERIFY_SERVER_CERT=1" in sql


def test_plan__client_certificate__named_with_its_key() -> None:
    options = {"channel_tls": "on", "channel_cert": "/etc/mysql/repl.pem", "channel_key": "/etc/mysql/repl.key"}
    plan = sound(plan_create(not_linked(), options=options))
    sql = next(step.sql[0] for step in plan.steps if step.code == "change_source")
    assert "MASTER_SSL_CERT='/etc/mysql/repl.pem'" in sql
    assert "MASTER_SSL_KEY='/etc/mysql/repl.key'" in sql


def _channel(world: FakeWorld) -> None:
    world.connect("a1", "b2", is_running=False)


def _down(world: FakeWorld) -> None:
    world.kill("b3")


def _unread(world: FakeWorld) -> None:
    world.node("b2").are_channels_readable = False


def _older(world: FakeWorld) -> None:
    world.node("b1").version = "10.6.20-MariaDB-log"


def _lost(world: FakeWorld) -> None:
    world.divergence = Divergence("c_b", "c_a", "uuid", 1.0, run_id="r_1")


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (_channel, "channel_exists"),
        (_down, "node_needed_for_setup"),
        (_unread, "channels_unknown"),
        (_older, "replica_older"),
        (_lost, "reprotect_first"),
    ],
)
def test_plan__not_a_new_link__refused_by_name(spoil: Callable[[FakeWorld], None], code: str) -> None:
    world = not_linked()
    spoil(world)
    plan = plan_create(world)
    assert code in refusing(plan)
    assert plan.steps == ()


def test_run__equal_sides__whole_and_the_active_side_is_writable_again() -> None:
    world = not_linked()
    memory = run_to_end(world, sound(plan_create(world)))
    assert variable(world) == {"a1": "OFF", "a2": "OFF", "a3": "OFF", "b1": "ON", "b2": "ON", "b3": "ON"}
    world.has_workload = True
    for _ in range(9):
        world.tick()
    assert_whole(world, memory)
    assert {(n.name, c.source) for n in world.nodes for c in n.channels.values()} == {
        ("b1", world.node("a1").ref.address),
        ("a1", world.node("b1").ref.address),
    }


def test_run__fails_at_a_channel__the_active_side_accepts_writes() -> None:
    world = not_linked()
    kill = at_start_of("change_source", lambda: world.kill("b1"))
    memory = run_to_end(world, sound(plan_create(world)), on_transition=kill)
    assert memory.ended.state == "needs_operator"
    assert [variable(world)[name] for name in ("a1", "a2", "a3")] == ["OFF"] * 3


def test_run__writes_resume_before_the_channels_exist__all_arrive_once() -> None:
    world = not_linked()

    def resume() -> None:
        world.has_workload = True

    memory = run_to_end(world, sound(plan_create(world)), on_transition=at_start_of("change_source", resume))
    assert_whole(world, memory)


def _reverted(world: FakeWorld, memory: Memory, before: dict[str, str]) -> None:
    assert memory.ended.state == "failed"
    assert variable(world) == before
    assert not any(node.channels for node in world.nodes)


@pytest.mark.parametrize("side", ["a2", "b2"])
def test_run__a_row_of_one_side_alone__found_and_everything_reverted(side: str) -> None:
    """It was written after the plan and before the fence: only the checksums show it."""
    world = not_linked()
    plan, before = sound(plan_create(world)), variable(world)
    world.write(side)
    memory = run_to_end(world, plan)
    _reverted(world, memory, before)
    assert "the rows of shop.orders differ" in memory.failures[0]


@pytest.mark.parametrize("side", ["a2", "b2"])
def test_run__written_between_the_comparison_and_the_position__found_and_everything_reverted(side: str) -> None:
    world = not_linked()
    plan, before = sound(plan_create(world)), variable(world)

    def bypass() -> None:
        world.write(side)

    memory = run_to_end(world, plan, on_transition=at_start_of("locate_log_end", bypass))
    _reverted(world, memory, before)
    assert "when the data was compared" in memory.failures[0]


def test_run__written_while_no_worker_ran__successor_finds_it() -> None:
    """The first worker was killed right before it would have allowed writes again; a node was restarted and written."""
    world = not_linked()
    plan, before = sound(plan_create(world)), variable(world)
    memory = Memory(plan)
    last = max(step.index for step in plan.steps if step.code == "locate_log_end")
    first = Walker(world, FakeGateway(world), memory)

    def die(transition: object) -> None:
        if isinstance(transition, StepDone) and transition.step.index == last:
            raise ProcessDied

    first.on_transition = die
    assert first.run() is None
    world.write("b2")
    Walker(world, FakeGateway(world), memory).run()
    _reverted(world, memory, before)
    assert "when the data was compared" in memory.failures[0]


def test_run__logs_grow_while_equal_tables_are_read__found() -> None:
    """A probe of another link, say: no compared row differs."""
    world = not_linked()
    plan, before = sound(plan_create(world)), variable(world)

    def write_probes() -> None:
        world.write("b2", "REPLACE INTO hawser.probe", table="hawser.probe")

    def begin() -> None:
        world.on_tick = write_probes

    memory = run_to_end(world, plan, on_transition=at_start_of("verify_equal_data", begin))
    world.on_tick = None
    _reverted(world, memory, before)
    assert "grew while the tables were compared" in memory.failures[0]


def test_run__node_dies_before_the_comparison__reverted() -> None:
    world = not_linked()
    plan = sound(plan_create(world))
    die = at_start_of("verify_equal_data", lambda: world.kill("b1", reach=Reach.HUNG, is_expelled=False))
    memory = run_to_end(world, plan, on_transition=die)
    assert memory.ended.state in ("failed", "needs_operator")
    assert not any(node.channels for node in world.nodes)
    assert variable(world)["a1"] == "OFF"


def test_plan__standby_without_the_probe_table__created_there_before_the_fence() -> None:
    world = not_linked()
    for node in world.b.nodes:
        node.probe_objects.clear()
    plan = sound(plan_create(world))
    assert [(step.code, step.node) for step in plan.steps[1:3]] == [
        ("create_probe_schema", "b1"),
        ("create_probe_table", "b1"),
    ]
    memory = run_to_end(world, plan)
    assert_whole(world, memory)
    assert all("TABLE" in node.probe_objects for node in world.b.nodes)


def test_plan__a_side_bootstrapped_again__its_state_uuid_is_recorded_by_the_run() -> None:
    """A side that is copied after its registration has a new one."""
    world = not_linked()
    world.b.recorded_uuid = "0000000b-0000-0000-0000-00000000000f"
    plan = sound(plan_create(world))
    assert {f.severity for f in plan.findings if f.code == "state_uuid_to_accept"} == {Severity.WARNING}
    assert (plan.steps[-1].code, plan.steps[-1].index) == ("record_state_uuid", len(plan.steps) - 1)
    assert_whole(world, run_to_end(world, plan))


def test_plan__names_what_is_not_compared() -> None:
    plan = plan_create(not_linked())
    (finding,) = [f for f in plan.findings if f.code == "objects_not_compared"]
    assert finding.severity is Severity.WARNING


def test_plan__grants_are_missing__refused_with_the_statements_of_each_node() -> None:
    statement = "GRANT SELECT, SHOW VIEW ON `bank`.* TO 'hawser_operator'@'10.0.9.%';"
    missing = [MissingGrants(node, "the operator account lacks SELECT", (statement,)) for node in ("a1", "b1")]
    found = list(equal_findings(context_of(not_linked()), ComparedSides(missing=tuple(missing))))
    assert [(one.code, one.refuses, one.remedy) for one in found] == [("data_unread", True, statement)] * 2


@pytest.mark.parametrize(("logged", "is_warned"), [("", False), ("0-11-7", True)])
def test_plan__standby_that_logged_what_it_received__no_fresh_copy(logged: str, is_warned: bool) -> None:
    facts = link()
    for node in facts.standby.nodes:
        facts = with_variable(facts, node.node.name, "gtid_binlog_state", logged)
    codes = {found.code for found in copy_findings(context(facts), {"backup_position": "binlog.000001 4"})}
    assert codes == ({"copy_was_replica"} if is_warned else set())
