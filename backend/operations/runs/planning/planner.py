"""From the current state of a link to a plan of the requested kind: reads servers and journal, changes nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from backend.clusters.models import Link
from backend.clusters.references import reference_findings
from backend.clusters.verification import connection_findings
from backend.common.errors import invalid
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.checks.context import CheckContext
from backend.core.checks.run import run_checks
from backend.core.facts.fingerprint import ONLY, changed_facts, current_fingerprint
from backend.core.facts.log_continuity import NOT_COMPARED
from backend.core.findings import Finding, is_refused
from backend.core.link_facts import LinkFacts
from backend.core.orphans.report import OrphanReport
from backend.core.plan import Plan as CorePlan
from backend.core.plans import fence_returned_side
from backend.core.plans.builders.hook_steps import with_hooks
from backend.core.plans.candidates import OF_A_NODE
from backend.core.plans.equal_sides import ComparedSides
from backend.core.plans.failover import ObservedLoss
from backend.core.plans.kind import PAIR, REHEARSAL, Given, Options, PlanKind
from backend.core.plans.kinds import PLAN_KINDS
from backend.core.plans.maintenance_findings import Absence
from backend.core.plans.target import TargetError, is_reforming
from backend.core.probe import StoredProbe
from backend.core.rehearsal import with_cluster_lost
from backend.core.returned_nodes import returned_nodes
from backend.core.rotation import RotatedAccount
from backend.core.topology import ClusterFacts, Direction
from backend.gateway.gateway import NodeGateway
from backend.gateway.reader import Deadline
from backend.monitoring.link_gateway import gateway_for_link
from backend.monitoring.loss import counted_unapplied
from backend.monitoring.node_events import events_of_lost_nodes
from backend.notifications.hooks.selectors import planned_hooks
from backend.operations.change_calendar.selectors import calendar_findings
from backend.operations.runs.asked_links import links_asked_for, shared_cluster_findings
from backend.operations.runs.models import Plan
from backend.operations.runs.planning import maintenance, new_link, passwords
from backend.operations.runs.planning.configuration import other_run_finding, privileges_to_set, side_configuration
from backend.operations.runs.planning.facts import (
    build_context,
    check_copied_accounts,
    held_data_findings,
    locate_all,
    observed_loss,
    read_activities,
    read_all_events,
    read_probes,
    record_finding,
    replication_users,
    why_not_probed,
)
from backend.operations.runs.planning.privileges import (
    lacking_for_events,
    reject_queries_privileges,
    semi_sync_privileges,
)
from backend.transactions.orphans.report import orphans_for_plan

EXPEL_WAIT_S = 8.0
"""Galera expels an unresponsive member after evs.suspect_timeout, 5 s by default."""
JOURNAL_WAIT_S = 3.0
"""A link whose first transactions are a second old has no sample yet; the monitor's next one may prove it."""
_PASSING = frozenset({"position_not_proven", NOT_COMPARED})
"""What the monitor's next tick may answer: it samples, and compares the log of a source that was started."""


def build_plan(
    *, link: Link, kind: str, reason: str, options: Options, actor: str, limit_s: float | None = None
) -> CorePlan:
    """A plan of `kind`, ready or refused, with the link's webhooks among its steps.

    Logs are read for up to `limit_s` (None: without a limit); beyond it the plan is refused. Raises ProblemError (422)
    for an option that does not fit, and 429 `too_many_comparisons`.
    """
    if kind not in PLAN_KINDS:
        raise invalid("kind", f"{kind!r} is not a kind of plan. Choose one of {', '.join(PLAN_KINDS)}.")
    deadline = None if limit_s is None else Deadline.within(limit_s)
    plan = _planned(link, PLAN_KINDS[kind], options, actor, deadline)
    sides = (link.active_cluster, link.standby_cluster)
    links = links_asked_for(link, [step.to_json() for step in plan.steps])
    shared = (*connection_findings(*sides), *reference_findings(sides), *calendar_findings(links, kind))
    shared += shared_cluster_findings(links)
    findings = (*plan.findings, *shared)
    steps = () if is_refused(findings) else plan.steps
    plan = replace(plan, findings=findings, steps=steps)
    return with_hooks(replace(plan, loss=plan.stated_loss), planned_hooks(link.id, kind))


def _planned(link: Link, kind: PlanKind, options: Options, actor: str, deadline: Deadline | None) -> CorePlan:
    gateway = gateway_for_link(link, pages_until=deadline)
    try:
        until = time.monotonic() + JOURNAL_WAIT_S
        while True:
            plan = Planner(link, gateway, kind, _completed(link, kind, options), actor).plan()
            refusing = {finding.code for finding in plan.findings if finding.refuses}
            if not refusing or refusing - _PASSING or time.monotonic() > until:
                return plan
            time.sleep(0.7)
    except TargetError as error:
        raise invalid(f"options.{error.field}", str(error)) from error
    finally:
        gateway.close()


def _completed(link: Link, kind: PlanKind, options: Options) -> dict[str, Any]:
    """A rehearsal of a loss attests that the active side is fenced."""
    given = dict(options)
    if kind.asks_channel_tls:
        given["channel_tls"] = options.get("channel_tls") or new_link.default_channel_tls(link)
    if kind.loses_active_side and options.get(REHEARSAL):
        given["attest_fenced"] = list(link.active_cluster.nodes.values_list("pk", flat=True))
    return given


@dataclass(slots=True)
class Planner:
    """Executes the declaration of a kind once, and is its `PlanFacts`."""

    link: Link
    gateway: NodeGateway
    kind: PlanKind
    options: Options
    actor: str
    _probes: dict[str, tuple[StoredProbe, ...] | str] | None = field(default=None, init=False)
    _compared: ComparedSides | None = field(default=None, init=False)
    _absence: Absence | None = field(default=None, init=False)

    def plan(self) -> CorePlan:
        """The plan, ready or refused. Raises TargetError for an option that does not fit."""
        return self.kind.decide(self._given(*self._once_expelled()))

    def _once_expelled(self) -> tuple[CheckContext, tuple[Finding, ...]]:
        """Context and findings. A node that has just failed is given the time that its cluster needs to expel it."""
        until = time.monotonic() + (EXPEL_WAIT_S if self.kind.waits_for_expulsion else 0)
        while True:
            ctx, findings = self._checked(self._observed(), self.options)
            if time.monotonic() > until or not _waits_for_expulsion(ctx, findings):
                return ctx, findings
            time.sleep(0.3)

    def _observed(self) -> LinkFacts:
        facts = self.gateway.observe_link()
        is_lost = self.kind.loses_active_side and self.options.get(REHEARSAL)
        return with_cluster_lost(facts, facts.active.id) if is_lost else facts

    def _checked(self, facts: LinkFacts, options: Options) -> tuple[CheckContext, tuple[Finding, ...]]:
        ctx = self._context(facts, options)
        return ctx, run_checks(ctx, self.kind.checks_for(ctx, options))

    def _context(self, facts: LinkFacts, options: Options) -> CheckContext:
        kind, gateway = self.kind, self.gateway
        named = {**kind.prefers(facts, options), **{name: None for name in PAIR if name not in kind.chooses}}
        ctx = build_context(self.link, facts, gateway, named, points=kind.chooses == PAIR)
        ctx = kind.in_context(ctx, options, self)
        if kind.asks_activity:
            ctx = replace(ctx, activity=read_activities(facts, gateway))
        return self._with_events(ctx) if kind.asks_events else ctx

    def _with_events(self, ctx: CheckContext) -> CheckContext:
        """Events of every node, a lost one's as last read, and what the operator account may do on the way there."""
        facts, gateway = ctx.link, self.gateway
        rejects = ctx.rejects_queries and not self.kind.loses_active_side
        now = read_all_events(facts, gateway)
        return replace(
            ctx,
            may_reject=reject_queries_privileges(facts, gateway, rejects=rejects),
            events={**events_of_lost_nodes(facts), **now},
            event_lacks=lacking_for_events(facts, gateway, now),
        )

    def _given(self, ctx: CheckContext, checked: tuple[Finding, ...]) -> Given:
        kind, options = self.kind, self.options
        findings = (*checked, *kind.findings(ctx, options, self))
        probing, options = self._probing(ctx)
        findings = (*findings, *probing)
        is_blocked = kind.is_search_blocked(findings)
        located = () if is_blocked else locate_all(ctx, self.gateway, kind.requests(ctx, options))
        return Given(ctx, findings, located, options, self)

    def _probing(self, ctx: CheckContext) -> tuple[tuple[Finding, ...], Options]:
        """Findings from the stored probes; the options get no new probe if none can be read back."""
        options = self.options
        if self._probes is None:
            self._probes = read_probes(ctx.link, self.gateway, self.link.created_at)
        behind = record_finding(self._probes, options)
        is_probed = self.kind.is_probed(ctx, options, self)
        unprobed = why_not_probed(self._probes, options, ctx.moves) if is_probed else None
        findings = tuple(found for found in (behind, unprobed) if found)
        return findings, {**options, "probe": False} if unprobed else options

    # What a kind asks for by itself: `PlanFacts`.

    def judged(self, link: LinkFacts, **named: str) -> Given:
        return self._given(*self._checked(link, {**self.options, **named}))

    def replication_users(self) -> dict[str, str]:
        return replication_users(self.link)

    def unapplied(self, link: LinkFacts) -> dict[Direction, int | None]:
        return counted_unapplied(self.link, link)

    def observed_loss(self, link: LinkFacts) -> ObservedLoss:
        return observed_loss(self.link, link)

    def orphans(self, ctx: CheckContext, way: str, decisions: Sequence[Mapping[str, Any]]) -> OrphanReport:
        survivor, back = (node.node.id for node in ctx.pair)
        return orphans_for_plan(
            self.link,
            self.gateway,
            ctx.link,
            choice=way,
            replay_node_id=survivor,
            undo_node_id=back,
            decisions=decisions,
        )

    def compared_sides(self, ctx: CheckContext) -> ComparedSides:
        self._compared = self._compared or new_link.compared_sides(ctx, self.gateway)
        return self._compared

    def copied_accounts(self, link: LinkFacts) -> tuple[Finding, ...]:
        return check_copied_accounts(link, self.gateway)

    def held_data(self, ctx: CheckContext) -> tuple[Finding, ...]:
        return held_data_findings(ctx, self.gateway)

    def other_run(self, cluster_id: str) -> tuple[Finding, ...]:
        found = other_run_finding(self.link, cluster_id)
        return (found,) if found else ()

    def absence(self, link: LinkFacts, options: Options) -> Absence:
        self._absence = self._absence or maintenance.planned_absence(self.link, link, options)
        return self._absence

    def configuration(self, ctx: CheckContext, side: ClusterFacts) -> ClusterConfiguration:
        return side_configuration(ctx, side, self.gateway)

    def may_set(self, side: ClusterFacts) -> dict[str, dict[str, bool]]:
        return privileges_to_set(side, self.gateway)

    def accounts(self, side: ClusterFacts, roles: Sequence[str]) -> list[RotatedAccount]:
        return passwords.accounts_of(self.link, side, roles, self.gateway, self.actor)

    def may_alter(self, side: ClusterFacts) -> bool | None:
        return passwords.may_alter(side, self.gateway)


def _waits_for_expulsion(ctx: CheckContext, findings: tuple[Finding, ...]) -> bool:
    """Whether a change of the membership is all that refuses, or its cluster has no fit node while it re-forms.

    In that moment the pair falls back on the dead node, which then is refused for a dozen reasons more. What another
    node may not share does not count: once the dead one is expelled, the next pair is tried.
    """
    refusing = {finding.code for finding in findings if finding.refuses} - OF_A_NODE
    if refusing == {"site_views_differ"}:
        return True
    if "unreachable_node_may_run" not in refusing:
        return False
    return len(refusing) == 1 or is_reforming(ctx.link)


def build_fence_returned(*, link: Link, node_ids: Sequence[str], begins: Sequence[Mapping[str, str]]) -> CorePlan:
    """A plan to fence these nodes of a lost side if they still need it; refused if nothing allows it any more.

    It has no webhooks: their answers would be waited for while the side is writable.
    """
    gateway = gateway_for_link(link, hung=unasked_nodes(link, node_ids))
    try:
        facts = gateway.observe_link()
        behind = record_finding(read_probes(facts, gateway, link.created_at), {})
        nodes = [one for one in returned_nodes(facts) if one.facts.node.id in node_ids and one.needs_fence]
        return fence_returned_side.decide(
            facts,
            nodes,
            begins=begins,
            now_s=time.time(),
            findings=[behind] if behind else [],
            may_set_semi_sync=semi_sync_privileges(facts, gateway),
        )
    finally:
        gateway.close()


def unasked_nodes(link: Link, node_ids: Sequence[str] | None) -> frozenset[str]:
    """The lost side's other nodes: one that hangs does not keep those that returned from being fenced."""
    if node_ids is None:
        return frozenset()
    return frozenset(link.standby_cluster.nodes.values_list("pk", flat=True)) - frozenset(node_ids)


def fact_changes(plan: Plan) -> list[dict[str, Any]]:
    """Facts of the plan that have changed; [] if all are the same."""
    planned = plan.body["fingerprint"]
    gateway = gateway_for_link(plan.link, hung=unasked_nodes(plan.link, planned.get(ONLY)))
    try:
        facts = gateway.observe_link()
    finally:
        gateway.close()
    return changed_facts(planned, current_fingerprint(planned, facts))
