"""The other nodes of a receiving side: each must report its channels, or must be expelled from its cluster.

A node whose channels were not read may hold one: a poll's longer queries may time out while the node answers. A node
that stops responding may continue to apply until its cluster has expelled it.
"""

from __future__ import annotations

from collections.abc import Collection

from backend.core.dialects import quoting
from backend.core.facts.membership import is_expelled
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.steps.base import Proof, RefusedByFactsError, StepContext
from backend.core.topology import ClusterFacts, Direction, NodeFacts

EXPEL_LIMIT_S = 12.0
"""A node that stops responding is expelled within some seconds (evs.suspect_timeout, evs.inactive_timeout)."""


class PeerUnknownError(RefusedByFactsError):
    """A node that may apply transactions does not report whether it does."""


class PeerAppliesError(RefusedByFactsError):
    """A node applies transactions that must not be applied any more."""


def observe_peers(
    ctx: StepContext, *receiving_ids: str, except_node_id: str | None = None, of: Collection[str] = ()
) -> LinkFacts:
    """The link's facts once every node of those clusters reports its channels, is expelled, or is attested as fenced.

    `except_node_id` is the node that its step reads itself; `of` as in Gateway.observe_link, with those clusters in
    it. Raises PeerUnknownError, which names the first node that is none of these.
    """
    looks: list[LinkFacts] = []

    def query() -> Proof:
        looks[:] = [ctx.gateway.observe_link(is_patient=bool(looks), of=of)]
        clusters = (_cluster(looks[0], receiving_id) for receiving_id in receiving_ids)
        unknown_peer = next(filter(None, (_unknown_peer(ctx, one, except_node_id) for one in clusters)), None)
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
            return f"{node.node.name} responds, but its channels cannot be read: one from the other side may run there"
        if not any(one.is_up for one in cluster.nodes):
            return f"no node of {cluster.name} is responding: the channels that run there are unknown"
        if not node.is_up and not is_expelled(cluster, node):
            return (
                f"{node.node.name} is not responding and is still a member of {cluster.name}: "
                "it may run a channel from the other side"
            )
    return None


def channels_into(link: LinkFacts, receiving_id: str) -> tuple[ChannelHolder, ...]:
    """Every channel from the other side on a node of that cluster, whatever its role is now."""
    return link.holders(next(d for d in Direction if link.receiving_cluster(d).id == receiving_id))


def require_none_applies(ctx: StepContext, lost_name: str, survivor_id: str) -> None:
    """Raises PeerAppliesError where a node of the survivor runs a channel of the lost side, PeerUnknownError as above.

    A channel holder that was down when the plan was created may return at any time and start its channel automatically.
    """
    running = [h for h in channels_into(observe_peers(ctx, survivor_id), survivor_id) if h.channel.is_running]
    if running:
        name, channel = running[0].replica.node.name, quoting.shown_channel(running[0].channel.name)
        raise PeerAppliesError(
            f"{name} returned and applies its relay log from {lost_name}, which would overwrite new writes. "
            f"Run on {name}: STOP SLAVE{channel}; RESET SLAVE{channel} ALL"
        )


def wait_until_expelled(ctx: StepContext, node_id: str) -> bool:
    """Whether that node does not answer and its cluster has expelled it; waits for that, within limits."""

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
