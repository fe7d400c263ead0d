"""Scenarios in which the active side changes, and those in which a lost side comes back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from backend.core.facts.activity import BusySession
from backend.core.link_facts import SideFence, UnsafePeriod
from backend.core.orphans.conflicts import Conflict
from backend.core.orphans.model import TableCount
from backend.core.orphans.progress_marker import OrphanAction
from backend.core.orphans.report import OrphanReport, first_statements
from backend.core.plan import Plan
from backend.core.plans import fence_standby
from backend.core.plans.failover import ObservedLoss
from backend.core.plans.reprotect import REPROTECT_CHECKS
from backend.core.stream_account import Fault, StreamAccount, Unaccounted
from backend.core.topology import Direction, Reach
from tests.core.builders.lost_sides import failed_over
from tests.core.builders.rebuilt_worlds import Rebuilt, rebuilt
from tests.fakes.plans import FakePlanner
from tests.fakes.sites import QUIET, passive, plan_fence_returned, plan_reprotect
from tests.fakes.world import FakeWorld
from tests.scenarios.cases import case, planned
from tests.sim.orphans import scan

# -- switchover and failback


@case
def switchover_under_load(world: FakeWorld) -> dict[str, Any]:
    """Both sides are well, and the active side is written to."""
    passive(world).write_times(3, "a1", ticks=True)
    return {"kind": "switchover"}


@case
def switchover_that_rejects_clients(world: FakeWorld) -> dict[str, Any]:
    """An account writes through read_only; the operator has clients rejected meanwhile."""
    passive(world)
    through = replace(QUIET, write_through=("'batch'@'%'",))
    return {
        "kind": "switchover",
        "rejects_queries": True,
        "may_reject": {node.ref.id: True for node in world.a.nodes},
        "activity": {node.ref.id: through for node in world.a.nodes},
    }


@case
def switchover_of_a_busy_side(world: FakeWorld) -> dict[str, Any]:
    """a2 has a long transaction, a3 an ALTER TABLE, and an account writes through read_only."""
    passive(world)
    batch = BusySession(77, "batch", 42, "12 rows changed")
    change = BusySession(81, "app", 9, "ALTER TABLE shop.orders ADD INDEX (paid_at)")
    activity = {node.ref.id: replace(QUIET, write_through=("'batch'@'%'",)) for node in world.a.nodes}
    activity["n_a2"] = replace(activity["n_a2"], long_transactions=(batch,))
    activity["n_a3"] = replace(activity["n_a3"], ddl=(change,))
    return {"kind": "switchover", "activity": activity}


@case
def switchover_reverse_channel_stopped(world: FakeWorld) -> dict[str, Any]:
    """a1 does not read from b1: after the switchover nothing would protect cluster-b."""
    passive(world)
    channel = world.node("a1").channels["link1"]
    channel.io = channel.sql = "No"
    return {"kind": "switchover"}


def _left_out(world: FakeWorld) -> None:
    """The forward channel skipped one transaction of cluster-a, and two of cluster-b were written on cluster-a."""
    place = "mariadb-bin.000001:900", "mariadb-bin.000001:1200"
    skipped = Unaccounted(Fault.MISSING, "n_a1", "0-11-77", 512, 11, *place, 0)
    written = [Unaccounted(Fault.EXTRA, "n_a1", f"0-22-{number}", 519, 22, *place, 0) for number in (40, 41)]
    faults = {Direction.FORWARD: (skipped,), Direction.REVERSE: tuple(written)}
    world.recorded = [replace(r, account=StreamAccount(unaccounted=faults[r.direction])) for r in world.recorded]


@case
def switchover_while_the_standby_lacks_a_transaction(world: FakeWorld) -> dict[str, Any]:
    """Its channel skipped one, and rows were written on the active side under an id of the standby."""
    _left_out(passive(world))
    return {"kind": "switchover"}


@case
def source_lost_while_the_standby_lacks_a_transaction(world: FakeWorld) -> None:
    """A relocate neither brings it nor makes it worse: it warns."""
    _left_out(world)
    world.kill("a1")


def _was_unsafe(world: FakeWorld) -> None:
    """a3 had a filter of its log for a minute, and b1 skipped errors."""
    now_s = world.clock.now_s()
    settings = (("n_a3", "a3", "binlog_ignore_db", "audit"), ("n_b1", "b1", "slave_skip_errors", "1062"))
    world.unsafe_periods = tuple(UnsafePeriod(*setting, now_s - 90, now_s - 30) for setting in settings)


@case
def switchover_after_unsafe_settings(world: FakeWorld) -> dict[str, Any]:
    """They were set back, and nobody compared the rows since."""
    _was_unsafe(passive(world))
    return {"kind": "switchover"}


@case
def source_lost_after_unsafe_settings(world: FakeWorld) -> None:
    """A relocate warns of it."""
    _was_unsafe(world)
    world.kill("a1")


@case
def switchover_node_of_the_old_side_down(world: FakeWorld) -> dict[str, Any]:
    """a3 is down and expelled: it cannot be fenced, and cannot serve writes either."""
    passive(world).kill("a3")
    return {"kind": "switchover"}


@case
def switchover_node_of_the_old_side_hung(world: FakeWorld) -> dict[str, Any]:
    """a3 does not answer, and its cluster still counts it: clients may still write there."""
    passive(world).kill("a3", reach=Reach.HUNG, is_expelled=False)
    return {"kind": "switchover"}


@case
def failback_to_the_home_side(world: FakeWorld) -> dict[str, Any]:
    """cluster-b is active since a switchover; cluster-a is the home side."""
    world.turn(world.b.id)
    for node in world.a.nodes:
        node.variables["read_only"] = "ON"
    return {"kind": "failback"}


@case
def failback_while_at_home(world: FakeWorld) -> dict[str, Any]:
    """The home side is active: there is nothing to fail back."""
    passive(world)
    return {"kind": "failback"}


# -- failover


def _lost(world: FakeWorld, transactions: int | None = 20) -> ObservedLoss:
    """cluster-a is killed; it was last read two seconds ago."""
    passive(world)
    world.kill_side(world.a)
    at_s = world.clock.now_s()
    return ObservedLoss(
        transactions, at_s - 2.0, missed_at_s=at_s - 1.0, stopped_at_s=at_s - 1.0, at_least=transactions
    )


@case
def site_lost_nothing_attested_or_accepted(world: FakeWorld) -> dict[str, Any]:
    """What an operator sees first: what is to be fenced, attested and accepted."""
    return {"kind": "failover", "seen": _lost(world), "attested_fenced": frozenset(), "accepts_loss": False}


@case
def site_lost_everything_arrived(world: FakeWorld) -> dict[str, Any]:
    """All that was read of the lost side has arrived; no loss needs to be accepted."""
    return {"kind": "failover", "seen": _lost(world, 0), "accepts_loss": False}


@case
def site_lost_that_left_a_transaction_out(world: FakeWorld) -> dict[str, Any]:
    """All that was on the way has arrived; what the channel passed without applying it is lost all the same."""
    seen = _lost(world, 0)
    _left_out(world)
    return {"kind": "failover", "seen": seen, "accepts_loss": False}


@case
def site_lost_while_not_polled(world: FakeWorld) -> dict[str, Any]:
    """No monitor polled for ten minutes before the loss was noticed: what was written then is unknown."""
    at_s = world.clock.now_s() - 600
    seen = replace(_lost(world, 0), last_seen_at_s=at_s)
    return {"kind": "failover", "seen": seen, "accepts_loss": False}


@case
def site_lost_not_fenced_on_return(world: FakeWorld) -> dict[str, Any]:
    """The operator does not want the lost side fenced automatically."""
    return {"kind": "failover", "seen": _lost(world), "options": {"fence_on_return": False}}


@case
def site_lost_but_for_a_node_without_quorum(world: FakeWorld) -> dict[str, Any]:
    """a3 answers, without a Primary Component: the run fences it."""
    seen = _lost(world)
    left = world.node("a3")
    left.reach, left.cluster_status = Reach.UP, "non-Primary"
    return {"kind": "failover", "seen": seen}


@case
def site_lost_replica_stopped_on_an_error(world: FakeWorld) -> dict[str, Any]:
    """b1 stopped on an error before the loss: what its relay log holds would be lost, too."""
    channel = world.node("b1").channels["link1"]
    channel.sql = "No"
    world.write_times(4, "a1", ticks=True)
    channel.sql_errno, channel.sql_error = 1062, "Duplicate entry '7' for key 'PRIMARY'"
    return {"kind": "failover", "seen": _lost(world), "accepts_loss": False}


@case
def site_that_is_up_is_not_failed_over(world: FakeWorld) -> dict[str, Any]:
    """Both sides are well: a switchover loses nothing."""
    passive(world)
    return {"kind": "failover", "accepts_loss": False}


@case
def sites_that_are_parted_are_not_failed_over(world: FakeWorld) -> dict[str, Any]:
    """This console reaches both sides, b1 does not reach a1."""
    passive(world).node("b1").channels["link1"].io = "Connecting"
    return {"kind": "failover", "accepts_loss": False}


# -- a lost side that returned


def _returned(*, orphans: int, is_fenced: bool = True) -> FakeWorld:
    """All nodes of the lost cluster-a are back; clients wrote there before they were fenced."""
    world = failed_over()
    for node in world.a.nodes:
        world.start_server(node.name)
    world.tick()
    world.write_times(orphans, "a1")
    if is_fenced:
        for node in world.a.nodes:
            node.variables["read_only"] = "ON"
            for channel in node.channels.values():
                channel.io = channel.sql = "No"
    return world


def _scanned(world: FakeWorld) -> OrphanReport:
    """What a scan of a1 reports, in the console's sentences."""
    assert world.divergence is not None
    found, book = scan(world, world.divergence, world.node("a1"))
    if found.state != "found":
        return replace(found, detail="cluster-b has every transaction of cluster-a.")
    return replace(
        found,
        detail=f"cluster-a has {found.transactions} transactions that cluster-b never received, "
        f"from {found.begins} of a1 on.",
        rows=found.transactions,
        tables=(TableCount("shop", "keyed", inserts=found.transactions),),
        shown_replay=first_statements(book, OrphanAction.REPLAY),
        shown_undo=first_statements(book, OrphanAction.UNDO),
    )


def _reprotected(world: FakeWorld, way: str, report: OrphanReport | None = None, **more: Any) -> tuple[FakeWorld, Plan]:
    return world, plan_reprotect(world, way, report or _scanned(world), "b1", "a1", **more)


@planned
def returned_side_is_fenced_automatically() -> tuple[FakeWorld, Plan]:
    """By the failover's word, as soon as the monitor sees it."""
    world = _returned(orphans=2, is_fenced=False)
    plan = plan_fence_returned(world)
    assert plan is not None
    return world, plan


@planned
def returned_side_is_fenced_by_hand() -> tuple[FakeWorld, Plan]:
    """Its orphans grow while it is open."""
    return _reprotected(_returned(orphans=2, is_fenced=False), "fence")


@planned
def returned_side_open_is_not_attached() -> tuple[FakeWorld, Plan]:
    """It is writable, and what it holds alone is not handled yet."""
    return _reprotected(_returned(orphans=2, is_fenced=False), "attach")


@planned
def returned_side_is_attached() -> tuple[FakeWorld, Plan]:
    """It has nothing of its own."""
    return _reprotected(_returned(orphans=0), "attach")


@planned
def returned_side_with_orphans_is_not_attached() -> tuple[FakeWorld, Plan]:
    """Two transactions never arrived: they are to be replayed, undone or given up first."""
    return _reprotected(_returned(orphans=2), "attach")


@planned
def orphans_are_replayed() -> tuple[FakeWorld, Plan]:
    """On the survivor, then undone on the returned side, which receives them by its channel."""
    return _reprotected(_returned(orphans=2), "replay")


@planned
def orphans_are_undone() -> tuple[FakeWorld, Plan]:
    """They are given up, row by row."""
    return _reprotected(_returned(orphans=2), "undo")


@planned
def orphans_in_conflict_are_not_replayed() -> tuple[FakeWorld, Plan]:
    """The survivor has changed a row that an orphan inserted."""
    world = _returned(orphans=2)
    reason = "another row there has the same id"
    report = replace(_scanned(world), conflicts=(Conflict(0, 500, "shop.keyed", reason),))
    return _reprotected(world, "replay", report)


@planned
def orphans_are_not_undone_without_a_probe() -> tuple[FakeWorld, Plan]:
    """Nothing would show that the survivor reads past the undo."""
    return _reprotected(_returned(orphans=2), "undo", options={"probe": False})


def _copied(side: Rebuilt, **options: Any) -> tuple[FakeWorld, Plan]:
    return side.world, side.plan(checks=REPROTECT_CHECKS, **options)


@planned
def returned_side_is_rebuilt_by_hand_first() -> tuple[FakeWorld, Plan]:
    """It still has its old data: the plan is refused, and its guide says how to copy the survivor."""
    return _reprotected(_returned(orphans=2), "rebuild", accepts_loss=True)


@planned
def lost_side_is_rebuilt_before_it_returns() -> tuple[FakeWorld, Plan]:
    """No node of it responds: the plan is refused by that and nothing else, and its guide says how to copy."""
    report = OrphanReport("unknown", "What only cluster-a has is unknown: none of its nodes responds.")
    return _reprotected(failed_over(), "rebuild", report, accepts_loss=True)


@planned
def copied_side_without_the_position_of_its_backup() -> tuple[FakeWorld, Plan]:
    """It is recognized as a copy; where it resumes is not known."""
    side = rebuilt()
    side.copy(20)
    return _copied(side)


@planned
def copied_side_is_attached() -> tuple[FakeWorld, Plan]:
    """At the position of its backup, proven by its rows."""
    side = rebuilt()
    position = side.copy(20)
    return _copied(side, backup_position=f"{position.file} {position.offset}")


# -- the fence of the standby side


def _fenced_standby(*opened: str, fence: SideFence | None = None) -> tuple[FakeWorld, Plan]:
    world = passive(FakeWorld.classic())
    for node in world.b.nodes:
        node.started_s = world.clock.now_s() - 100_000
        node.variables["read_only"] = "OFF" if node.name in opened else "ON"
    held = {"link": replace(world.facts(), fences=(fence,) if fence else ())}
    return world, FakePlanner(world, fence_standby.KIND, {}, held).plan()


@planned
def open_standby_node_is_fenced() -> tuple[FakeWorld, Plan]:
    """b3 was started without read_only in its file."""
    return _fenced_standby("b3")


@planned
def standby_opened_again_by_another_program() -> tuple[FakeWorld, Plan]:
    """A run fenced it an hour ago; five seconds later b3 was writable again."""
    at_s = FakeWorld().clock.now_s() - 3600
    return _fenced_standby("b3", fence=SideFence("c_b", "r_fence0000001", "fence_standby", at_s, at_s + 5))


@planned
def fenced_standby_needs_no_fence() -> tuple[FakeWorld, Plan]:
    """Every node is read-only."""
    return _fenced_standby()
