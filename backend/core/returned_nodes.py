"""Which returned nodes of a lost side are to be fenced now; the caller passes what was fenced before.

Each node is fenced once per start of its server: a node that an operator unfences afterwards is left alone. A node that
was restarted since has the settings of its option files, so it is fenced again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from backend.core.checks.fencing import unread_settings
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.positions import FIRST_EVENT_OFFSET
from backend.core.topology import Direction, NodeFacts

SAME_START_S = 2.0
"""A server reports its uptime in whole seconds: two polls of one start differ by no more."""
FIRST_RETRY_S, LAST_RETRY_S = 1.0, 60.0


@dataclass(frozen=True, slots=True)
class ReturnedNode:
    """A node of the lost side that responds, after a failover whose plan stated that it is fenced.

    `begins` is the position in its own log after which its writes since its return follow; None where unknown.
    `is_open` None: the node does not report what its fence depends on.
    """

    facts: NodeFacts
    started_at_s: float | None
    begins: str | None
    is_open: bool | None
    applies: bool

    @property
    def needs_fence(self) -> bool:
        """Whether it is writable, or applies writes of the survivor."""
        return self.is_open is True or (self.is_open is not None and self.applies)


@dataclass(frozen=True, slots=True)
class FenceRecord:
    """Earlier fence attempts on a node (Unix times): its start, the number and time of attempts, and their success."""

    started_at_s: float | None
    is_closed: bool = False
    attempts: int = 0
    tried_at_s: float | None = None

    def is_of_this_start(self, started_at_s: float | None) -> bool:
        """Whether the server has run since; an unknown start counts as the recorded one."""
        if started_at_s is None or self.started_at_s is None:
            return True
        return abs(started_at_s - self.started_at_s) <= SAME_START_S


def returned_nodes(link: LinkFacts) -> tuple[ReturnedNode, ...]:
    """Every node of an invalidated side that responds; () unless the failover's plan stated that they are fenced."""
    divergence = link.divergence
    if divergence is None or not is_to_be_fenced(link):
        return ()
    applying = {h.replica.node.id for h in link.holders(Direction.FORWARD) if h.channel.is_running}
    return tuple(_returned(node, divergence, applying) for node in link.standby.nodes if node.is_up)


def is_to_be_fenced(link: LinkFacts) -> bool:
    """Whether a failover invalidated the standby side and stated its fence, and the side is not reconciled."""
    divergence = link.divergence
    return (
        divergence is not None
        and divergence.fences_on_return
        and not divergence.is_reconciled
        and divergence.lost_cluster_id == link.standby.id
    )


def nodes_to_fence(
    returned: Iterable[ReturnedNode], known: Mapping[str, FenceRecord], now_s: float
) -> Sequence[ReturnedNode]:
    """Nodes that need a fence, were not fenced in this start, and are not waiting for their next attempt."""
    return [one for one in returned if one.needs_fence and _is_due(one, known.get(one.facts.node.id), now_s)]


def _is_due(one: ReturnedNode, before: FenceRecord | None, now_s: float) -> bool:
    if before is None or not before.is_of_this_start(one.started_at_s):
        return True
    if before.is_closed:
        return False
    wait_s = min(LAST_RETRY_S, FIRST_RETRY_S * 2.0 ** max(0, before.attempts - 1))
    return before.tried_at_s is None or not 0 <= now_s - before.tried_at_s < wait_s


def _returned(node: NodeFacts, divergence: Divergence, applying: set[str]) -> ReturnedNode:
    started_at_s = node.observed_at_s - node.uptime_s if node.uptime_s is not None else None
    is_open = None if unread_settings(node, "read_only") else (node.variable("read_only") or "").upper() != "ON"
    return ReturnedNode(
        node, started_at_s, _begins(node, started_at_s, divergence), is_open, applies=node.node.id in applying
    )


def _begins(node: NodeFacts, started_at_s: float | None, divergence: Divergence) -> str | None:
    """A server starts a new log file when it starts; the count of one that was never down begins at this poll."""
    if node.binlog is None:
        return None
    if started_at_s is not None and started_at_s > divergence.at_s - SAME_START_S:
        return f"{node.binlog.file}:{FIRST_EVENT_OFFSET}"
    return str(node.binlog.end)
