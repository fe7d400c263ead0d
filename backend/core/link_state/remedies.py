"""The remedies of a link's findings, and who applies them. None contradicts the link's primary action."""

from __future__ import annotations

from backend.core.facts.channel_faults import FaultPlace
from backend.core.facts.variables import GRANT_CHANNELS
from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelView
from backend.core.link_state.fault_remedies import fault_remedy, fault_sentence, mending
from backend.core.link_state.readiness import PrimaryAction
from backend.core.link_state.returned_side import lost_side
from backend.core.link_state.site_readiness import Readiness
from backend.core.topology import ROW_ERRORS, TLS_REFUSED, ClusterFacts, NodeFacts, Reach


def channel_remedy(link: LinkFacts, view: ChannelView, action: PrimaryAction | None, relocate: Readiness) -> str:
    """How that direction replicates again: the primary action where there is one, else the work and who does it."""
    ends = link.node(view.source_node_id), link.node(view.replica_node_id)
    lost = lost_side(link)
    if lost is not None and ends[1].node.cluster_id == lost.id:
        return (
            f"Reprotect {lost.name}: this sets up the channel again. Do not start the channel before: it would "
            "overwrite orphaned transactions."
        )
    fault = view.reading_fault
    if fault is not None and view.stops_again(link) is not False and (action is None or action.kind == "start_channel"):
        return f"{fault_sentence(fault, *ends)} {fault_remedy(fault, *ends)}"
    kind = action.kind if action is not None else None
    if kind == "relocate":
        return _by_relocating(link, view, ends)
    if kind == "start_channel" and view.is_stopped_without_failure:
        return "Start the channel at its position. The plan first proves that this position is the last applied one."
    if action is not None:
        return f"{action.label} first. Then check this channel again."
    silent = [end.node.name for end in ends if not end.is_up]
    if silent:
        return f"Have an administrator bring back {' and '.join(silent)}. {relocate.sentence}"
    if view.is_stopped_by_data and not view.has_unreadable_relay_log:
        return _fix_row(view, ends[1].node.name)
    if ends[1].channels is None:
        return f"{GRANT_CHANNELS} A node that is stopping a channel reports it again afterwards."
    if view.channel.io_running == "Connecting":
        if fault is not None and fault.place is FaultPlace.PATH:
            return f"{fault_sentence(fault, *ends)} {mending(fault, *ends)} {ends[1].node.name} retries automatically."
        return (
            f"Have an administrator fix the connection from {ends[1].node.name} to {ends[0].node.name} (network, "
            f"firewall, TLS, account {view.channel.source_user}). {ends[1].node.name} retries automatically."
        )
    return f"{relocate.sentence} Have an administrator check {ends[0].node.name} and {ends[1].node.name}."


def _by_relocating(link: LinkFacts, view: ChannelView, ends: tuple[NodeFacts, NodeFacts]) -> str:
    replica = ends[1].node.name
    fault = view.reading_fault
    if fault is not None and view.stops_again(link):
        return f"{fault_sentence(fault, *ends)} {fault_remedy(fault, *ends)}"
    if view.waits_for_position is not None:
        side = link.source_cluster(view.direction).name
        return (
            f"Relocate the link to another node of {side}. The plan proves whether the log of that node is complete. "
            f"If {replica} has resumed meanwhile, it lacks transactions: compare the two sides."
        )
    if view.has_unreadable_relay_log:
        return "Relocate the link, also onto the same nodes: the transactions are read from the source again."
    if view.is_stopped_by_data:
        asked = "Relocate the link: the plan shows whether that transaction was applied before."
        return f"{asked} If it was not: {_fix_row(view, replica)}"
    return "Relocate the link to nodes that are up."


def _fix_row(view: ChannelView, replica: str) -> str:
    """How to fix the row, without replicating the fix to the other side.

    The other direction replicates a fix that stands in the log of the node it reads, now or after a move, and what
    Galera replicates stands in the logs of the other nodes: a DELETE of the conflicting row also deleted the active
    side's own row (measured on MariaDB 10.11.19).
    """
    shown = " The link's page shows the row and the statements." if view.channel.sql_errno in ROW_ERRORS else ""
    return (
        f"Have an administrator fix the row on each node of the cluster of {replica}.{shown} Use sessions with "
        "wsrep_on=OFF and sql_log_bin=0. Otherwise the fix is replicated to the other side, too. Then "
        f"start the channel on {replica}. Skipping a transaction makes the two sides diverge."
    )


def node_remedy(cluster: ClusterFacts, node: NodeFacts) -> str:
    """How a node joins its cluster again; this is an administrator's work on that machine."""
    name = node.node.name
    if node.is_up:
        if node.wsrep is not None and node.wsrep.cluster_status == "Primary":
            return f"Wait until {name} is Synced; this is automatic. If it does not happen, read its error log."
        return (
            f"Have an administrator restart {name}, so that it joins {cluster.name} again. If no node of "
            f"{cluster.name} is Primary, set pc.bootstrap on the most advanced node, and on no other."
        )
    if all(other.reach is Reach.DOWN for other in cluster.nodes):
        return (
            f"Have an administrator bootstrap {cluster.name}: none of its nodes is up. Run --wsrep-recover on each "
            "node to find the highest seqno. Start that node alone with --wsrep-new-cluster, then the other nodes."
        )
    address = f"{node.node.host}:{node.node.port}"
    return {
        Reach.DOWN: f"Have an administrator start {name}. It joins {cluster.name} automatically.",
        Reach.HUNG: f"Have an administrator check {name} (disk, memory, locks): its port is open, but it is hung.",
        Reach.REFUSED: _of_refusal(node),
    }.get(node.reach, f"Have an administrator fix the network path from the console to {name} at {address}.")


def _of_refusal(node: NodeFacts) -> str:
    """Who was refused: the server by the console, for its certificate, or the console's account by the server."""
    name = node.node.name
    if node.error.startswith(TLS_REFUSED):
        return (
            f"Have an administrator install a certificate on {name} that a trusted authority signed, and run "
            "FLUSH SSL there; or store its authority with the cluster's TLS settings."
        )
    return f"Have an administrator fix the console's account on {name}: its login is refused."
