"""Make an old holder forget its stopped channel, so that no restart brings it back."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.steps.base import (
    Effect,
    Observation,
    Proof,
    StepContext,
    channel_at,
    moved_since_stop,
    source_of,
    unobserved,
)
from backend.core.steps.peers import wait_until_expelled
from backend.core.topology import NodeFacts

_READY_LIMIT_S = 40.0


def _once_ready(ctx: StepContext, step: Step) -> NodeFacts:
    """The node's facts, once Galera has it ready: until then it refuses RESET SLAVE with error 1047.

    A node that was hung believes for a moment to be Synced, then learns that it was expelled and
    joins anew (seen after a thaw).
    """
    seen: list[NodeFacts] = []

    def query() -> Proof:
        seen[:] = [ctx.facts_of(step)]
        wsrep = seen[0].wsrep
        is_waiting = seen[0].is_up and wsrep is not None and not (wsrep.ready and wsrep.cluster_status == "Primary")
        return Proof(not is_waiting, "")

    ctx.wait_for(_READY_LIMIT_S, query, pause_s=0.5)
    return seen[0]


class ResetChannel:
    """RESET SLAVE ALL on a node whose channel moved away."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done once the node has no such channel; a running one is foreign: somebody started it."""
        facts = _once_ready(ctx, step)
        if step.params.get("parted_from") and not facts.is_up and wait_until_expelled(ctx, facts.node.id):
            return Observation(
                Effect.DONE, f"{facts.node.name} is gone from its cluster: it is cleaned when it comes back"
            )
        if facts.channels is None:
            return unobserved(facts)
        channel = channel_at(facts, step.params["name"], source_of(step))
        if channel is None and facts.channel(step.params["name"]) is not None:
            return Observation(Effect.FOREIGN, f"{facts.node.name} has a channel of that name from another source")
        if channel is None:
            return Observation(Effect.DONE, f"{facts.node.name} has no such channel any more")
        state = {
            "io_running": channel.io_running,
            "sql_running": channel.sql_running,
            "position": f"{channel.exec_file}:{channel.exec_offset}",
            "ignore_server_ids": list(channel.ignore_server_ids),
            "options": dict(channel.options),
        }
        if channel.is_running:
            return Observation(Effect.FOREIGN, f"{facts.node.name} started its channel again", state)
        moved = moved_since_stop(ctx, step, channel)
        if moved is not None:
            return Observation(Effect.FOREIGN, moved, state)
        return Observation(Effect.TO_DO, "stopped", state)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned."""
        return step.sql[0]

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The channel is gone."""
        seen = self.look(ctx, step)
        return Proof(seen.effect is Effect.DONE, seen.sentence, seen.state)
