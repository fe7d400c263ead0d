"""A plan waits for a node that has just failed to be expelled: later no attestation is required."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from backend.clusters.models import Link
from backend.core.checks.context import CheckContext
from backend.core.checks.run import Check
from backend.core.findings import Finding, Severity
from backend.operations.runs.planning import planner
from tests.fakes.plans import context_of
from tests.fakes.world import FakeWorld

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
    world = FakeWorld().classic()
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
