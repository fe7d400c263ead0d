"""Fence standby: nodes of the standby side that accept writes are set read-only; channels and roles stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from backend.core.checks.console import check_approval, check_no_other_run
from backend.core.checks.context import CheckContext
from backend.core.checks.create_channels import check_standby_can_be_fenced
from backend.core.checks.members import check_members_are_registered
from backend.core.checks.nodes import check_identity
from backend.core.checks.remove_channels import check_no_open_divergence
from backend.core.checks.run import Check
from backend.core.checks.servers import check_servers
from backend.core.facts.fingerprint import fingerprint
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_state.standby_fence import FENCE_KIND, is_contested, open_nodes
from backend.core.plan import Plan, Step
from backend.core.plans.builders.fence_steps import fence_steps
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.kind import PlanKind
from backend.core.plans.presentation import roles_target

KIND = FENCE_KIND

FENCE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_no_open_divergence,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_standby_can_be_fenced,
    check_approval,
)
"""Of the standby side; a split one is fenced, too."""


def decide(ctx: CheckContext, findings: Sequence[Finding], options: Mapping[str, Any]) -> Plan:
    """A plan that fences the standby side, ready or refused; no step is undone, as the side is to be fenced."""
    link, side = ctx.link, ctx.link.standby
    names = ", ".join(node.node.name for node in open_nodes(side))
    everything = (*findings, *_findings(ctx))
    return Plan(
        kind=KIND,
        link_id=link.id,
        link_name=link.name,
        created_at_s=ctx.now_s,
        summary=f"Fence the standby side {side.name}" + (f" ({names})" if names else ""),
        findings=everything,
        positions=(),
        loss={
            "transactions": 0,
            "seconds": 0,
            "detail": f"What was written at {side.name} meanwhile stays there, and the reverse channel replicates it.",
        },
        steps=() if is_refused(everything) else _steps(ctx),
        fingerprint=fingerprint(link, ()),
        target=roles_target(link.active, side),
        options=dict(options),
        situation={
            "sentence": f"{link.active.name} is active. {names or 'No serving node'} of the standby side {side.name} "
            "accepts writes.",
            "old_source_name": "",
            "old_replica_name": "",
            "lost": [],
        },
    )


def _findings(ctx: CheckContext) -> list[Finding]:
    side = ctx.link.standby
    if not open_nodes(side):
        message = f"Every serving node of {side.name} is read-only."
        return [Finding("nothing_to_fence", Severity.BLOCKER, message, "Do nothing.", {"cluster_id": side.id})]
    fence = ctx.link.fence_of(side.id)
    if fence is None or not is_contested(ctx.link):
        return []
    at = datetime.fromtimestamp(fence.fenced_at_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return [
        Finding(
            "fence_contested",
            Severity.WARNING,
            f"Run {fence.run_id} fenced {side.name} at {at}, and it was writable again within minutes, without a "
            "restart. Another program probably undoes this fence, too.",
            "Find the program that sets read_only=OFF, and stop it first.",
            {"cluster_id": side.id, "run_id": fence.run_id},
        )
    ]


def _steps(ctx: CheckContext) -> tuple[Step, ...]:
    steps = StepList()
    steps.add("recheck", "Read both sides again and compare with the plan")
    fence_steps(steps, ctx.link.standby, stays=True)
    return tuple(steps.steps)


PLAN_KIND = PlanKind(
    kind=KIND,
    done="fenced the standby side of {link}",
    to_do="fence the standby side of {link}",
    is_emergency=True,
    proves_continuity=False,
    checks=FENCE_CHECKS,
    decide=lambda given: decide(given.ctx, given.findings, given.options),
)
