"""Counts the transactions that a lost side wrote between its return and its fence; the count is never a condition."""

from __future__ import annotations

from backend.core.binlog.events import Cursor, EventBudgetError
from backend.core.binlog.groups import UnknownEventError, foreign_to, read_groups
from backend.core.binlog.logs import BinaryLog
from backend.core.binlog.window import whole_groups
from backend.core.dialects.base import DialectError
from backend.core.orphans.transactions import is_trivial
from backend.core.plan import Step
from backend.core.plural import pick, pluralize
from backend.core.ports import NodeError
from backend.core.positions import FilePosition, PositionError
from backend.core.steps.base import Effect, Observation, Proof, RefusedByFactsError, StepContext
from backend.core.topology import ClusterFacts

_UNREADABLE = (
    NodeError, DialectError, PositionError, RefusedByFactsError, UnknownEventError, EventBudgetError, KeyError,
)  # fmt: skip
MAX_EVENTS = 500_000
"""About ten seconds of reading: the scan of its orphans counts a side that wrote for longer."""


class CountReturnedWrites:
    """Implements StepKind; reads only.

    `begins` lists nodes (`node_id`, `node`), earliest return first, with the position in their own log (`file:offset`)
    after which their writes since their return follow. The first log that can be read is counted.
    """

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always counted again."""
        return Observation(Effect.TO_DO, "count what was written")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The count, or that it is unknown: the fence holds in both cases."""
        side = _side(ctx, step)
        still_open = sorted(n.node.name for n in side.nodes if n.is_up and n.variable("read_only") != "ON")
        if still_open:
            # counting takes a moment, and those nodes are writable until this run has ended
            names = ", ".join(still_open)
            verb = pick(len(still_open), "is", "are")
            reason = f"{names} {verb} not fenced"
            return Proof(True, f"not counted: {names} {verb} not fenced yet", {"writes": None, "reason": reason})
        reasons = []
        for begin in step.params["begins"]:
            try:
                writes = _count(ctx, side, begin["node_id"], FilePosition.parse(begin["begins"]))
            except _UNREADABLE as error:
                reasons.append(f"{begin['node']}: {error}")
                continue
            sentence = f"{side.name} wrote {pluralize(writes, 'transaction')} between its return and its fence"
            return Proof(True, sentence, {"writes": writes, "node": begin["node"], "begins": begin["begins"]})
        why = "; ".join(reasons) or "no node reports the end of its log at its return"
        sentence = (
            f"the number of transactions that {side.name} wrote between its return and its fence is unknown ({why})"
        )
        return Proof(True, sentence, {"writes": None, "reason": why})


def _side(ctx: StepContext, step: Step) -> ClusterFacts:
    link = ctx.gateway.observe_link()
    return next(c for c in (link.active, link.standby) if c.id == step.params["cluster_id"])


def _count(ctx: StepContext, side: ClusterFacts, node_id: str, begin: FilePosition) -> int:
    """The number of the side's own groups from `begin` to the log's end; none is stored."""
    cursor = Cursor(
        BinaryLog(ctx.gateway.reader(node_id), ctx.dialect_of(side.node(node_id))), budget_events=MAX_EVENTS
    )
    is_foreign = foreign_to(side.server_ids)
    groups = read_groups(whole_groups(cursor, begin))
    return sum(not is_foreign(group) and not is_trivial(group) for group in groups)
