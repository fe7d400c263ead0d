"""Rules of ending the replication of a link, each taken out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, is_green, state_of, walk

CHECKS, PLAN, VERIFY = "checks.remove_channels", "plans.remove_channels", "steps.verification.channels_removed"


def _is_refused(core: Copy, spoil: Callable[[Any], None], **more: Any) -> bool:
    """Whether the plan is refused, the link spoilt so."""
    world = core["tests.fakes.world"].FakeWorld.classic()
    spoil(world)
    return bool(core["tests.fakes.plans"].plan_remove(world, **more).is_refused)


def _lost(core: Copy) -> Callable[[Any], None]:
    def spoil(world: Any) -> None:
        world.divergence = core["tests.core.plans.test_remove_channels"].divergence()

    return spoil


def _down(world: Any) -> None:
    world.kill("b3")


def _unread(world: Any) -> None:
    world.node("b3").are_channels_readable = False


def _not_ready(world: Any) -> None:
    world.node("b1").local_state = 2


def _nothing(world: Any) -> None:
    del world


def _abort(both: Any) -> None:
    both[1].request_abort()


def _second(both: Any) -> None:
    both[0].connect("a2", "b2")


def _hung(both: Any) -> None:
    world, _ = both
    world.connect("a2", "b2")
    world.kill("b2", reach=type(world.node("b2").reach).HUNG, is_expelled=False)


def _runs_again(core: Copy) -> bool:
    world, _, _ = walk(core, "remove_channels", _abort, "reset_channel")
    return all(world.node(name).channels["link1"].is_running for name in ("a1", "b1"))


def _stray_stays_stopped(core: Copy) -> bool:
    """The stray channel ran beside the current one."""
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world = core["tests.fakes.world"].FakeWorld.classic()
    world.remember()
    world.connect("a1", "b3")
    memory = driver.Memory(core["tests.fakes.plans"].plan_remove(world))
    abort = driver.at_start_of("reset_channel", memory.request_abort)
    driver.Walker(world, gateways.FakeGateway(world), memory, on_transition=abort).run()
    return not world.node("b3").channels["link1"].is_running


def _not_aborted_half_way(core: Copy) -> bool:
    """An operator asks to abort once the first channel is removed."""
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world, plan = core["tests.core.builders.situations"].situation("remove_channels").build()
    memory = driver.Memory(plan)

    def ask(transition: Any) -> None:
        if type(transition).__name__ == "StepDone" and transition.step.code == "reset_channel":
            memory.request_abort()

    driver.Walker(world, gateways.FakeGateway(world), memory, on_transition=ask).run()
    return state_of((world, memory)) == "succeeded"


def _by_a_proxy(world: Any) -> None:
    world.feed("b2", 11, name="vip", host="vip.example")


def _proxy_made_meanwhile(core: Copy) -> bool:
    test = "test_run__channel_by_a_virtual_address_is_made_meanwhile__not_taken_for_removed"
    return is_green(core, "plans.test_remove_channels", test)


RULES = (
    Rule(
        "replication_is_not_ended_before_a_reprotect",
        ((CHECKS, "    if divergence is None:\n", "    if True:\n"),),
        lambda c: _is_refused(c, _lost(c)),
    ),
    Rule(
        "a_node_that_is_down_may_hold_a_channel",
        (
            (CHECKS, "        if not node.is_up:", "        if False:"),
            (CHECKS, "        elif node.channels is None:", "        elif node.is_up and node.channels is None:"),
        ),
        lambda c: _is_refused(c, _down),
    ),
    Rule(
        "a_node_whose_channels_are_unread_may_hold_one",
        ((CHECKS, "        elif node.channels is None:", "        elif False:"),),
        lambda c: _is_refused(c, _unread),
    ),
    Rule(
        "an_uncounted_backlog_is_not_left_behind_unasked",
        (
            (
                PLAN,
                "Severity.WARNING if ctx.accepts_loss else Severity.UNKNOWN",
                "Severity.WARNING",
            ),
        ),
        lambda c: _is_refused(c, _nothing, unapplied={}),
    ),
    Rule(
        "a_channel_is_removed_only_on_a_node_that_can_commit",
        ((PLAN, "for holder in held if not is_fit(holder.replica)", "for holder in held if False"),),
        lambda c: _is_refused(c, _not_ready),
    ),
    Rule(
        "ended_replication_goes_on_after_an_abort",
        ((PLAN, "undo=() if is_stray or not channel.is_running else", "undo=() if True else"),),
        _runs_again,
    ),
    Rule(
        "a_stray_channel_is_not_started_by_an_abort",
        ((PLAN, "undo=() if is_stray or not", "undo=() if not"),),
        _stray_stays_stopped,
    ),
    Rule(
        "a_removal_is_not_aborted_half_way",
        ((PLAN, "        pnr=is_first,", "        pnr=False,"),),
        _not_aborted_half_way,
    ),
    Rule(
        "a_channel_that_is_left_is_no_success",
        ((VERIFY, "        if left:", "        if False:"),),
        lambda c: state_of(walk(c, "remove_channels", _second, "verify_channels_removed")) != "succeeded",
    ),
    Rule(
        "a_node_that_is_not_read_at_the_end_is_no_success",
        ((VERIFY, "channels_into(observe_peers(ctx, side), side)", "channels_into(ctx.gateway.observe_link(), side)"),),
        lambda c: state_of(walk(c, "remove_channels", _hung, "verify_channels_removed")) != "succeeded",
    ),
    Rule(
        "a_channel_that_may_carry_a_direction_is_not_left",
        ((PLAN, "Severity.BLOCKER if one.is_unclear else Severity.INFO", "Severity.INFO"),),
        lambda core: _is_refused(core, _by_a_proxy),
    ),
    Rule(
        "no_channel_by_another_address_is_left",
        ((VERIFY, "        left += [one.sentence for one in unclear_channels(ctx.gateway.observe_link())]\n", ""),),
        _proxy_made_meanwhile,
    ),
)
PREVENTS = {
    "a_channel_that_may_carry_a_direction_is_not_left": "replication by a virtual address goes on in a retired link",
    "no_channel_by_another_address_is_left": "a channel that was made meanwhile goes on in a retired link",
    "replication_is_not_ended_before_a_reprotect": "what only the lost side has is never listed",
    "a_node_that_is_down_may_hold_a_channel": "a retired link replicates again as soon as the node is back",
    "a_node_whose_channels_are_unread_may_hold_one": "an unseen channel goes on in a retired link",
    "an_uncounted_backlog_is_not_left_behind_unasked": "an unknown backlog stays on one side, and no operator was asked",
    "a_channel_is_removed_only_on_a_node_that_can_commit": "the run stops half way, where RESET SLAVE is refused",
    "ended_replication_goes_on_after_an_abort": "an aborted run leaves the standby without writes",
    "a_stray_channel_is_not_started_by_an_abort": "a stray channel is started again, and applies twice",
    "a_removal_is_not_aborted_half_way": "an abort is granted that can no longer restore the channels",
    "a_channel_that_is_left_is_no_success": "the link is retired, and a channel goes on",
    "a_node_that_is_not_read_at_the_end_is_no_success": "the link is retired over a channel that could not be seen",
}
