"""Checks of the event scheduler's events: which run, which will run after a change of the active side, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.checks.context import CheckContext
from backend.core.dialects.base import DialectError
from backend.core.facts.events import ELSEWHERE, EVENTS_GRANT, may_run_events, runs_events, takes_events
from backend.core.facts.side_events import (
    EventMove,
    enabling,
    event_moves,
    names_of,
    run_nowhere,
    running_events,
    running_on_standby,
    shown_enable,
)
from backend.core.findings import Finding, Severity
from backend.core.topology import Direction, NodeFacts

SWITCH, LEAVE = "switch", "leave"
CHOICES = (SWITCH, LEAVE)


def moved_events(ctx: CheckContext) -> tuple[EventMove, ...]:
    """The events that the plan lets run on the other side; those alone that the operator account may alter."""
    if ctx.events_choice == LEAVE:
        return ()
    return tuple(move for move in _moves(ctx) if not _why_left(ctx, move))


def check_events(ctx: CheckContext) -> Iterator[Finding]:
    """Of a planned change of the active side: every node of both sides has to show its events."""
    yield from _unread(ctx, [node for node in ctx.link.nodes if node.is_up], refuses=ctx.events_choice != LEAVE)
    yield from _moving(ctx)
    yield from _running_on_standby(ctx)


def check_events_of_lost_side(ctx: CheckContext) -> Iterator[Finding]:
    """Of a failover: what ran on the lost side as last read. Events are no data, so nothing unknown refuses it."""
    survivor = [node for node in ctx.link.standby.nodes if node.is_up]
    yield from _unread(ctx, survivor, refuses=False)
    yield from _moving(ctx)
    if not any(node.node.id in ctx.events for node in ctx.link.active.nodes):
        yield from _unknown_there(ctx)


def _moves(ctx: CheckContext) -> tuple[EventMove, ...]:
    return event_moves(ctx.link.active, ctx.link.standby, ctx.events, ctx.pair[1])


def _unread(ctx: CheckContext, nodes: Sequence[NodeFacts], *, refuses: bool) -> Iterator[Finding]:
    unread = [node.node.name for node in nodes if node.node.id not in ctx.events]
    if unread and any(may_run_events(node) for node in ctx.link.nodes if node.is_up):
        yield Finding(
            "events_unknown",
            Severity.UNKNOWN if refuses else Severity.WARNING,
            f"The events of {', '.join(unread)} are unknown, and an event scheduler runs or may run. It is unknown "
            "what runs after the switch, and where.",
            f"{EVENTS_GRANT}, or plan with events=leave.",
            {"nodes": unread},
        )


def _moving(ctx: CheckContext) -> Iterator[Finding]:
    for move in _moves(ctx):
        why = "the plan leaves it as it is" if ctx.events_choice == LEAVE else _why_left(ctx, move)
        yield _left(ctx, move, why) if why else _moved(ctx, move)


def _why_left(ctx: CheckContext, move: EventMove) -> str:
    """Why a run cannot let the event run on the other side; empty where it can."""
    if move.target is None:
        return f"no node of {ctx.link.standby.name} has it and takes statements on events"
    stopped = list(_would_stop(ctx, move))
    if stopped:
        return f"with event_scheduler=DISABLED, or unknown, on {', '.join(stopped)} it stops the channel there (1577)"
    try:
        move.to_json()
    except DialectError:
        return "its name or definer cannot be written safely in a statement"
    for node in (*(one for one in move.runs_on if one.is_up), move.target):
        lacks = ctx.event_lacks.get(node.node.id, {}).get(move.event.key)
        if lacks is None:
            return f"it is unknown whether the operator account may alter it on {node.node.name}"
        if lacks:
            return f"the operator account lacks {' and '.join(lacks)} on {node.node.name}"
    return ""


def _would_stop(ctx: CheckContext, move: EventMove) -> Iterator[str]:
    """The nodes whose channel brings them a statement of the run that they refuse."""
    is_disabled_first = any(node.is_up for node in move.runs_on)
    for direction in Direction if is_disabled_first else (Direction.REVERSE,):
        for holder in ctx.link.holders(direction):
            if holder.replica.is_up and not takes_events(holder.replica):
                yield holder.replica.node.name


def _moved(ctx: CheckContext, move: EventMove) -> Finding:
    assert move.target is not None
    target, new = move.target, ctx.link.standby.name
    runs = runs_events(target)
    scheduler = target.variable("event_scheduler") or "unknown"
    return Finding(
        "events_switched",
        Severity.INFO if runs else Severity.WARNING,
        f"The event {move.event.shown} (now {move.now}) is enabled on {target.node.name} once {new} is active, and is "
        f"{ELSEWHERE} on every other node then."
        + ("" if runs else f" The event scheduler of {target.node.name} is {scheduler}, so it does not run there."),
        "" if runs else f"Run SET GLOBAL event_scheduler=ON on {target.node.name}, and set it in its configuration.",
        move.to_json(),
    )


def _left(ctx: CheckContext, move: EventMove, why: str) -> Finding:
    old, new = ctx.link.active.name, ctx.link.standby.name
    where = move.target.node.name if move.target is not None else f"a node of {new}"
    return Finding(
        "events_left",
        Severity.BLOCKER if ctx.events_choice == SWITCH else Severity.WARNING,
        f"The event {move.event.shown} (now {move.now}) runs on no node of {new} after the switch: {why}. On {old} it "
        "goes on, and writes through the fence if its definer may.",
        f"Once {new} is active, run on {where}: {shown_enable(move.event)}; Replication disables it everywhere else.",
        {"event": move.event.shown, "definer": move.event.definer, "now": dict(move.statuses), "why": why},
    )


def _running_on_standby(ctx: CheckContext) -> Iterator[Finding]:
    running = running_events(ctx.link.standby, ctx.events)
    if running:
        yield running_on_standby(running)


def _unknown_there(ctx: CheckContext) -> Iterator[Finding]:
    """Of a lost side that was never read: what runs on no node of the survivor may have run there."""
    left = run_nowhere(ctx.link.standby, ctx.link.active, ctx.events)
    if left:
        yield Finding(
            "events_not_enabled",
            Severity.WARNING,
            f"{ctx.link.standby.name} has events that run on none of its nodes: {names_of(left)}. Whether they ran on "
            f"{ctx.link.active.name} is unknown.",
            enabling(left, ctx.pair[1]),
            {"events": [event.shown for event in left]},
        )
