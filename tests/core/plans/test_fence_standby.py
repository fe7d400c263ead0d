"""A standby side that takes writes: found, told apart from one that was never fenced, and fenced again on request."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.findings import Finding, Severity
from backend.core.link_facts import Divergence, LinkFacts, SideFence
from backend.core.link_state import History, LinkView, derive
from backend.core.plan import Plan
from backend.core.plans import fence_standby
from tests.fakes.console import FakeConsole
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import FakePlanner
from tests.fakes.sites import passive
from tests.fakes.world import FakeWorld


def _world(*opened: str) -> FakeWorld:
    """The standby is fenced but for these nodes."""
    world = passive(FakeWorld.classic())
    for node in world.b.nodes:
        node.started_s = world.clock.now_s() - 100_000
    for name in opened:
        world.node(name).variables["read_only"] = "OFF"
    return world


def _fence(
    world: FakeWorld, *, kind: str = "switchover", ago_s: float = 3600.0, held_s: float | None = None
) -> SideFence:
    at_s = world.clock.now_s() - ago_s
    return SideFence(world.b.id, "r_123", kind, at_s, None if held_s is None else at_s + held_s)


def _fenced(world: FakeWorld, fence: SideFence) -> LinkFacts:
    return replace(world.facts(), fences=(fence,))


def _view(link: LinkFacts) -> LinkView:
    return derive(link, History(), link.observed_at_s)


def _told(view: LinkView) -> Finding | None:
    found = [one for one in view.findings if one.code.startswith("standby_")]
    return found[0] if found else None


def test_link__standby_fenced__nothing_to_say() -> None:
    view = _view(_world().facts())
    assert (_told(view), view.state.value, view.readiness["fence_standby"].state) == (None, "protected", "not_needed")


def test_link__standby_writable__an_info_and_still_protected() -> None:
    view = _view(_world("b1", "b2", "b3").facts())
    told = _told(view)
    assert told is not None
    assert (told.code, told.severity) == ("standby_writable", Severity.INFO)
    assert (view.state.value, view.primary_action) == ("protected", None)
    assert view.readiness["fence_standby"].state == "ready"


def test_link__half_fenced__degraded_and_offered() -> None:
    view = _view(_world("b3").facts())
    told = _told(view)
    assert told is not None
    assert (told.code, told.severity) == ("standby_accepts_writes", Severity.WARNING)
    assert "b3 of the standby side" in told.message
    assert "no run of this console" in told.message
    assert view.state.value == "degraded"
    assert view.primary_action is not None
    assert view.primary_action.kind == "fence_standby"
    assert "b3 of the standby side accepts writes." in view.sentence


def test_link__fence_undone_on_all__the_run_is_named() -> None:
    world = _world("b1", "b2", "b3")
    told = _told(_view(_fenced(world, _fence(world))))
    assert told is not None
    assert told.severity is Severity.WARNING
    assert "Run r_123 (switchover) had fenced it at " in told.message
    assert told.facts["run_id"] == "r_123"


@pytest.mark.parametrize(("restarted", "said"), [(True, "b3 was restarted since"), (False, "was not restarted since")])
def test_link__fence_undone__why(restarted: bool, said: str) -> None:
    world = _world("b3")
    if restarted:
        world.node("b3").started_s = world.clock.now_s() - 10
    told = _told(_view(_fenced(world, _fence(world, ago_s=100.0))))
    assert told is not None
    assert said in told.message


def test_link__read_only_not_reported__counts_as_open() -> None:
    world = _world()
    del world.node("b2").variables["read_only"]
    assert _view(world.facts()).state.value == "degraded"


def test_link__clients_rejected__counts_as_fenced() -> None:
    world = _world("b2")
    world.node("b2").variables["wsrep_reject_queries"] = "ALL"
    assert _told(_view(world.facts())) is None


def test_link__both_sides_written_on_purpose__an_info() -> None:
    world = _world("b1", "b2", "b3")
    view = _view(replace(_fenced(world, _fence(world)), writes_on_both_sides=True))
    told = _told(view)
    assert told is not None
    assert (told.code, told.severity) == ("standby_writable", Severity.INFO)
    assert view.state.value == "protected"


def test_link__side_lost__its_own_findings_only() -> None:
    world = _world("b3")
    lost = replace(world.facts(), divergence=Divergence(world.b.id, world.a.id, None, 0.0))
    assert _told(_view(lost)) is None


@pytest.mark.parametrize(
    ("kind", "held_s", "restarted", "state"),
    [
        ("fence_standby", 60.0, False, "blocked"),
        ("fence_standby", 3000.0, False, "ready"),
        ("fence_standby", 60.0, True, "ready"),
        ("switchover", 60.0, False, "ready"),
    ],
)
def test_link__fenced_again_and_undone__offered_unless_a_program_does_it(
    kind: str, held_s: float, restarted: bool, state: str
) -> None:
    world = _world("b3")
    if restarted:
        world.node("b3").started_s = world.clock.now_s() - 10
    view = _view(_fenced(world, _fence(world, kind=kind, held_s=held_s)))
    assert view.readiness["fence_standby"].state == state
    assert (view.primary_action is None) is (state == "blocked")
    told = _told(view)
    assert told is not None
    assert ("Another program undoes" in told.remedy) is (state == "blocked")


def _plan(world: FakeWorld, fence: SideFence | None = None) -> Plan:
    held = {} if fence is None else {"link": replace(world.facts(), fences=(fence,))}
    return FakePlanner(world, fence_standby.KIND, {}, held).plan()


def test_plan__one_of_three_open__sets_that_one() -> None:
    plan = _plan(_world("b3"))
    assert [(step.code, step.node) for step in plan.steps] == [
        ("recheck", None),
        ("fence", "b3"),
        ("verify_fence", None),
    ]
    assert plan.steps[1].sql == ("SET GLOBAL read_only=ON",)
    assert plan.steps[1].undo == ()


def test_plan__all_fenced__refused() -> None:
    assert {one.code for one in _plan(_world()).findings if one.refuses} == {"nothing_to_fence"}


def test_plan__read_only_not_reported__refused() -> None:
    world = _world("b3")
    del world.node("b2").variables["read_only"]
    assert {one.code for one in _plan(world).findings if one.refuses} == {"node_cannot_be_fenced"}


def test_plan__contested__warns() -> None:
    world = _world("b3")
    plan = _plan(world, _fence(world, kind="fence_standby", held_s=5.0))
    assert [one.severity for one in plan.findings if one.code == "fence_contested"] == [Severity.WARNING]
    assert not plan.is_refused


def test_run__one_of_three_open__all_refuse_writes_afterwards() -> None:
    world = _world("b3")
    memory = Memory(_plan(world))
    Walker(world, FakeGateway(world), memory, console=FakeConsole()).run()
    assert memory.ended.state == "succeeded"
    assert not any(node.takes_writes for node in world.b.nodes)
    assert all(node.takes_writes for node in world.a.nodes)
