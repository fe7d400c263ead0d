"""Stops the old channel, and reverts that where the plan allows it."""

from __future__ import annotations

from backend.core.dialects.base import Thread
from backend.core.plan import Step
from backend.core.steps.base import (
    Effect,
    Observation,
    Proof,
    RefusedByFactsError,
    StepContext,
    UnobservedNodeError,
    channel_at,
    source_of,
    threads_and_place,
    unobserved,
)
from backend.core.topology import Direction


class ForeignChannelError(RefusedByFactsError):
    """The current channel is not the one that this run stopped, so the run must not start it."""


class Stop:
    """STOP SLAVE on the old replica; the undo starts the same threads.

    A stray channel (its step has no undo) is never started again: it ran beside the current one, or from a lost side.
    """

    def undone(self, step: Step) -> str:
        """The channel runs again, unless it is a stray channel."""
        return "the channel runs again as before" if step.undo else "the stray channel stays stopped"

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done once neither thread runs."""
        facts = ctx.facts_of(step)
        if facts.channels is None:
            return unobserved(facts)
        channel = channel_at(facts, step.params["name"], source_of(step))
        if channel is None:
            return Observation(Effect.FOREIGN, f"{facts.node.name} no longer has the planned channel")
        state = {**threads_and_place(channel), "gtid": facts.variable("gtid_slave_pos")}
        if channel.is_running:
            return Observation(Effect.TO_DO, "running", state)
        return Observation(Effect.DONE, f"stopped at {state['position']}", state)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned."""
        return step.sql[0]

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Both threads are stopped."""
        seen = self.look(ctx, step)
        return Proof(seen.effect is Effect.DONE, seen.sentence, seen.state)

    def undo_statement(self, ctx: StepContext, step: Step) -> str | None:
        """The statement that starts the threads that ran before; None where they run already, or must not run."""
        if not step.undo:
            return None
        facts = ctx.facts_of(step)
        if facts.channels is None:
            raise UnobservedNodeError(unobserved(facts).sentence)
        channel = channel_at(facts, step.params["name"], source_of(step))
        if channel is None:
            raise ForeignChannelError(f"{facts.node.name} no longer has the channel that was stopped")
        wants_io, wants_sql = step.params["io_was"] != "No", step.params["sql_was"] != "No"
        missing_io = wants_io and channel.io_running == "No"
        missing_sql = wants_sql and channel.sql_running == "No"
        if not missing_io and not missing_sql:
            return None
        other_replica = _other_running_replica(ctx, step)
        if other_replica is not None:
            why = " runs a channel of this direction now; stop it first, otherwise both apply every transaction"
            raise ForeignChannelError(other_replica + why)
        dialect = ctx.dialect_of(facts)
        if missing_io and missing_sql:
            return dialect.start_slave(channel.name)
        return dialect.start_slave(channel.name, Thread.IO if missing_io else Thread.SQL)


def _other_running_replica(ctx: StepContext, step: Step) -> str | None:
    """Another node of the side that runs a channel of this direction, unless the plan stops that channel, too."""
    known = {one.node_id for one in ctx.plan.steps if one.code == step.code}
    holders = ctx.gateway.observe_link().holders(Direction(step.params["direction"]))
    running = (h.replica.node for h in holders if h.channel.is_running and h.replica.node.id not in known)
    return next((node.name for node in running), None)
