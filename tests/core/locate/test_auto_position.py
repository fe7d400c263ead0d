"""A relocate of channels with SOURCE_AUTO_POSITION=1, from the search to the end of its run."""

from __future__ import annotations

import pytest

from backend.core.findings import Severity
from backend.core.gtid_sets import MysqlGtid, MysqlGtidSet
from backend.core.locate.auto_position import with_executed_sets
from backend.core.locate.evidence import Evidence, Family
from backend.core.locate.executed_sets import AutoPosition, ExecutedSets
from backend.core.locate.model import Located
from backend.core.plan import Plan
from backend.core.positions import MariadbGtid
from tests.core.builders.worlds import ask, forward, wrong
from tests.fakes.cluster import FakeNode
from tests.fakes.driver import assert_whole, run_to_end
from tests.fakes.mysql_world import SETS, MysqlWorld
from tests.fakes.plans import plan_relocate, sound

A = ord("a")


def world_of_sets() -> MysqlWorld:
    """Both channels between a1 and b1, with some history."""
    world = MysqlWorld()
    world.with_history()
    return world


def set_evidence(located: Located) -> Evidence:
    """The evidence of the sets."""
    return next(one for one in located.evidence if one.family is Family.GTID_SET)


def refusals(plan: Plan) -> set[str]:
    """Codes of what refuses a plan, which then has no step."""
    assert plan.steps == ()
    return {finding.code for finding in plan.findings if finding.refuses}


@pytest.mark.parametrize("lost", ["a1", "b1", "a1 b1"])
def test_locate__node_lost__sets_and_position_agree(lost: str) -> None:
    world = world_of_sets()
    for node in lost.split():
        world.kill(node)
    world.write("a2")
    world.write("b2")
    for _, located in ask(world, "a2", "b2"):
        assert located.is_proven, located.reasons
        assert wrong(world, located) is None
        assert set_evidence(located).agrees is True
        assert set_evidence(located).facts["gap_transactions"] == 1
        assert set_evidence(located).facts["nodes_compared"]


def test_locate__channel_still_moves__compared_again_once_it_has_stopped() -> None:
    located = forward(ask(world_of_sets(), "a2", "b2"))
    assert located.is_proven, located.reasons
    assert "again once the channel has stopped" in set_evidence(located).detail


class Busy(MysqlWorld):
    """Writes on b, which arrives on a, each time a2 is asked for its sets."""

    __slots__ = ()

    def answer(self, node: FakeNode, sql: str) -> list[dict[str, object]] | None:
        """As the servers do."""
        if node.name == "a2" and sql == SETS:
            self.write("b2")
            self.tick()
        return MysqlWorld.answer(self, node, sql)


def test_locate__receiving_side_writes_while_the_sets_are_read__not_taken_for_lost() -> None:
    """The other side has it before its own side was asked again."""
    world = Busy()
    world.with_history()
    channel = world.node("b1").channels["link1"]
    channel.io = channel.sql = "No"
    world.write("a2")
    located = forward(ask(world, "a2", "b2"))
    assert located.is_proven, located.reasons


@pytest.mark.parametrize("lost", ["", "a1", "b1", "a1 b1"])
def test_relocate__any_loss_while_both_sides_write__each_transaction_exactly_once(lost: str) -> None:
    world = world_of_sets()
    world.has_workload = True
    for node in lost.split():
        world.kill(node)
    plan = sound(plan_relocate(world, "a2", "b3"))
    points = [step for step in plan.steps if step.code == "change_source"]
    assert all("SOURCE_AUTO_POSITION=1" in step.sql[0] for step in points)
    assert all("IGNORE_SERVER_IDS=()" in step.sql[0] for step in points)
    assert all(step.params["options"]["SSL_CA_FILE"] for step in points)
    assert "gtid_auto_position" in {f.code for f in plan.findings if f.severity is Severity.OK}
    assert_whole(world, run_to_end(world, plan))


def test_plan__source_purged_what_is_missing__refused_by_name() -> None:
    world = world_of_sets()
    world.kill("b1")
    for _ in range(3):
        world.write("a2")
        world.node("a2").log.rotate()
    world.node("a2").log.purge(3)
    assert "gtid_purged_needed" in refusals(plan_relocate(world, "a2", "b2"))


def test_plan__errant_on_the_replica__refused_by_name() -> None:
    world = world_of_sets()
    world.kill("b1")
    world.b.commit(world.txn("b2"), MariadbGtid(7, 7, 1))
    assert "gtid_errant" in refusals(plan_relocate(world, "a2", "b2"))


def test_plan__source_node_wrote_past_its_cluster__refused_by_name() -> None:
    world = world_of_sets()
    world.kill("b1")
    node = world.node("a2")
    node.log.append(world.txn("a2"), 5, MariadbGtid(0, node.server_id, 1))
    assert "gtid_errant" in refusals(plan_relocate(world, "a2", "b2"))


def test_plan__neighbour_counts_one_less__refused_by_name() -> None:
    world = world_of_sets()
    world.kill("b1")
    world.node("b3").log.lose_last()
    world.node("b3").log.lose_last()
    assert "gtid_set_differs" in refusals(plan_relocate(world, "a2", "b2"))


def test_sets__hold_what_follows_the_position__contradict_it() -> None:
    """The source would send nothing more, and the transactions after the position would be taken for applied."""
    world = world_of_sets()
    world.kill("a1")
    world.write("a2")
    located = forward(ask(world, "a2", "b2"))
    gtids = [MysqlGtid.parse(one.gtid_text) for one in (*located.source_groups, *located.next_groups)]
    everything = MysqlGtidSet.of(((one.uuid, one.tag), (1, one.number)) for one in gtids)
    sets = ExecutedSets(
        replica="b2",
        source="a2",
        receiving="b",
        applied={"b2": everything},
        executed=everything,
        purged=MysqlGtidSet({}),
        own=frozenset({"00000000-0000-0000-0000-00000000000b"}),
        theirs=frozenset(one.uuid for one in gtids),
    )
    judged = with_executed_sets(located, AutoPosition(sets, is_moving=False))
    assert not judged.is_proven
    assert judged.facts["code"] == "gtid_set_differs"
    assert "has executed it" in judged.reasons[-1]
