"""The proven sets of a channel with SOURCE_AUTO_POSITION=1, read again just before a step depends on them."""

from __future__ import annotations

from backend.core.gtid_sets import MysqlGtidSet
from backend.core.locate.executed_inputs import origins, read_auto_position
from backend.core.locate.executed_sets import SetCode, decide
from backend.core.plan import Step
from backend.core.positions import PositionError
from backend.core.steps.base import RefusedByFactsError, StepContext
from backend.core.topology import Direction, NodeFacts


class SetsMovedError(RefusedByFactsError):
    """The sets of GTIDs are not the proven ones any more, or the source could not serve them now."""


def verify_sets(ctx: StepContext, step: Step) -> None:
    """Raises SetsMovedError unless the replica executed nothing of others since, and the source can still serve it."""
    assert step.node_id is not None
    direction, link = Direction(step.params["direction"]), ctx.gateway.observe_link()
    source_id = step.params["source_node_id"]
    found = read_auto_position(link, direction, source_id, step.node_id, ctx.gateway, is_moving=False)
    decision = decide(found.sets)
    if decision.code is not SetCode.SERVED:
        raise SetsMovedError(decision.sentence)
    applied = (found.sets.applied or {})[found.sets.replica].without_sources(found.sets.own)
    if applied != _proven(ctx, step.params["direction"]):
        raise SetsMovedError(f"gtid_executed of {found.sets.replica} is another one than when the position was proven")


def sets_fault(ctx: StepContext, step: Step, facts: NodeFacts) -> str | None:
    """Why a start would not resume where the proof says; None where it would."""
    receiving = ctx.gateway.observe_link().receiving_cluster(Direction(step.params["direction"]))
    text = facts.variable("gtid_executed")
    try:
        now = None if text is None else MysqlGtidSet.parse(text).without_sources(origins(receiving))
    except PositionError:
        now = None
    if now == _proven(ctx, step.params["direction"]):
        return None
    return f"gtid_executed of {facts.node.name} is another one than when the position was proven"


def _proven(ctx: StepContext, direction: str) -> MysqlGtidSet:
    """KeyError where this run has proven none: never taken for an empty set."""
    return MysqlGtidSet.parse(str(ctx.result_of("locate", direction)["gtid_set"]["executed"]))
