"""A plan waits for a node that has just failed to be expelled: later no attestation is required."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

import pytest

from backend.clusters.models import Link
from backend.core.checks.context import CheckContext
from backend.core.checks.run import Check
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest
from backend.core.plan import Plan
from backend.core.plans.kind import PAIR, Options
from backend.core.plans.kinds import PLAN_KINDS
from backend.gateway.gateway import NodeGateway
from backend.operations.runs.planning import planner
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import context_of, locate_with, plan_accept, plan_clean, plan_relocate, plan_start
from tests.fakes.world import USERS, FakeWorld

KINDS = ("relocate", "start_channel", "switchover", "failback", "failover", "reprotect")


@pytest.mark.parametrize("kind", KINDS)
def test_plan__node_has_just_died__looked_at_again_until_its_cluster_has_expelled_it(
    link: Link, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = iter(["unreachable_node_may_run", "unreachable_node_may_run", "now_expelled"])

    def run_checks(ctx: CheckContext, checks: Iterable[Check]) -> tuple[Finding, ...]:
        del ctx, checks
        return (Finding(next(codes), Severity.UNKNOWN, "as seen now"),)

    monkeypatch.setattr(planner, "run_checks", run_checks)
    built = planner.build_plan(link=link, kind=kind, reason="INC-1", options={}, actor="nora")
    found = {finding.code for finding in built.findings}
    assert "now_expelled" in found
    assert "unreachable_node_may_run" not in found


@pytest.mark.parametrize("kind", KINDS)
def test_plan__refused__promises_no_loss_of_zero(link: Link, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = (Finding("as_tested", Severity.BLOCKER, "as seen now"),)
    monkeypatch.setattr(planner, "run_checks", lambda ctx, checks: refusing)
    loss = planner.build_plan(link=link, kind=kind, reason="INC-1", options={}, actor="nora").loss
    assert loss["transactions"] is None
    assert "Nothing is lost" not in loss["detail"]


@pytest.mark.parametrize(
    ("options", "tried"),
    [({"direction": "reverse"}, [["reverse"]]), ({}, [["forward", "reverse"], ["forward"], ["reverse"]])],
)
def test_plan__both_channels_stand__the_chosen_one_alone_or_each_alone_behind_both(
    link: Link, options: dict[str, str], tried: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = FakeWorld.classic()
    for name in ("a1", "b1"):
        world.node(name).channels["link1"].io = "No"
    seen: list[list[str]] = []

    def run_checks(ctx: CheckContext, checks: Iterable[Check]) -> tuple[Finding, ...]:
        del checks
        seen.append([move.direction.value for move in ctx.moves])
        return (Finding("as_tested", Severity.BLOCKER, "as seen now"),)

    monkeypatch.setattr(planner, "run_checks", run_checks)
    monkeypatch.setattr(planner, "build_context", lambda *_, **__: context_of(world))
    monkeypatch.setattr(planner, "read_probes", lambda *_: {})
    planner.build_plan(link=link, kind="start_channel", reason="INC-1", options=options, actor="nora")
    assert seen == tried


def test_plan__cluster_of_a_dead_node_re_forms__waited_for_whatever_else_refuses(
    link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pair falls back on the dead node then, and a dozen reasons more refuse it."""
    assert _observations(link, monkeypatch, "clock_differs", is_reforming=True) == 2
    assert _observations(link, monkeypatch, "clock_differs", is_reforming=False) == 1


def test_plan__best_placed_node_unfit_beside_a_dead_one__waited_for_as_the_next_pair_is_tried_then(
    link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the plan is refused in the seconds after a death although the next node would do."""
    assert _observations(link, monkeypatch, "log_filter_set", is_reforming=False) == 2


def _observations(link: Link, monkeypatch: pytest.MonkeyPatch, other: str, *, is_reforming: bool) -> int:
    """How often the servers are read for a plan whose first findings name more than the node that may run."""
    count = 0

    def run_checks(ctx: CheckContext, checks: Iterable[Check]) -> tuple[Finding, ...]:
        nonlocal count
        del ctx, checks
        count += 1
        codes = ("unreachable_node_may_run", other) if count == 1 else ("now_expelled",)
        return tuple(Finding(code, Severity.UNKNOWN, "as seen now") for code in codes)

    monkeypatch.setattr(planner, "run_checks", run_checks)
    monkeypatch.setattr(planner, "is_reforming", lambda link: is_reforming)
    planner.build_plan(link=link, kind="switchover", reason="INC-1", options={}, actor="nora")
    return count


def _second_pair(world: FakeWorld) -> None:
    """The first pair cannot be used, nor would a probe pass it."""
    world.node("a2").variables["replicate_do_db"] = "shop"
    world.kill("a1")


def _both_stopped(world: FakeWorld) -> None:
    for name in ("a1", "b1"):
        world.node(name).channels["link1"].io = "No"


def _one_stands_behind(world: FakeWorld) -> None:
    """The reverse channel stopped on an error, so the forward one is started alone."""
    _both_stopped(world)
    world.node("a1").channels["link1"].sql_errno = 1062


@pytest.mark.parametrize(
    ("kind", "change", "decided"),
    [
        ("relocate", lambda world: world.kill("a1"), plan_relocate),
        ("relocate", _second_pair, plan_relocate),
        ("start_channel", _both_stopped, plan_start),
        ("start_channel", _one_stands_behind, plan_start),
        ("remove_stray_channel", lambda _world: None, plan_clean),
        ("accept_state_uuid", lambda _world: None, plan_accept),
    ],
)
def test_planner__world_of_the_fakes__the_plan_that_is_reviewed(
    link: Link,
    kind: str,
    change: Callable[[FakeWorld], None],
    decided: Callable[[FakeWorld], Plan],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The executor of declarations and the plans of tests/scenarios come to the same, step by step."""
    world = FakeWorld.classic()
    change(world)
    expected = decided(world)

    def build_context(
        _link: Link, _facts: LinkFacts, _gateway: object, options: Options, *, points: bool
    ) -> CheckContext:
        assert points is (kind != "start_channel")
        return context_of(world, *(name and str(name).removeprefix("n_") for name in map(options.get, PAIR)))

    def locate_all(ctx: CheckContext, gateway: FakeGateway, asked: Iterable[LocateRequest]) -> tuple[Located, ...]:
        return tuple(locate_with(world, gateway)(question, ctx.link) for question in asked)

    monkeypatch.setattr(planner, "build_context", build_context)
    monkeypatch.setattr(planner, "locate_all", locate_all)
    monkeypatch.setattr(planner, "read_probes", lambda *_: {})
    monkeypatch.setattr(planner, "replication_users", lambda _: USERS)
    monkeypatch.setattr(planner, "held_data_findings", lambda *_: ())
    monkeypatch.setattr(planner, "EXPEL_WAIT_S", 0)
    gateway = cast("NodeGateway", FakeGateway(world, moves=False))
    made = planner.Planner(link, gateway, PLAN_KINDS[kind], {}, "nora").plan()
    assert made.to_json() == expected.to_json()
