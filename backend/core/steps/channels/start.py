"""Start the new channel and see both threads run."""

from __future__ import annotations

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
from backend.core.steps.positions.resume_position import verify_nothing_received
from backend.core.topology import ChannelFacts, NodeFacts

_START_LIMIT_S = 20.0


class Start:
    """START SLAVE on the new replica."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where a thread runs, or ran on from the proven position into an error: starting again would hide it.

        An error that shows at the proven position is of before the start, or of a start that applied nothing; START
        SLAVE clears it, and what comes of it then is the answer.
        """
        facts = ctx.facts_of(step)
        if facts.channels is None:
            return unobserved(facts)
        channel = channel_at(facts, step.params["name"], source_of(step))
        if channel is None:
            return Observation(Effect.FOREIGN, f"{facts.node.name} does not have the channel the plan speaks of")
        state = threads_and_place(channel)
        if self._is_started(channel):
            return Observation(Effect.DONE, "running", state)
        fault = self._not_at_place(ctx, step, facts, channel)
        if fault is not None and channel.sql_errno:
            return Observation(Effect.DONE, "started, and stopped on an error since", state)
        if fault is not None:
            return Observation(Effect.FOREIGN, fault, state)
        return Observation(Effect.TO_DO, "stands", state)

    def _is_started(self, channel: ChannelFacts) -> bool:
        """A channel that was pointed stands with both threads: one that runs was started."""
        return channel.is_running

    def _not_at_place(self, ctx: StepContext, step: Step, facts: NodeFacts, channel: ChannelFacts) -> str | None:
        """Why starting now would not resume at the proven place; None where it would."""
        if is_by_gtid(ctx, step.params["direction"]):
            return gtid_fault(ctx, step.params["direction"], facts)
        return not_at_proven_coordinates(ctx, step, facts, channel)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned, once more looked at: the receiving side must stand where it stood."""
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
            error = channel.sql_error or channel.io_error or "no error named"
            return Proof(False, f"I/O {channel.io_running}, SQL {channel.sql_running}: {error[:300]}", state)

        return ctx.wait_for(_START_LIMIT_S, query)


def not_at_proven_coordinates(ctx: StepContext, step: Step, facts: NodeFacts, channel: ChannelFacts) -> str | None:
    """Why the channel does not stand where its direction was proven; None where it does."""
    proven = ctx.result_of("locate", step.params["direction"])
    if (channel.exec_file, channel.exec_offset) == (proven["file"], proven["offset"]):
        return None
    return f"{facts.node.name} no longer stands at the proven position"
