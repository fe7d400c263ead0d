"""The safety rules of changing the active side, each taken out: what it prevents then happens."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule


def _planned_to_wait_briefly(core: Copy, world: Any) -> Any:
    """A plan of a switchover that waits a second for the standby; the limit itself is put back."""
    with patch.object(core["backend.core.plans.switchover"], "DRAIN_LIMIT_S", 1):
        return core["tests.fakes.sites"].plan_switchover(world)


def _switch(core: Copy, *, meddle: Any = None, **how: Any) -> tuple[Any, Any, Any]:
    """World, console and memory after one walk of a switchover."""
    sites, driver = core["tests.fakes.sites"], core["tests.fakes.driver"]
    world = sites.passive(core["tests.fakes.world"].FakeWorld.classic())
    plan = _planned_to_wait_briefly(core, world)
    assert not plan.is_refused
    if meddle is not None:
        world.on_tick = lambda: meddle(world)
    memory, console = driver.Memory(plan), core["tests.fakes.console"].FakeConsole()
    gateway = core["tests.fakes.gateway"].FakeGateway(world)
    driver.Walker(world, gateway, memory, console=console, **how).run()
    return world, console, memory


def _holder_back(core: Copy, at: str) -> tuple[str, list[str]]:
    """State of a failover whose dead holder returns there, and the nodes that accept writes at its end."""
    returns = core["tests.core.steps.test_failover_peers"]
    world, plan = returns.holder_lost()
    state, _, _ = returns.walk(world, plan, at, lambda: world.restart("b1"))
    return state, returns.open_nodes(world)


def _kept_anew(core: Copy) -> bool:
    """The holder applied its relay log behind the swap; an operator cleaned it; Resume."""
    returns = core["tests.core.steps.test_failover_peers"]
    world, plan = returns.holder_lost()
    _, _, memory = returns.walk(world, plan, "unfence", lambda: world.restart("b1"))
    for _ in range(5):
        world.tick()
    del world.node("b1").channels["link1"]
    return returns.resumed(world, memory)[2].divergence is not None


def _opens_without_one(core: Copy) -> bool:
    sites, returns = core["tests.fakes.sites"], core["tests.core.steps.test_failover_peers"]
    world = sites.passive(core["tests.fakes.world"].FakeWorld.classic())
    returns.walk(world, sites.plan_switchover(world), "swap_roles", lambda: world.kill("b1"))
    return bool(returns.open_nodes(world))


def _writes_through(world: Any) -> None:
    if all(not node.takes_writes for node in world.a.nodes):
        world.write("a2")


def _reopened(world: Any) -> None:
    if all(not node.takes_writes for node in world.a.nodes):
        world.node("a1").variables["read_only"] = "OFF"


def _stuck(world: Any) -> None:
    """The forward channel applies nothing: what was written last never arrives."""
    world.node("b1").channels["link1"].sql = "Yes"
    world.backlog = 10_000


def _write_through_stops_the_switch(core: Copy) -> bool:
    _, console, _ = _switch(core, meddle=_writes_through)
    return bool(console.acts == [])


def _late_write_stops_the_switch(core: Copy) -> bool:
    """One write passes the fence after the standby was shown to have everything."""
    acts, _ = _switch_with_a_write(core, "verify_caught_up")
    return acts == []


def _early_write_is_named(core: Copy) -> bool:
    """One commit is logged before the fence is tried."""
    _, proofs = _switch_with_a_write(core, "fence")
    return any("1 transaction committed as the fences took effect" in proof for proof in proofs)


def _early_write_only_prolongs_the_watch(core: Copy) -> bool:
    acts, _ = _switch_with_a_write(core, "fence")
    return acts != []


def _switch_with_a_write(core: Copy, after: str) -> tuple[list[Any], list[str]]:
    """What the console did and the proofs of a switchover where the old side writes once after that step."""
    runner = core["backend.core.runner"]
    sites, driver = core["tests.fakes.sites"], core["tests.fakes.driver"]
    world = sites.passive(core["tests.fakes.world"].FakeWorld.classic())
    memory, console = driver.Memory(sites.plan_switchover(world)), core["tests.fakes.console"].FakeConsole()
    proofs: list[str] = []
    wrote: list[bool] = []

    def write(transition: Any) -> None:
        if not isinstance(transition, runner.StepDone):
            return
        proofs.append(transition.sentence)
        if transition.step.code == after and not wrote:
            wrote.append(True)
            world.write("a2")

    gateway = core["tests.fakes.gateway"].FakeGateway(world)
    driver.Walker(world, gateway, memory, console=console, on_transition=write).run()
    assert wrote == [True]
    return console.acts, proofs


def _open_node_stops_the_switch(core: Copy) -> bool:
    """An operator opens a node again after the fence was read back on each."""
    worlds: list[Any] = []
    reopen = core["tests.fakes.driver"].at_start_of("verify_fence", lambda: _reopened(worlds[-1]))
    _, console, _ = _switch(core, meddle=worlds.append, on_transition=reopen)
    return bool(console.acts == [])


def _missing_group_stops_the_switch(core: Copy) -> bool:
    sites, driver = core["tests.fakes.sites"], core["tests.fakes.driver"]
    world = sites.passive(core["tests.fakes.world"].FakeWorld.classic())
    plan = _planned_to_wait_briefly(core, world)
    _stuck(world)
    world.write("a1")
    memory, console = driver.Memory(plan), core["tests.fakes.console"].FakeConsole()
    driver.Walker(world, core["tests.fakes.gateway"].FakeGateway(world), memory, console=console).run()
    return bool(console.acts == [])


def _abort_takes_the_fence_down(core: Copy) -> bool:
    runner = core["backend.core.runner"]
    sites, driver = core["tests.fakes.sites"], core["tests.fakes.driver"]
    world = sites.passive(core["tests.fakes.world"].FakeWorld.classic())
    memory = driver.Memory(sites.plan_switchover(world))

    def ask(transition: Any) -> None:
        if isinstance(transition, runner.StepDone) and transition.step.code == "verify_fence":
            memory.request_abort()

    gateway = core["tests.fakes.gateway"].FakeGateway(world)
    driver.Walker(world, gateway, memory, on_transition=ask).run()
    return all(node.takes_writes for node in world.a.nodes)


def _failover(core: Copy, world: Any, **more: Any) -> set[str]:
    plan = core["tests.fakes.sites"].plan_failover(world, **more)
    return {finding.code for finding in plan.findings if finding.refuses}


def _lost(core: Copy) -> Any:
    world = core["tests.fakes.sites"].passive(core["tests.fakes.world"].FakeWorld.classic())
    for node in world.a.nodes:
        world.kill(node.name)
    return world


def _unattested_refuses(core: Copy) -> bool:
    return "node_not_attested" in _failover(core, _lost(core), attested_fenced=frozenset())


def _parted_sites_refuse(core: Copy) -> bool:
    world = core["tests.fakes.sites"].passive(core["tests.fakes.world"].FakeWorld.classic())
    world.node("b1").channels["link1"].io = "Connecting"
    return "sites_are_parted" in _failover(core, world)


def _unaccepted_loss_refuses(core: Copy) -> bool:
    return "loss_not_accepted" in _failover(core, _lost(core), accepts_loss=False)


def _blind_console_refuses(core: Copy) -> bool:
    unread = core["backend.core.plans.failover"].ObservedLoss(0, None)
    return "loss_not_accepted" in _failover(core, _lost(core), accepts_loss=False, seen=unread)


def _relay_log_is_drained(core: Copy) -> bool:
    sites, driver = core["tests.fakes.sites"], core["tests.fakes.driver"]
    world = sites.passive(core["tests.fakes.world"].FakeWorld.classic())
    world.backlog = 2
    world.write_times(3, "a1", ticks=True)
    for node in world.a.nodes:
        world.kill(node.name)
    owed = {placed.txn.uid for placed in world.node("b1").channels["link1"].pending}
    plan = sites.plan_failover(world)
    world.on_tick = lambda: setattr(world, "backlog", 0 if world.ticks > started + 4 else 2)
    started = world.ticks
    memory = driver.Memory(plan)
    driver.Walker(world, core["tests.fakes.gateway"].FakeGateway(world), memory).run()
    return bool(owed) and owed <= world.b.uids


def _lost_side_is_no_source(core: Copy) -> bool:
    from dataclasses import replace

    world = core["tests.fakes.world"].FakeWorld.classic()
    ctx = core["tests.fakes.plans"].context_of(world, "a2", "b2")
    divergence = core["backend.core.link_facts"].Divergence(world.a.id, world.b.id, None, 0.0)
    ctx = replace(ctx, link=replace(ctx.link, divergence=divergence))
    return "reprotect_first" in core["tests.core.builders.link_facts"].refusing(ctx)


RULES = (
    Rule(
        "a_side_that_still_writes_is_not_fenced",
        (
            ("steps.sides.verify_fence", "    if own:\n", "    if False:\n"),
            ("steps.positions.caught_up", "    if own:\n", "    if False:\n"),
            ("steps.positions.caught_up", "    if not located.next_groups:\n", "    if True:\n"),
        ),
        _write_through_stops_the_switch,
    ),
    Rule(
        "a_fenced_side_is_watched_until_the_swap",
        (
            (
                "steps.positions.caught_up",
                'if watch is not None and proof.is_ok and params["ends_watch"] else proof',
                "if False else proof",
            ),
        ),
        _late_write_stops_the_switch,
    ),
    Rule(
        "a_fenced_side_is_watched_from_its_fences_on",
        (("runner.runner", "                kind.all_accepted(self._ctx, group)\n", "                pass\n"),),
        _early_write_is_named,
    ),
    Rule(
        "a_watch_that_met_commits_of_before_the_fence_begins_again",
        (("steps.sides.verify_fence", "        if late:\n", "        if False:\n"),),
        _early_write_only_prolongs_the_watch,
    ),
    Rule(
        "a_node_that_takes_writes_is_not_fenced",
        (("steps.sides.verify_fence", "        if open_nodes:\n", "        if False:\n"),),
        _open_node_stops_the_switch,
    ),
    Rule(
        "the_last_group_must_stand_on_the_other_side",
        (("steps.positions.caught_up", "    if not located.next_groups:\n", "    if True:\n"),),
        _missing_group_stops_the_switch,
    ),
    Rule(
        "an_abort_takes_fences_down",
        (("steps.sides.fence", ' if self._value(facts) == step.params["was"] else step.undo[0]', ""),),
        _abort_takes_the_fence_down,
    ),
    Rule(
        "a_node_not_seen_is_attested_by_name",
        (("checks.failover", "        elif node.node.id in ctx.attested_fenced:\n", "        elif True:\n"),),
        _unattested_refuses,
    ),
    Rule(
        "parted_sites_are_not_a_lost_site",
        (("checks.failover", "    elif serving and not connected:\n", "    elif False:\n"),
         ("checks.failover", "    elif serving:\n", "    elif False:\n")),
        _parted_sites_refuse,
    ),
    Rule(
        "a_partition_is_said_only_of_the_recorded_history",
        (("checks.failover", "        if is_another_history(side):\n", "        if False:\n"),),
        lambda c: not c["tests.core.checks.test_site_checks"].is_called_parted_after_a_bootstrap(),
    ),
    Rule(
        "a_loss_is_accepted_by_a_person",
        (("plans.failover", "    if ctx.accepts_loss or is_rehearsal:\n", "    if True:\n"),),
        _unaccepted_loss_refuses,
    ),
    Rule(
        "nothing_owed_counts_only_where_somebody_looked",
        (("plans.failover", " and not _is_long(seen.blind_s(ctx.now_s))", ""),),
        _blind_console_refuses,
    ),
    Rule(
        "the_relay_log_is_applied_to_its_end_first",
        (("plans.builders.channel_steps", ' or (drains and holder.channel.sql_running == "Yes")', ""),
         ("plans.target", "    return source_gone and", "    return False and")),
        _relay_log_is_drained,
    ),
    Rule(
        "a_lost_side_is_no_source_until_reconciled",
        (("checks.switchover", "    if divergence is None:\n        return\n", "    return\n"),),
        _lost_side_is_no_source,
    ),
    Rule(
        "a_loss_is_counted_after_the_drain",
        (
            (
                "steps.positions.divergence_point",
                'lost_transactions=None if lost_count is None else lost_count + params.get("left_out", 0)',
                'lost_transactions=loss.get("transactions")',
            ),
        ),
        lambda core: core["tests.core.steps.test_failover_peers"].drained(0).lost_transactions == 0,
    ),
    Rule(
        "the_point_is_read_while_nobody_comes_back",
        (("steps.positions.divergence_point", "        if other_holders:", "        if False:"),),
        lambda core: _holder_back(core, "record_divergence")[0] == "failed",
    ),
    Rule(
        "a_side_opens_only_while_nobody_applies_the_old",
        (("steps.sides.fence", '        if "parted_from" in step.params:', "        if False:"),),
        lambda core: _holder_back(core, "unfence")[1] == [],
    ),
    Rule(
        "a_failover_that_is_still_fed_is_no_success",
        (("steps.positions.divergence_check", "    if applying:", "    if False:"),),
        lambda core: _holder_back(core, "verify")[0] == "needs_operator",
    ),
    Rule(
        "where_histories_part_is_kept_anew",
        (("steps.positions.divergence_check", "    if are_same(seam, recorded.seam):", "    if True:"),),
        _kept_anew,
    ),
    Rule(
        "a_node_that_is_gone_keeps_no_other_closed",
        (("steps.sides.fence", "seen.effect is Effect.UNSEEN and wait_until_expelled(ctx, step.node_id)", "False"),),
        _opens_without_one,
    ),
    Rule(
        "a_side_that_is_gone_keeps_no_other_closed",
        (("steps.positions.caught_up", "            elif self._silent_s(side) >= LOST_AFTER_S:", "            elif False:"),),
        lambda core: core["tests.core.steps.test_caught_up"].heard((0.0, "a1 a2 a3"), (60.0, "a1 a2 a3")) != "",
    ),
)  # fmt: skip
