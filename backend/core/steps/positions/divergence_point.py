"""Fix the point where two histories part: the last that the survivor applied of the lost side."""

from __future__ import annotations

from dataclasses import replace

from backend.core.facts.serialization import divergence_to_json
from backend.core.link_facts import Divergence
from backend.core.locate.applied_point import AppliedPoint, applied_point
from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext
from backend.core.steps.peers import channels_into, observe_peers
from backend.core.topology import ChannelFacts


class RecordDivergence:
    """Implements StepKind; reads only. What it found is kept by the swap of roles behind it."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always read anew, until the way back is closed."""
        return Observation(Effect.TO_DO, "read the divergence point")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The channel stands, its relay log is applied to its end, and the last groups are read."""
        params = step.params
        link = observe_peers(ctx, params["survivor_cluster_id"])
        other_holders = [
            h for h in channels_into(link, params["survivor_cluster_id"]) if h.replica.node.id != params["holder_id"]
        ]
        if other_holders:
            name = other_holders[0].replica.node.name
            return Proof(
                False, f"{name} is back with a channel of {params['lost_name']}: plan anew, to have it counted"
            )
        point = applied_point(link, params["replica_node_id"], params["holder_id"], ctx.gateway, ctx.journal)
        channel = point.channel
        if params["holder_id"] is not None and channel is None:
            return Proof(False, f"{step.node} no longer shows the channel it held")
        if channel is not None and channel.sql_running != "No":
            return Proof(False, f"the channel of {step.node} still applies")
        found = _divergence(ctx, step, point, _count_lost(ctx, channel))
        where = f"{found.applied_file}:{found.applied_offset}" if found.applied_file else "the seam of the last groups"
        number = f", Xid {found.applied_seqno}" if found.applied_seqno is not None else ""
        return Proof(
            True,
            f"{params['survivor_name']} has applied {params['lost_name']} up to {where}{number}. "
            + _loss_sentence(found),
            {
                "divergence": divergence_to_json(found),
                "groups": [group.to_json() for group in point.groups],
                "number_from": point.detail,
            },
        )


_COUNT_LIMIT_S = 5.0
"""The monitor looks every second and counts what it had read of the lost side's logs; a dead one is not waited for."""


def _count_lost(ctx: StepContext, channel: ChannelFacts | None) -> int | None:
    """What the channel never brought, counted where it stands now; None where nobody counted there."""
    executed = channel.exec_position if channel is not None else None
    if executed is None:
        return None
    counted: list[int] = []

    def query() -> Proof:
        found = ctx.console.unapplied_behind(executed)
        if found is not None:
            counted.append(found)
        return Proof(bool(counted), "")

    ctx.wait_for(_COUNT_LIMIT_S, query, pause_s=0.25)
    return counted[-1] if counted else None


def _loss_sentence(divergence: Divergence) -> str:
    planned, counted = divergence.planned_lost_transactions, divergence.lost_transactions
    bound = "No bound was known when it was planned" if planned is None else f"At most {planned} were planned for"
    if counted is None:
        return f"{bound}; how many were lost after the drain could not be counted."
    return f"{bound}; after the drain {counted} were lost of those that had been seen."


def _divergence(ctx: StepContext, step: Step, point: AppliedPoint, counted: int | None) -> Divergence:
    params, channel = step.params, point.channel
    loss = ctx.plan.loss
    found = Divergence(
        lost_cluster_id=params["lost_cluster_id"],
        survivor_cluster_id=params["survivor_cluster_id"],
        lost_state_uuid=params["lost_state_uuid"],
        at_s=ctx.clock.now_s(),
        source_node_id=point.source_node_id,
        applied_file=channel.exec_file if channel else None,
        applied_offset=channel.exec_offset if channel else None,
        applied_seqno=point.xid,
        applied_trailing=point.trailing,
        applied_gtid=str(point.groups[-1].gtid) if point.groups else None,
        seam=tuple(group.content for group in point.groups),
        last_seen_seqno=params["last_seen_seqno"],
        last_seen_at_s=params["last_seen_at_s"],
        lost_transactions=counted,
        planned_lost_transactions=loss.get("transactions"),
        lost_s=loss.get("seconds"),
        fences_on_return=params["fences_on_return"],
    )
    return replace(found, detail=f"{_loss_sentence(found)} The plan said: {loss.get('detail', '')}")
