"""Checks of the activity on the nodes to be fenced, and of the accounts that can write through the fence."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.facts.activity import WRITE_THROUGH_REMEDY, NodeActivity
from backend.core.findings import Finding, Severity
from backend.core.plural import pluralize
from backend.core.topology import NodeFacts


def check_activity(ctx: CheckContext) -> Iterator[Finding]:
    """Open transactions and running DDL on every node that will be fenced."""
    for node in _fenced(ctx):
        seen = ctx.activity.get(node.node.id)
        if seen is None or seen.long_transactions is None or seen.ddl is None:
            yield Finding(
                "activity_unknown",
                Severity.UNKNOWN,
                f"The activity on {node.node.name} is unknown.",
                "Grant PROCESS to the monitor account and plan again.",
                {"node": node.node.name},
            )
            continue
        yield from _long_transactions(ctx, node, seen)
        for ddl in seen.ddl:
            yield Finding(
                "ddl_in_flight",
                Severity.BLOCKER,
                f"{ddl.user} has been running DDL on {node.node.name} for {ddl.age_s} s: {ddl.what}",
                "Wait until it ends. Otherwise the fence waits for it while writes are paused.",
                {"node": node.node.name, "connection_id": ddl.id},
            )


def _long_transactions(ctx: CheckContext, node: NodeFacts, seen: NodeActivity) -> Iterator[Finding]:
    for busy in seen.long_transactions or ():
        yield Finding(
            "long_transaction",
            Severity.WARNING if ctx.allows_long_transactions else Severity.BLOCKER,
            f"{busy.user} has had a transaction open on {node.node.name} for {busy.age_s} s ({busy.what}). "
            "Its commit will fail once writes are fenced.",
            "Wait until it ends, kill it, or plan with allow_long_transactions.",
            {"node": node.node.name, "connection_id": busy.id},
        )


def check_enabled_events(ctx: CheckContext) -> Iterator[Finding]:
    """Whether events are enabled on nodes that will be fenced, while a scheduler runs."""
    on = [n.node.name for n in ctx.link.nodes if (n.variable("event_scheduler") or "").upper() == "ON"]
    counts = [seen.enabled_events for seen in ctx.activity.values()]
    is_unread = None in counts
    if on and (is_unread or any(counts)):
        yield Finding(
            "event_scheduler_on",
            Severity.WARNING,
            f"The event scheduler runs on {', '.join(on)}. Its events write on both sides, or fail once writes are "
            "fenced.",
            "Turn the event scheduler off on the standby side, or make sure that its events may run there."
            + (" Grant SELECT ON `mysql`.`event` to the monitor account, so that they are counted." * is_unread),
            {"nodes": on},
        )


def check_write_through(ctx: CheckContext) -> Iterator[Finding]:
    """Some accounts bypass `read_only`: the finding lists them by name."""
    for node in _fenced(ctx)[:1]:
        seen = ctx.activity.get(node.node.id)
        accounts = seen.write_through if seen else None
        if accounts is not None:
            yield Finding(
                "accounts_write_through",
                Severity.WARNING if accounts else Severity.OK,
                f"{pluralize(len(accounts), 'account')} can write through the fence: {', '.join(accounts)}."
                if accounts
                else "No account can write through the fence.",
                "Make sure that no application uses them." if accounts else "",
                {"accounts": list(accounts)},
            )
        elif ctx.attested_accounts:
            yield Finding(
                "accounts_attested", Severity.WARNING, "An operator attested that no account writes through the fence."
            )
        else:
            yield Finding(
                "accounts_unknown",
                Severity.UNKNOWN,
                f"Cannot list the accounts that bypass read_only on {ctx.link.active.name}.",
                f"Grant SELECT ON `hawser`.* to the monitor account. {WRITE_THROUGH_REMEDY} Or attest that no such "
                "account writes.",
                {"option": "attest_accounts"},
            )


def _fenced(ctx: CheckContext) -> list[NodeFacts]:
    return [node for node in ctx.link.active.nodes if node.is_up]
