"""The scenarios: each makes a world and the plan an operator is shown in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backend.core.plan import Plan
from backend.core.plans.failover import ObservedLoss
from backend.core.positions import MariadbGtid, MariadbGtidSet
from backend.core.topology import Direction, NodeEvent, Reach
from tests.fakes.plans import plan_clean, plan_relocate, plan_remove, plan_start
from tests.fakes.sites import passive, plan_failback, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld

PLANNERS: dict[str, Callable[..., Plan]] = {
    "relocate": plan_relocate,
    "start_channel": plan_start,
    "remove_stray_channel": plan_clean,
    "remove_channels": plan_remove,
    "switchover": plan_switchover,
    "failback": plan_failback,
    "failover": plan_failover,
}
Case = Callable[[], tuple[FakeWorld, Plan]]
CASES: dict[str, Case] = {}


def case(make: Callable[[FakeWorld], dict[str, Any] | None]) -> Callable[[FakeWorld], dict[str, Any] | None]:
    """Register a scenario: it changes the classic world and may name the plan's options."""

    def run() -> tuple[FakeWorld, Plan]:
        world = FakeWorld.classic()
        options = make(world) or {}
        kind = options.pop("kind", "relocate")
        return world, PLANNERS[kind](world, **options)

    CASES[make.__name__] = run
    return make


def planned(make: Case) -> Case:
    """Register a scenario that makes its world and its plan itself."""
    CASES[make.__name__] = make
    return make


def by_gtid(make: Callable[[FakeWorld], dict[str, Any] | None]) -> Callable[[FakeWorld], dict[str, Any] | None]:
    """Register a scenario whose channels follow GTIDs, kept cluster-wide."""

    def run() -> tuple[FakeWorld, Plan]:
        world = FakeWorld.classic(has_gtid_channels=True)
        return world, plan_relocate(world, **(make(world) or {}))

    CASES[make.__name__] = run
    return make


@case
def source_lost(world: FakeWorld) -> None:
    """a1 fails under writes; its cluster expels it."""
    world.kill("a1")
    world.write("a2")


@case
def replica_lost(world: FakeWorld) -> None:
    """b1 fails under writes; its cluster expels it."""
    world.kill("b1")
    world.write("a1")


@case
def both_lost(world: FakeWorld) -> None:
    """Both nodes of the link die."""
    world.kill("a1")
    world.kill("b1")
    world.write("a3")


@case
def planned_move_of_the_source(world: FakeWorld) -> dict[str, Any]:
    """a1 is to be taken out."""
    return {"source": "a2", "replica": "b1"}


def _waits_for_b1(world: FakeWorld) -> dict[str, dict[str, bool]]:
    """a1 waits an hour for the acknowledgement of b1; the operator account may change that."""
    for node in world.nodes:
        node.variables["rpl_semi_sync_master_timeout"] = "3600000"
    world.node("a1").variables["rpl_semi_sync_master_enabled"] = "ON"
    world.node("b1").variables |= {"rpl_semi_sync_slave_enabled": "ON", "rpl_semi_sync_slave_status": "ON"}
    world.tick()
    return {"may_set_semi_sync": {node.ref.id: True for node in world.nodes}}


@case
def semi_synchronous_replica_moves_to_one_that_is_not(world: FakeWorld) -> dict[str, Any]:
    """Every commit of a1 would wait an hour from STOP SLAVE on: it is turned off first, and stays off."""
    return {"source": "a1", "replica": "b2", **_waits_for_b1(world)}


@case
def semi_synchronous_pair_moves(world: FakeWorld) -> dict[str, Any]:
    """b2 acknowledges, too: the wait goes over to a2."""
    world.node("b2").variables["rpl_semi_sync_slave_enabled"] = "ON"
    return {"source": "a2", "replica": "b2", **_waits_for_b1(world)}


@case
def planned_move_of_the_replica(world: FakeWorld) -> dict[str, Any]:
    """b1 is to be taken out."""
    return {"source": "a1", "replica": "b2"}


@case
def planned_move_of_both(world: FakeWorld) -> dict[str, Any]:
    """Both nodes are to be taken out."""
    return {"source": "a3", "replica": "b3"}


@case
def without_a_probe(world: FakeWorld) -> dict[str, Any]:
    """The operator asks not to write probes."""
    world.kill("b1")
    return {"options": {"probe": False}}


@case
def relay_log_to_apply_first(world: FakeWorld) -> None:
    """a1 fails while b1 still has to apply what it read."""
    channel = world.node("b1").channels["link1"]
    channel.sql = "No"
    world.write_times(4, "a1", ticks=True)
    channel.sql = "Yes"
    world.kill("a1")


@case
def stray_channel_is_removed(world: FakeWorld) -> dict[str, Any]:
    """A stopped channel of the same direction stands on b3."""
    world.connect("a1", "b3", is_running=False)
    return {"source": "a2", "replica": "b2"}


@case
def second_channel_runs(world: FakeWorld) -> dict[str, Any]:
    """The old holder returned by its own start and carries the direction, too."""
    world.connect("a2", "b3")
    return {"source": "a2", "replica": "b2"}


@case
def second_channel_is_cleaned(world: FakeWorld) -> dict[str, Any]:
    """The plan that makes the old holder forget."""
    world.connect("a2", "b3")
    return {"kind": "remove_stray_channel"}


@case
def nothing_to_clean(world: FakeWorld) -> dict[str, Any]:
    """No node has a stray channel."""
    return {"kind": "remove_stray_channel"}


@case
def replication_is_ended(world: FakeWorld) -> dict[str, Any]:
    """The link is to be retired; b1 has not applied all, and b3 has a stopped channel of an earlier time."""
    world.connect("a2", "b3", is_running=False)
    return {"kind": "remove_channels", "unapplied": {Direction.FORWARD: 3, Direction.REVERSE: 0}}


@case
def replication_is_ended_uncounted(world: FakeWorld) -> dict[str, Any]:
    """No monitor polls: what is not applied is unknown."""
    return {"kind": "remove_channels", "unapplied": {}}


@case
def replication_is_ended_node_down(world: FakeWorld) -> dict[str, Any]:
    """b1 is down with its channel."""
    world.kill("b1")
    return {"kind": "remove_channels"}


@case
def channel_stopped_by_itself(world: FakeWorld) -> dict[str, Any]:
    """The SQL thread of b1 ended without an error; it still reads."""
    world.node("b1").channels["link1"].sql = "No"
    world.write_times(3, "a1", ticks=True)
    return {"kind": "start_channel"}


@case
def stopped_channel_stands_behind_its_data(world: FakeWorld) -> dict[str, Any]:
    """b1 was killed and is back, its own record two transactions behind what it committed."""
    world.remember()
    world.crash("b1", 2, starts=False)
    return {"kind": "start_channel"}


@case
def chosen_node_not_synced(world: FakeWorld) -> dict[str, Any]:
    """b2 is a donor just now."""
    world.node("b2").local_state = 2
    return {"source": "a2", "replica": "b2"}


@case
def chosen_node_not_primary(world: FakeWorld) -> dict[str, Any]:
    """b2 is cut from its cluster."""
    world.node("b2").cluster_status = "non-Primary"
    return {"source": "a2", "replica": "b2"}


@case
def another_history(world: FakeWorld) -> dict[str, Any]:
    """Cluster a was bootstrapped again since it was registered."""
    world.a.uuid = "99999999-0000-0000-0000-000000000001"
    return {"source": "a2", "replica": "b2"}


@case
def log_slave_updates_off(world: FakeWorld) -> dict[str, Any]:
    """a2's log holds only what was written on it."""
    world.node("a2").variables["log_slave_updates"] = "OFF"
    return {"source": "a2", "replica": "b2"}


@case
def log_filter_on_the_next_source(world: FakeWorld) -> None:
    """a1 fails; a2, the next one by name, leaves a schema out of its log."""
    world.node("a2").variables["binlog_ignore_db"] = "app2"
    world.kill("a1")
    world.write("a3")


@case
def next_replica_skips_errors(world: FakeWorld) -> None:
    """b1 fails, which skipped no error; b2, the next one by name, would."""
    world.node("b2").variables["slave_exec_mode"] = "IDEMPOTENT"
    world.kill("b1")
    world.write("a1")


@case
def present_replica_skips_errors(world: FakeWorld) -> dict[str, Any]:
    """b1 skips errors, and the channel is moved to b2, which does not."""
    world.node("b1").variables["slave_skip_errors"] = "1032,1062"
    return {"source": "a2", "replica": "b2"}


@case
def filters_differ(world: FakeWorld) -> dict[str, Any]:
    """b2 would leave tables out."""
    world.node("b2").variables["replicate_do_db"] = "shop"
    return {"source": "a2", "replica": "b2"}


@case
def unreachable_node_still_a_member(world: FakeWorld) -> None:
    """b1 is hung: its cluster still counts it, and it may still be applying."""
    world.kill("b1", reach=Reach.HUNG, is_expelled=False)


@case
def unreachable_node_expelled(world: FakeWorld) -> None:
    """b1 is hung and its cluster has expelled it."""
    world.kill("b1", reach=Reach.HUNG)


@case
def unreachable_node_attested(world: FakeWorld) -> dict[str, Any]:
    """b1 is hung; a person says that it is fenced."""
    world.kill("b1", reach=Reach.HUNG, is_expelled=False)
    return {"attested_fenced": ["n_b1"]}


@case
def channels_not_readable(world: FakeWorld) -> dict[str, Any]:
    """No operator knows whether b3 carries the direction."""
    world.node("b3").are_channels_readable = False
    return {"source": "a2", "replica": "b2"}


@case
def stopped_on_a_data_error(world: FakeWorld) -> dict[str, Any]:
    """b1 stopped on a duplicate key: moving does not help."""
    channel = world.node("b1").channels["link1"]
    channel.sql, channel.sql_errno, channel.sql_error = "No", 1062, "Duplicate entry '7' for key 'PRIMARY'"
    return {"source": "a2", "replica": "b2"}


@case
def stopped_on_what_was_applied_before(world: FakeWorld) -> dict[str, Any]:
    """b1 was killed and is back, its channel two transactions behind its data."""
    world.crash("b1", 2, starts=True)
    return {"source": "a2", "replica": "b2"}


@case
def login_refused(world: FakeWorld) -> dict[str, Any]:
    """The replication account may not log in to a2."""
    logins = {"n_a2": "Access denied for user 'repl_a'", "n_b2": None}
    return {"source": "a2", "replica": "b2", "replication_logins": logins}


@case
def another_run_unfinished(world: FakeWorld) -> dict[str, Any]:
    """One run at a time."""
    return {"source": "a2", "replica": "b2", "unfinished_run_id": "r_other"}


@case
def already_there(world: FakeWorld) -> dict[str, Any]:
    """Nothing to move."""
    return {"source": "a1", "replica": "b1"}


@case
def position_purged(world: FakeWorld) -> None:
    """a2 no longer retains what b has yet to fetch."""
    for node in ("a1", "b1"):
        channel = world.node(node).channels["link1"]
        channel.io = channel.sql = "No"
    world.kill("a1")
    log = world.node("a2").log
    log.rotate()
    for _ in range(12):
        world.write("a2")
    log.rotate()
    for _ in range(12):
        world.write("a2")
    log.purge(2)
    world.kill("a3")


@case
def identical_statements(world: FakeWorld) -> None:
    """Only copies of one statement are retained: nothing tells them apart."""
    for node in world.nodes:
        node.log.rotate()
    for _ in range(40):
        world.write("a1", "UPDATE counters SET n=n+1 WHERE id=1")
    world.tick()
    world.kill("b1")
    world.journal.samples.clear()
    for _ in range(5):
        world.write("a1", "UPDATE counters SET n=n+1 WHERE id=1")
    for node in world.nodes:
        node.log.purge(1)


@case
def domain_filter_set(world: FakeWorld) -> dict[str, Any]:
    """The channel filters by GTID domain, which file positions cannot carry."""
    world.node("b1").channels["link1"].options["Replicate_Do_Domain_Ids"] = "1"
    return {"source": "a2", "replica": "b2"}


@case
def gtid_mode_channel(world: FakeWorld) -> dict[str, Any]:
    """The channel follows GTIDs."""
    world.node("b1").channels["link1"].options["Using_Gtid"] = "Slave_Pos"
    return {"source": "a2", "replica": "b2"}


@by_gtid
def gtid_source_lost(world: FakeWorld) -> None:
    """a1 fails; both channels stay in GTID mode, their positions set by a statement of their own."""
    world.kill("a1")
    world.write("a2")


@by_gtid
def gtid_planned_move_strict(world: FakeWorld) -> dict[str, Any]:
    """All live, gtid_strict_mode is on: it would refuse the position that circular replication needs."""
    for node in world.nodes:
        node.variables["gtid_strict_mode"] = "ON"
    return {"source": "a2", "replica": "b2"}


@by_gtid
def gtid_slave_pos_differs(world: FakeWorld) -> None:
    """b1 failed after a DDL failed on it; b3's gtid_slave_pos stands past a transaction that no worker holds."""
    world.kill("b1")
    world.write("a1")
    neighbour = world.node("b3")
    ahead = MariadbGtid(ord("a"), 10, len(world.a.history))
    neighbour.slave_pos = MariadbGtidSet.of([*neighbour.slave_pos, ahead])


@case
def server_id_never_seen(world: FakeWorld) -> None:
    """a3 failed before its server_id was read: the loop guard would have a hole."""
    world.kill("a3")
    world.forgotten_ids.add("n_a3")
    world.kill("b1")


@case
def older_replica(world: FakeWorld) -> dict[str, Any]:
    """b2 runs an older server than its new source."""
    world.node("b2").version = "10.6.18-MariaDB-log"
    return {"source": "a2", "replica": "b2"}


@case
def site_path_cut(world: FakeWorld) -> dict[str, Any]:
    """Both nodes live, but b1 cannot connect to a1: another pair would stand on the same way."""
    world.node("b1").channels["link1"].io = "Connecting"
    return {"source": "a2", "replica": "b2"}


@case
def site_path_attested(world: FakeWorld) -> dict[str, Any]:
    """A person says that only a1's address is blocked."""
    world.node("b1").channels["link1"].io = "Connecting"
    return {"source": "a2", "replica": "b2", "attested_path": True}


@case
def third_server_feeds_the_active_side(world: FakeWorld) -> dict[str, Any]:
    """Server 900 feeds a1 by a channel of its own; the reverse channel ignores what comes home of it, on purpose."""
    world.feed("a1")
    reverse = world.node("a1").channels["link1"]
    reverse.ignore = (*reverse.ignore, 900)
    world.remember()
    for _ in range(3):
        world.write_as(900, "a1")
        world.tick()
    return {"source": "a2", "replica": "b2"}


@case
def third_server_of_unknown_way(world: FakeWorld) -> dict[str, Any]:
    """What server 900 wrote is in the logs of both sides, nothing ignores it, and no channel comes from it."""
    for node in ("a1", "b1"):
        world.node(node).log.state[0, 900] = 5
    return {"source": "a2", "replica": "b2"}


@case
def channel_by_a_virtual_address(world: FakeWorld) -> dict[str, Any]:
    """b3 reads from a node of the other side by an address that no node has, under another connection name."""
    world.feed("b3", 12, name="", host="vip.dc1.example")
    return {"source": "a2", "replica": "b2"}


@case
def start_beside_a_channel_of_unknown_end(world: FakeWorld) -> dict[str, Any]:
    """The forward channel stopped; b2 has another one that has not connected yet."""
    world.feed("b2", None, name="", host="10.9.9.8")
    world.node("b2").channels[""].io = "Connecting"
    channel = world.node("b1").channels["link1"]
    channel.io = channel.sql = "No"
    return {"kind": "start_channel"}


def _scheduled(world: FakeWorld) -> None:
    """Schedulers run everywhere; one event runs on a1, as every node tells."""
    for node in passive(world).nodes:
        node.variables["event_scheduler"] = "ON"
        status = "ENABLED" if node.name == "a1" else "SLAVESIDE_DISABLED"
        node.events = [NodeEvent("shop", "purge", "app@%", status, 11)]


@case
def event_runs_on_the_old_side(world: FakeWorld) -> dict[str, Any]:
    """A switchover of a side on which an event runs."""
    _scheduled(world)
    return {"kind": "switchover"}


@case
def event_is_left_on_the_old_side(world: FakeWorld) -> dict[str, Any]:
    """The same, of a person who does not want events altered."""
    _scheduled(world)
    return {"kind": "switchover", "events_choice": "leave"}


@case
def event_ran_on_the_lost_side(world: FakeWorld) -> dict[str, Any]:
    """A failover from a side on which an event ran when it was last read."""
    _scheduled(world)
    world.kill_side(world.a)
    return {"kind": "failover"}


def _lost_under_load(world: FakeWorld, seen: ObservedLoss, *, accepts_loss: bool) -> dict[str, Any]:
    passive(world)
    world.write_times(3, "a1", ticks=True)
    world.kill_side(world.a)
    return {"kind": "failover", "seen": seen, "accepts_loss": accepts_loss}


@case
def site_lost_under_load(world: FakeWorld) -> dict[str, Any]:
    """What was read of the lost side's logs and has not arrived is a lower bound, and is accepted."""
    at_s = world.clock.now_s()
    seen = ObservedLoss(20, at_s - 2.0, missed_at_s=at_s - 1.0, stopped_at_s=at_s - 1.0, at_least=20)
    return _lost_under_load(world, seen, accepts_loss=True)


@case
def site_lost_replica_beyond_what_was_read(world: FakeWorld) -> dict[str, Any]:
    """All that was read has arrived, and more: how much the side wrote after that is unknown, and never nothing."""
    at_s = world.clock.now_s()
    seen = ObservedLoss(None, at_s - 2.0, missed_at_s=at_s - 1.0, stopped_at_s=at_s - 1.0, at_least=0)
    return _lost_under_load(world, seen, accepts_loss=False)
