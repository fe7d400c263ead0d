"""Waits until the relay log of the old channel is applied to its end."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.steps.base import (
    Effect,
    Observation,
    Proof,
    StepContext,
    channel_at,
    source_of,
    unobserved,
)


class Drain:
    """Wait until everything read from the lost source is applied; reads only."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always observed again."""
        return Observation(Effect.TO_DO, "wait for the relay log")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only: the SQL thread does the work."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Applied equals read, within the step's limit."""

        def query() -> Proof:
            facts = ctx.facts_of(step)
            channel = channel_at(facts, step.params["name"], source_of(step))
            if channel is None:
                return Proof(False, unobserved(facts).sentence)
            where = f"{channel.exec_file}:{channel.exec_offset}"
            if channel.is_applied_out:
                return Proof(True, f"relay log applied to its end, {where}", {"applied": where})
            if channel.sql_running == "No":
                return Proof(False, f"the SQL thread stopped at {where}: {channel.sql_error or 'without an error'}")
            return Proof(
                False,
                f"still applying: {where} of {channel.read_file}:{channel.read_offset} after "
                f"{step.params['limit_s']} s",
            )

        return ctx.wait_for(float(step.params["limit_s"]), query, pause_s=0.1)
