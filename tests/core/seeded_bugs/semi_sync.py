"""Rules of semi-synchronous replication, each taken out: then commits wait for a replica that is not there."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule

CHECK, FACTS, PLAN, STEPS = "checks.semi_sync", "facts.semi_sync", "plans.semi_sync", "steps.sides.semi_sync"


def _moved(core: Copy, source: str = "a2", replica: str = "b2", **how: Any) -> tuple[Any, Any]:
    """World and memory after a relocate of a link whose replica alone acknowledges."""
    tests, driver = core["tests.core.plans.test_semi_sync"], core["tests.fakes.driver"]
    world = tests.waiting("a1", **how)
    memory = driver.run_to_end(world, tests.relocated(world, source, replica))
    return world, memory


def _goes_on(core: Copy) -> bool:
    world, memory = _moved(core)
    return memory.end.state == "succeeded" and not world.held


def _is_refused(core: Copy, spoil: str = "", may: bool | None = True) -> bool:
    tests = core["tests.core.plans.test_semi_sync"]
    world = tests.waiting("a1")
    if spoil:
        del world.node(spoil).variables["rpl_semi_sync_master_enabled"]
    given = {} if may is None else {node.ref.id: may for node in world.nodes}
    return bool(core["tests.fakes.plans"].plan_relocate(world, "a2", "b2", may_set_semi_sync=given).is_refused)


def _state(core: Copy) -> str:
    world = core["tests.core.plans.test_semi_sync"].waiting("a1", by=())
    state = core["backend.core.link_state"]
    return str(state.derive(world.facts(), state.History(), 0.0).state)


def _undone_without_a_replica(core: Copy) -> bool:
    """The replica does not acknowledge any more when the run is undone."""
    tests, driver, gateways = (
        core[name] for name in ("tests.core.plans.test_semi_sync", "tests.fakes.driver", "tests.fakes.gateway")
    )
    world = tests.waiting("a1")
    memory = driver.Memory(tests.relocated(world, "a2", "b2"))
    walker = driver.Walker(world, gateways.FakeGateway(world), memory)

    def spoil() -> None:
        world.node("b1").variables["rpl_semi_sync_slave_enabled"] = "OFF"
        memory.request_abort()

    walker.on_transition = driver.at_start_of("locate", spoil)
    walker.run()
    return memory.end.state == "aborted" and not world.held


def _left_off_without_a_replica(core: Copy) -> bool:
    """The new replica does not acknowledge after all, when the wait is to be given back."""
    tests, driver, gateways = (
        core[name] for name in ("tests.core.plans.test_semi_sync", "tests.fakes.driver", "tests.fakes.gateway")
    )
    world = tests.waiting("a1", by=("b1", "b2"))
    memory = driver.Memory(tests.relocated(world, "a1", "b2"))
    walker = driver.Walker(world, gateways.FakeGateway(world), memory)

    def spoil() -> None:
        world.node("b2").variables["rpl_semi_sync_slave_enabled"] = "OFF"

    walker.on_transition = driver.at_start_of("probe", spoil)
    walker.run()
    return memory.end.state == "succeeded" and not world.held


def _says_who_does_not_go_on(core: Copy) -> bool:
    """Somebody turns the wait on again behind the stop."""
    tests, driver, gateways = (
        core[name] for name in ("tests.core.plans.test_semi_sync", "tests.fakes.driver", "tests.fakes.gateway")
    )
    world = tests.waiting("a1")
    memory = driver.Memory(tests.relocated(world, "a2", "b2"))
    walker = driver.Walker(world, gateways.FakeGateway(world), memory)

    def meddle() -> None:
        world.node("a1").variables["rpl_semi_sync_master_enabled"] = "ON"

    walker.on_transition = driver.at_start_of("verify_commits", meddle)
    walker.run()
    return memory.end.state == "failed" and "wait for a semi-synchronous acknowledgement" in memory.end.sentence


RULES = (
    Rule(
        "a_source_never_waits_for_a_replica_that_the_plan_stops",
        ((PLAN, "    steps = [*head, *_off_steps(waits.turned_off)]", "    steps = [*head]"),),
        _goes_on,
    ),
    Rule(
        "a_replica_that_is_stopped_does_not_count_as_one_that_acknowledges",
        ((PLAN, "        left = max(0, (seen.clients or 0) - len(leaving))", "        left = seen.clients or 0"),),
        _goes_on,
    ),
    Rule(
        "a_node_whose_wait_is_unknown_refuses",
        ((CHECK, "    if unknown:", "    if False:"),),
        lambda c: _is_refused(c, "b3"),
    ),
    Rule(
        "a_run_that_could_not_turn_the_wait_off_is_refused",
        ((PLAN, "        elif not may:", "        elif False:"),),
        lambda c: _is_refused(c, may=False),
    ),
    Rule(
        "an_unknown_privilege_over_the_wait_refuses",
        ((PLAN, "        if may is None:", "        if False:"), (PLAN, "        elif not may:", "        elif may is False:")),
        lambda c: _is_refused(c, may=None),
    ),
    Rule(
        "an_undo_does_not_let_commits_wait_for_nobody",
        ((STEPS, " and is_acknowledged(ctx, step) else None", " else None"),),
        _undone_without_a_replica,
    ),
    Rule(
        "the_wait_is_given_back_only_once_a_replica_acknowledges",
        ((STEPS, "        if seen.effect is Effect.TO_DO and not is_acknowledged(ctx, step):", "        if False:"),),
        _left_off_without_a_replica,
    ),
    Rule(
        "no_point_of_no_return_is_passed_while_commits_wait",
        ((STEPS, "        if not facts.is_up or why is not None:", "        if not facts.is_up:"),
         (STEPS, "        if why is not None:\n            return Proof(False, why)\n", "")),
        _says_who_does_not_go_on,
    ),
    Rule(
        "a_side_whose_commits_wait_is_not_protected",
        (("link_state.derive", "        and not commits_that_wait(link)\n", ""),),
        lambda c: _state(c) == "degraded",
    ),
)  # fmt: skip

PREVENTS = {
    "a_source_never_waits_for_a_replica_that_the_plan_stops": "each commit of the active side waits until a timeout",
    "a_replica_that_is_stopped_does_not_count_as_one_that_acknowledges": "the same: the plan says that one is left",
    "a_node_whose_wait_is_unknown_refuses": "the same, unannounced",
    "a_run_that_could_not_turn_the_wait_off_is_refused": "the run fails at its first statement, or leaves it off",
    "an_unknown_privilege_over_the_wait_refuses": "the same",
    "an_undo_does_not_let_commits_wait_for_nobody": "an abort makes each commit wait until a timeout",
    "the_wait_is_given_back_only_once_a_replica_acknowledges": "a run that succeeded leaves each commit waiting",
    "a_side_whose_commits_wait_is_not_protected": "an operator reads *protected* while no commit of the side ends",
    "no_point_of_no_return_is_passed_while_commits_wait": "the old channel is removed, and commits stand still",
}
