"""Removes the stopped channel from its old replica, so that no restart starts it again."""

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
    """The node's facts once Galera reports it ready: until then it refuses RESET SLAVE with error 1047.

    A node that was hung reports Synced for a moment, then learns that it was expelled and joins again (observed after
    a thaw).
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
        """Done once the node has no such channel; a running one is foreign: something outside the run started it."""
        facts = _once_ready(ctx, step)
        if step.params.get("parted_from") and not facts.is_up and wait_until_expelled(ctx, facts.node.id):
            return Observation(
                Effect.DONE, f"{facts.node.name} was expelled from its cluster; its channel is removed on its return"
            )
        if facts.channels is None:
            return unobserved(facts)
        channel = channel_at(facts, step.params["name"], source_of(step))
        if channel is None and facts.channel(step.params["name"]) is not None:
            return Observation(Effect.FOREIGN, f"{facts.node.name} has a channel of that name from another source")
        if channel is None:
            return Observation(Effect.DONE, f"{facts.node.name} no longer has the channel")
        state = {
            "io_running": channel.io_running,
            "sql_running": channel.sql_running,
            "position": f"{channel.exec_file}:{channel.exec_offset}",
            "ignore_server_ids": list(channel.ignore_server_ids),
            "options": dict(channel.options),
        }
        if channel.is_running:
            return Observation(Effect.FOREIGN, f"the channel of {facts.node.name} runs again", state)
        moved = moved_since_stop(ctx, step, channel)
        if moved is not None:
            return Observation(Effect.FOREIGN, moved, state)
        return Observation(Effect.TO_DO, "stopped", state)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned."""
        return step.sql[0]

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The channel is removed."""
        seen = self.look(ctx, step)
        return Proof(seen.effect is Effect.DONE, seen.sentence, seen.state)
