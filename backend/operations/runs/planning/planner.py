"""From the current state of a link to a plan of the requested kind: reads servers and journal, changes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.clusters.models import Link
from backend.clusters.references import reference_findings
from backend.clusters.verification import connection_findings
from backend.common.errors import invalid
from backend.core.checks.context import CheckContext, Pair
from backend.core.checks.registry import (
    ACCEPT_CHECKS,
    CLEAN_CHECKS,
    CREATE_ON_COPY_CHECKS,
    CREATE_ON_EQUAL_CHECKS,
    FAILBACK_CHECKS,
    FAILOVER_CHECKS,
    FENCE_CHECKS,
    REBUILD_OF_AWAY_CHECKS,
    RELOCATE_CHECKS,
    REMOVE_CHECKS,
    REPROTECT_CHECKS,
    REPROTECT_FENCE_CHECKS,
    START_CHECKS,
    SWITCHOVER_CHECKS,
    Check,
    run_checks,
)
from backend.core.facts.fingerprint import ONLY, changed_facts, current_fingerprint
from backend.core.facts.log_continuity import NOT_COMPARED
from backend.core.findings import Finding, is_refused
from backend.core.link_facts import LinkFacts
from backend.core.plan import Plan as CorePlan
from backend.core.plans import (
    accept_state_uuid,
    configure,
    create_channels,
    failover,
    fence_returned_side,
    fence_standby,
    node_maintenance,
    relocate,
    remove_channels,
    remove_stray_channel,
    reprotect,
    rotate_passwords,
    start_channel,
    switchover,
)
from backend.core.plans.already_applied import blocks_search
from backend.core.plans.builders.hook_steps import with_hooks
from backend.core.plans.candidates import OF_A_NODE, Attempt, choose_attempt, further_pairs
from backend.core.plans.context import locate_requests
from backend.core.plans.target import is_reforming
from backend.core.rehearsal import with_cluster_lost
from backend.core.returned_nodes import returned_nodes
from backend.gateway.gateway import NodeGateway
from backend.gateway.reader import Deadline
from backend.monitoring.link_gateway import gateway_for_link
from backend.monitoring.loss import counted_unapplied
from backend.monitoring.node_events import events_of_lost_nodes
from backend.notifications.hooks.selectors import planned_hooks
from backend.operations.change_calendar.selectors import calendar_findings
from backend.operations.runs.models import Plan
from backend.operations.runs.planning.configuration import plan_configure
from backend.operations.runs.planning.facts import (
    NO_CHOICE,
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
    unknown_run_findings,
    why_not_probed,
)
from backend.operations.runs.planning.maintenance import plan_node_maintenance
from backend.operations.runs.planning.new_link import compared_sides, default_channel_tls
from backend.operations.runs.planning.passwords import plan_rotate_passwords
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

REHEARSAL = "rehearsal"
"""The option that only rehearsals set."""

Planner = Callable[[Link, NodeGateway, Mapping[str, Any]], CorePlan]
Choice = Callable[[LinkFacts, Mapping[str, Any]], Mapping[str, Any]]


def build_plan(
    *, link: Link, kind: str, reason: str, options: Mapping[str, Any], actor: str, limit_s: float | None = None
) -> CorePlan:
    """A plan of `kind`, ready or refused, with the link's webhooks among its steps.

    Logs are read for up to `limit_s` (None: without a limit); beyond it the plan is refused. Raises ProblemError (422)
    for an option that does not fit.
    """
    if kind not in PLANNERS:
        raise invalid("kind", f"{kind!r} is not a kind of plan. Choose one of {', '.join(KINDS)}.")
    deadline = None if limit_s is None else Deadline.within(limit_s)
    plan = _planned(link, kind, options, deadline)
    sides = (link.active_cluster, link.standby_cluster)
    shared = (*connection_findings(*sides), *reference_findings(sides), *calendar_findings(link.pk, kind))
    findings = (*plan.findings, *shared)
    steps = () if is_refused(findings) else plan.steps
    plan = replace(plan, findings=findings, steps=steps)
    return with_hooks(replace(plan, loss=plan.stated_loss), planned_hooks(link.id, kind))


def _planned(link: Link, kind: str, options: Mapping[str, Any], deadline: Deadline | None) -> CorePlan:
    gateway = gateway_for_link(link, pages_until=deadline)
    try:
        until = time.monotonic() + JOURNAL_WAIT_S
        while True:
            plan = PLANNERS[kind](link, gateway, options)
            refusing = {finding.code for finding in plan.findings if finding.refuses}
            if not refusing or refusing - _PASSING or time.monotonic() > until:
                return plan
            time.sleep(0.7)
    finally:
        gateway.close()


def _clean(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    ctx = build_context(link, gateway.observe_link(), gateway, options)
    findings = (*run_checks(ctx, CLEAN_CHECKS), *unknown_run_findings(link, ctx.link, gateway, options))
    return remove_stray_channel.decide(ctx, findings, options)


def _fence_standby(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    """Nothing is chosen: every node of the standby side that responds and accepts writes is fenced."""
    ctx = build_context(link, gateway.observe_link(), gateway, {**options, **NO_CHOICE}, points=False)
    findings = (*run_checks(ctx, FENCE_CHECKS), *unknown_run_findings(link, ctx.link, gateway, options))
    return fence_standby.decide(ctx, findings, options)


def _remove_channels(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    """Nothing is chosen: every channel of the link is removed where it is."""
    ctx = build_context(link, gateway.observe_link(), gateway, {**options, **NO_CHOICE}, points=False)
    findings = (*run_checks(ctx, REMOVE_CHECKS), *unknown_run_findings(link, ctx.link, gateway, options))
    return remove_channels.decide(ctx, findings, counted_unapplied(link, ctx.link), options=options)


def _relocate(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    ctx, findings = _checked(link, gateway, options, RELOCATE_CHECKS)
    probe_findings, options = _probing(link, ctx, gateway, (), options)
    first = _attempt(ctx, (*findings, *probe_findings), gateway)
    chosen, left_out = choose_attempt(first, _further_attempts(link, ctx, probe_findings, gateway, options))
    users = replication_users(link)
    return relocate.decide(
        chosen.ctx, chosen.findings, chosen.located, replication_users=users, options=options, left_out=left_out
    )


def _attempt(ctx: CheckContext, findings: tuple[Finding, ...], gateway: NodeGateway) -> Attempt:
    located = () if blocks_search(findings) else locate_all(ctx, gateway, locate_requests(ctx.moves))
    return Attempt(ctx, findings, located)


def _further_attempts(
    link: Link, ctx: CheckContext, probe_findings: tuple[Finding, ...], gateway: NodeGateway, options: Mapping[str, Any]
) -> Iterator[Attempt]:
    """Other pairs of nodes that the options allow, judged by the same facts, each when it is requested."""
    first = Pair(*(node.node.id for node in ctx.pair))
    for pair in further_pairs(ctx.link, first, options.get("source_node"), options.get("replica_node")):
        named = {"source_node": pair.active_node_id, "replica_node": pair.standby_node_id}
        other = build_context(link, ctx.link, gateway, {**options, **named})
        yield _attempt(other, (*run_checks(other, RELOCATE_CHECKS), *probe_findings), gateway)


def _start(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    """No node is chosen: a channel is started on its own. One direction is started alone where the other cannot be."""
    direction = options.get("direction")

    def observe() -> tuple[CheckContext, tuple[Finding, ...]]:
        facts = gateway.observe_link()
        ctx = build_context(link, facts, gateway, {**options, **NO_CHOICE}, points=False)
        ctx = start_channel.in_place(ctx, direction)
        return ctx, run_checks(ctx, START_CHECKS)

    ctx, findings = _once_expelled(observe)
    both = _started(link, gateway, ctx, findings, options)
    return start_channel.first_sound(both, _started_alone(link, gateway, ctx, options))


def _started(
    link: Link, gateway: NodeGateway, ctx: CheckContext, findings: tuple[Finding, ...], options: Mapping[str, Any]
) -> CorePlan:
    findings, options = _probing(link, ctx, gateway, findings, options)
    located = () if is_refused(findings) else locate_all(ctx, gateway, locate_requests(ctx.moves))
    return start_channel.decide(ctx, findings, located, options=options)


def _started_alone(
    link: Link, gateway: NodeGateway, both: CheckContext, options: Mapping[str, Any]
) -> Iterator[CorePlan]:
    """A plan for each of the directions alone, judged by the same facts, each when it is requested."""
    for direction in start_channel.directions_to_try(both, options):
        ctx = start_channel.in_place(both, direction)
        yield _started(link, gateway, ctx, run_checks(ctx, START_CHECKS), {**options, "direction": direction})


def _create_channels(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    """The way decides: equal data is compared, a copy is located at its backup's position."""
    is_equal = options.get("standby_data", create_channels.EQUAL) == create_channels.EQUAL
    options = {**options, "channel_tls": options.get("channel_tls") or default_channel_tls(link)}

    def observe() -> tuple[CheckContext, tuple[Finding, ...]]:
        facts = gateway.observe_link()
        ctx = create_channels.in_setup(build_context(link, facts, gateway, options), options)
        if not is_equal:
            return ctx, (*run_checks(ctx, CREATE_ON_COPY_CHECKS), *check_copied_accounts(facts, gateway))
        ctx = replace(ctx, activity=read_activities(facts, gateway))
        return ctx, run_checks(ctx, CREATE_ON_EQUAL_CHECKS)

    ctx, findings = _once_expelled(observe)
    compared = compared_sides(ctx, gateway) if is_equal else None
    if compared is None or compared.is_probe_readable:
        findings, options = _probing(link, ctx, gateway, findings, options)
    else:
        findings = (*findings, *unknown_run_findings(link, ctx.link, gateway, options))
    located = () if is_refused(findings) else locate_all(ctx, gateway, create_channels.requests_for(ctx, options))
    users = replication_users(link)
    return create_channels.decide(ctx, findings, located, compared, replication_users=users, options=options)


def _accept_state_uuid(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    ctx, findings = _checked(link, gateway, options, ACCEPT_CHECKS, choose=accept_state_uuid.with_compared_sources)
    findings = (*findings, *held_data_findings(ctx, gateway))
    findings, options = _probing(link, ctx, gateway, findings, options)
    located = () if blocks_search(findings) else locate_all(ctx, gateway, locate_requests(ctx.moves))
    users = replication_users(link)
    return accept_state_uuid.decide(ctx, findings, located, replication_users=users, options=options)


def _switchover(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    return _switch(link, gateway, options, switchover.KIND, SWITCHOVER_CHECKS)


def _failback(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    return _switch(link, gateway, options, switchover.FAILBACK, FAILBACK_CHECKS)


def _switch(
    link: Link, gateway: NodeGateway, options: Mapping[str, Any], kind: str, checks: tuple[Check, ...]
) -> CorePlan:
    def observe() -> tuple[CheckContext, tuple[Finding, ...]]:
        facts = gateway.observe_link()
        ctx = build_context(link, facts, gateway, {**options, **NO_CHOICE}, points=False)
        may_reject = reject_queries_privileges(facts, gateway, rejects=ctx.rejects_queries)
        ctx = replace(ctx, activity=read_activities(facts, gateway), may_reject=may_reject)
        ctx = _with_events(ctx, gateway)
        return ctx, run_checks(ctx, checks)

    ctx, findings = _once_expelled(observe)
    findings, options = _probing(link, ctx, gateway, findings, options)
    return switchover.decide(ctx, findings, kind=kind, options=options)


def _with_events(ctx: CheckContext, gateway: NodeGateway) -> CheckContext:
    """The events of every node, a lost one's as last read, and what the operator account lacks to alter them."""
    now = read_all_events(ctx.link, gateway)
    lacks = lacking_for_events(ctx.link, gateway, now)
    return replace(ctx, events={**events_of_lost_nodes(ctx.link), **now}, event_lacks=lacks)


def _failover(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    """A rehearsed failover is planned as if the active side were lost now and its fencing attested."""
    is_rehearsal = bool(options.get(REHEARSAL))
    if is_rehearsal:
        lost = link.active_cluster.nodes.values_list("pk", flat=True)
        options = {**options, "attest_fenced": list(lost)}
    ctx, findings = _once_expelled(lambda: _lost(link, gateway, options, is_rehearsal=is_rehearsal))
    findings, options = _probing(link, ctx, gateway, findings, options)
    return failover.decide(ctx, findings, observed_loss(link, ctx.link), options=options, is_rehearsal=is_rehearsal)


def _lost(
    link: Link, gateway: NodeGateway, options: Mapping[str, Any], *, is_rehearsal: bool
) -> tuple[CheckContext, tuple[Finding, ...]]:
    facts = gateway.observe_link()
    if is_rehearsal:
        facts = with_cluster_lost(facts, facts.active.id)
    ctx = build_context(link, facts, gateway, {**options, "source_node": None}, points=False)
    ctx = replace(ctx, focus=(ctx.pair[1],), may_reject=reject_queries_privileges(facts, gateway, rejects=False))
    ctx = _with_events(ctx, gateway)
    return ctx, run_checks(ctx, FAILOVER_CHECKS)


def _reprotect(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    way = str(options.get("orphans", "attach"))
    checks = REPROTECT_FENCE_CHECKS if way == reprotect.FENCE else REPROTECT_CHECKS
    ctx, findings = _checked(link, gateway, options, checks)
    survivor_alone = reprotect.before_the_return(ctx, way)
    if survivor_alone is not None:
        findings = run_checks(survivor_alone, REBUILD_OF_AWAY_CHECKS)
    if way == reprotect.FENCE:
        findings = (*findings, *unknown_run_findings(link, ctx.link, gateway, options))
    else:
        findings, options = _probing(link, ctx, gateway, findings, options)
    if way == "rebuild":
        findings = (*findings, *check_copied_accounts(ctx.link, gateway))
    located = () if is_refused(findings) else locate_all(ctx, gateway, reprotect.requests_for(ctx, way, options))
    survivor, back = ctx.pair
    orphans = orphans_for_plan(
        link,
        gateway,
        ctx.link,
        choice=way,
        replay_node_id=survivor.node.id,
        undo_node_id=back.node.id,
        decisions=options.get("conflict_decisions", ()),
    )
    users = replication_users(link)
    return reprotect.decide(ctx, findings, located, orphans, replication_users=users, options=options)


PLANNERS: dict[str, Planner] = {
    relocate.KIND: _relocate,
    start_channel.KIND: _start,
    create_channels.KIND: _create_channels,
    remove_stray_channel.KIND: _clean,
    remove_channels.KIND: _remove_channels,
    switchover.KIND: _switchover,
    failover.KIND: _failover,
    reprotect.KIND: _reprotect,
    switchover.FAILBACK: _failback,
    accept_state_uuid.KIND: _accept_state_uuid,
    configure.KIND: plan_configure,
    node_maintenance.KIND: plan_node_maintenance,
    rotate_passwords.KIND: plan_rotate_passwords,
    fence_standby.KIND: _fence_standby,
}
KINDS = tuple(PLANNERS)


def _checked(
    link: Link,
    gateway: NodeGateway,
    options: Mapping[str, Any],
    checks: tuple[Check, ...],
    choose: Choice | None = None,
) -> tuple[CheckContext, tuple[Finding, ...]]:
    """Context and findings of a plan that moves channels to new sources; `choose` names nodes that no option names."""

    def observe() -> tuple[CheckContext, tuple[Finding, ...]]:
        facts = gateway.observe_link()
        ctx = build_context(link, facts, gateway, options if choose is None else choose(facts, options))
        return ctx, run_checks(ctx, checks)

    return _once_expelled(observe)


def _once_expelled(
    observe: Callable[[], tuple[CheckContext, tuple[Finding, ...]]],
) -> tuple[CheckContext, tuple[Finding, ...]]:
    """Context and findings. A node that has just failed is given the time that its cluster needs to expel it."""
    until = time.monotonic() + EXPEL_WAIT_S
    while True:
        ctx, findings = observe()
        if not _waits_for_expulsion(ctx, findings) or time.monotonic() > until:
            return ctx, findings
        time.sleep(0.3)


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


def _probing(
    link: Link, ctx: CheckContext, gateway: NodeGateway, findings: tuple[Finding, ...], options: Mapping[str, Any]
) -> tuple[tuple[Finding, ...], Mapping[str, Any]]:
    """Findings from the stored probes; the options get no new probe if none can be read back."""
    probes = read_probes(ctx.link, gateway, link.created_at)
    behind, unprobed = record_finding(probes, options), why_not_probed(probes, options, ctx.moves)
    findings = (*findings, *(found for found in (behind, unprobed) if found))
    return findings, {**options, "probe": False} if unprobed else options


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
