"""Could a channel that stopped by itself be started where it stands? A plan proves its place before."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelView, DirectionView
from backend.core.link_state.clusters import is_serving
from backend.core.link_state.site_readiness import Readiness

START_ESTIMATE_S = 2.0


def standing_channels(directions: Sequence[DirectionView]) -> list[ChannelView]:
    """The rightful channels of which a thread stands without a transaction having failed, forward first."""
    return [d.channel for d in directions if d.channel is not None and d.channel.stands_by_itself]


def start_readiness(link: LinkFacts, directions: Sequence[DirectionView]) -> Readiness:
    """Whether START SLAVE may be all that it takes."""
    standing = standing_channels(directions)
    if not standing:
        return Readiness("not_needed", "No channel stopped by itself.")
    if link.divergence is not None:
        return Readiness("blocked", "Reprotect the side that was lost first.")
    strays = [link.node(s.replica_node_id).node.name for d in directions for s in d.strays]
    if strays:
        return Readiness("blocked", f"Clean the old channel on {', '.join(sorted(set(strays)))} first.")
    ends = [link.node(i) for view in standing for i in (view.source_node_id, view.replica_node_id)]
    unfit = sorted({node.node.name for node in ends if not is_serving(node)})
    if unfit:
        return Readiness("blocked", f"{' and '.join(unfit)} must answer and be Synced first.")
    named = _named(link, standing)
    sentence = f"{named[0].upper()}{named[1:]} stopped by itself; its place is proven before it starts. Writes go on."
    return Readiness("ready", sentence, START_ESTIMATE_S, 0)


def start_action(link: LinkFacts, directions: Sequence[DirectionView]) -> tuple[str, str]:
    """Label and replica (id) of the action; there is a channel that stands."""
    standing = standing_channels(directions)
    return f"Start {_named(link, standing)} where it stands", standing[0].replica_node_id


def _named(link: LinkFacts, standing: Sequence[ChannelView]) -> str:
    """For instance `the forward channel on db-b1`."""
    return " and ".join(f"the {v.direction} channel on {link.node(v.replica_node_id).node.name}" for v in standing)
