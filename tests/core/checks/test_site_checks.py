"""Each refusal of a switchover and a failover, from the facts that cause it to the sentence an operator reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from backend.core.checks.context import CheckContext
from backend.core.checks.failover import check_active_is_lost
from backend.core.checks.run import run_checks
from backend.core.checks.switchover import LAG_LIMIT_S
from backend.core.facts.activity import WRITE_THROUGH_VIEW_SQL, BusySession, NodeActivity
from backend.core.findings import Finding, Severity
from backend.core.known_groups import time_text
from backend.core.link_facts import Divergence
from backend.core.plans.failover import FAILOVER_CHECKS, ObservedLoss
from backend.core.plans.switchover import FAILBACK_CHECKS, SWITCHOVER_CHECKS
from backend.core.topology import Reach
from tests.fakes.plans import context_of
from tests.fakes.sites import QUIET, context_of_switch, passive, plan_failover
from tests.fakes.world import FakeWorld

Broken = Callable[[FakeWorld], CheckContext]


def refusing(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.code for finding in findings if finding.refuses}


def _with_activity(**changes: object) -> Broken:
    def build(world: FakeWorld) -> CheckContext:
        busy = replace(QUIET, **changes)  # type: ignore[arg-type]
        return context_of_switch(world, activity={node.ref.id: busy for node in world.a.nodes})

    return build


def _stopped(world: FakeWorld) -> CheckContext:
    world.node("b1").channels["link1"].sql = "No"
    return context_of_switch(world)


def _connecting(world: FakeWorld) -> CheckContext:
    """It tries to connect, and brings nothing meanwhile."""
    world.node("b1").channels["link1"].io = "Connecting"
    return context_of_switch(world)


def _behind(lag_s: int) -> Broken:
    def build(world: FakeWorld) -> CheckContext:
        ctx = context_of_switch(world)
        moves = []
        for move in ctx.moves:
            assert move.holder is not None
            channel = replace(move.holder.channel, lag_s=lag_s)
            moves.append(replace(move, holder=replace(move.holder, channel=channel)))
        return replace(ctx, moves=tuple(moves))

    return build


def _node_unseen(world: FakeWorld) -> CheckContext:
    world.kill("a3", reach=Reach.UNKNOWN, is_expelled=False)
    return context_of_switch(world)


def _second(world: FakeWorld) -> CheckContext:
    world.connect("a2", "b2")
    world.recorded = list(world.recorded)
    return context_of_switch(world)


def _diverged(world: FakeWorld) -> CheckContext:
    ctx = context_of_switch(world)
    divergence = Divergence(world.b.id, world.a.id, None, 0.0)
    return replace(ctx, link=replace(ctx.link, divergence=divergence))


def _may_reject(may: bool | None) -> Broken:
    def build(world: FakeWorld) -> CheckContext:
        known = {} if may is None else {node.ref.id: may for node in world.a.nodes}
        return replace(context_of_switch(world), rejects_queries=True, may_reject=known)

    return build


LONG = (BusySession(7, "app", 90, "3 rows changed"),)
SWITCHOVER_REFUSALS: tuple[tuple[str, Broken, str], ...] = (
    ("channel stands", _stopped, "channel_not_running"),
    ("channel connecting", _connecting, "channel_not_running"),
    ("channel far behind", _behind(LAG_LIMIT_S + 1), "lag_too_long"),
    ("rejecting not permitted", _may_reject(False), "reject_queries_privilege_missing"),
    ("rejecting right not known", _may_reject(None), "reject_queries_privilege_unknown"),
    ("node cannot be fenced", _node_unseen, "node_cannot_be_fenced"),
    ("second channel", _second, "second_channel"),
    ("side not reconciled", _diverged, "reprotect_first"),
    ("long transaction", _with_activity(long_transactions=LONG), "long_transaction"),
    ("DDL under way", _with_activity(ddl=(BusySession(8, "app", 3, "ALTER TABLE t"),)), "ddl_in_flight"),
    ("activity unknown", _with_activity(long_transactions=None), "activity_unknown"),
    ("accounts unknown", _with_activity(write_through=None), "accounts_unknown"),
    ("nothing asked", lambda world: context_of_switch(world, activity={}), "activity_unknown"),
)


@pytest.mark.parametrize(("name", "broken", "code"), SWITCHOVER_REFUSALS, ids=[r[0] for r in SWITCHOVER_REFUSALS])
def test_switchover__fact_in_the_way__refused_by_name(name: str, broken: Broken, code: str) -> None:
    ctx = broken(passive(FakeWorld.classic()))
    found = run_checks(ctx, SWITCHOVER_CHECKS)
    assert code in refusing(found), name
    assert all(f.remedy for f in found if f.code == code)


def test_switchover__all_well__ready() -> None:
    ctx = context_of_switch(passive(FakeWorld.classic()))
    assert refusing(run_checks(ctx, SWITCHOVER_CHECKS)) == set()


def test_switchover__as_far_behind_as_is_allowed__ready() -> None:
    ctx = _behind(LAG_LIMIT_S)(passive(FakeWorld.classic()))
    assert refusing(run_checks(ctx, SWITCHOVER_CHECKS)) == set()


def test_switchover__channels_not_readable__the_grant_is_the_way_not_a_relocate() -> None:
    world = passive(FakeWorld.classic())
    world.node("b1").are_channels_readable = False
    found = {f.code: f for f in run_checks(context_of_switch(world), SWITCHOVER_CHECKS)}
    assert found["channel_not_seen"].remedy.startswith("Grant SLAVE MONITOR to the monitor account.")
    assert "b1" in found["channel_not_seen"].remedy


def test_switchover__accounts_unknown__grant_and_view_are_named() -> None:
    found = run_checks(_with_activity(write_through=None)(passive(FakeWorld.classic())), SWITCHOVER_CHECKS)
    (unknown,) = [f for f in found if f.code == "accounts_unknown"]
    assert "Grant SELECT ON `hawser`.*" in unknown.remedy
    assert f"CREATE DATABASE IF NOT EXISTS hawser; {WRITE_THROUGH_VIEW_SQL};" in unknown.remedy


def test_switchover__accounts_write_through__listed_by_name_not_refused() -> None:
    ctx = _with_activity(write_through=("'root'@'localhost'",))(passive(FakeWorld.classic()))
    found = {f.code: f for f in run_checks(ctx, SWITCHOVER_CHECKS)}
    assert found["accounts_write_through"].severity is Severity.WARNING
    assert "'root'@'localhost'" in found["accounts_write_through"].message


def test_switchover__long_transaction_allowed__a_warning() -> None:
    ctx = _with_activity(long_transactions=LONG)(passive(FakeWorld.classic()))
    found = run_checks(replace(ctx, allows_long_transactions=True), SWITCHOVER_CHECKS)
    assert "long_transaction" not in refusing(found)


def test_failback__at_home_already__refused() -> None:
    ctx = context_of_switch(passive(FakeWorld.classic()))
    at_home = replace(ctx, link=replace(ctx.link, home_cluster_id=ctx.link.active.id))
    assert "already_home" in refusing(run_checks(at_home, FAILBACK_CHECKS))
    away = replace(ctx, link=replace(ctx.link, home_cluster_id=ctx.link.standby.id))
    assert refusing(run_checks(away, FAILBACK_CHECKS)) == set()


def lost() -> FakeWorld:
    world = passive(FakeWorld.classic())
    world.kill_side(world.a)
    return world


def codes(world: FakeWorld, **more: object) -> set[str]:
    return refusing(plan_failover(world, **more).findings)  # type: ignore[arg-type]


def test_failover__site_lost_attested_and_loss_accepted__ready() -> None:
    assert codes(lost()) == set()


def test_failover__one_node_not_attested__refused_by_its_name() -> None:
    world = lost()
    two = frozenset(node.ref.id for node in world.a.nodes[:2])
    plan = plan_failover(world, attested_fenced=two)
    found = [f for f in plan.findings if f.refuses]
    assert [f.facts["node"] for f in found] == ["a3"]
    assert {f.code for f in found} == {"node_not_attested"}


def test_failover__site_lives_and_is_seen__refused_switchover_named() -> None:
    world = passive(FakeWorld.classic())
    assert codes(world) == {"active_site_lives"}


@pytest.mark.parametrize(("may", "refused"), [(True, set()), (False, {"reject_queries_privilege_missing"})])
def test_switchover__standby_still_rejects__right_needed_to_open_it(may: bool, refused: set[str]) -> None:
    world = passive(FakeWorld.classic())
    world.node("b2").variables["wsrep_reject_queries"] = "ALL"
    ctx = replace(context_of_switch(world), may_reject={world.node("b2").ref.id: may})
    assert refusing(run_checks(ctx, SWITCHOVER_CHECKS)) == refused


def test_failover__sites_parted__told_apart_from_a_lost_site_and_only_overridden_by_name() -> None:
    world = passive(FakeWorld.classic())
    world.node("b1").channels["link1"].io = "Connecting"
    assert codes(world) == {"sites_are_parted"}
    assert codes(world, overrides_partition=True) == set()


def is_called_parted_after_a_bootstrap() -> bool:
    """Whether a side with another history than the recorded one, which nobody can reach, is called cut off."""
    world = passive(FakeWorld.classic())
    world.node("b1").channels["link1"].io = "Connecting"
    world.a.uuid = "99999999-0000-0000-0000-000000000001"
    return "sites_are_parted" in codes(world)


def _said(spoil: Callable[[FakeWorld], None]) -> tuple[str, str]:
    world = passive(FakeWorld.classic())
    world.node("b1").channels["link1"].io = "Connecting"
    spoil(world)
    (finding,) = [f for f in plan_failover(world).findings if f.facts.get("option") == "override_partition"]
    return finding.code, finding.message


def _another_history(world: FakeWorld) -> None:
    world.a.uuid = "99999999-0000-0000-0000-000000000001"


def _refused_position(world: FakeWorld) -> None:
    channel = world.node("b1").channels["link1"]
    channel.io, channel.io_error = "No", "1236: Could not find first log file name in binary log index file"


def _stopped(world: FakeWorld) -> None:
    channel = world.node("b1").channels["link1"]
    channel.io = channel.sql = "No"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_another_history, "was bootstrapped again"),
        (_refused_position, "a1 no longer has its position"),
        (_stopped, "the channel on b1 is stopped"),
    ],
)
def test_failover__active_side_up_and_not_read_for_another_cause__no_partition_is_said(
    spoil: Callable[[FakeWorld], None], words: str
) -> None:
    code, message = _said(spoil)
    assert code == "active_site_lives"
    assert words in message
    assert "partition" not in message


def test_failover__recorded_history_unknown__no_partition_is_said() -> None:
    world = passive(FakeWorld.classic())
    world.node("b1").channels["link1"].io = "Connecting"
    world.b.recorded_uuid = None
    (finding,) = check_active_is_lost(context_of(world))
    assert finding.code == "active_site_lives"
    assert "it is unknown whether" in finding.message


def test_failover__standby_still_connected_to_an_unseen_source__refused() -> None:
    world = passive(FakeWorld.classic())
    for node in world.a.nodes:
        node.reach = Reach.UNKNOWN
    assert "active_site_seen_by_standby" in codes(world)


@pytest.mark.parametrize(("seen", "refused"), [(0, False), (4, True), (None, True)])
def test_failover__loss_not_accepted__refused_unless_nothing_was_seen(seen: int | None, refused: bool) -> None:
    world = lost()
    found = codes(world, accepts_loss=False, seen=ObservedLoss(seen, world.clock.now_s() - 2.0))
    assert found == ({"loss_not_accepted"} if refused else set())


def _loss(seen: ObservedLoss, **more: object) -> Finding:
    plan = plan_failover(lost(), seen=seen, **more)  # type: ignore[arg-type]
    return next(f for f in plan.findings if f.code.startswith("loss_"))


NOW = FakeWorld().clock.now_s()
LONG_AGO = NOW - 1200.0
UNSEEN = f"cluster-a was last read at {time_text(LONG_AGO)}; its later writes are unknown."
BLIND = f"{UNSEEN} It was not polled for {{}} before its loss was noticed."


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (ObservedLoss(0, None), "It is unknown when cluster-a was last read and what it wrote since."),
        (ObservedLoss(0, LONG_AGO, missed_at_s=NOW - 2.0, stopped_at_s=NOW - 2.0), BLIND.format("19 min")),
        (ObservedLoss(0, LONG_AGO), BLIND.format("20 min")),
    ],
    ids=["never_read", "not_looked_at_before_it_was_missed", "not_looked_at_since"],
)
def test_failover__nothing_owed_as_far_as_seen_but_nobody_looked__loss_must_be_accepted(
    seen: ObservedLoss, why: str
) -> None:
    asked = _loss(seen, accepts_loss=False)
    assert (asked.code, asked.severity) == ("loss_not_accepted", Severity.UNKNOWN)
    assert asked.message == f"Every known transaction of cluster-a has arrived. {why}"
    given = _loss(seen)
    assert (given.code, given.severity) == ("loss_accepted", Severity.WARNING)


@pytest.mark.parametrize(
    ("stopped_at_s", "severity"),
    [(LONG_AGO + 1.0, Severity.OK), (NOW - 2.0, Severity.WARNING), (None, Severity.WARNING)],
    ids=["seen_to_stop", "seen_stopped_much_later", "only_silent"],
)
def test_failover__missed_at_once__age_asks_for_nothing_but_silence_is_not_ok(
    stopped_at_s: float | None, severity: Severity
) -> None:
    found = _loss(ObservedLoss(0, LONG_AGO, missed_at_s=LONG_AGO + 2.0, stopped_at_s=stopped_at_s), accepts_loss=False)
    assert (found.code, found.severity) == ("loss_none_seen", severity)
    assert UNSEEN in found.message
    assert found.message.endswith("It is unknown whether it stopped then.") is (severity is Severity.WARNING)


def test_failover__relay_log_stands_on_an_error__refused_until_the_loss_is_accepted() -> None:
    world = passive(FakeWorld.classic())
    channel = world.node("b1").channels["link1"]
    channel.sql = "No"
    world.write("a1")
    world.tick()
    world.kill_side(world.a)
    assert "relay_log_not_drained" in codes(world, accepts_loss=False, seen=ObservedLoss(0, None))
    assert codes(world) == set()


def _unread(world: FakeWorld) -> None:
    world.node("b1").are_channels_readable = False


def _unread_neighbour(world: FakeWorld) -> None:
    world.node("b2").are_channels_readable = False


def _silent(name: str, reach: Reach) -> Callable[[FakeWorld], None]:
    return lambda world: world.kill(name, reach=reach, is_expelled=False)


HOLDER_UNKNOWN: tuple[tuple[str, Callable[[FakeWorld], None], str], ...] = (
    ("its channels cannot be read", _unread, "channels_unknown"),
    ("its neighbour's channels cannot be read", _unread_neighbour, "channels_unknown"),
    ("hung and still a member", _silent("b1", Reach.HUNG), "unreachable_node_may_run"),
    ("never heard of and still a member", _silent("b1", Reach.UNKNOWN), "unreachable_node_may_run"),
    ("turned us away", _silent("b1", Reach.REFUSED), "unreachable_node_may_run"),
    ("its neighbour hung", _silent("b2", Reach.HUNG), "unreachable_node_may_run"),
)


@pytest.mark.parametrize(("name", "spoil", "code"), HOLDER_UNKNOWN, ids=[h[0] for h in HOLDER_UNKNOWN])
def test_failover__channel_of_a_standby_node_not_known__refused_by_its_name(
    name: str, spoil: Callable[[FakeWorld], None], code: str
) -> None:
    world = lost()
    spoil(world)
    plan = plan_failover(world)
    assert {f.code for f in plan.findings if f.refuses} == {code}, name
    assert all(f.remedy for f in plan.findings if f.refuses)
    assert "relay_log_gone" not in {f.code for f in plan.findings}
    assert plan.steps == ()


def test_failover__standby_holder_hung__ready_once_a_person_attests_it_by_name() -> None:
    world = lost()
    _silent("b1", Reach.HUNG)(world)
    attested = frozenset(node.ref.id for node in (*world.a.nodes, world.node("b1")))
    plan = plan_failover(world, attested_fenced=attested)
    found = {f.code: f.severity for f in plan.findings}
    assert not plan.is_refused
    assert found["relay_log_gone"] is Severity.WARNING
    assert found["unreachable_node_attested"] is Severity.WARNING


def test_failover__standby_holder_dead_and_expelled__ready_with_a_warning() -> None:
    world = lost()
    world.kill("b1")
    plan = plan_failover(world)
    found = {f.code: f.severity for f in plan.findings}
    assert not plan.is_refused
    assert found["relay_log_gone"] is Severity.WARNING
    assert found["unreachable_node_expelled"] is Severity.OK


def test_failover__activity_is_not_asked_of_a_dead_side() -> None:
    ctx = replace(context_of(lost()), activity={"x": NodeActivity(None, None, None, None)})
    assert "activity_unknown" not in {f.code for f in run_checks(ctx, FAILOVER_CHECKS)}
