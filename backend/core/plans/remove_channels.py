"""Remove channels: replication of a link ends in both directions, so that the link can be retired.

Every channel is stopped before the first one is removed. Until then a failure or an abort starts the current channels
again. Where each one stopped is in the facts of its step: with that position it can be set up again by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backend.core.checks.context import CheckContext
from backend.core.dialects import dialect_of
from backend.core.facts.fingerprint import fingerprint
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.plan import Plan, Step
from backend.core.plans.builders.channel_steps import thread_starts
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.presentation import pair_target
from backend.core.plans.remove_stray_channel import not_ready
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.plans.target import current_holder, is_fit
from backend.core.plural import pick, pluralize
from backend.core.topology import Direction

KIND = "remove_channels"
Unapplied = Mapping[Direction, int | None]
"""Transactions of each direction that were observed on its source and not applied; None where unknown."""


def decide(ctx: CheckContext, findings: Sequence[Finding], unapplied: Unapplied, *, options: Mapping[str, Any]) -> Plan:
    """Turn facts, findings and what is not applied yet into a plan, ready or refused."""
    link = ctx.link
    held = channels_of(link)
    everything = (*findings, *_findings(ctx, held, unapplied))
    ends = [holder.replica.node.id for holder in held]
    plan = Plan(
        kind=KIND,
        link_id=link.id,
        link_name=link.name,
        created_at_s=ctx.now_s,
        summary=f"Remove {pluralize(len(held), 'channel')} of {link.name}: replication ends in both directions",
        findings=everything,
        positions=(),
        loss=_loss(link, held, unapplied),
        steps=() if is_refused(everything) else _steps(link, held),
        fingerprint=fingerprint(link, ends),
        target=pair_target(ctx),
        options=dict(options),
        situation={
            "sentence": " ".join(_sentence(holder) for holder in held) or "No node has a channel of this link.",
            "old_source_name": ctx.pair[0].node.name,
            "old_replica_name": ctx.pair[1].node.name,
            "lost": [],
        },
    )
    return with_semi_sync(plan, ctx.link, ctx.may_set_semi_sync)


def channels_of(link: LinkFacts) -> list[ChannelHolder]:
    """Every channel of the link on a node that was read, stray channels last."""
    holders = [holder for direction in Direction for holder in link.holders(direction)]
    return sorted(holders, key=lambda holder: _is_stray(link, holder))


def _is_stray(link: LinkFacts, holder: ChannelHolder) -> bool:
    return holder != current_holder(link, holder.direction)


def _findings(ctx: CheckContext, held: Sequence[ChannelHolder], unapplied: Unapplied) -> Iterator[Finding]:
    if not held:
        yield Finding(
            "no_channel_to_remove",
            Severity.BLOCKER,
            "No node that responds has a channel of this link.",
            "Retire the link.",
        )
        return
    yield from (not_ready(holder) for holder in held if not is_fit(holder.replica))
    yield _what_ends(ctx.link)
    for holder in held:
        yield Finding("channel_is_removed", Severity.INFO, _sentence(holder), facts=_position(holder))
    for direction in dict.fromkeys(holder.direction for holder in held):
        yield _unapplied(ctx, direction, unapplied.get(direction))


def _what_ends(link: LinkFacts) -> Finding:
    active, standby = link.active.name, link.standby.name
    return Finding(
        "replication_ends",
        Severity.WARNING,
        f"Replication between {active} and {standby} ends in both directions, and the two diverge from then on. "
        f"{standby} receives no write of {active} and cannot take over; {active} receives none of {standby}.",
        "Keep the result of the run: it has the positions with which the channels can be set up again by hand.",
    )


def _unapplied(ctx: CheckContext, direction: Direction, count: int | None) -> Finding:
    """What of a direction is on one side only, so far as the monitor observed it."""
    source, receiver = ctx.link.source_cluster(direction).name, ctx.link.receiving_cluster(direction).name
    facts: dict[str, object] = {"direction": direction.value, "transactions": count}
    if count is not None:
        return Finding(
            "unapplied_transactions",
            Severity.WARNING if count else Severity.OK,
            f"At the monitor's last count, {pluralize(count, 'transaction')} of {source} "
            f"{pick(count, 'was', 'were')} not applied on {receiver}. What is not applied when the {direction} channel "
            f"stops stays on {source} only.",
            facts=facts,
        )
    return Finding(
        "unapplied_unknown",
        Severity.WARNING if ctx.accepts_loss else Severity.UNKNOWN,
        f"It is unknown how many transactions of {source} are not applied on {receiver}. They stay on {source} only.",
        "Wait until the monitor counts them, or accept that their number is unknown.",
        {**facts, "option": "accept_loss"},
    )


def _loss(link: LinkFacts, held: Sequence[ChannelHolder], unapplied: Unapplied) -> dict[str, Any]:
    counts = [unapplied.get(direction) for direction in dict.fromkeys(holder.direction for holder in held)]
    known = [count for count in counts if count is not None]
    return {
        "transactions": sum(known) if len(known) == len(counts) else None,
        "seconds": None,
        "detail": f"No data is deleted. Transactions that were not applied, and every later one of {link.active.name} "
        f"and of {link.standby.name}, stay on the side that wrote them.",
    }


def _sentence(holder: ChannelHolder) -> str:
    name, channel = holder.replica.node.name, holder.channel
    state = "runs" if channel.is_running else "is stopped"
    return (
        f"The {holder.direction} channel on {name} from {holder.source.name} {state}, "
        f"at {channel.exec_position or 'an unknown position'}."
    )


def _position(holder: ChannelHolder) -> dict[str, object]:
    channel = holder.channel
    return {
        "direction": holder.direction.value,
        "node": holder.replica.node.name,
        "source": holder.source.name,
        "name": channel.name,
        "file": channel.exec_file,
        "position": channel.exec_offset,
        "gtid": holder.replica.variable("gtid_slave_pos"),
    }


def _steps(link: LinkFacts, held: Sequence[ChannelHolder]) -> tuple[Step, ...]:
    steps = StepList()
    steps.add("recheck", "Read both sides again and compare with the plan")
    strays = [holder for holder in held if _is_stray(link, holder)]
    for holder in (*strays, *(one for one in held if one not in strays)):
        _stop_step(steps, holder, is_stray=holder in strays)
    for index, holder in enumerate(held):
        _reset_step(steps, holder, is_first=index == 0)
    steps.add(
        "verify_channels_removed",
        "Read the channels of every node: none may be left",
        cluster_ids=[link.standby.id, link.active.id],
    )
    return tuple(steps.steps)


def _stop_step(steps: StepList, holder: ChannelHolder, *, is_stray: bool) -> None:
    """Stop a channel, and read where it stopped; one that is stopped already is only read."""
    channel, dialect = holder.channel, dialect_of(holder.replica)
    which = f"the {'stray ' if is_stray else ''}{holder.direction} channel"
    does = f"stop {which} and record its position" if channel.is_running else f"record where {which} is stopped"
    steps.add(
        "stop_channel",
        f"{holder.replica.node.name}: {does}",
        holder.replica,
        sql=(dialect.stop_slave(channel.name),),
        undo=() if is_stray or not channel.is_running else thread_starts(dialect, channel),
        io_was=channel.io_running,
        sql_was=channel.sql_running,
        **_channel_params(holder),
    )


def _reset_step(steps: StepList, holder: ChannelHolder, *, is_first: bool) -> None:
    steps.add(
        "reset_channel",
        f"{holder.replica.node.name}: remove its {holder.direction} channel, so that it can never start again",
        holder.replica,
        sql=(dialect_of(holder.replica).reset_slave_all(holder.channel.name),),
        pnr=is_first,
        **_channel_params(holder),
    )


def _channel_params(holder: ChannelHolder) -> dict[str, Any]:
    return {
        "direction": holder.direction.value,
        "name": holder.channel.name,
        "source": list(holder.channel.source_address),
        "source_name": holder.source.name,
    }
