"""The other nodes of a side that receives: each tells its channels, or is certainly out of its cluster.

A node whose channels are not read is not one without a channel (a poll's longer questions may run out of time while
the node answers), and one that falls silent may go on applying until its cluster has expelled it.
"""

from __future__ import annotations

from backend.core.dialects import quoting
from backend.core.facts.membership import is_expelled
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.steps.base import Proof, RefusedByFactsError, StepContext
from backend.core.topology import ClusterFacts, Direction, NodeFacts

EXPEL_LIMIT_S = 12.0
"""A node that falls silent is expelled within some seconds (evs.suspect_timeout, evs.inactive_timeout)."""


class PeerUnknownError(RefusedByFactsError):
    """A node that may apply does not say whether it does."""


class PeerAppliesError(RefusedByFactsError):
    """A node applies what nobody may apply any more."""


def observe_peers(ctx: StepContext, receiving_id: str, *, except_node_id: str | None = None) -> LinkFacts:
    """A look in which every node of that cluster tells its channels, is expelled, or is attested as fenced.

    `except_node_id` is the one node that its step asks itself. Raises PeerUnknownError, naming the first that is none
    of these.
    """
    looks: list[LinkFacts] = []

    def query() -> Proof:
        looks[:] = [ctx.gateway.observe_link(is_patient=bool(looks))]
        unknown_peer = _unknown_peer(ctx, _cluster(looks[0], receiving_id), except_node_id)
        return Proof(unknown_peer is None, unknown_peer or "")

    proof = ctx.wait_for(EXPEL_LIMIT_S, query, pause_s=0.5)
    if not proof.is_ok:
        raise PeerUnknownError(proof.sentence)
    return looks[0]


def _unknown_peer(ctx: StepContext, cluster: ClusterFacts, except_node_id: str | None) -> str | None:
    excepted = {except_node_id, *(ctx.plan.options.get("attest_fenced") or ())}
    for node in cluster.nodes:
        if node.node.id in excepted:
            continue
        if node.is_up and node.channels is None:
            return f"{node.node.name} answers, but its channels cannot be read: one from the other side may run there"
        if not any(one.is_up for one in cluster.nodes):
            return f"no node of {cluster.name} answers: what runs there is not known"
        if not node.is_up and not is_expelled(cluster, node):
            return (
                f"{node.node.name} does not answer, and its cluster still counts it: "
                "it may run a channel from the other side"
            )
    return None


def channels_into(link: LinkFacts, receiving_id: str) -> tuple[ChannelHolder, ...]:
    """Every channel from the other side on a node of that cluster, whatever the roles are by now."""
    return link.holders(next(d for d in Direction if link.receiving_cluster(d).id == receiving_id))


def require_none_applies(ctx: StepContext, lost_name: str, survivor_id: str) -> None:
    """Raises PeerAppliesError where a node of the survivor runs a channel of the lost side, PeerUnknownError as above.

    A holder that was dead when the plan was made may come back at any time and start its channel by itself.
    """
    running = [h for h in channels_into(observe_peers(ctx, survivor_id), survivor_id) if h.channel.is_running]
    if running:
        name, channel = running[0].replica.node.name, quoting.shown_channel(running[0].channel.name)
        raise PeerAppliesError(
            f"{name} is back and applies what it had received of {lost_name}: beside new writes that would overwrite "
            f"them. On {name}: STOP SLAVE{channel}; RESET SLAVE{channel} ALL"
        )


def wait_until_expelled(ctx: StepContext, node_id: str) -> bool:
    """Whether that node does not answer and its cluster has expelled it; waits for that, within bounds."""

    def query() -> Proof:
        link = ctx.gateway.observe_link()
        facts = link.node(node_id)
        return Proof(facts.is_up or _is_out(link, facts), "")

    ctx.wait_for(EXPEL_LIMIT_S, query, pause_s=0.5)
    link = ctx.gateway.observe_link()
    return _is_out(link, link.node(node_id))


def _is_out(link: LinkFacts, facts: NodeFacts) -> bool:
    return not facts.is_up and is_expelled(_cluster(link, facts.node.cluster_id), facts)


def _cluster(link: LinkFacts, cluster_id: str) -> ClusterFacts:
    return link.active if link.active.id == cluster_id else link.standby
