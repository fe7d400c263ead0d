"""Failover: the active side is lost; the standby applies what it received and is activated, and the loss is stated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from backend.core import probe
from backend.core.checks.channels import warn_of_delayed_channels
from backend.core.checks.console import check_approval, check_no_other_run
from backend.core.checks.context import CheckContext
from backend.core.checks.events import check_events_of_lost_side, moved_events
from backend.core.checks.failover import check_active_is_lost, check_lost_nodes_are_fenced, check_relay_can_drain
from backend.core.checks.fencing import check_nodes_can_be_opened
from backend.core.checks.halves import check_survivor_is_whole
from backend.core.checks.log_continuity import check_drain_of_one_log
from backend.core.checks.members import check_members_of_survivor
from backend.core.checks.nodes import check_identity, check_primary, check_reachable, check_state_uuid
from backend.core.checks.origins import check_channels_of_survivor
from backend.core.checks.reject_queries import check_reject_queries_privilege
from backend.core.checks.run import Check
from backend.core.checks.semi_sync import check_semi_sync
from backend.core.checks.servers import check_servers
from backend.core.checks.settings import warn_of_filters, warn_of_settings
from backend.core.checks.stream_accounts import warn_of_unaccounted_transactions
from backend.core.checks.switchover import check_reconciled
from backend.core.facts.fingerprint import fingerprint
from backend.core.facts.halves import is_split, was_split
from backend.core.facts.stream_accounts import lacked_by_standby
from backend.core.findings import Finding, Severity, is_refused
from backend.core.known_groups import time_text
from backend.core.link_state.sentences import duration
from backend.core.plan import Plan, Step
from backend.core.plans.builders.channel_steps import clean_steps, stop_steps
from backend.core.plans.builders.event_steps import enable_event_steps
from backend.core.plans.builders.fence_steps import fence_steps, open_steps, swap_step
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.kind import REHEARSAL, Given, PlanKind
from backend.core.plans.presentation import move_of, pair_target, roles_target
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.plural import pick, pluralize
from backend.core.topology import Direction

KIND = "failover"
FENCE_ON_RETURN = "fence_on_return"
"""The option that fences the lost side when it returns; on unless it is False."""
MAX_BLIND_S = 15.0
"""A longer time from the last read to the first miss means that no monitor polled: two missed polls and a change of
monitors take 10 s."""

FAILOVER_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_reconciled,
    check_reachable,
    check_identity,
    check_servers,
    check_members_of_survivor,
    check_survivor_is_whole,
    check_primary,
    check_state_uuid,
    check_active_is_lost,
    check_lost_nodes_are_fenced,
    check_relay_can_drain,
    check_drain_of_one_log,
    warn_of_unaccounted_transactions,
    check_channels_of_survivor,
    check_nodes_can_be_opened,
    warn_of_settings,
    warn_of_filters,
    warn_of_delayed_channels,
    check_events_of_lost_side,
    check_reject_queries_privilege,
    check_semi_sync,
    check_approval,
)


@dataclass(frozen=True, slots=True)
class ObservedLoss:
    """Transactions observed on the lost side and not applied on the other; None where the number is unknown.

    `at_least` is the number that was read, also where the whole is unknown; None where none could be counted.
    `last_seen_at_s` is when the lost side was last read; its later writes were not observed.
    `missed_at_s` is the first later poll without an answer, None where none was polled since;
    `stopped_at_s` is since when all its ports are closed, None where that was not observed. `left_out`: how many of
    them the channel passed without applying them, so that no drain brings them.
    """

    transactions: int | None
    last_seen_at_s: float | None
    last_seen_seqno: int | None = None
    missed_at_s: float | None = None
    stopped_at_s: float | None = None
    at_least: int | None = None
    left_out: int = 0

    def with_left_out(self, count: int) -> ObservedLoss:
        """Besides what is on the way, the other side lacks so many that its channel passed."""
        if not count:
            return self
        whole = None if self.transactions is None else self.transactions + count
        return replace(self, transactions=whole, at_least=(self.at_least or 0) + count, left_out=count)

    def of_a_part(self) -> ObservedLoss:
        """What is known of a side that is several components: the count is that of the half that was replicated."""
        counts = [count for count in (self.at_least, self.transactions) if count is not None]
        return replace(self, transactions=None, at_least=max(counts, default=None))

    def blind_s(self, now_s: float) -> float | None:
        """How long no monitor polled before the loss was noticed; None where the side was never read."""
        return self._from_last_read(self.missed_at_s, now_s)

    def at_large_s(self, now_s: float) -> float | None:
        """How long the side may have written unobserved, until it was observed stopped; None if it was never read."""
        return self._from_last_read(self.stopped_at_s, now_s)

    def _why_not_known(self, now_s: float) -> str:
        blind_s = self.blind_s(now_s)
        if blind_s is not None and _is_long(blind_s):
            return f" It was not polled for {duration(blind_s)} before its loss was noticed."
        return " It is unknown whether it stopped then." if _is_long(self.at_large_s(now_s)) else ""

    def _from_last_read(self, until_s: float | None, now_s: float) -> float | None:
        if self.last_seen_at_s is None:
            return None
        return max(0.0, (now_s if until_s is None else until_s) - self.last_seen_at_s)

    def to_json(self, lost: str, now_s: float) -> dict[str, Any]:
        """The loss statement: how many transactions at least, until when they were read, and why not more is known."""
        unseen = f"It is unknown when {lost} was last read and what it wrote since."
        seconds = None
        if self.last_seen_at_s is not None:
            seconds = round(max(0.0, now_s - self.last_seen_at_s), 1)
            unseen = f"{lost} was last read at {time_text(self.last_seen_at_s)}; its later writes are unknown."
            unseen += self._why_not_known(now_s)
        count = self.at_least if self.transactions is None else self.transactions
        return {
            "transactions": self.transactions,
            "seconds": seconds,
            "detail": f"{self._known(lost, count)} {unseen}",
            "at_least": count,
            "read_at_s": self.last_seen_at_s,
            "is_exact": False,
            "counted_by": None if count is None else "logs_read",
        }

    def _known(self, lost: str, count: int | None) -> str:
        if count is None:
            return f"The number of transactions of {lost} that have not arrived is unknown."
        if count == 0 and self.transactions is None:
            return f"Every transaction of {lost} that was read has arrived; how many more it wrote is unknown."
        if count == 0:
            return f"Every known transaction of {lost} has arrived."
        stated = f"At least {pluralize(count, 'transaction')} of {lost} {pick(count, 'is', 'are')} not applied."
        if self.left_out:
            left_out = f"{self.left_out:,} of them {pick(self.left_out, 'was', 'were')} left out and"
            stated = f"{stated} {left_out} {pick(self.left_out, 'never comes', 'never come')}."
        return stated if count == self.left_out else f"{stated} The run still applies those that are in the relay log."


def decide(
    ctx: CheckContext,
    findings: Sequence[Finding],
    seen: ObservedLoss,
    *,
    options: Mapping[str, Any],
    is_rehearsal: bool = False,
) -> Plan:
    """Turn facts, findings and what was observed of the lost side into a plan, ready or refused."""
    old, new = ctx.link.active, ctx.link.standby
    source, replica = ctx.pair
    seen = seen.with_left_out(lacked_by_standby(ctx.link))
    seen = seen.of_a_part() if is_split(old) or was_split(old) else seen
    loss = seen.to_json(old.name, ctx.now_s)
    fences = bool(options.get(FENCE_ON_RETURN, True))
    everything = (
        *findings,
        *_loss_findings(ctx, seen, loss, is_rehearsal=is_rehearsal),
        _return_finding(old.name, fences=fences),
    )
    plan = Plan(
        kind=KIND,
        link_id=ctx.link.id,
        link_name=ctx.link.name,
        created_at_s=ctx.now_s,
        summary=f"Fail over to {new.name}; {old.name} is invalidated"
        + (" and fenced when it returns" if fences else " and not fenced when it returns"),
        findings=everything,
        positions=(),
        loss=loss,
        steps=()
        if is_refused(everything)
        else _steps(ctx, seen, probed=bool(options.get("probe", True)), fences_on_return=fences),
        fingerprint=fingerprint(ctx.link, (replica.node.id,)),
        target=pair_target(ctx) | roles_target(new, old),
        options=dict(options),
        situation={
            "sentence": f"No node of {old.name} is up and Primary. {new.name} holds what it received, and becomes the "
            "active side in this run.",
            "old_source_name": source.node.name,
            "old_replica_name": replica.node.name,
            "lost": [node.node.name for node in old.nodes if not node.is_up],
        },
    )
    return with_semi_sync(plan, ctx.link, ctx.may_set_semi_sync)


def _is_long(unseen_s: float | None) -> bool:
    return unseen_s is None or unseen_s > MAX_BLIND_S


def _loss_findings(
    ctx: CheckContext, seen: ObservedLoss, loss: Mapping[str, Any], *, is_rehearsal: bool
) -> list[Finding]:
    if seen.transactions == 0 and not _is_long(seen.blind_s(ctx.now_s)):
        # A side that stopped responding while it was polled is attested node by node (attest_fenced): it is no OK.
        severity = Severity.WARNING if _is_long(seen.at_large_s(ctx.now_s)) else Severity.OK
        return [Finding("loss_none_seen", severity, str(loss["detail"]), facts=dict(loss))]
    if ctx.accepts_loss or is_rehearsal:
        return [Finding("loss_accepted", Severity.WARNING, str(loss["detail"]), facts=dict(loss))]
    severity = Severity.BLOCKER if seen.transactions else Severity.UNKNOWN
    remedy = "Accept the loss, or bring a node of the lost side back."
    return [Finding("loss_not_accepted", severity, str(loss["detail"]), remedy, {**loss, "option": "accept_loss"})]


def _return_finding(lost: str, *, fences: bool) -> Finding:
    """What happens to the lost side's nodes as they return; confirmed with the plan, without a later question."""
    if fences:
        message = (
            f"{lost} is fenced when it returns. A run of its own, which rests on this confirmation, sets each returned "
            "node read_only and stops its channel."
        )
        return Finding("lost_side_fenced_on_return", Severity.INFO, message)
    return Finding(
        "lost_side_not_fenced_on_return",
        Severity.WARNING,
        f"{lost} is not fenced when it returns. What its clients write there then is orphaned.",
        f"Plan with the fence on return, or keep clients away from {lost} until it is fenced by hand.",
    )


def _steps(ctx: CheckContext, seen: ObservedLoss, *, probed: bool, fences_on_return: bool) -> tuple[Step, ...]:
    old, new = ctx.link.active, ctx.link.standby
    replica = ctx.pair[1]
    forward = move_of(ctx, Direction.FORWARD)
    holder = forward.holder.replica.node.id if forward.holder else None
    steps = StepList()
    steps.add("recheck", "Read all reachable nodes again and compare with the plan")
    if any(node.is_up for node in old.nodes):
        fence_steps(steps, old)
    stop_steps(steps, ctx, forward, drains=True)
    steps.add(
        "record_divergence",
        f"Record the divergence point: the last transaction of {old.name} that {new.name} has applied"
        + (f"; {old.name} is to be fenced when it returns" if fences_on_return else ""),
        replica,
        replica_node_id=replica.node.id,
        holder_id=holder,
        lost_cluster_id=old.id,
        lost_name=old.name,
        survivor_cluster_id=new.id,
        survivor_name=new.name,
        lost_state_uuid=old.recorded_state_uuid,
        last_seen_seqno=seen.last_seen_seqno,
        last_seen_at_s=seen.last_seen_at_s,
        left_out=seen.left_out,
        fences_on_return=fences_on_return,
    )
    swap_step(steps, ctx)
    clean_steps(steps, ctx, forward, parted_from=old.name)
    open_steps(steps, new.nodes, parted_from=old.name)
    enable_event_steps(steps, moved_events(ctx))
    if probed:
        steps.add(
            "probe",
            f"Write a probe on {replica.node.name} and wait for it on every live node of {new.name}",
            replica,
            sql=(probe.write_sql(ctx.link.id, Direction.FORWARD, replica.node.name),),
            direction=Direction.FORWARD.value,
            link_id=ctx.link.id,
        )
    steps.add("verify", f"Check that no channel replicates from {old.name}", probed=probed)
    return tuple(steps.steps)


def _decide(given: Given) -> Plan:
    seen, is_rehearsal = given.facts.observed_loss(given.ctx.link), bool(given.options.get(REHEARSAL))
    return decide(given.ctx, given.findings, seen, options=given.options, is_rehearsal=is_rehearsal)


PLAN_KIND = PlanKind(
    kind=KIND,
    done="failed {link} over from {old} to {new}",
    to_do="fail {link} over from {old} to {new}",
    is_emergency=True,
    proves_continuity=False,
    is_rehearsed=True,
    loses_active_side=True,
    checks=FAILOVER_CHECKS,
    decide=_decide,
    chooses=("replica_node",),
    asks_events=True,
    in_context=lambda ctx, *_: replace(ctx, focus=(ctx.pair[1],)),
    waits_for_expulsion=True,
    is_probed=lambda *_: True,
)
