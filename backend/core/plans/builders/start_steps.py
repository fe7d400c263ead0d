"""The steps that resume a channel at its own position."""

from __future__ import annotations

from backend.core.checks.context import Move
from backend.core.dialects import dialect_of
from backend.core.plans.builders.channel_steps import drain_limit_s
from backend.core.plans.builders.gtid_steps import uses_gtid
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.target import is_stationary


def _by_gtid(move: Move) -> bool:
    """Whether gtid_slave_pos is the position; while the SQL thread runs it changes, and file and offset are used."""
    return uses_gtid(move) and is_stationary(move)


def drain_step(steps: StepList, move: Move) -> None:
    """The channel's SQL thread still applies what was read: the position is where that ends."""
    assert move.channel is not None
    steps.add(
        "drain",
        f"{move.replica.node.name}: apply the relay log of the {move.direction} channel to its end",
        move.replica,
        direction=move.direction.value,
        name=move.channel.name,
        source=list(move.channel.source_address),
        limit_s=drain_limit_s(move),
    )


def locate_in_place_step(steps: StepList, move: Move) -> None:
    """Prove in the run that the channel's own position is the last applied one."""
    assert move.channel is not None
    steps.add(
        "locate",
        f"Prove again that the channel of {move.replica.node.name} is at its last applied transaction",
        move.source,
        direction=move.direction.value,
        source_node_id=move.source.node.id,
        replica_node_id=move.replica.node.id,
        old_replica_id=move.replica.node.id,
        old_source_id=move.source.node.id,
        provisional=False,
        planned=None,
        channel_in_place=None if _by_gtid(move) else move.channel.name,
    )


def resume_step(steps: StepList, move: Move, *, is_first: bool) -> None:
    """START SLAVE. What it applies cannot be reverted, so the first one is the point of no return."""
    assert move.channel is not None
    channel, dialect = move.channel, dialect_of(move.replica)
    steps.add(
        "resume_channel",
        f"{move.replica.node.name}: start the {move.direction} channel at its position",
        move.replica,
        sql=(dialect.start_slave(channel.name),),
        pnr=is_first,
        direction=move.direction.value,
        name=channel.name,
        source=list(channel.source_address),
        source_node_id=move.source.node.id,
        gtid_slave_pos=move.replica.variable("gtid_slave_pos") if _by_gtid(move) else None,
        ignore_server_ids=list(channel.ignore_server_ids),
        options={k: v for k, v in channel.options.items() if k in dialect.carried},
    )
