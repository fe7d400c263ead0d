"""Remove channels: replication of a link ends in both directions, so that the link can be retired.

A channel from an address of no node of the other side is removed only where it is named: it may serve another purpose.
One that may carry a direction of the link refuses the plan until it is named: replication would not end.

Every channel is stopped before the first one is removed. Until then a failure or an abort starts the current channels
again. Where each one stopped is in the facts of its step: with that position it can be set up again by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backend.core.checks.console import check_approval, check_no_other_run
from backend.core.checks.context import CheckContext
from backend.core.checks.members import check_members_are_registered
from backend.core.checks.nodes import check_identity
from backend.core.checks.remove_channels import check_every_node_was_read, check_no_open_divergence
from backend.core.checks.run import Check
from backend.core.checks.semi_sync import check_semi_sync
from backend.core.checks.servers import check_servers
from backend.core.dialects import dialect_of
from backend.core.facts.channel_ends import End, ForeignChannel, foreign_channels
from backend.core.facts.fingerprint import fingerprint
from backend.core.facts.origin_findings import foreign_channel_finding
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.plan import Plan, Step
from backend.core.plans.builders.channel_steps import thread_starts
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.kind import PlanKind
from backend.core.plans.presentation import pair_target
from backend.core.plans.remove_stray_channel import not_ready
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.plans.target import current_holder, is_fit
from backend.core.plural import pick, pluralize
from backend.core.topology import Direction, NodeRef

KIND = "remove_channels"
ALSO = "remove_also"
"""The option that names channels from addresses of no node of the other side, each as NODE/CHANNEL."""
Unapplied = Mapping[Direction, int | None]
"""Transactions of each direction that were observed on its source and not applied; None where unknown."""

REMOVE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_no_open_divergence,
    check_every_node_was_read,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_semi_sync,
    check_approval,
)


def decide(ctx: CheckContext, findings: Sequence[Finding], unapplied: Unapplied, *, options: Mapping[str, Any]) -> Plan:
    """Turn facts, findings and what is not applied yet into a plan, ready or refused."""
    link = ctx.link
    also = _named(link, options)
    of_link, others = channels_of(link), [_as_holder(link, one) for one in also]
    held = [*of_link, *others]
    everything = (*findings, *_findings(ctx, held, of_link, unapplied), *_others(link, also, options))
    ends = [holder.replica.node.id for holder in held]
    plan = Plan(
        kind=KIND,
        link_id=link.id,
        link_name=link.name,
        created_at_s=ctx.now_s,
        summary=f"Remove {pluralize(len(held), 'channel')} of {link.name}: replication ends in both directions",
        findings=everything,
        positions=(),
        loss=_loss(link, of_link, unapplied),
        steps=() if is_refused(everything) else _steps(link, of_link, others),
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


def choice_of(one: ForeignChannel) -> str:
    """How option `remove_also` names it."""
    return f"{one.replica.node.name}/{one.channel.name}"


def _named(link: LinkFacts, options: Mapping[str, Any]) -> list[ForeignChannel]:
    wanted = set(options.get(ALSO) or ())
    return [one for one in foreign_channels(link) if choice_of(one) in wanted]


def _as_holder(link: LinkFacts, one: ForeignChannel) -> ChannelHolder:
    """Its source is no node: it goes by its address."""
    direction = Direction.FORWARD if one.side.id == link.standby.id else Direction.REVERSE
    source = NodeRef("", one.address, one.channel.source_host, one.channel.source_port, "")
    return ChannelHolder(direction, one.replica, source, one.channel)


def _is_stray(link: LinkFacts, holder: ChannelHolder) -> bool:
    return holder != current_holder(link, holder.direction)


def _others(link: LinkFacts, removed_also: Sequence[ForeignChannel], options: Mapping[str, Any]) -> Iterator[Finding]:
    """Each channel from an address of no node of the other side, and what becomes of it."""
    for one in foreign_channels(link):
        facts = {**foreign_channel_finding(one).facts, "choice": choice_of(one)}
        if one in removed_also:
            yield Finding(
                "other_channel_is_removed", Severity.WARNING, f"{one.sentence} It is removed, too.", "", facts
            )
            continue
        is_unknown = one.end is End.UNKNOWN
        severity = Severity.UNKNOWN if is_unknown else Severity.BLOCKER if one.is_unclear else Severity.INFO
        yield Finding(
            "other_channel_stays",
            severity,
            f"{one.sentence} It stays" + (f", and may bring {one.side.name} transactions." if one.is_unclear else "."),
            f"Let the plan remove {choice_of(one)} with the others, or remove it alone on {one.replica.node.name} "
            f"({one.removal}).",
            {**facts, "option": "remove_also"},
        )
    missing = sorted(set(options.get(ALSO) or ()) - {choice_of(one) for one in removed_also})
    if missing:
        yield Finding(
            "other_channel_not_found",
            Severity.BLOCKER,
            f"No node has the channel {', '.join(missing)} from an address of no node of the other side.",
            "Take the names from the plan: NODE/CHANNEL.",
            {"channels": missing},
        )


def _findings(
    ctx: CheckContext, held: Sequence[ChannelHolder], of_link: Sequence[ChannelHolder], unapplied: Unapplied
) -> Iterator[Finding]:
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
    for direction in dict.fromkeys(holder.direction for holder in of_link):
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


def _steps(link: LinkFacts, held: Sequence[ChannelHolder], others: Sequence[ChannelHolder]) -> tuple[Step, ...]:
    steps = StepList()
    steps.add("recheck", "Read both sides again and compare with the plan")
    strays = [holder for holder in held if _is_stray(link, holder)]
    for holder in (*strays, *others, *(one for one in held if one not in strays)):
        _stop_step(steps, holder, is_stray=holder in strays)
    for index, holder in enumerate((*held, *others)):
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


PLAN_KIND = PlanKind(
    kind=KIND,
    done="removed the channels of {link}",
    to_do="remove the channels of {link}",
    is_emergency=False,
    proves_continuity=False,
    checks=REMOVE_CHECKS,
    decide=lambda given: decide(
        given.ctx, given.findings, given.facts.unapplied(given.ctx.link), options=given.options
    ),
)
