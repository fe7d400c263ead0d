"""Creates the schema and the table of the probes on a node that lacks them; they may stay whatever the run comes to."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext

SCHEMA_SQL = "SELECT COUNT(*) AS n FROM information_schema.SCHEMATA WHERE SCHEMA_NAME='hawser'"
TABLE_SQL = "SELECT COUNT(*) AS n FROM information_schema.TABLES WHERE TABLE_SCHEMA='hawser' AND TABLE_NAME='probe'"


class CreateProbeObject:
    """Implements StepKind; `query` counts what is to exist."""

    def __init__(self, query: str) -> None:
        self._query = query

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where it exists."""
        assert step.node_id is not None
        count = int(str(ctx.gateway.reader(step.node_id).query(self._query)[0]["n"]))
        return Observation(Effect.DONE, "exists") if count else Observation(Effect.TO_DO, "does not exist")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned; IF NOT EXISTS makes it repeatable."""
        return step.sql[0]

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Read back."""
        seen = self.look(ctx, step)
        return Proof(seen.effect is Effect.DONE, f"{step.node}: {seen.sentence}")
