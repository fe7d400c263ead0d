"""Start a channel where it stands, at the place that was proven to be the last applied."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.positions import MariadbGtidSet
from backend.core.steps.base import StepContext
from backend.core.steps.channels.start import Start, not_at_proven_coordinates
from backend.core.topology import ChannelFacts, NodeFacts


class Resume(Start):
    """START SLAVE, of which one thread may still run."""

    def _is_started(self, channel: ChannelFacts) -> bool:
        """Nobody stopped both threads before: only both together say that it was started."""
        return not channel.has_stopped_thread

    def _not_at_place(self, ctx: StepContext, step: Step, facts: NodeFacts, channel: ChannelFacts) -> str | None:
        """By GTID the server's own variable is the place; coordinates show nothing until the channel has connected."""
        planned = step.params["gtid_slave_pos"]
        if planned is None:
            return not_at_proven_coordinates(ctx, step, facts, channel)
        now = facts.variable("gtid_slave_pos")
        if now is not None and MariadbGtidSet.parse(now) == MariadbGtidSet.parse(planned):
            return None
        return f"{facts.node.name} no longer stands at the proven position"
