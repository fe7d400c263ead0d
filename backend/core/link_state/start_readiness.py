"""Whether a channel that stopped without an operator could be started at its position; a plan first proves it."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.facts.channel_ends import hindrance
from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelView, DirectionView
from backend.core.link_state.clusters import is_serving
from backend.core.link_state.fault_remedies import fault_remedy, fault_sentence
from backend.core.link_state.site_readiness import Readiness, split_readiness
from backend.core.link_state.split_sites import split_sides
from backend.core.plural import pick

START_ESTIMATE_S = 2.0


def stopped_channels(directions: Sequence[DirectionView]) -> list[ChannelView]:
    """The current channels with a stopped thread and no failed transaction, forward first."""
    return [d.channel for d in directions if d.channel is not None and d.channel.is_stopped_without_failure]


def startable_channels(link: LinkFacts, directions: Sequence[DirectionView]) -> list[ChannelView]:
    """Those of them that would not stop on the same error of reading again."""
    return [view for view in stopped_channels(directions) if view.stops_again(link) is False]


def start_readiness(link: LinkFacts, directions: Sequence[DirectionView]) -> Readiness:
    """Whether START SLAVE may be enough."""
    stopped = stopped_channels(directions)
    if not stopped:
        return Readiness("not_needed", "No channel is stopped without a failed transaction.")
    standing = startable_channels(link, directions)
    if not standing:
        return _not_mended(link, stopped[0])
    if link.divergence is not None:
        return Readiness("blocked", "Reprotect the lost side first.")
    hindered = hindrance(link)
    if hindered is not None:
        return Readiness("blocked", hindered)
    if split_sides(link):
        return split_readiness(link)
    strays = [link.node(s.replica_node_id).node.name for d in directions for s in d.strays]
    if strays:
        return Readiness("blocked", f"Remove the stray channel on {', '.join(sorted(set(strays)))} first.")
    ends = [link.node(i) for view in standing for i in (view.source_node_id, view.replica_node_id)]
    unfit = sorted({node.node.name for node in ends if not is_serving(node)})
    if unfit:
        return Readiness("blocked", f"{' and '.join(unfit)} must respond and be Synced first.")
    named = _named(link, standing)
    verb = pick(len(standing), "is", "are")
    sentence = (
        f"{named[0].upper()}{named[1:]} {verb} stopped without a failed transaction. "
        "The plan proves the position before the start. Writes continue."
    )
    return Readiness("ready", sentence, START_ESTIMATE_S, 0)


def _not_mended(link: LinkFacts, view: ChannelView) -> Readiness:
    """The cause of its error of reading is not over, or it is unknown whether it is."""
    fault, ends = view.reading_fault, (link.node(view.source_node_id), link.node(view.replica_node_id))
    said = f"{fault_sentence(fault, *ends)} {fault_remedy(fault, *ends)}" if fault is not None else ""
    return Readiness("unknown" if view.stops_again(link) is None else "blocked", said)


def start_action(link: LinkFacts, directions: Sequence[DirectionView]) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """Label, replica (id) and options of the action; at least one channel can be started.

    Where a stopped channel would stop again, the other direction is started alone.
    """
    standing = startable_channels(link, directions)
    is_alone = len(standing) < len(stopped_channels(directions))
    options = (("direction", standing[0].direction.value),) if is_alone else ()
    return f"Start {_named(link, standing)}", standing[0].replica_node_id, options


def _named(link: LinkFacts, standing: Sequence[ChannelView]) -> str:
    """For instance `the forward channel on db-b1`."""
    return " and ".join(f"the {v.direction} channel on {link.node(v.replica_node_id).node.name}" for v in standing)
