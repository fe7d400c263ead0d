"""Records a switch in the console's database: the new roles, and the divergence point of a failover."""

from __future__ import annotations

from dataclasses import replace

from backend.core.facts.serialization import divergence_from_json
from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext


class SwapRoles:
    """Implements StepKind; no server is touched, so nothing can be half done.

    In a failover the divergence is stored first: once the roles are swapped, the lost side is refused as a source.
    """

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always to do: setting the same roles twice has the effect of setting them once."""
        return Observation(Effect.TO_DO, "swap the roles")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Not a statement."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Recorded."""
        params = step.params
        for other in ctx.plan.steps:
            if other.code == "record_divergence":
                divergence = divergence_from_json(ctx.results[other.index]["divergence"])
                ctx.console.record_divergence(replace(divergence, run_id=ctx.probe_token))
        ctx.console.set_roles(params["active"], params["standby"])
        return Proof(True, f"{params['active_name']} is active, {params['standby_name']} is standby", dict(params))
