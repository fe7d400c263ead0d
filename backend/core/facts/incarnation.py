"""Identifies a returned side: the lost side itself, the lost side bootstrapped again, or a copy of the survivor.

The facts of every poll identify it: the state UUID, and `gtid_binlog_state`, which names every server_id whose groups a
node ever logged, including purged files. A copy has logged nothing of its own side's ids: its data folder came from the
other side, and its binary log started with it (measured, docs/evidence/measured-facts.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from backend.core.facts.origins import origins_in
from backend.core.link_facts import LinkFacts
from backend.core.topology import ClusterFacts, NodeFacts


class Incarnation(StrEnum):
    """What a returned side is."""

    AWAY = "away"
    SAME = "same"
    REBOOTSTRAPPED = "rebootstrapped"
    REBUILT = "rebuilt"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ReturnedSide:
    """The lost side now; `nodes_with_own_writes` names nodes whose log holds groups of the side's own server_ids."""

    side: ClusterFacts
    kind: Incarnation
    state_uuid: str | None = None
    nodes_with_own_writes: tuple[str, ...] = ()


def returned_side(link: LinkFacts) -> ReturnedSide | None:
    """What the lost side of an open divergence is now; None where no side is lost."""
    divergence = link.divergence
    if divergence is None:
        return None
    side = link.standby if link.standby.id == divergence.lost_cluster_id else link.active
    members = [node for node in side.nodes if _is_member(node)]
    uuids = {node.wsrep.state_uuid for node in members if node.wsrep is not None}
    if not members:
        return ReturnedSide(side, Incarnation.AWAY)
    before = divergence.lost_state_uuid or side.recorded_state_uuid
    if before is None or len(uuids) != 1:
        return ReturnedSide(side, Incarnation.UNKNOWN)
    (now,) = uuids
    if now == before:
        return ReturnedSide(side, Incarnation.SAME, now)
    return _another(side, members, now)


def _another(side: ClusterFacts, members: list[NodeFacts], state_uuid: str) -> ReturnedSide:
    wrote = nodes_with_own_writes(side, members)
    if wrote is None:
        return ReturnedSide(side, Incarnation.UNKNOWN, state_uuid)
    if wrote:
        return ReturnedSide(side, Incarnation.REBOOTSTRAPPED, state_uuid, wrote)
    return ReturnedSide(side, Incarnation.REBUILT, state_uuid)


def nodes_with_own_writes(side: ClusterFacts, members: Sequence[NodeFacts]) -> tuple[str, ...] | None:
    """Names of members whose log holds groups of the side's own server_ids; () of a copy, None where it is unknown.

    With cluster-wide GTIDs a state transfer writes the side's own server_id into an empty log (observed).
    """
    if any((node.variable("wsrep_gtid_mode") or "").upper() in ("ON", "1") for node in members):
        return None
    server_ids_by_node = {node.node.name: logged_server_ids(node) for node in members}
    wrote = tuple(name for name, ids in server_ids_by_node.items() if ids is not None and ids & set(side.server_ids))
    is_unknown = not wrote and any(ids is None for ids in server_ids_by_node.values())
    return None if is_unknown else wrote


def _is_member(node: NodeFacts) -> bool:
    wsrep = node.wsrep
    return node.is_up and wsrep is not None and wsrep.cluster_status == "Primary" and wsrep.ready


def logged_server_ids(node: NodeFacts) -> set[int] | None:
    """Every server_id whose groups are, or ever were, in the node's binary log; None where this is unknown."""
    origins = origins_in(node)
    return None if origins is None else {server_id for _, server_id in origins}
