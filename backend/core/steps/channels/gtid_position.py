"""Sets gtid_slave_pos on the new replica of a channel in GTID mode to the proven position, before CHANGE MASTER.

This is a statement of its own: MASTER_USE_GTID=slave_pos takes the position from the server's variable, and the server
would ignore a file and offset given with it, with only a warning.
"""

from __future__ import annotations

from backend.core.dialects.base import GtidPlaceholder, fill_gtid
from backend.core.plan import Step
from backend.core.positions import MariadbGtid, MariadbGtidSet
from backend.core.steps.base import Effect, Observation, Proof, StepContext, unobserved
from backend.core.steps.positions.resume_position import PositionMovedError, proven_position, verify_unchanged
from backend.core.topology import Direction, NodeFacts


class GtidPosition:
    """SET GLOBAL gtid_slave_pos on the new replica; this is after the point of no return."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where the variable has the position; foreign where a channel runs or applied more meanwhile."""
        facts = ctx.facts_of(step)
        now = _now(facts)
        if facts.channels is None or now is None:
            return unobserved(facts)
        state = {"gtid_slave_pos": str(now), "gtid_strict_mode": facts.variable("gtid_strict_mode")}
        running = [channel for channel in facts.channels if channel.is_running]
        if running:
            return Observation(Effect.FOREIGN, f"{facts.node.name} runs a channel", state)
        target = _target(ctx, step)
        if now == target and _is_strict(facts) == step.params["is_strict"]:
            return Observation(Effect.DONE, f"gtid_slave_pos is '{now}'", state)
        seen, proven = (_of_source(one, step) for one in (now, target))
        if seen != proven and not step.params["skips"]:
            sentence = (
                f"gtid_slave_pos of {facts.node.name} was {proven or 'empty'} when the position was proven and is "
                f"{seen} now"
            )
            return Observation(Effect.FOREIGN, sentence, state)
        return Observation(Effect.TO_DO, f"gtid_slave_pos is '{now}'", state)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned, with the proven position, which is read again on the source just before."""
        verify_unchanged(ctx, step)
        target = _target(ctx, step)
        if (now := _state_on_source(ctx, step)) != target:
            raise PositionMovedError(f"the source's GTID state at the position is '{now}' now; it was '{target}'")
        return fill_gtid(step.sql[0], GtidPlaceholder(Direction(step.params["direction"])), target)

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Read back: the position in all domains, and strict mode as it was."""
        facts = ctx.facts_of(step)
        now, target = _now(facts), _target(ctx, step)
        read = {"gtid_slave_pos": str(now), "gtid_strict_mode": facts.variable("gtid_strict_mode")}
        if now != target:
            return Proof(False, f"gtid_slave_pos reads back '{now}', not '{target}'", read)
        if _is_strict(facts) != step.params["is_strict"]:
            return Proof(False, f"gtid_strict_mode is {read['gtid_strict_mode']} now", read)
        return Proof(True, f"gtid_slave_pos is '{now}'", read)


def is_by_gtid(ctx: StepContext, direction: str) -> bool:
    """Whether the plan resumes that direction by GTID."""
    return _step_of(ctx, direction) is not None


def gtid_fault(ctx: StepContext, direction: str, facts: NodeFacts) -> str | None:
    """Why a channel of that direction would not resume at the proven position; None where it would."""
    step = _step_of(ctx, direction)
    if step is None or _now(facts) == _target(ctx, step):
        return None
    return f"gtid_slave_pos of {facts.node.name} is no longer '{_target(ctx, step)}'"


def _step_of(ctx: StepContext, direction: str) -> Step | None:
    steps = (s for s in ctx.plan.steps if s.code == "set_gtid_position")
    return next((s for s in steps if s.params["direction"] == direction), None)


def _target(ctx: StepContext, step: Step) -> MariadbGtidSet:
    """The position as the plan shows it; one that was provisional there, as proven in this run."""
    if step.params["planned"] is not None:
        return MariadbGtidSet.parse(step.params["planned"])
    proven = ctx.result_of("locate", step.params["direction"])
    return MariadbGtidSet.parse(str(proven["gtid_position"]))


def _now(facts: NodeFacts) -> MariadbGtidSet | None:
    text = facts.variable("gtid_slave_pos")
    return None if text is None else MariadbGtidSet.parse(text)


def _of_source(position: MariadbGtidSet, step: Step) -> MariadbGtid | None:
    return position.of_domain(step.params["source_domain"])


def _is_strict(facts: NodeFacts) -> bool:
    return (facts.variable("gtid_strict_mode") or "").upper() in ("ON", "1")


def _state_on_source(ctx: StepContext, step: Step) -> MariadbGtidSet | None:
    position = proven_position(ctx, step)
    source = ctx.gateway.observe_node(step.params["source_node_id"])
    rows = ctx.gateway.reader(source.node.id).query(ctx.dialect_of(source).gtid_at_query(position))
    text = rows[0]["gtid"] if rows else None
    return None if text is None else MariadbGtidSet.parse(str(text))
