"""What a run stores of its link's channels: their nodes, what a step left on a node, and which nodes need cleanup."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Protocol

from django.db import transaction
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.transaction_retry import retry_on_rollback
from backend.core.facts.serialization import channel_to_json
from backend.core.link_facts import LinkFacts
from backend.core.plan import Plan as CorePlan
from backend.core.plan import Step
from backend.core.plans import (
    accept_state_uuid,
    configure,
    create_channels,
    failover,
    fence_returned_side,
    fence_standby,
    node_maintenance,
    relocate,
    remove_channels,
    remove_stray_channel,
    reprotect,
    rotate_passwords,
)
from backend.core.steps.base import channel_at, source_of
from backend.core.topology import ChannelFacts, Direction, NodeFacts
from backend.monitoring import link_roles
from backend.monitoring.link_gateway import gateway_for_link
from backend.monitoring.models import ChannelRecord, CleanupDue
from backend.monitoring.recording import stray_channels
from backend.operations.runs.execution.fence_records import fences_of
from backend.operations.runs.models import Run

Write = Callable[[], object]
_WITHOUT_CHANNELS = (
    fence_returned_side.KIND,
    fence_standby.KIND,
    configure.KIND,
    node_maintenance.KIND,
    rotate_passwords.KIND,
)
RECENT_S = 1.0
"""Facts of so short a time ago are recorded: the last step of a run has just proven what they show."""


class PolledNodes(Protocol):
    """The nodes of the run's link."""

    def facts_of(self, node_ids: Collection[str], *, max_age_s: float) -> Mapping[str, NodeFacts]:
        """The facts of these nodes, not polled again where they are at most so old."""
        ...


def record_move(run: Run, plan: CorePlan, nodes: PolledNodes) -> list[str]:
    """Store the new channel holders, so that another move right after this one needs no poll in between.

    Returns the names of old holders that could not be reached: they are cleaned up when they return.
    """
    if plan.kind == remove_stray_channel.KIND:
        cleaned = [step.node_id for step in plan.steps if step.code == "reset_channel"]
        CleanupDue.objects.filter(link=run.link, node_id__in=cleaned).delete()
    if plan.kind == remove_channels.KIND:
        _forget_channels(run)
        return []
    if plan.kind in _WITHOUT_CHANNELS:
        return []
    if plan.kind == failover.KIND:
        return _due_of_lost_replica(run, _observed_now(run))
    moved = [step for step in plan.steps if step.code == "change_source"]
    holders = {node_id for step in moved for node_id in (step.node_id, step.params["old_replica_id"]) if node_id}
    return _record_moved(run, moved, nodes.facts_of(holders, max_age_s=RECENT_S)) if moved else []


@retry_on_rollback
def _forget_channels(run: Run) -> None:
    """The link has no channel: none is expected, and none is looked for on a node that returns."""
    with transaction.atomic():
        link_roles.lock_link(run.link_id)
        ChannelRecord.objects.filter(link=run.link).delete()
        CleanupDue.objects.filter(link=run.link).delete()


@retry_on_rollback
def _record_moved(run: Run, moved: Sequence[Step], nodes: Mapping[str, NodeFacts]) -> list[str]:
    with transaction.atomic():
        link_roles.lock_link(run.link_id)
        due = [name for step in moved for name in _due(run, nodes, step)]
        for step in moved:
            _record(run, nodes, step)
    return sorted(set(due))


def records_of(run: Run, plan: CorePlan, step: Step, nodes: PolledNodes, *, is_done: bool = True) -> list[Write]:
    """The writes that store what a step leaves on its node, whether the run continues after it or not.

    A step that is done has polled its node for its proof; one that failed may have polled it before its statement.
    """
    if step.node_id is None:
        return fences_of(run, plan, step) if is_done else []
    if step.code == "start_channel":
        facts = nodes.facts_of([step.node_id], max_age_s=RECENT_S if is_done else 0.0)
        return _started(run, plan, step, facts[step.node_id])
    if step.code == "reset_channel" and is_done:
        return [partial(stray_channels.clear_stray, link_id=run.link_id, node_id=step.node_id)]
    return []


def record_intent(run: Run, step: Step) -> None:
    """Store what a statement may leave on its node, before it is sent: the worker may crash before it knows."""
    if step.code == "change_source" and step.node_id is not None:
        name = step.params["name"]
        stray_channels.mark_stray(link_id=run.link_id, node_id=step.node_id, channel_name=name, run_id=run.id)


_KEEPING_ROLES = (relocate.KIND, create_channels.KIND, reprotect.KIND, accept_state_uuid.KIND)
"""The other kinds swap the roles, and with them the directions."""


def _started(run: Run, plan: CorePlan, step: Step, facts: NodeFacts) -> list[Write]:
    """Store where a channel runs as soon as it was started, even if it does not run well.

    If the run stops here or later, that channel is the current one. With the old record, a plan made after the old
    holder's return would clean up the new channel.
    """
    channel = channel_at(facts, step.params["name"], source_of(step))
    if channel is None or not (channel.is_running or channel.sql_errno):
        return []
    if plan.kind not in _KEEPING_ROLES:
        return []
    pointed = (s for s in plan.steps if s.code == "change_source" and s.params["direction"] == step.params["direction"])
    cleaned = {one.node_id for one in plan.steps if one.code == "reset_channel"}
    return [partial(_keep_started, run, point, facts.node.id, channel, cleaned) for point in pointed]


@retry_on_rollback
def _keep_started(run: Run, point: Step, node_id: str, channel: ChannelFacts, cleaned: set[str | None]) -> None:
    """A holder that was down when the plan was made may be up again with its channel: it needs cleanup, too."""
    old_id = point.params["old_replica_id"]
    with transaction.atomic():
        link_roles.lock_link(run.link_id)
        _keep(run, point, node_id, channel)
        if old_id not in (None, node_id, *cleaned):
            _keep_due(run, point, old_id)


def _keep_due(run: Run, point: Step, node_id: str) -> None:
    CleanupDue.objects.update_or_create(
        link=run.link,
        node_id=node_id,
        direction=point.params["direction"],
        defaults={"channel_name": point.params["name"], "run_id": run.id},
    )


def _observed_now(run: Run) -> LinkFacts:
    """By the roles of now: the gateway of a run sees the link as its plan does."""
    gateway = gateway_for_link(Link.objects.get(pk=run.link_id), run_id=run.pk)
    try:
        return gateway.observe_link()
    finally:
        gateway.close()


@retry_on_rollback
def _due_of_lost_replica(run: Run, link: LinkFacts) -> list[str]:
    """The node that applied the lost side's transactions, if it was down: its channel is removed when it returns."""
    recorded = link.recorded_channel(Direction.REVERSE)
    if recorded is None or link.node(recorded.replica_node_id).is_up:
        return []
    CleanupDue.objects.update_or_create(
        link=run.link,
        node_id=recorded.replica_node_id,
        direction=Direction.REVERSE.value,
        defaults={"channel_name": recorded.channel.name, "run_id": run.id},
    )
    return [link.node(recorded.replica_node_id).node.name]


def _due(run: Run, nodes: Mapping[str, NodeFacts], step: Step) -> list[str]:
    """The old holder of the direction, if it is unreachable: it is cleaned up when it returns."""
    direction, old_id = step.params["direction"], step.params["old_replica_id"]
    CleanupDue.objects.filter(link=run.link, direction=direction, node_id=step.node_id).delete()
    if old_id is None or old_id == step.node_id:
        return []
    old = nodes[old_id]
    if old.is_up:
        return []
    _keep_due(run, step, old_id)
    return [old.node.name]


def _record(run: Run, nodes: Mapping[str, NodeFacts], step: Step) -> None:
    if step.node_id is None:
        raise ValueError(f"step {step.index} names no node")
    channel = nodes[step.node_id].channel(step.params["name"])
    if channel is not None:
        _keep(run, step, step.node_id, channel)


def _keep(run: Run, step: Step, node_id: str, channel: ChannelFacts) -> None:
    """The channel that a step of this direction configured on its node."""
    before = ChannelRecord.objects.filter(link=run.link, direction=step.params["direction"]).first()
    if before is not None and before.replica_node_id not in (node_id, step.params["old_replica_id"]):
        # Another channel than the recorded one was moved; the recorded node was down and may return with its channel.
        _keep_due(run, step, before.replica_node_id)
    # These runs prove that both sides hold the same: what channels of before left out is of no matter.
    proven = {"account": None} if run.kind == create_channels.KIND else {}
    ChannelRecord.objects.update_or_create(
        link=run.link,
        direction=step.params["direction"],
        defaults={
            **proven,
            "replica_node_id": node_id,
            "source_node_id": step.params["source_node_id"],
            "channel": channel_to_json(channel),
            "observed_at": timezone.now(),
            "waits_for_position": "",
            "log_break": None,
            "cert_failures": None,
            "applied_at_s": None,
        },
    )
