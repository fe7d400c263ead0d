"""A cluster of three synced members with a gcache, as facts; tests spoil what they need."""

from __future__ import annotations

from dataclasses import replace

from backend.core.topology import NodeFacts, NodeRef, Reach, WsrepFacts

UUID = "11111111-1111-1111-1111-111111111111"
MEMBER = WsrepFacts(
    cluster_status="Primary",
    state="Synced",
    local_state=4,
    ready=True,
    connected=True,
    cluster_size=3,
    state_uuid=UUID,
    local_state_uuid=UUID,
    last_committed=25_918,
    conf_id=3,
    cached_downto=13_206,
)


def member(name: str, *, size: str = "16M", segment: str = "0", **wsrep: object) -> NodeFacts:
    """A synced member; `wsrep` changes Galera's status."""
    return NodeFacts(
        NodeRef(f"n_{name}", name, "127.0.0.1", 3306, "c_1"),
        1_800_000_000.0,
        Reach.UP,
        variables={"gcache.size": size, "gmcast.segment": segment},
        wsrep=replace(MEMBER, **wsrep),  # type: ignore[arg-type]
    )


def away(name: str) -> NodeFacts:
    """A node that does not run."""
    return NodeFacts(NodeRef(f"n_{name}", name, "127.0.0.1", 3306, "c_1"), 1_800_000_000.0, Reach.DOWN)
