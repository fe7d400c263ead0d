"""Identity of the registered nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.polling.parallel import observe_all


@dataclass(frozen=True, slots=True)
class Identity:
    """State UUIDs and server ids of the nodes that answered, names of those that did not."""

    uuid_by_node: Mapping[str, str]
    server_ids: Mapping[str, int]
    unreached: tuple[str, ...]

    @property
    def state_uuids(self) -> frozenset[str]:
        """The distinct state UUIDs; more than one means more than one cluster."""
        return frozenset(self.uuid_by_node.values())


def identify(nodes: Sequence[NodeAccess]) -> Identity:
    """Query every node at once, within a few seconds; reads only."""
    uuids: dict[str, str] = {}
    server_ids: dict[str, int] = {}
    unreached: list[str] = []
    for facts in observe_all(nodes).values():
        if not facts.is_up:
            unreached.append(facts.node.name)
        if facts.wsrep is not None and facts.wsrep.state_uuid:
            uuids[facts.node.name] = facts.wsrep.state_uuid
        if facts.server_id is not None:
            server_ids[facts.node.id] = facts.server_id
    return Identity(uuids, server_ids, tuple(sorted(unreached)))
