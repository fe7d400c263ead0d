"""Record the state UUID of a side that was bootstrapped anew: behind the proof that its stream goes on."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext


class RecordStateUuid:
    """Implements StepKind; no server is touched, so nothing can be half done."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Doing it twice is doing it once."""
        return Observation(Effect.TO_DO, "record the state UUID")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Not a statement."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Recorded, where every member still shows the one that the proof was about."""
        side, planned = step.params["side"], step.params["state_uuid"]
        link = ctx.gateway.observe_link()
        cluster = link.active if link.active.id == step.params["cluster_id"] else link.standby
        shown = {n.wsrep.state_uuid for n in cluster.nodes if n.wsrep and n.wsrep.cluster_status == "Primary"}
        if shown != {planned}:
            return Proof(False, f"{side} shows {', '.join(sorted(shown)) or 'no state UUID'} now, not {planned}")
        ctx.console.accept_state_uuid(cluster.id, planned)
        return Proof(True, f"{side} is recorded under {planned}", {"state_uuid": planned})
