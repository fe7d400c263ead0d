"""Starts a channel at its position, which was proven to be the last applied one."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.positions import MariadbGtidSet
from backend.core.steps.base import StepContext
from backend.core.steps.channels.start import Start, not_at_proven_coordinates
from backend.core.topology import ChannelFacts, NodeFacts


class Resume(Start):
    """START SLAVE on a channel of which one thread may still run."""

    def _is_started(self, channel: ChannelFacts) -> bool:
        """The run stopped no thread before: only both running threads show that the channel was started."""
        return not channel.has_stopped_thread

    def _not_at_place(self, ctx: StepContext, step: Step, facts: NodeFacts, channel: ChannelFacts) -> str | None:
        """In GTID mode the server's variable is the position; file and offset show nothing before the connection."""
        planned = step.params["gtid_slave_pos"]
        if planned is None:
            return not_at_proven_coordinates(ctx, step, facts, channel)
        now = facts.variable("gtid_slave_pos")
        if now is not None and MariadbGtidSet.parse(now) == MariadbGtidSet.parse(planned):
            return None
        return f"the channel of {facts.node.name} is no longer at the proven position"
