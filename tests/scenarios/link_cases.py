"""Scenarios in which a link is set up, and those that prepare or change servers without moving a channel."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from backend.core.adviser.node_absence.freeze import NOT_FROZEN, OPTION
from backend.core.checks.run import run_checks
from backend.core.link_facts import LogBreak
from backend.core.orphans.rebuilt_side import locate_rebuilt
from backend.core.plan import Plan
from backend.core.plans import create_channels, rotate_passwords
from backend.core.plans.create_channels import CREATE_ON_COPY_CHECKS
from backend.core.rotation import ROLES, RotatedAccount
from backend.core.topology import Direction
from tests.core.builders.maintained_worlds import plan_for as plan_maintenance
from tests.core.builders.maintained_worlds import world as maintained
from tests.core.builders.rebuilt_worlds import Rebuilt, bring_back, failed_over
from tests.core.builders.unlinked_worlds import not_linked
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import FakePlanner, context_of, plan_accept, plan_configure, plan_create
from tests.fakes.world import USERS, FakeWorld
from tests.scenarios.cases import planned

# -- the channels of a new link


@planned
def channels_of_equal_sides() -> tuple[FakeWorld, Plan]:
    """Both sides hold the same tables; their rows are compared by the run, under a fence."""
    world = not_linked()
    return world, plan_create(world)


@planned
def channels_of_equal_sides_with_verified_certificates() -> tuple[FakeWorld, Plan]:
    """The channels verify the other side's certificate, and the standby lacks the probe table."""
    world = not_linked()
    for node in world.b.nodes:
        node.probe_objects.clear()
    return world, plan_create(world, options={"channel_tls": "verify", "channel_ca": "/etc/mysql/ca.pem"})


@planned
def channels_of_a_link_that_has_one() -> tuple[FakeWorld, Plan]:
    """b2 has a stopped channel of an earlier time, and b3 is down."""
    world = not_linked()
    world.connect("a1", "b2", is_running=False)
    world.kill("b3")
    return world, plan_create(world)


def _from_copy(*, logged: str = "", is_given: bool = True) -> tuple[FakeWorld, Plan]:
    """cluster-a was copied from cluster-b, and the link is new; its nodes logged `logged` since."""
    world = failed_over()
    world.divergence = None
    world.recorded.clear()
    world.write_times(12, "b2")
    bring_back(world, state=logged)
    world.a.recorded_uuid = world.a.uuid
    side = Rebuilt(world)
    position = side.copy(20)
    options: dict[str, Any] = {"standby_data": create_channels.COPY, "channel_tls": "on"}
    options |= {"backup_position": f"{position.file} {position.offset}"} if is_given else {}
    ctx = create_channels.in_setup(context_of(world, side.donor, "a1"), options)
    gateway = FakeGateway(world, moves=False)
    asked = create_channels.requests_for(ctx, options)
    located = [locate_rebuilt(question, ctx.link, gateway, side) for question in asked]
    findings = run_checks(ctx, CREATE_ON_COPY_CHECKS)
    return world, create_channels.decide(ctx, findings, located, None, replication_users=USERS, options=options)


@planned
def channels_of_a_copy() -> tuple[FakeWorld, Plan]:
    """The forward channel begins at the backup's position, proven by rows; the active side stays writable."""
    return _from_copy()


@planned
def channels_of_a_copy_without_the_position_of_its_backup() -> tuple[FakeWorld, Plan]:
    """Where the forward channel begins is not known."""
    return _from_copy(is_given=False)


@planned
def channels_of_a_standby_that_is_no_copy() -> tuple[FakeWorld, Plan]:
    """It has transactions of its own: the plan is refused, and its guide says how to copy it."""
    return _from_copy(logged="0-11-40")


# -- a side that was bootstrapped again


def _bootstrapped_anew(*, without: int = 0) -> FakeWorld:
    world = FakeWorld.classic()
    world.write_times(4, "a1", ticks=True)
    world.a.bootstrap_anew(without=without)
    world.write_times(3, "a1", ticks=True)
    world.remember()
    return world


@planned
def new_history_is_accepted() -> tuple[FakeWorld, Plan]:
    """cluster-a was bootstrapped again with all of its data; its stream goes on."""
    world = _bootstrapped_anew()
    return world, plan_accept(world)


@planned
def new_history_that_lacks_what_arrived() -> tuple[FakeWorld, Plan]:
    """Its last two transactions were lost with the old history; cluster-b has them."""
    world = _bootstrapped_anew(without=2)
    return world, plan_accept(world, source="a1")


@planned
def new_history_of_a_replaced_log() -> tuple[FakeWorld, Plan]:
    """The file that the channel was in is another one of the same name: the side may have been emptied."""
    world = _bootstrapped_anew()
    cause = LogBreak("source_log_replaced", "mariadb-bin.000001 of a1 is another file of the same name", 0.0)
    world.recorded = [replace(r, log_break=cause) if r.direction is Direction.FORWARD else r for r in world.recorded]
    return world, plan_accept(world)


@planned
def no_new_history_to_accept() -> tuple[FakeWorld, Plan]:
    """Both sides have the recorded one."""
    world = FakeWorld.classic()
    return world, plan_accept(world)


# -- settings


@planned
def settings_are_changed() -> tuple[FakeWorld, Plan]:
    """Two provider options, one bounded by the other, and a variable."""
    world = FakeWorld.classic()
    for node in world.a.nodes:
        node.variables["sync_binlog"] = "1"
    return world, plan_configure(world, {"evs.user_send_window": "512", "evs.send_window": "512", "sync_binlog": "0"})


@planned
def settings_that_a_plan_does_not_change() -> tuple[FakeWorld, Plan]:
    """One needs a restart, one is out of range, one is no setting of a plan; the account lacks SUPER on a2."""
    world = FakeWorld.classic()
    may = {node.ref.id: {"SUPER": node.name != "a2", "BINLOG ADMIN": True} for node in world.a.nodes}
    wanted = {"gcache.size": "1G", "evs.send_window": "0", "binlog_format": "ROW", "gcs.fc_limit": "64"}
    return world, plan_configure(world, wanted, may_set=may)


# -- the maintenance of a node


@planned
def node_may_be_stopped() -> tuple[FakeWorld, Plan]:
    """Its provider cannot freeze a gcache: how long it may be away is bounded by what is written."""
    world = maintained()
    return world, plan_maintenance(world)


@planned
def node_may_be_stopped_its_donor_frozen() -> tuple[FakeWorld, Plan]:
    """The donor keeps the write-sets that the node will need."""
    world = maintained(**{OPTION: NOT_FROZEN})
    return world, plan_maintenance(world)


@planned
def node_with_a_channel_may_not_be_stopped() -> tuple[FakeWorld, Plan]:
    """a1 holds the link's channels, and another node of its side is down already."""
    world = maintained()
    world.kill("a2")
    return world, plan_maintenance(world, "a1")


@planned
def node_would_be_away_too_long() -> tuple[FakeWorld, Plan]:
    """The gcache holds less than the ten minutes after which an alarm is raised."""
    world = maintained()
    return world, plan_maintenance(world, time=599.0)


# -- passwords


def _rotated(world: FakeWorld, *, may_alter: bool = True, **faults: str) -> tuple[FakeWorld, Plan]:
    users = {"replication": USERS["c_a"]}
    accounts = [
        RotatedAccount(role, users.get(role, f"hawser_{role}"), "%", ("c_a",), faults.get(role, ""), "Store it again.")
        for role in ROLES
    ]
    told = {"accounts": accounts, "may_alter": may_alter}
    return world, replace(FakePlanner(world, rotate_passwords.KIND, {"side": "active"}, told=told).plan(), options={})


@planned
def passwords_are_rotated() -> tuple[FakeWorld, Plan]:
    """Of all three accounts of cluster-a; b1 logs in there with one of them."""
    return _rotated(FakeWorld.classic())


@planned
def passwords_that_cannot_be_rotated() -> tuple[FakeWorld, Plan]:
    """One is in a store, the operator account may not alter users, and the channel on b1 is stopped."""
    world = FakeWorld.classic()
    channel = world.node("b1").channels["link1"]
    channel.io = channel.sql = "No"
    fault = "The monitor password of cluster-a is in a store (vault:hawser/monitor)."
    return _rotated(world, may_alter=False, monitor=fault)
