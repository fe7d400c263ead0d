"""Remove stray channel: a node returned with its old channel, which is removed without touching the current one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backend.core.checks.console import check_approval, check_no_other_run
from backend.core.checks.context import CheckContext
from backend.core.checks.run import Check
from backend.core.checks.semi_sync import check_semi_sync
from backend.core.checks.servers import check_servers
from backend.core.dialects import dialect_of
from backend.core.facts.fingerprint import fingerprint
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.plan import Plan, Step
from backend.core.plans.kind import PAIR, PlanKind
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.plans.target import current_holder, is_fit
from backend.core.topology import Direction

KIND = "remove_stray_channel"

CLEAN_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_servers,
    check_semi_sync,
    check_approval,
)


def stray_channels(link: LinkFacts) -> list[ChannelHolder]:
    """Channels beside the current one, on nodes that it was moved away from, or from a lost side."""
    found = []
    for direction in Direction:
        main = current_holder(link, direction)
        is_clear = main is not None or link.is_invalidated(direction)
        spared = (main,) if is_clear else link.countable_holders(direction)
        found += [h for h in link.holders(direction) if h not in spared]
    return found


def decide(ctx: CheckContext, findings: Sequence[Finding], options: Mapping[str, Any]) -> Plan:
    """Stop and remove every stray channel; refused where it is unclear which channel is the stray one."""
    link = ctx.link
    found = stray_channels(link)
    everything = (*findings, *_findings(link, found))
    steps = () if is_refused(everything) else _steps(ctx, found)
    strayed = [h.replica.node.id for h in found]
    names = ", ".join(sorted({h.replica.node.name for h in found}))
    plan = Plan(
        kind=KIND,
        link_id=link.id,
        link_name=link.name,
        created_at_s=ctx.now_s,
        summary=f"Remove the stray channel on {names}" if found else "Remove a stray channel",
        findings=everything,
        positions=(),
        loss={"transactions": 0, "seconds": 0, "detail": "The current channel is not touched."},
        steps=steps,
        fingerprint=fingerprint(link, strayed, restless=strayed),
        target={
            "source_node": ctx.pair[0].node.id,
            "source_name": ctx.pair[0].node.name,
            "replica_node": ctx.pair[1].node.id,
            "replica_name": ctx.pair[1].node.name,
        },
        options=dict(options),
    )
    return with_semi_sync(plan, ctx.link, ctx.may_set_semi_sync)


def _findings(link: LinkFacts, found: Sequence[ChannelHolder]) -> list[Finding]:
    findings = []
    for direction in Direction:
        if link.is_invalidated(direction):
            continue
        if len(link.countable_holders(direction)) > 1 and current_holder(link, direction) is None:
            findings.append(
                Finding(
                    "current_channel_unclear",
                    Severity.UNKNOWN,
                    f"More than one {direction} channel exists and none was recorded. It is unclear which is current.",
                    "Stop the wrong channel by hand.",
                )
            )
    if not found and not findings:
        findings.append(Finding("nothing_to_clean", Severity.BLOCKER, "No node has a stray channel.", "Do nothing."))
    findings += [not_ready(holder) for holder in found if not is_fit(holder.replica)]
    for holder in found:
        running = "runs a" if holder.channel.is_running else "has a stopped"
        findings.append(
            Finding(
                "stray_channel",
                Severity.WARNING,
                f"{holder.replica.node.name} {running} {holder.direction} channel from {holder.source.name} "
                "beside the current one.",
                facts={"node": holder.replica.node.name, "sql_error": holder.channel.sql_error},
            )
        )
    return findings


def not_ready(holder: ChannelHolder) -> Finding:
    """A node that is not ready refuses RESET SLAVE with error 1047 (observed right after a thaw)."""
    name, wsrep = holder.replica.node.name, holder.replica.wsrep
    state = wsrep.state if wsrep else "state unknown"
    return Finding(
        "node_not_ready",
        Severity.BLOCKER,
        f"{name} is not ready yet ({state}) and would refuse RESET SLAVE.",
        f"Wait until {name} is Synced. Until then it commits nothing.",
        {"node": name},
    )


def _steps(ctx: CheckContext, found: Sequence[ChannelHolder]) -> tuple[Step, ...]:
    steps = [Step(0, "recheck", "Read both sides again and compare with the plan", None, None)]
    for holder in found:
        facts, channel = holder.replica, holder.channel
        dialect = dialect_of(facts)
        params: dict[str, Any] = {
            "direction": holder.direction.value,
            "name": channel.name,
            "source": list(channel.source_address),
            "io_was": channel.io_running,
            "sql_was": channel.sql_running,
        }
        if channel.is_running:
            steps.append(
                Step(
                    len(steps),
                    "stop_channel",
                    f"{facts.node.name}: stop the stray {holder.direction} channel",
                    facts.node.id,
                    facts.node.name,
                    (dialect.stop_slave(channel.name),),
                    params=params,
                )
            )
        steps.append(
            Step(
                len(steps),
                "reset_channel",
                f"{facts.node.name}: remove its {holder.direction} channel, so that it can never start again",
                facts.node.id,
                facts.node.name,
                (dialect.reset_slave_all(channel.name),),
                point_of_no_return=True,
                params=params,
            )
        )
    steps.append(Step(len(steps), "verify", "Look for a stray channel", None, None, params={"probed": True}))
    return tuple(steps)


PLAN_KIND = PlanKind(
    kind=KIND,
    done="removed a stray channel of {link}",
    to_do="remove a stray channel of {link}",
    is_emergency=True,
    proves_continuity=True,
    checks=CLEAN_CHECKS,
    decide=lambda given: decide(given.ctx, given.findings, given.options),
    chooses=PAIR,
)
