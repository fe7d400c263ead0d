"""The registration of a node changes: what backend/registration lets an administrator do as members leave and join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.facts.membership import is_expelled
from backend.core.facts.named_members import named_members
from backend.core.plans import failover, fence_returned_side, remove_stray_channel
from tests.fakes.cluster import FakeCluster, FakeNode

if TYPE_CHECKING:
    from tests.sim.console import Bench

WARNED_ONLY = (failover.KIND, fence_returned_side.KIND, remove_stray_channel.KIND)
"""Kinds that an unregistered member does not refuse."""


def remove(bench: Bench, node: FakeNode) -> bool:
    """Remove a node that left its cluster; False where the console refuses it."""
    cluster = bench.world.cluster_of(node)
    if bench.unfinished is not None or node.name in cluster.unregistered or not _has_left(bench, cluster, node):
        return False
    if _carries(bench, node) or len(cluster.registered) == 1:
        return False
    cluster.unregistered.add(node.name)
    bench.plan = None  # it was made for another registration
    return True


def _has_left(bench: Bench, cluster: FakeCluster, node: FakeNode) -> bool:
    facts = cluster.facts(bench.now_s)
    members = named_members(facts, {one.node.id: {one.node.address} for one in facts.nodes})
    is_absent = members is not None and members.absent is not None and node.ref.id in members.absent
    return is_absent or is_expelled(facts, facts.node(node.ref.id))


def _carries(bench: Bench, node: FakeNode) -> bool:
    """By the records, what may return with the node, and the channels that the other nodes show."""
    ids = {end for one in bench.world.recorded for end in (one.replica_node_id, one.source_node_id, *one.left_on)}
    sources = {channel.source for other in bench.world.nodes for channel in other.channels.values() if other.is_up}
    return node.ref.id in ids or node.ref.id in bench.world.stray_since_s or node.ref.address in sources


def add(bench: Bench, node: FakeNode) -> bool:
    """Register a member that the cluster names; False where the console refuses it."""
    cluster = bench.world.cluster_of(node)
    if bench.unfinished is not None or node.name not in cluster.unregistered or node not in cluster.live:
        return False
    cluster.unregistered.discard(node.name)
    bench.plan = None
    return True


def i23_plans_need_registered_members(bench: Bench, kind: str, *, is_refused_plan: bool) -> list[str]:
    """No plan while a member is certainly unregistered; told from the servers, where every registered node responds."""
    for cluster in (bench.world.a, bench.world.b):
        is_whole = all(node in cluster.live and not node.bypasses_replication for node in cluster.registered)
        unregistered = [node.name for node in cluster.live if node.name in cluster.unregistered]
        if unregistered and is_whole and kind not in WARNED_ONLY and not is_refused_plan:
            return [f"I23: a {kind} is ready although {unregistered} of {cluster.name} are not registered"]
    return []
