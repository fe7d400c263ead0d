"""Records the divergence point: the last event group of the lost side that the survivor applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from backend.core.facts.serialization import divergence_to_json
from backend.core.known_groups import AppliedPlace, time_text
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.locate.applied_point import AppliedPoint, applied_point
from backend.core.plan import Step
from backend.core.plural import pick, pluralize
from backend.core.steps.base import Effect, Observation, Proof, StepContext
from backend.core.steps.peers import channels_into, observe_peers
from backend.core.stream_account import Unaccounted


class RecordDivergence:
    """Implements StepKind; reads only. The later step that swaps the roles stores what this one found."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always read again, until the point of no return."""
        return Observation(Effect.TO_DO, "read the divergence point")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The channel is stopped, its relay log is applied to its end, and the last groups are read."""
        params = step.params
        link = observe_peers(ctx, params["survivor_cluster_id"])
        other_holders = [
            h for h in channels_into(link, params["survivor_cluster_id"]) if h.replica.node.id != params["holder_id"]
        ]
        if other_holders:
            name = other_holders[0].replica.node.name
            return Proof(
                False, f"{name} returned with a channel of {params['lost_name']}; create a new plan that includes it"
            )
        point = applied_point(link, params["replica_node_id"], params["holder_id"], ctx.gateway, ctx.journal)
        channel = point.channel
        if params["holder_id"] is not None and channel is None:
            return Proof(False, f"{step.node} no longer shows its channel")
        if channel is not None and channel.sql_running != "No":
            return Proof(False, f"the channel of {step.node} still applies")
        found = replace(_divergence(ctx, step, point, _count_lost(ctx, point)), passed_over=_passed_over(link, params))
        where = (
            f"{found.applied_file}:{found.applied_offset}" if found.applied_file else "its last applied transactions"
        )
        number = f", Xid {found.applied_seqno}" if found.applied_seqno is not None else ""
        return Proof(
            True,
            f"{params['survivor_name']} has applied the writes of {params['lost_name']} up to {where}{number}. "
            + _loss_sentence(found, params["lost_name"]),
            {
                "divergence": divergence_to_json(found),
                "groups": [group.to_json() for group in point.groups],
                "number_from": point.detail,
            },
        )


def _passed_over(link: LinkFacts, params: Mapping[str, Any]) -> tuple[Unaccounted, ...]:
    """What the channel into the survivor left out: the lost side's log has it among what the survivor holds."""
    survivor = params["survivor_cluster_id"]
    recorded = (one for one in link.recorded if link.receiving_cluster(one.direction).id == survivor)
    return tuple(it for one in recorded for it in one.account.left_out)


def _count_lost(ctx: StepContext, point: AppliedPoint) -> int | None:
    """Transactions read on the lost side after what the channel applied; None where no count exists.

    Nothing is waited for: writes are closed on both sides meanwhile.
    """
    executed = point.channel.exec_position if point.channel is not None else None
    if executed is None:
        return None
    place = None if point.xid is None else AppliedPlace(point.xid, point.trailing)
    return ctx.console.unapplied_behind(executed, place)


def _loss_sentence(divergence: Divergence, lost_name: str) -> str:
    planned, lost, seen_at_s = (
        divergence.planned_lost_transactions,
        divergence.lost_transactions,
        divergence.last_seen_at_s,
    )
    stated = (
        "The plan could not count what was not applied."
        if planned is None
        else f"The plan counted {pluralize(planned, 'known transaction')} not applied."
    )
    if lost is None:
        return f"{stated} After the drain the loss could not be counted."
    until = "" if seen_at_s is None else f", read up to {time_text(seen_at_s)}"
    if lost == 0:
        known = f"{stated} After the drain every known transaction of {lost_name}{until}"
        return f"{known} is applied. Later ones are unknown."
    count = pluralize(lost, "transaction")
    return f"{stated} After the drain at least {count} of {lost_name}{until} {pick(lost, 'is', 'are')} lost."


def _divergence(ctx: StepContext, step: Step, point: AppliedPoint, lost_count: int | None) -> Divergence:
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
        lost_transactions=None if lost_count is None else lost_count + params.get("left_out", 0),
        planned_lost_transactions=loss.get("transactions"),
        lost_s=loss.get("seconds"),
        fences_on_return=params["fences_on_return"],
    )
    sentence = _loss_sentence(found, params["lost_name"])
    return replace(found, detail=f"{sentence} The plan said: {loss.get('detail', '')}")
