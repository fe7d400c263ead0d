"""Proves that replication of the link has ended: no node has one of its channels any more."""

from __future__ import annotations

from backend.core.facts.channel_ends import unclear_channels
from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext
from backend.core.steps.peers import channels_into, observe_peers


class ChannelsRemoved:
    """Implements StepKind; reads only."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always read again."""
        return Observation(Effect.TO_DO, "read the channels of every node")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Every node of both sides reports its channels or was expelled; none is of the link, by whatever address."""
        sides = [str(side) for side in step.params["cluster_ids"]]
        left = [
            f"{held.replica.node.name} has a channel from {held.source.name}"
            for side in sides
            for held in channels_into(observe_peers(ctx, side), side)
        ]
        left += [one.sentence for one in unclear_channels(ctx.gateway.observe_link())]
        if left:
            return Proof(False, "; ".join(left), {"left": left})
        return Proof(True, "no node has a channel of the link", {"left": []})
