"""What a run stores of its link's channels: their nodes, what a step left on a node, and which nodes need cleanup."""

from __future__ import annotations

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
    node_maintenance,
    relocate,
    remove_channels,
    remove_stray_channel,
    reprotect,
    rotate_passwords,
)
from backend.core.ports import Gateway
from backend.core.steps.base import channel_at, source_of
from backend.core.topology import ChannelFacts, Direction
from backend.monitoring import link_roles
from backend.monitoring.link_gateway import gateway_for_link
from backend.monitoring.models import ChannelRecord, CleanupDue
from backend.monitoring.recording import stray_channels
from backend.runs.models import Run


def record_move(run: Run, plan: CorePlan, gateway: Gateway) -> list[str]:
    """Store the new channel holders, so that another move right after this one needs no poll in between.

    Returns the names of old holders that could not be reached: they are cleaned up when they return.
    """
    if plan.kind == remove_stray_channel.KIND:
        cleaned = [step.node_id for step in plan.steps if step.code == "reset_channel"]
        CleanupDue.objects.filter(link=run.link, node_id__in=cleaned).delete()
    if plan.kind == remove_channels.KIND:
        _forget_channels(run)
        return []
    if plan.kind in (fence_returned_side.KIND, configure.KIND, node_maintenance.KIND, rotate_passwords.KIND):
        return []
    if plan.kind == failover.KIND:
        return _due_of_lost_replica(run, _observed_now(run))
    if all(step.code != "change_source" for step in plan.steps):
        return []
    return _record_moved(run, plan, gateway.observe_link())


@retry_on_rollback
def _forget_channels(run: Run) -> None:
    """The link has no channel: none is expected, and none is looked for on a node that returns."""
    with transaction.atomic():
        link_roles.lock_link(run.link_id)
        ChannelRecord.objects.filter(link=run.link).delete()
        CleanupDue.objects.filter(link=run.link).delete()


@retry_on_rollback
def _record_moved(run: Run, plan: CorePlan, link: LinkFacts) -> list[str]:
    with transaction.atomic():
        link_roles.lock_link(run.link_id)
        due = [name for step in plan.steps if step.code == "change_source" for name in _due(run, link, step)]
        for step in plan.steps:
            if step.code == "change_source":
                _record(run, link, step)
    return sorted(set(due))


def record_step(run: Run, plan: CorePlan, step: Step, gateway: Gateway, *, is_done: bool = True) -> None:
    """Store what a step leaves on its node, whether the run continues after it or not."""
    if step.node_id is None:
        return
    if step.code == "start_channel":
        _record_started(run, plan, step, step.node_id, gateway)
    if step.code == "reset_channel" and is_done:
        stray_channels.clear_stray(link_id=run.link_id, node_id=step.node_id)


def record_intent(run: Run, step: Step) -> None:
    """Store what a statement may leave on its node, before it is sent: the worker may crash before it knows."""
    if step.code == "change_source" and step.node_id is not None:
        name = step.params["name"]
        stray_channels.mark_stray(link_id=run.link_id, node_id=step.node_id, channel_name=name, run_id=run.id)


_KEEPING_ROLES = (relocate.KIND, create_channels.KIND, reprotect.KIND, accept_state_uuid.KIND)
"""The other kinds swap the roles, and with them the directions."""


def _record_started(run: Run, plan: CorePlan, step: Step, node_id: str, gateway: Gateway) -> None:
    """Store where a channel runs as soon as it was started, even if it does not run well.

    If the run stops here or later, that channel is the current one. With the old record, a plan made after the old
    holder's return would clean up the new channel.
    """
    channel = channel_at(gateway.observe_node(node_id), step.params["name"], source_of(step))
    if channel is None or not (channel.is_running or channel.sql_errno):
        return
    if plan.kind not in _KEEPING_ROLES:
        return
    pointed = (s for s in plan.steps if s.code == "change_source" and s.params["direction"] == step.params["direction"])
    cleaned = {one.node_id for one in plan.steps if one.code == "reset_channel"}
    for point in pointed:
        _keep_started(run, point, node_id, channel, cleaned)


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
    gateway = gateway_for_link(Link.objects.get(pk=run.link_id))
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


def _due(run: Run, link: LinkFacts, step: Step) -> list[str]:
    """The old holder of the direction, if it is unreachable: it is cleaned up when it returns."""
    direction, old_id = step.params["direction"], step.params["old_replica_id"]
    CleanupDue.objects.filter(link=run.link, direction=direction, node_id=step.node_id).delete()
    if old_id is None or old_id == step.node_id:
        return []
    old = link.node(old_id)
    if old.is_up:
        return []
    _keep_due(run, step, old_id)
    return [old.node.name]


def _record(run: Run, link: LinkFacts, step: Step) -> None:
    if step.node_id is None:
        raise ValueError(f"step {step.index} names no node")
    channel = link.node(step.node_id).channel(step.params["name"])
    if channel is not None:
        _keep(run, step, step.node_id, channel)


def _keep(run: Run, step: Step, node_id: str, channel: ChannelFacts) -> None:
    """The channel that a step of this direction configured on its node."""
    before = ChannelRecord.objects.filter(link=run.link, direction=step.params["direction"]).first()
    if before is not None and before.replica_node_id not in (node_id, step.params["old_replica_id"]):
        # Another channel than the recorded one was moved; the recorded node was down and may return with its channel.
        _keep_due(run, step, before.replica_node_id)
    ChannelRecord.objects.update_or_create(
        link=run.link,
        direction=step.params["direction"],
        defaults={
            "replica_node_id": node_id,
            "source_node_id": step.params["source_node_id"],
            "channel": channel_to_json(channel),
            "observed_at": timezone.now(),
            "waits_for_position": "",
        },
    )
