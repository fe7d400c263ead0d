"""Records the state UUID of a side that was bootstrapped again, after the proof that its stream continues."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext


class RecordStateUuid:
    """Implements StepKind; no server is touched, so nothing can be half done."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always to do: recording it twice has the effect of recording it once."""
        return Observation(Effect.TO_DO, "record the state UUID")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Not a statement."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Recorded where every member still shows the state UUID that the plan proved."""
        side, planned = step.params["side"], step.params["state_uuid"]
        link = ctx.gateway.observe_link()
        cluster = link.active if link.active.id == step.params["cluster_id"] else link.standby
        shown = {n.wsrep.state_uuid for n in cluster.nodes if n.wsrep and n.wsrep.cluster_status == "Primary"}
        if shown != {planned}:
            return Proof(False, f"{side} shows {', '.join(sorted(shown)) or 'no state UUID'} now, not {planned}")
        ctx.console.accept_state_uuid(cluster.id, planned)
        return Proof(True, f"{side} is recorded with state UUID {planned}", {"state_uuid": planned})
