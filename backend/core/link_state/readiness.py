"""Which operations could run now, from facts that are cheap to read; a plan checks everything again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.facts.channel_ends import foreign_channels, hindrance
from backend.core.facts.channel_faults import PACKET_KINDS, FaultPlace, stops_again
from backend.core.facts.log_continuity import history_in_doubt
from backend.core.facts.origins import Way, loop_guard
from backend.core.facts.state_uuid import is_another_history, new_histories
from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelView, DirectionView
from backend.core.link_state.clusters import is_candidate, is_serving, is_unseen
from backend.core.link_state.fault_remedies import fault_sentence, mending
from backend.core.link_state.missing import Missing
from backend.core.link_state.site_readiness import (
    Readiness,
    doubt_readiness,
    new_history_readiness,
    site_action,
    site_readiness,
    split_readiness,
)
from backend.core.link_state.split_sites import split_sides
from backend.core.link_state.standby_fence import FENCE_KIND, is_contested, open_nodes, takes_writes_on_standby
from backend.core.link_state.start_readiness import start_action, start_readiness
from backend.core.plural import listed, pick, pluralize
from backend.core.topology import Direction

RELOCATE_ESTIMATE_S = 3.0
CLEAN_ESTIMATE_S = 1.0
CREATE_ESTIMATE_S = 10.0


@dataclass(frozen=True, slots=True)
class PrimaryAction:
    """The recommended operation for the link's state."""

    kind: str
    label: str
    replaced_node: str | None = None
    url_options: tuple[tuple[str, str], ...] = ()


def readiness(link: LinkFacts, directions: Sequence[DirectionView], missing: Missing) -> dict[str, Readiness]:
    """The readiness of each kind of run; `missing` is what the standby lacks of the active side."""
    return {
        "relocate": _relocate(link, directions),
        "start_channel": start_readiness(link, directions),
        "create_channels": _create_channels(link),
        "remove_stray_channel": _remove_stray_channel(link, directions),
        "remove_channels": _remove_channels(link),
        "accept_state_uuid": _accept_state_uuid(link),
        "fence_standby": _fence_standby(link),
        **site_readiness(link, directions, missing),
    }


def _relocate(link: LinkFacts, directions: Sequence[DirectionView]) -> Readiness:
    if link.divergence is not None:
        return Readiness("blocked", "Reprotect the lost side first.")
    hindered = hindrance(link)
    if hindered is not None:
        return Readiness("blocked", hindered)
    if split_sides(link):
        return split_readiness(link)
    new_history = new_history_readiness(link)
    if new_history is not None:
        return new_history
    if _create_channels(link).state == "ready":
        return Readiness("blocked", "The link has no channel. Create the channels first.")
    strays = [link.node(s.replica_node_id).node.name for d in directions for s in d.strays]
    if strays:
        return Readiness("blocked", f"Remove the stray channel on {', '.join(sorted(set(strays)))} first.")
    for cluster in (link.active, link.standby):
        if is_unseen(cluster):
            return Readiness("unknown", f"No node of {cluster.name} is reachable from the console.")
        if not any(is_candidate(node) for node in cluster.nodes):
            return Readiness("blocked", f"{cluster.name} has no Synced node that could hold a channel.")
    stuck = next((d.channel for d in directions if d.channel is not None and _reads_nowhere(link, d.channel)), None)
    if stuck is not None and stuck.reading_fault is not None:
        ends = link.node(stuck.source_node_id), link.node(stuck.replica_node_id)
        said = f"{fault_sentence(stuck.reading_fault, *ends)} {mending(stuck.reading_fault, *ends)}"
        return Readiness("blocked", f"The {stuck.direction} channel would stop reading again. {said}")
    unknown = _unknown_to_a_move(link, directions)
    if unknown is not None:
        return Readiness("unknown", unknown, RELOCATE_ESTIMATE_S)
    sentence = "Both sides have a Synced node. Nothing is lost and writes continue."
    return Readiness("ready", sentence, RELOCATE_ESTIMATE_S, 0)


def _unknown_to_a_move(link: LinkFacts, directions: Sequence[DirectionView]) -> str | None:
    """What a plan has to prove or to ask for, and may be refused for."""
    for view in directions:
        if view.channel is not None and view.channel.continuity is not None:
            gap = f"It is not proven that the {view.direction} channel continues without a gap."
            return f"{gap} The plan proves it, or is refused."
    unclear = sorted({one.server_id for d in Direction for one in loop_guard(link, d).of(Way.UNKNOWN)})
    if not unclear:
        return None
    ids = listed([str(server_id) for server_id in unclear])
    return f"How transactions of server_id {ids} come to both sides is unknown: a plan asks for an attestation."


def _reads_nowhere(link: LinkFacts, view: ChannelView) -> bool:
    """Whether no pair of nodes is known on which the channel would not stop on its error of reading again."""
    fault = view.reading_fault
    if fault is None:
        return False
    sources, replicas = link.source_cluster(view.direction).nodes, link.receiving_cluster(view.direction).nodes
    return not any(
        stops_again(fault, _ends(view), source, replica, has_new_position=True) is False
        for source in filter(is_candidate, sources)
        for replica in filter(is_candidate, replicas)
    )


def _accept_state_uuid(link: LinkFacts) -> Readiness:
    found = new_histories(link)
    if split_sides(link):
        return split_readiness(link)
    if any(map(is_another_history, (link.active, link.standby))) and not found:
        return Readiness("blocked", "A side is lost, or its nodes have more than one state UUID.")
    if not found:
        return Readiness("not_needed", "Both sides have the recorded state UUID.")
    hindered = hindrance(link)
    if hindered is not None:
        return Readiness("blocked", hindered)
    in_doubt = doubt_readiness(link, [one.side for one in found])
    if in_doubt is not None:
        return in_doubt
    names = " and ".join(one.side.name for one in found)
    verb = pick(len(found), "was", "were")
    sentence = f"{names} {verb} bootstrapped again. The plan proves the stream before it accepts a new state UUID."
    return Readiness("ready", sentence, RELOCATE_ESTIMATE_S, 0)


def _fence_standby(link: LinkFacts) -> Readiness:
    """Never automatic. It is offered once: what a program undoes within minutes, it would undo again."""
    if link.divergence is not None:
        return Readiness("blocked", "Reprotect the lost side first.")
    names = [node.node.name for node in open_nodes(link.standby)]
    if not names:
        return Readiness("not_needed", f"No serving node of {link.standby.name} accepts writes.")
    if is_contested(link):
        return Readiness("blocked", f"Another program undoes the fence of {link.standby.name}. Stop that first.")
    sentence = f"{', '.join(names)} of the standby side {pick(len(names), 'is', 'are')} set read-only."
    return Readiness("ready", f"{sentence} Replication continues.", CLEAN_ESTIMATE_S, 0)


def _remove_stray_channel(link: LinkFacts, directions: Sequence[DirectionView]) -> Readiness:
    names = [link.node(s.replica_node_id).node.name for d in directions for s in d.strays]
    if not names:
        return Readiness("not_needed", "No stray channel is known.")
    return Readiness("ready", f"A stray channel is on {', '.join(sorted(set(names)))}.", CLEAN_ESTIMATE_S, 0)


def _create_channels(link: LinkFacts) -> Readiness:
    if any(link.holders(direction) for direction in Direction):
        return Readiness("not_needed", "The link has channels.")
    if link.divergence is not None:
        return Readiness("blocked", "Reprotect the lost side first.")
    if split_sides(link):
        return split_readiness(link)
    unread = [node.node.name for node in link.nodes if node.channels is None]
    if unread:
        return Readiness("unknown", f"The channels on {' and '.join(unread)} are unknown.")
    foreign = [one for one in foreign_channels(link) if one.is_unclear or one.source is None]
    if foreign:
        one = foreign[0]
        sentence = f"{one.replica.node.name} has a channel from {one.address}, which is no registered address."
        return Readiness("blocked", sentence)
    for cluster in (link.active, link.standby):
        if not any(is_candidate(node) for node in cluster.nodes):
            return Readiness("blocked", f"{cluster.name} has no Synced node that could hold a channel.")
    sentence = "The link has no channel. The plan proves that both sides hold equal data, or that one is a copy."
    return Readiness("ready", sentence, CREATE_ESTIMATE_S, 0)


def _remove_channels(link: LinkFacts) -> Readiness:
    """Never recommended: an operator chooses it to end the replication of a link."""
    if link.divergence is not None:
        return Readiness("blocked", "Reprotect the lost side first.")
    unread = [node.node.name for node in link.nodes if node.channels is None]
    if unread:
        return Readiness("unknown", f"The channels on {' and '.join(unread)} are unknown.")
    held = [holder for direction in Direction for holder in link.holders(direction)]
    if not held:
        return Readiness("not_needed", "The link has no channel.")
    sentence = f"{pluralize(len(held), 'channel')} can be removed. Replication ends, and both sides diverge."
    return Readiness("ready", sentence, CLEAN_ESTIMATE_S, 0)


def primary_action(link: LinkFacts, directions: Sequence[DirectionView]) -> PrimaryAction | None:
    """The recommended operation. Removing a stray channel comes first: it applies transactions twice.

    A node that is not ready yet commits nothing and refuses RESET SLAVE, so its channel is offered once it is ready.
    """
    for node in (link.node(s.replica_node_id) for d in directions for s in d.strays):
        if is_serving(node):
            return PrimaryAction("remove_stray_channel", f"Remove the stray channel on {node.node.name}", node.node.id)
    site = site_action(link)
    if site is not None:
        kind, label, options = site
        return PrimaryAction(kind, label, url_options=options)
    if split_sides(link):
        return None
    if _create_channels(link).state == "ready":
        return PrimaryAction("create_channels", f"Create the channels of {link.name}")
    rebootstrapped = new_histories(link)
    if any(history_in_doubt(link, one.side) for one in rebootstrapped):
        return None  # the channel is to be stopped first, by hand
    if rebootstrapped:
        return PrimaryAction("accept_state_uuid", f"Accept the new state UUID of {rebootstrapped[0].side.name}")
    off = lost_endpoint(link, directions)
    if off is not None and _relocate(link, directions).state != "blocked":
        return PrimaryAction("relocate", f"Relocate the link off {link.node(off).node.name}", off)
    if off is None and start_readiness(link, directions).state == "ready":
        label, replica_id, options = start_action(link, directions)
        return PrimaryAction("start_channel", label, replica_id, url_options=options)
    if takes_writes_on_standby(link) and not is_contested(link):
        return PrimaryAction(FENCE_KIND, f"Fence {link.standby.name}")
    return None


def lost_endpoint(link: LinkFacts, directions: Sequence[DirectionView]) -> str | None:
    """The node that can no longer serve as source or replica, of the forward channel first, sources before replicas."""
    views = [d.channel for d in directions if d.channel is not None]
    for view in sorted(views, key=lambda v: v.direction is not Direction.FORWARD):
        for node_id in _ends(view):
            node = link.node(node_id)
            if not node.is_up or not is_candidate(node):
                return node_id
        if view.waits_for_position is not None:
            return view.source_node_id
        fault = view.reading_fault
        if fault is not None and fault.kind not in PACKET_KINDS and view.stops_again(link):
            return _ends(view)[fault.place is FaultPlace.REPLICA]
        if view.continuity is not None and not view.channel.is_running:  # while it runs, it has to be stopped first
            return view.source_node_id
        if view.is_stopped_by_data:
            return view.replica_node_id
    return None


def _ends(view: ChannelView) -> tuple[str, str]:
    return view.source_node_id, view.replica_node_id
