"""Turns the wait for semi-synchronous acknowledgements off and on, and shows that commits go on.

Turned off, commits that wait go on at once, those of other sessions included (measured on MariaDB 10.11.19).
"""

from __future__ import annotations

from backend.core import probe
from backend.core.facts.semi_sync import ENABLED, semi_sync_of, why_commits_wait
from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext, unobserved
from backend.core.steps.sides.fence import SetVariable

_ACKNOWLEDGED_LIMIT_S = 20.0
"""A replica whose channel was started connects within a connect_retry of one or two seconds, as a rule."""
_FREED_LIMIT_S = 10.0


class SemiSyncOff(SetVariable):
    """No commit of the node waits; the undo gives the wait back where a replica acknowledges again."""

    def __init__(self) -> None:
        super().__init__(ENABLED, "waits for acknowledgements again, if a replica acknowledges")

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """It is off, and no commit waits any more."""

        def query() -> Proof:
            facts = ctx.facts_of(step)
            if not facts.is_up:
                return Proof(False, unobserved(facts).sentence)
            seen = semi_sync_of(facts)
            if seen.is_on is False and seen.sessions == 0:
                return Proof(True, f"{step.node}: {ENABLED} is OFF, no commit waits", {ENABLED: "OFF"})
            return Proof(False, f"{step.node}: {ENABLED} is {facts.variable(ENABLED)}, {seen.sessions} commits wait")

        return ctx.wait_for(_FREED_LIMIT_S, query)

    def undo_statement(self, ctx: StepContext, step: Step) -> str | None:
        """Not while no replica acknowledges: each commit would wait for it until its timeout."""
        sql = super().undo_statement(ctx, step)
        return sql if sql is not None and is_acknowledged(ctx, step) else None


class SemiSyncOn(SetVariable):
    """The wait as it was before the plan; left off, and said, where no replica acknowledges by then."""

    def __init__(self) -> None:
        super().__init__(ENABLED, "does not wait for acknowledgements")

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """To do once a replica that acknowledges is connected."""
        seen = super().look(ctx, step)
        if seen.effect is Effect.TO_DO and not is_acknowledged(ctx, step):
            sentence = f"{ENABLED} stays OFF: no replica that acknowledges is connected to {step.node}"
            return Observation(Effect.DONE, sentence, {"left_off": True})
        return seen


def is_acknowledged(ctx: StepContext, step: Step) -> bool:
    """Whether enough replicas that acknowledge are connected, by the end of a short wait."""

    def query() -> Proof:
        facts = ctx.facts_of(step)
        return Proof(facts.is_up and not semi_sync_of(facts).is_short, "")

    return ctx.wait_for(_ACKNOWLEDGED_LIMIT_S, query, pause_s=0.2).is_ok


class VerifyCommits:
    """One row of Hawser's own, committed within the limit; after a crash another one."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Nothing is sent to a node whose commits wait: a session would wait with them."""
        facts = ctx.facts_of(step)
        why = why_commits_wait(facts)
        if not facts.is_up or why is not None:
            return unobserved(facts) if why is None else Observation(Effect.UNSEEN, why)
        return Observation(Effect.TO_DO, "not committed yet")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned, with this run's token."""
        return step.sql[0].replace(probe.TOKEN_PLACEHOLDER, ctx.probe_token)

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The row is there, and no commit waits for a replica that is not."""
        assert step.node_id is not None
        why = why_commits_wait(ctx.facts_of(step))
        if why is not None:
            return Proof(False, why)
        rows = ctx.gateway.reader(step.node_id).query(
            probe.read_commit_sql(step.params["link_id"], at_end=step.params["at_end"])
        )
        is_there = bool(rows) and rows[0]["token"] == ctx.probe_token
        return Proof(is_there, f"{step.node}: a commit {'went on' if is_there else 'did not end'}")
