"""A request to locate one direction's position, and the refused result where a node could not be read."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.link_facts import LinkFacts
from backend.core.locate.model import Located
from backend.core.topology import Direction


@dataclass(frozen=True, slots=True)
class LocateRequest:
    """The direction to locate and its nodes; `holder_id` is the channel's current holder.

    `backup` is the backup position of a rebuilt receiving side.
    """

    direction: Direction
    new_source_id: str
    new_replica_id: str
    holder_id: str | None
    old_source_id: str | None
    is_moving: bool
    backup: str | None = None


def refuse_unreadable(question: LocateRequest, link: LinkFacts, error: str) -> Located:
    """The refused result of a search in which a node did not respond."""
    return Located(
        direction=question.direction,
        node_id=question.new_source_id,
        node=link.node(question.new_source_id).node.name,
        receiving=link.receiving_cluster(question.direction).name,
        read_from=link.node(question.new_replica_id).node.name,
        position=None,
        seqno=None,
        gtid=None,
        is_proven=False,
        reasons=(f"Reading failed: {error}.",),
        evidence=(),
    )
