"""Start a channel where it stands, at the place that was proven to be the last applied."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.positions import MariadbGtidSet
from backend.core.steps.base import (
    Effect,
    Observation,
    StepContext,
    channel_at,
    source_of,
    threads_and_place,
    unobserved,
)
from backend.core.steps.channels.start import Start
from backend.core.topology import ChannelFacts, NodeFacts


class Resume(Start):
    """START SLAVE, of which one thread may still run."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where both threads begin, or it ran on from its place into an error: starting again would hide that."""
        facts = ctx.facts_of(step)
        if facts.channels is None:
            return unobserved(facts)
        channel = channel_at(facts, step.params["name"], source_of(step))
        if channel is None:
            return Observation(Effect.FOREIGN, f"{facts.node.name} does not have the channel the plan speaks of")
        state = threads_and_place(channel)
        if not channel.has_stopped_thread:
            return Observation(Effect.DONE, "running", state)
        if _stands_at_place(ctx, step, facts, channel):
            return Observation(Effect.TO_DO, "stands", state)
        if channel.sql_errno:
            return Observation(Effect.DONE, "started, and stopped on an error since", state)
        return Observation(Effect.FOREIGN, f"{facts.node.name} no longer stands at the proven position", state)


def _stands_at_place(ctx: StepContext, step: Step, facts: NodeFacts, channel: ChannelFacts) -> bool:
    """By GTID the server's own variable is the place; coordinates show nothing until the channel has connected."""
    planned = step.params["gtid_slave_pos"]
    if planned is not None:
        now = facts.variable("gtid_slave_pos")
        return now is not None and MariadbGtidSet.parse(now) == MariadbGtidSet.parse(planned)
    proven = ctx.result_of("locate", step.params["direction"])
    return (channel.exec_file, channel.exec_offset) == (proven["file"], proven["offset"])
