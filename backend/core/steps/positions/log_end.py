"""Locates the resume position at the end of a fenced side's log: the other side has all of it, and nothing follows."""

from __future__ import annotations

from typing import Any

from backend.core.facts.incarnation import logged_server_ids
from backend.core.locate.search_inputs import SYNC_SQL
from backend.core.plan import Step
from backend.core.positions import FilePosition
from backend.core.steps.base import Effect, Observation, Proof, StepContext
from backend.core.steps.new_writes import new_writes

_QUIET_S = 0.15


class LocateLogEnd:
    """Implements StepKind; reads only. The fence is proven and the side's own channel stopped, so its log is idle."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always read again."""
        return Observation(Effect.TO_DO, "read the log's end")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The end is the same before and after a moment, with every transaction of the cluster in it."""
        params = step.params
        source_id = params["source_node_id"]
        ctx.gateway.reader(source_id).query(SYNC_SQL)
        if params.get("is_copy") and (wrote := _wrote(ctx, source_id)):
            return Proof(False, wrote)
        before = _end(ctx, source_id)
        ctx.clock.sleep(_QUIET_S)
        end, replica_end = _end(ctx, source_id), _end(ctx, params["replica_node_id"])
        if end is None or end != before or replica_end is None:
            return Proof(False, f"the binary log of {step.node} still grows: {before}, then {end}")
        if why := _written_since_the_comparison(ctx, source_id, end) or _written_behind_the_undo(ctx):
            return Proof(False, why)
        facts: dict[str, Any] = {
            "file": end.file,
            "offset": end.offset,
            "seqno": None,
            "gtid": None,
            "gtid_position": _gtid_at(ctx, source_id, end) if params["uses_gtid"] else None,
            "seam": [],
            "seam_start": None,
            "received_from": str(replica_end),
            "received": [],
            "evidence": [],
        }
        return Proof(True, f"the binary log of {step.node} ends at {end} and is idle", facts)


def _written_since_the_comparison(ctx: StepContext, source_id: str, end: FilePosition) -> str:
    """Why the log's end is not where both sides were found equal; what was written since is on one side only."""
    compared = next((step for step in ctx.plan.steps if step.code == "verify_equal_data"), None)
    if compared is None:
        return ""
    then = ctx.results[compared.index]["ends"].get(source_id)
    return "" if then == str(end) else f"the binary log ended at {then} when the data was compared, and ends at {end}"


def _written_behind_the_undo(ctx: StepContext) -> str:
    """Why the log's end is not the end of the undo.

    The fence was proven before the undo. A node that was restarted since, perhaps hours before the run was resumed, is
    writable. Its writes would be skipped and stay on this side only.
    """
    undo = next((step for step in ctx.plan.steps if step.code == "undo_orphans"), None)
    return new_writes(ctx, undo) if undo is not None else ""


def _wrote(ctx: StepContext, source_id: str) -> str:
    """Why a copied side may not be attached at its log's end: it wrote since, and no channel replicates that."""
    link = ctx.gateway.observe_link()
    side = link.active if any(n.node.id == source_id for n in link.active.nodes) else link.standby
    for node in side.nodes:
        ids = logged_server_ids(node)
        if node.is_up and (ids is None or ids & set(side.server_ids)):
            phrase = "does not report what it logged" if ids is None else "logged transactions of its own"
            return f"{node.node.name} {phrase} since it was copied: copy the side again, read_only from its first start"
    return ""


def _end(ctx: StepContext, node_id: str) -> FilePosition | None:
    binlog = ctx.gateway.observe_node(node_id).binlog
    return binlog.end if binlog else None


def _gtid_at(ctx: StepContext, node_id: str, end: FilePosition) -> str:
    facts = ctx.gateway.observe_node(node_id)
    rows = ctx.gateway.reader(node_id).query(ctx.dialect_of(facts).gtid_at_query(end))
    return str(rows[0]["gtid"])
