"""Shows under the fence of both sides that their data is equal, and where their logs end meanwhile."""

from __future__ import annotations

from backend.core.equal_data.comparison import differences
from backend.core.locate.search_inputs import SYNC_SQL
from backend.core.plan import Step
from backend.core.plural import pluralize
from backend.core.steps.base import Effect, Observation, Proof, StepContext

SHOWN = 5


class VerifyEqualData:
    """Implements StepKind; reads only. Both sides are fenced, so that nothing changes while tables are read."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always read again: after a crash the sides may have been written."""
        return Observation(Effect.TO_DO, "compare the tables of both sides")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Every table is equal, and neither log has grown while they were read."""
        node_ids = list(step.params["node_ids"])
        for node_id in node_ids:
            ctx.gateway.reader(node_id).query(SYNC_SQL)
        before = _ends(ctx, node_ids)
        one, other = ctx.contents(node_ids, has_checksums=True, limit_s=step.params["limit_s"])
        after = _ends(ctx, node_ids)
        found = differences(one, other, has_checksums=True)
        if found:
            more = f", and {pluralize(len(found) - SHOWN, 'further difference')}" if len(found) > SHOWN else ""
            return Proof(False, "; ".join(found[:SHOWN]) + more, {"differences": list(found)})
        if before != after or None in after.values():
            return Proof(False, f"a binary log grew while the tables were compared: {before}, then {after}")
        tables = pluralize(len(one.tables), "table")
        facts = {"ends": after, "tables": len(one.tables)}
        return Proof(True, f"{tables} of {one.node} and {other.node} are equal", facts)


def _ends(ctx: StepContext, node_ids: list[str]) -> dict[str, str | None]:
    observed = {node_id: ctx.gateway.observe_node(node_id).binlog for node_id in node_ids}
    return {node_id: str(binlog.end) if binlog else None for node_id, binlog in observed.items()}
