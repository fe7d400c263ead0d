"""Rules of deciding by sets of GTIDs, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, is_green, state_of

SETS = "locate.executed_sets"
AUTO = "locate.auto_position"
A, B, OTHER = (f"57e801c0-e9a7-11f1-a3b8-02fc0000000{number}" for number in (1, 2, 4))


def _refused(
    core: Copy, applied: str, executed: str, purged: str = "", *, neighbour: str | None = None, **more: Any
) -> bool:
    """Whether a source of cluster A may not serve a replica of cluster B."""
    sets, parse = core["backend.core.locate.executed_sets"], core["backend.core.gtid_sets"].MysqlGtidSet.parse
    nodes = {"b2": parse(applied)} | ({} if neighbour is None else {"b3": parse(neighbour)})
    known: dict[str, Any] = {
        "executed": parse(executed),
        "purged": parse(purged),
        "own": frozenset({B}),
        "theirs": frozenset({A, OTHER}),
        "local": frozenset({OTHER}),
    }
    asked = sets.ExecutedSets("b2", "a2", "cluster-b", nodes, **(known | more))
    return sets.decide(asked).code != "gtid_set_served"


def _world(core: Copy) -> Any:
    world = core["tests.fakes.mysql_world"].MysqlWorld()
    world.with_history()
    return world


def _refuses_a_hole(core: Copy) -> bool:
    """The logs prove a place that the set is beyond: an operator committed the next GTID empty on the receiving side."""
    world = _world(core)
    world.kill("b1")
    world.write("a2")
    for node in world.b.live:
        was, gtid = node.log.executed, world.node("a2").log.placed[-1].gtid
        node.log.executed = lambda was=was, gtid=gtid: was() | {gtid}
    worlds = core["tests.core.builders.worlds"]
    return not worlds.forward(worlds.ask(world, "a2", "b2")).is_proven


def _meanwhile(core: Copy) -> bool:
    """Something happens as the channel is to be pointed: nothing may be sent then."""
    driver, gateways, plans = (core[f"tests.fakes.{name}"] for name in ("driver", "gateway", "plans"))
    world = _world(core)
    world.kill("b1")
    plan = plans.sound(plans.plan_relocate(world, "a2", "b3"))
    memory, acted = driver.Memory(plan), list[bool]()

    def on_transition(transition: Any) -> None:
        step = getattr(transition, "step", None)
        if type(transition).__name__ == "StepStarted" and step.code == "change_source" and not acted:
            acted.append(True)
            node = world.node("b3")
            was = node.log.executed
            gtid = core["backend.core.positions"].MariadbGtid(7, 7, 1)
            node.log.executed = lambda: was() | {gtid}

    driver.Walker(world, gateways.FakeGateway(world), memory, on_transition=on_transition).run()
    return state_of((world, memory)) != "succeeded" and "link1" not in world.node("b3").channels


def _own_writes_go_on(core: Copy) -> bool:
    """The receiving side writes while the sets are read: this refuses no move."""
    test = "test_locate__receiving_side_writes_while_the_sets_are_read__not_taken_for_lost"
    return is_green(core, "locate.test_auto_position", test)


def _loop_guard_is_checked(core: Copy) -> bool:
    world = _world(core)
    world.node("b2").variables["gtid_mode"] = "OFF_PERMISSIVE"
    plans, checks = core["tests.fakes.plans"], core["backend.core.checks.auto_position"]
    return any(finding.refuses for finding in checks.check_auto_position(plans.context_of(world, "a2", "b3")))


def _no_list_is_sent(core: Copy) -> bool:
    """The server refuses a list of ignored servers with gtid_mode=ON (3139), behind the point of no return."""
    plans, world = core["tests.fakes.plans"], _world(core)
    plan = plans.sound(plans.plan_relocate(world, "a2", "b3"))
    return all("IGNORE_SERVER_IDS=()" in step.sql[0] for step in plan.steps if step.code == "change_source")


RULES = (
    Rule(
        "what_was_purged_was_executed",
        ((SETS, "    yield _purged(sets, purged.minus(applied))\n", ""),),
        lambda c: _refused(c, f"{A}:1-3", f"{A}:1-9", f"{A}:1-6"),
    ),
    Rule(
        "no_errant_transaction_on_the_replica",
        ((SETS, "    yield _errant(sets, applied.minus(executed).without_sources(sets.own))\n", ""),),
        lambda c: _refused(c, f"{A}:1-9,{OTHER}:1", f"{A}:1-9"),
    ),
    Rule(
        "a_lost_own_number_is_not_given_out_twice",
        ((SETS, "    yield _own_missing(sets, gap.of_sources(sets.own))\n", ""),),
        lambda c: _refused(c, f"{A}:1-9,{B}:1-2", f"{A}:1-9,{B}:1-3"),
    ),
    Rule(
        "own_writes_are_read_behind_the_source",
        (("locate.executed_inputs", ".plus(last.of_sources(own))", ".plus(first.of_sources(own))"),),
        _own_writes_go_on,
    ),
    Rule(
        "what_one_node_wrote_past_its_cluster_is_not_sent",
        ((SETS, "    yield _local(sets, gap.of_sources(sets.local))\n", ""),),
        lambda c: _refused(c, f"{A}:1-9", f"{A}:1-9,{OTHER}:1"),
    ),
    Rule(
        "no_transaction_is_missing_before_later_ones",
        ((SETS, "    yield _out_of_order(sets, gap.minus(gap.beyond(applied)))\n", ""),),
        lambda c: _refused(c, f"{A}:1-3:5-9", f"{A}:1-9"),
    ),
    Rule(
        "neighbours_have_executed_the_same",
        ((SETS, "    yield _nodes_differ(sets, applied)\n", ""),),
        lambda c: _refused(c, f"{A}:1-8", f"{A}:1-9", neighbour=f"{A}:1-9"),
    ),
    Rule(
        "unknown_uuids_never_pass",
        ((SETS, "    if not sets.own or not sets.theirs:", "    if False:"),),
        lambda c: _refused(c, f"{A}:1-9", f"{A}:1-9", own=frozenset()),
    ),
    Rule(
        "one_uuid_names_one_side",
        ((SETS, "    if not shared:", "    if True:"),),
        lambda c: _refused(c, f"{A}:1-9", f"{A}:1-9", theirs=frozenset({A, B})),
    ),
    Rule(
        "sets_and_position_name_the_same_place",
        (
            (
                AUTO,
                "    against = _contradiction(located, found, decision) if located.is_proven else None",
                "    against = None",
            ),
        ),
        _refuses_a_hole,
    ),
    Rule(
        "the_sets_are_those_of_the_proof_when_the_channel_is_pointed",
        (
            (
                "steps.channels.change_source",
                '        if step.params.get("auto_position"):\n            verify_sets(ctx, step)\n',
                "",
            ),
        ),
        _meanwhile,
    ),
    Rule(
        "with_gtids_as_loop_guard_every_node_logs_them",
        (("checks.auto_position", "    if off:", "    if False:"),),
        _loop_guard_is_checked,
    ),
    Rule(
        "no_list_of_ignored_servers_beside_gtids",
        (("plans.builders.channel_steps", "() if guards_by_gtid(move.replica) else ", ""),),
        _no_list_is_sent,
    ),
)


PREVENTS: dict[str, str] = {
    "what_was_purged_was_executed": "the channel stops at its first connection: the source refuses to send (1236)",
    "no_errant_transaction_on_the_replica": "two sides with different data are joined, and nothing shows it",
    "a_lost_own_number_is_not_given_out_twice": (
        "one GTID names two transactions, and each side skips the other's: a silent loss"
    ),
    "own_writes_are_read_behind_the_source": "with writes on both sides a sound move is refused at random",
    "what_one_node_wrote_past_its_cluster_is_not_sent": "the other side gets what the source's own cluster lacks",
    "no_transaction_is_missing_before_later_ones": "a transaction is applied after those that followed it",
    "neighbours_have_executed_the_same": (
        "the channel skips, or repeats, what one node of the receiving side alone counted as executed"
    ),
    "unknown_uuids_never_pass": "two sides that write under one UUID are not distinguished",
    "one_uuid_names_one_side": "the replica skips the source's transactions as its own: a silent loss",
    "sets_and_position_name_the_same_place": (
        "a transaction that was never applied, only counted, is skipped for good: a silent loss"
    ),
    "the_sets_are_those_of_the_proof_when_the_channel_is_pointed": (
        "what the replica counted as executed since the proof is skipped without an error"
    ),
    "with_gtids_as_loop_guard_every_node_logs_them": "a write without a GTID returns to its origin and is applied again",
    "no_list_of_ignored_servers_beside_gtids": (
        "the statement is refused (3139) behind the point of no return: neither direction replicates"
    ),
}
