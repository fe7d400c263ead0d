"""Single steps on a channel of a link: stop, prove its position, remove, point, start and probe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.core import probe
from backend.core.checks.auto_position import guards_by_gtid
from backend.core.checks.context import CheckContext, Move
from backend.core.connection_names import is_same_name
from backend.core.dialects import dialect_of
from backend.core.dialects.base import ChangeSource, Dialect, Thread
from backend.core.facts.channel_filters import FILTER_COLUMNS
from backend.core.facts.origins import loop_guard
from backend.core.locate.model import Located
from backend.core.plans.builders.gtid_steps import gtid_position_step, has_auto_position, resume_from, uses_gtid
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.presentation import is_provisional
from backend.core.plans.target import needs_drain
from backend.core.topology import ChannelFacts


def start_step(steps: StepList, ctx: CheckContext, move: Move) -> None:
    """Start a direction's channel on its new replica."""
    name = ctx.link.channel_name
    steps.add(
        "start_channel",
        f"{move.replica.node.name}: start the {move.direction} channel",
        move.replica,
        sql=(dialect_of(move.replica).start_slave(name),),
        direction=move.direction.value,
        name=name,
        source=list(move.source.node.address),
    )


def probe_step(steps: StepList, ctx: CheckContext, move: Move, **more: Any) -> None:
    """Write on a direction's source and wait on every live node of the other side; `limit_s` for one with a backlog."""
    receiving = ctx.link.receiving_cluster(move.direction)
    steps.add(
        "probe",
        f"Write a probe on {move.source.node.name} and wait for it on every live node of {receiving.name}",
        move.source,
        sql=(probe.write_sql(ctx.link.id, move.direction, move.source.node.name),),
        direction=move.direction.value,
        receiving_cluster_id=receiving.id,
        link_id=ctx.link.id,
        **more,
    )


def stop_steps(steps: StepList, ctx: CheckContext, move: Move, *, drains: bool = False) -> None:
    """Stop a direction's old channel; drain it before where its source is down, or where `drains` is set."""
    holder = move.holder
    if holder is None or not holder.channel.is_running:
        return
    name, dialect, node = holder.channel.name, dialect_of(holder.replica), holder.replica
    undo = thread_starts(dialect, holder.channel)
    common: dict[str, Any] = {
        "direction": move.direction.value,
        "name": name,
        "source": list(holder.channel.source_address),
        "io_was": holder.channel.io_running,
        "sql_was": holder.channel.sql_running,
    }
    if needs_drain(ctx.link, move) or (drains and holder.channel.sql_running == "Yes"):
        steps.add(
            "drain",
            f"{node.node.name}: apply the relay log of the {move.direction} channel to its end",
            node,
            limit_s=drain_limit_s(move),
            **common,
        )
    steps.add(
        "stop_channel",
        f"{node.node.name}: stop the {move.direction} channel",
        node,
        sql=(dialect.stop_slave(name),),
        undo=undo,
        **common,
    )


def drain_limit_s(move: Move) -> int:
    """How long the relay log may take to be applied: twice its lag, at least a minute."""
    lag_s = move.holder.channel.lag_s if move.holder else None
    return max(60, 2 * (lag_s or 0))


def thread_starts(dialect: Dialect, channel: ChannelFacts) -> tuple[str, ...]:
    """The statement that starts the threads of a channel that run now."""
    if channel.io_running != "No" and channel.sql_running != "No":
        return (dialect.start_slave(channel.name),)
    thread = Thread.IO if channel.io_running != "No" else Thread.SQL
    return (dialect.start_slave(channel.name, thread),)


def locate_step(
    steps: StepList,
    ctx: CheckContext,
    move: Move,
    located: Located,
    *,
    asks_holder: bool = True,
    backup: str | None = None,
) -> None:
    """Prove a direction's position within the run.

    `asks_holder` False leaves out the position of its old channel; `backup` is the backup position of a copied side.
    """
    provisional = is_provisional(ctx, located)
    steps.add(
        "locate",
        f"Prove the {move.direction} position on {move.source.node.name}"
        + (" after the channel has stopped" if provisional else " again"),
        move.source,
        direction=move.direction.value,
        source_node_id=move.source.node.id,
        replica_node_id=move.replica.node.id,
        old_replica_id=move.holder.replica.node.id if move.holder and asks_holder else None,
        old_source_id=move.old_source_id,
        provisional=provisional,
        backup=backup,
        planned=str(located.position) if located.position and not provisional else None,
    )


def clean_steps(steps: StepList, ctx: CheckContext, move: Move, *, parted_from: str | None = None) -> None:
    """Remove every channel of a direction except the one that is pointed again; of a lost side, every one."""
    old = [] if move.holder is None else [move.holder]
    for holder in (*old, *move.strays):
        stays = is_same_name(holder.channel.name, ctx.link.channel_name) and holder in old
        if holder.replica.node.id == move.replica.node.id and stays and not parted_from:
            continue
        dialect = dialect_of(holder.replica)
        divergence_params: dict[str, Any] = {"parted_from": parted_from} if parted_from else {}
        steps.add(
            "reset_channel",
            f"{holder.replica.node.name}: remove its {move.direction} channel, so that it can never start again",
            holder.replica,
            sql=(dialect.reset_slave_all(holder.channel.name),),
            direction=move.direction.value,
            name=holder.channel.name,
            source=list(holder.channel.source_address),
            stopped_at=_stopped_at(holder.channel),
            **divergence_params,
        )


def _stopped_at(channel: ChannelFacts) -> str | None:
    """The position of a channel that was stopped already when the plan was created."""
    return None if channel.is_running else f"{channel.exec_file}:{channel.exec_offset}"


def point_step(
    steps: StepList,
    ctx: CheckContext,
    move: Move,
    located: Located,
    replication_users: Mapping[str, str],
) -> None:
    """Point a direction's channel at its new source, every option stated."""
    channel = move.channel
    assert channel is not None
    dialect = dialect_of(move.replica)
    source_cluster = ctx.link.source_cluster(move.direction)
    ignore = () if guards_by_gtid(move.replica) else loop_guard(ctx.link, move.direction).ids
    settings = dialect.settings_of(channel)
    change = ChangeSource(
        name=ctx.link.channel_name,
        host=move.source.node.host,
        port=move.source.node.port,
        user=replication_users[source_cluster.id],
        position=resume_from(ctx, move, located),
        ignore_server_ids=ignore,
        settings=settings,
    )
    if uses_gtid(move) and not has_auto_position(move):
        gtid_position_step(steps, ctx, move, located)
    steps.add(
        "change_source",
        f"{move.replica.node.name}: point the {move.direction} channel at {move.source.node.name}",
        move.replica,
        sql=(dialect.change_source(change),),
        direction=move.direction.value,
        name=ctx.link.channel_name,
        source=list(move.source.node.address),
        source_node_id=move.source.node.id,
        user=change.user,
        uses_gtid=uses_gtid(move),
        auto_position=has_auto_position(move),
        ignore_server_ids=list(ignore),
        options={k: v for k, v in channel.options.items() if k in dialect.carried},
        filters={k: v for k, v in channel.options.items() if k in FILTER_COLUMNS},
        secret_cluster_id=source_cluster.id,
        old_replica_id=move.old_replica_id,
        stopped_at=_stopped_at(standing) if (standing := move.replica.channel(ctx.link.channel_name)) else None,
    )
