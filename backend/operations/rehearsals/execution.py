"""Runs a rehearsal: the plan by the same code as for a run, then the dry run up to the first write."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F

from backend.clusters.models import Link
from backend.core.plan import Plan as CorePlan
from backend.core.plans import relocate
from backend.core.plans.kind import REHEARSAL
from backend.core.plans.kinds import PLAN_KINDS
from backend.core.plans.target import candidates, current_pair, is_fit
from backend.core.ports import Gateway
from backend.core.rehearsal import RehearsedCheck, SimulatedLossGateway, dry_run, estimate_s
from backend.core.rehearsal.read_only import ReadOnlyConsole
from backend.core.steps.base import StepContext
from backend.gateway.gateway import NodeGateway
from backend.gateway.orphan_rows import RebuiltRows
from backend.monitoring.journal import DbJournal
from backend.monitoring.link_gateway import gateway_for_link
from backend.monitoring.stored_facts import link_facts
from backend.operations.runs.execution.clock import SystemClock
from backend.operations.runs.models import RunState, RunStep, StepState
from backend.operations.runs.planning.facts import locate_direction
from backend.operations.runs.planning.planner import build_plan

RECENT_STEPS = 400
"""The number of finished steps of earlier runs from which durations are estimated."""


@dataclass(slots=True)
class RehearsalResult:
    """A finished rehearsal that is not stored yet."""

    plan: CorePlan
    parts: list[RehearsedCheck] = field(default_factory=list)
    duration_ms: float = 0.0
    estimate_s: float | None = None

    @property
    def is_passed(self) -> bool:
        """Whether the plan is ready and every check passed."""
        return not self.plan.is_refused and all(part.is_ok for part in self.parts)

    @property
    def sentence(self) -> str:
        """Why it failed, or that it passed."""
        if self.plan.is_refused:
            reasons = " ".join(finding.message for finding in self.plan.findings if finding.refuses)
            return reasons or "There is nothing to do."
        failed = next((part for part in self.parts if not part.is_ok), None)
        return f"{failed.check}: {failed.sentence}" if failed else "Every check up to the first write passed."


def run_rehearsal(*, link: Link, kind: str, options: Mapping[str, Any], actor: str) -> RehearsalResult:
    """Rehearse now; the servers are read, nothing is changed. ProblemError for an option that does not apply."""
    began = time.monotonic()
    asked = {**_choice(link, kind, options), REHEARSAL: True}
    plan = build_plan(link=link, kind=kind, reason="rehearsal", options=asked, actor=actor)
    held = RehearsalResult(plan, _of_planning(plan, _ms(began)))
    if not plan.is_refused:
        held.parts += _walked(link, plan)
        held.estimate_s = estimate_s(plan.steps, _past(link, kind), held.parts)
    held.duration_ms = _ms(began)
    return held


def _choice(link: Link, kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options; for a relocate of a healthy link also another node, as if the current one were lost."""
    chosen = dict(options)
    if kind != relocate.KIND or chosen.get("source_node") or chosen.get("replica_node"):
        return chosen
    facts = link_facts(link)
    present = current_pair(facts)
    if not all(node_id and is_fit(facts.node(node_id)) for node_id in present):
        return chosen
    for side, name, now in zip((facts.active, facts.standby), ("source_node", "replica_node"), present, strict=True):
        alternatives = [node.node.id for node in candidates(side) if node.node.id != now]
        if alternatives:
            return {**chosen, name: alternatives[0]}
    return chosen


def _of_planning(plan: CorePlan, took_ms: float) -> list[RehearsedCheck]:
    whole = RehearsedCheck("Read both sides, check, locate, plan", is_ok=True, sentence=plan.summary, ms=took_ms)
    return [whole, *(_of_position(position) for position in plan.positions)]


def _of_position(position: Mapping[str, Any]) -> RehearsedCheck:
    what = f"Locate the {position['direction']} position on {position['node_name']}"
    return RehearsedCheck(what, is_ok=True, sentence=position["verdict"], ms=position.get("elapsed_ms") or 0.0)


def _walked(link: Link, plan: CorePlan) -> list[RehearsedCheck]:
    gateway = gateway_for_link(link)
    seen_through = _as_planned(link, plan, gateway)
    try:
        ctx = StepContext(
            plan=plan,
            gateway=seen_through,
            clock=SystemClock(),
            locate=lambda question, facts: locate_direction(question, facts, seen_through, RebuiltRows(gateway)),
            results={},
            console=ReadOnlyConsole(),
            journal=DbJournal(),
        )
        return list(dry_run(ctx))
    finally:
        gateway.close()


def _as_planned(link: Link, plan: CorePlan, gateway: NodeGateway) -> Gateway:
    """The gateway of the dry run; for a failover with the active side simulated as lost, as it was planned."""
    if not PLAN_KINDS[plan.kind].loses_active_side:
        return gateway
    return SimulatedLossGateway(gateway, tuple(node.ref for node in link.active_cluster.nodes.all()))


def _past(link: Link, kind: str) -> dict[str, list[float]]:
    """Durations of steps in earlier successful runs on the link in seconds, by code; of this kind where available."""
    return {**_durations(link), **_durations(link, run__kind=kind)}


def _durations(link: Link, **which: str) -> dict[str, list[float]]:
    steps = RunStep.objects.filter(
        **which,
        run__link=link,
        run__state=RunState.SUCCEEDED.value,
        state=StepState.SUCCEEDED.value,
        ended_at__gte=F("started_at"),
    )
    found: dict[str, list[float]] = defaultdict(list)
    for code, began, ended in steps.order_by("-id").values_list("code", "started_at", "ended_at")[:RECENT_STEPS]:
        if began is not None and ended is not None:
            found[code].append((ended - began).total_seconds())
    return found


def _ms(began: float) -> float:
    return round((time.monotonic() - began) * 1000, 1)
