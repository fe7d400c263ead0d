"""What to do about a finding of a link, and who does it; it never speaks against the link's primary action."""

from __future__ import annotations

from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelView
from backend.core.link_state.readiness import PrimaryAction
from backend.core.link_state.returned_side import lost_side
from backend.core.link_state.site_readiness import Readiness
from backend.core.topology import ROW_ERRORS, ClusterFacts, NodeFacts, Reach


def channel_remedy(link: LinkFacts, view: ChannelView, action: PrimaryAction | None, relocate: Readiness) -> str:
    """What lets that direction carry again: the primary action where there is one, else whose work it is."""
    ends = link.node(view.source_node_id), link.node(view.replica_node_id)
    lost = lost_side(link)
    if lost is not None and ends[1].node.cluster_id == lost.id:
        return f"Reprotect {lost.name}: it sets this channel up anew. Started before, it applies over what is orphaned."
    kind = action.kind if action is not None else None
    if kind == "relocate":
        return _by_relocating(link, view, ends)
    if kind == "start_channel" and view.stands_by_itself:
        return "Start the channel where it stands: the plan proves first that its place is the last that was applied."
    if action is not None:
        return f"{action.label} first; then look at this channel again."
    silent = [end.node.name for end in ends if not end.is_up]
    if silent:
        return f"An administrator brings {' and '.join(silent)} back. {relocate.sentence}"
    if view.is_stopped_by_data:
        return _mend(view, ends[1].node.name)
    if view.channel.io_running == "Connecting":
        return (
            f"{ends[1].node.name} tries again by itself: an administrator mends the way to {ends[0].node.name} "
            f"(network, firewall, TLS, account {view.channel.source_user})."
        )
    return f"{relocate.sentence} An administrator looks after {ends[0].node.name} and {ends[1].node.name}."


def _by_relocating(link: LinkFacts, view: ChannelView, ends: tuple[NodeFacts, NodeFacts]) -> str:
    source, replica = (end.node.name for end in ends)
    if view.is_refused_by_source:
        return f"Relocate the link to a node whose logs reach back far enough: {source} lacks the place."
    if view.waits_for_position is not None:
        side = link.source_cluster(view.direction).name
        return (
            f"Relocate the link to another node of {side}: the plan proves whether that log holds all of it. "
            f"If {replica} has gone on meanwhile, a part is missing there: compare the two sides."
        )
    if view.is_stopped_by_data:
        asked = "Relocate the link: the plan tells whether that transaction was applied before."
        return f"{asked} If not: {_mend(view, replica)}"
    return "Relocate the link to nodes that live."


def _mend(view: ChannelView, replica: str) -> str:
    """Logged, or unlogged on a neighbour of the node that the other direction reads, the mend travels back: a DELETE of
    the row in the way took away the active side's own row, too (measured, 10.11.19)."""
    shown = "The link's page shows the row and the statements. " if view.channel.sql_errno in ROW_ERRORS else ""
    return (
        f"{shown}An administrator mends the row under {replica}, in a session with sql_log_bin=0 on the node whose log "
        "the other direction reads (else the change travels back and is made on the other side, too), and starts the "
        f"channel on {replica}; skipping a transaction makes the two sides differ."
    )


def node_remedy(cluster: ClusterFacts, node: NodeFacts) -> str:
    """What brings a node back among its cluster; an administrator's work on that machine."""
    name = node.node.name
    if node.is_up:
        if node.wsrep is not None and node.wsrep.cluster_status == "Primary":
            return f"Wait: {name} becomes Synced by itself. Where it does not, its error log says why."
        return (
            f"An administrator restarts {name}, so that it joins {cluster.name} again. Where no node of it is Primary: "
            "pc.bootstrap on the most advanced one, and on no other."
        )
    if all(other.reach is Reach.DOWN for other in cluster.nodes):
        return (
            f"No node of {cluster.name} is left to join: an administrator starts the most advanced one first, as a new "
            "cluster (--wsrep-recover on each tells the seqno; then --wsrep-new-cluster on that one alone), and the "
            "others behind it."
        )
    return {
        Reach.DOWN: f"An administrator starts {name}: it joins {cluster.name} by itself.",
        Reach.HUNG: f"An administrator looks at {name}: its port is open and it does not answer (disk, memory, locks).",
        Reach.REFUSED: f"An administrator mends the console's account on {name}: its login is refused.",
    }.get(
        node.reach, f"An administrator mends the way from the console to {name} at {node.node.host}:{node.node.port}."
    )
