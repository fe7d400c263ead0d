"""The fence of a returned side by hand: it only sets read_only, and asks for what that needs and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.core.findings import Severity
from backend.core.orphans.report import OrphanReport
from backend.core.plan import Plan
from backend.core.topology import Reach
from tests.core.builders.lost_sides import failed_over
from tests.fakes.plans import sound
from tests.fakes.sites import plan_reprotect
from tests.fakes.world import FakeWorld

REPORT = OrphanReport("found", "cluster-a has 2 transactions that cluster-b never received.", transactions=2)


def returned() -> FakeWorld:
    """All nodes of the lost side are back and accept writes."""
    world = failed_over()
    for node in world.a.nodes:
        world.start_server(node.name)
    world.tick()
    return world


def planned(world: FakeWorld) -> Plan:
    return plan_reprotect(world, "fence", REPORT, "b1", "a1")


def refusing(plan: Plan) -> dict[str, Severity]:
    return {finding.code: finding.severity for finding in plan.findings if finding.refuses}


def _path_cut(world: FakeWorld) -> None:
    for node in world.a.nodes:
        for channel in node.channels.values():
            channel.io = "Connecting"


def _channel_setting(name: str, value: str) -> Callable[[FakeWorld], None]:
    def change(world: FakeWorld) -> None:
        for node in world.nodes:
            node.variables[name] = value

    return change


@pytest.mark.parametrize(
    "change",
    [_path_cut, _channel_setting("log_slave_updates", "OFF"), _channel_setting("slave_exec_mode", "IDEMPOTENT")],
    ids=["path", "log_slave_updates", "slave_exec_mode"],
)
def test_fence__what_only_a_channel_would_need__not_asked_for(change: Callable[[FakeWorld], None]) -> None:
    world = returned()
    change(world)
    plan = sound(planned(world))
    assert [(step.code, step.node) for step in plan.steps][1:4] == [("fence", name) for name in ("a1", "a2", "a3")]


def test_fence__one_returned_node_hung__the_others_are_fenced_and_it_is_named() -> None:
    world = returned()
    world.kill("a3", reach=Reach.HUNG, is_expelled=False)
    plan = sound(planned(world))
    assert {step.node for step in plan.steps if step.code == "fence"} == {"a1", "a2"}
    (warning,) = [finding for finding in plan.findings if finding.code == "returned_node_not_fenced"]
    assert warning.facts["node"] == "a3"


def test_fence__no_node_returned__refused() -> None:
    assert "node_unreachable" in refusing(planned(failed_over()))


@pytest.mark.parametrize(
    ("value", "severity"), [("ON", Severity.BLOCKER), (None, Severity.UNKNOWN)], ids=["read_only", "unread"]
)
def test_fence__survivor_accepts_no_writes__refused(value: str | None, severity: Severity) -> None:
    world = returned()
    for node in world.b.nodes:
        if value is None:
            del node.variables["read_only"]
        else:
            node.variables["read_only"] = value
    assert refusing(planned(world)) == {"survivor_not_writable": severity}


def test_fence__survivor_not_seen__unknown_refuses() -> None:
    world = returned()
    world.kill_side(world.b)
    assert refusing(planned(world)) == {"survivor_not_writable": Severity.UNKNOWN}


def test_fence__no_failover_recorded__refused() -> None:
    world = returned()
    world.divergence = None
    assert "nothing_to_reprotect" in refusing(planned(world))
