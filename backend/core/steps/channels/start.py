"""Starts the new channel and checks that both threads run."""

from __future__ import annotations

from backend.core.facts.channel_files import files_remedy
from backend.core.plan import Step
from backend.core.steps.base import (
    Effect,
    Observation,
    Proof,
    StepContext,
    channel_at,
    source_of,
    threads_and_place,
    unobserved,
)
from backend.core.steps.channels.gtid_position import gtid_fault, is_by_gtid
from backend.core.steps.positions.executed import sets_fault
from backend.core.steps.positions.resume_position import verify_nothing_received
from backend.core.topology import ChannelFacts, NodeFacts

_START_LIMIT_S = 20.0


class Start:
    """START SLAVE on the new replica."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where a thread runs, or applied from the proven position until an error, which a start would hide.

        An error at the proven position is from before the start, or from a start that applied nothing. START SLAVE
        clears it, and the proof then shows whether it occurs again.
        """
        facts = ctx.facts_of(step)
        if facts.channels is None:
            return unobserved(facts)
        channel = channel_at(facts, step.params["name"], source_of(step))
        if channel is None:
            return Observation(Effect.FOREIGN, f"{facts.node.name} does not have the planned channel")
        state = threads_and_place(channel)
        if self._is_started(channel):
            return Observation(Effect.DONE, "running", state)
        fault = self._not_at_place(ctx, step, facts, channel)
        if fault is not None and channel.sql_errno:
            return Observation(Effect.DONE, "started, then stopped with an error", state)
        if fault is not None:
            return Observation(Effect.FOREIGN, fault, state)
        return Observation(Effect.TO_DO, "stopped", state)

    def _is_started(self, channel: ChannelFacts) -> bool:
        """After CHANGE MASTER both threads are stopped: a running thread shows that the channel was started."""
        return channel.is_running

    def _not_at_place(self, ctx: StepContext, step: Step, facts: NodeFacts, channel: ChannelFacts) -> str | None:
        """Why starting now would not resume at the proven position; None where it would."""
        if _has_auto_position(ctx, step):
            return sets_fault(ctx, step, facts)
        if is_by_gtid(ctx, step.params["direction"]):
            return gtid_fault(ctx, step.params["direction"], facts)
        return not_at_proven_coordinates(ctx, step, facts, channel)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned, after a last check that the receiving side has applied nothing since."""
        verify_nothing_received(ctx, step)
        return step.sql[0]

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Both threads run without an error."""

        def query() -> Proof:
            facts = ctx.facts_of(step)
            channel = channel_at(facts, step.params["name"], source_of(step))
            if channel is None:
                return Proof(False, unobserved(facts).sentence)
            state = {"io_running": channel.io_running, "sql_running": channel.sql_running}
            if channel.io_running == "Yes" and channel.sql_running == "Yes":
                return Proof(True, "both threads run", state)
            error = (channel.sql_error or channel.io_error or "no error reported")[:300]
            threads = f"I/O {channel.io_running}, SQL {channel.sql_running}"
            return Proof(False, f"{threads}: {error}{files_remedy(facts.node.name, channel)}", state)

        return ctx.wait_for(_START_LIMIT_S, query)


def _has_auto_position(ctx: StepContext, step: Step) -> bool:
    """Whether this run pointed the direction's channel at its source with auto-position."""
    points = (one for one in ctx.plan.steps if one.code == "change_source")
    direction = step.params["direction"]
    return any(one.params["direction"] == direction and one.params.get("auto_position") for one in points)


def not_at_proven_coordinates(ctx: StepContext, step: Step, facts: NodeFacts, channel: ChannelFacts) -> str | None:
    """Why the channel is not at its direction's proven position; None where it is."""
    proven = ctx.result_of("locate", step.params["direction"])
    if (channel.exec_file, channel.exec_offset) == (proven["file"], proven["offset"]):
        return None
    return f"the channel of {facts.node.name} is no longer at the proven position"
