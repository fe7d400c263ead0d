"""Sides that were bootstrapped again: their members show another state UUID than the recorded one."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.link_facts import LinkFacts
from backend.core.topology import ClusterFacts


@dataclass(frozen=True, slots=True)
class NewHistory:
    """A side all of whose members show one state UUID that is not the recorded one."""

    side: ClusterFacts
    state_uuid: str


def state_uuids(cluster: ClusterFacts) -> set[str]:
    """The state UUIDs that the members of the cluster's Primary Component show."""
    shown = (node.wsrep for node in cluster.nodes if node.is_up)
    return {wsrep.state_uuid for wsrep in shown if wsrep is not None and wsrep.cluster_status == "Primary"}


def is_another_history(cluster: ClusterFacts) -> bool:
    """Whether a member shows another state UUID than the recorded one."""
    found = state_uuids(cluster)
    return bool(cluster.recorded_state_uuid and found) and found != {cluster.recorded_state_uuid}


def new_histories(link: LinkFacts) -> tuple[NewHistory, ...]:
    """Sides with exactly one new state UUID, which could be accepted; none while a side is lost: reprotect it."""
    if link.divergence is not None:
        return ()
    changed = [side for side in (link.active, link.standby) if is_another_history(side)]
    return tuple(
        NewHistory(side, uuid) for side in changed if len(state_uuids(side)) == 1 for uuid in state_uuids(side)
    )
