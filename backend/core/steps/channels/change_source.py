"""Points a channel at its new source, at the proven position, with every option stated.

In GTID mode the position is the server's own gtid_slave_pos, which the previous step sets; file and offset show
nothing until the channel has connected. With auto-position it is all that the server has executed, which no step sets.
"""

from __future__ import annotations

from typing import Any

from backend.core.dialects.base import PositionPlaceholder, fill_position
from backend.core.locate.dump_offset import is_beyond
from backend.core.plan import Step
from backend.core.positions import FilePosition
from backend.core.steps.base import (
    Effect,
    Observation,
    Proof,
    RefusedByFactsError,
    StepContext,
    channel_at,
    moved_since_stop,
    source_of,
    unobserved,
)
from backend.core.steps.positions.executed import verify_sets
from backend.core.steps.positions.resume_position import proven_position, verify_unchanged
from backend.core.topology import AUTO_POSITION, ChannelFacts, Direction


class ChangeSource:
    """CHANGE MASTER on the new replica."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where the channel is stopped at the proven position with the planned settings.

        A channel that stopped there with an error is changed as well: its relay log may be broken (1594 after a
        crash), and CHANGE MASTER starts an empty one and clears the error. Hawser's own CHANGE MASTER leaves no error.
        """
        facts = ctx.facts_of(step)
        if facts.channels is None:
            return unobserved(facts)
        channel = facts.channel(step.params["name"])
        if channel is None:
            return Observation(Effect.TO_DO, "no channel of that name", {"channel": None})
        state = {"channel": _state(channel)}
        if channel.is_running:
            return Observation(Effect.FOREIGN, f"{facts.node.name} runs a channel of that name", state)
        if not _differences(channel, step, proven_position(ctx, step)):
            if channel.sql_errno:
                return Observation(Effect.TO_DO, f"stopped at the position with error {channel.sql_errno}", state)
            return Observation(Effect.DONE, f"configured at {channel.exec_file}:{channel.exec_offset}", state)
        moved = moved_since_stop(ctx, step, channel)
        if moved is not None:
            return Observation(Effect.FOREIGN, moved, state)
        return Observation(Effect.TO_DO, "another stopped channel is configured", state)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned, with the proven position, which is read again on the source just before."""
        verify_unchanged(ctx, step)
        if step.params.get("auto_position"):
            verify_sets(ctx, step)
        planned, position = step.sql[0], proven_position(ctx, step)
        if is_beyond(position) and not step.params["uses_gtid"]:
            raise RefusedByFactsError(f"a replica can ask only for offsets below 4 GiB, and the position is {position}")
        mark = PositionPlaceholder(Direction(step.params["direction"]))
        return fill_position(planned, mark, position) if mark.file in planned else planned

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Read back: source, position, loop guard, every option and every filter equal what was planned.

        A filter of this connection name alone, of a channel that was there once or of a configuration file, is shown
        by nothing before the channel stands (measured on 10.11.19).
        """
        facts = ctx.facts_of(step)
        channel = channel_at(facts, step.params["name"], source_of(step))
        if channel is None:
            return Proof(False, f"{facts.node.name} does not show the channel")
        differing = _differences(channel, step, proven_position(ctx, step))
        if differing:
            return Proof(False, f"the settings read back differ: {differing}", {"differences": differing})
        return Proof(True, "the settings read back are equal, no warnings", {"channel": _state(channel)})


def _state(channel: ChannelFacts) -> dict[str, Any]:
    return {
        "source": f"{channel.source_host}:{channel.source_port}",
        "position": f"{channel.exec_file}:{channel.exec_offset}",
        "io_running": channel.io_running,
        "sql_running": channel.sql_running,
        "ignore_server_ids": list(channel.ignore_server_ids),
        "using_gtid": channel.using_gtid,
        "options": dict(channel.options),
    }


def _mode(step: Step) -> str:
    if step.params.get("auto_position"):
        return AUTO_POSITION
    return "Slave_Pos" if step.params["uses_gtid"] else "No"


def _differences(channel: ChannelFacts, step: Step, target: FilePosition) -> dict[str, Any]:
    wanted: dict[str, Any] = {
        "source": source_of(step),
        "user": step.params["user"],
        "ignore_server_ids": sorted(step.params["ignore_server_ids"]),
        "using_gtid": _mode(step),
    }
    seen: dict[str, Any] = {
        "source": channel.source_address,
        "user": channel.source_user,
        "ignore_server_ids": sorted(channel.ignore_server_ids),
        "using_gtid": channel.using_gtid,
    }
    if not step.params["uses_gtid"]:
        wanted |= {"file": target.file, "offset": target.offset}
        seen |= {"file": channel.exec_file, "offset": channel.exec_offset}
    wanted |= step.params["options"]
    seen |= {name: channel.options.get(name) for name in step.params["options"]}
    filters = {name: value for name, value in step.params.get("filters", {}).items() if name in channel.options}
    wanted |= filters
    seen |= {name: channel.options[name] for name in filters}
    return {k: {"planned": wanted[k], "seen": seen[k]} for k in wanted if wanted[k] != seen[k]}
