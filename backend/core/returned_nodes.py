"""Which nodes of a lost side have returned and are to be fenced now; pure, told what was fenced before.

Once per start of a server: a node that somebody opens again after its fence is not fought over. One that was restarted
since begins as its files say, so it is fenced again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from backend.core.checks.fencing import unread_settings
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.positions import FIRST_EVENT_OFFSET
from backend.core.topology import Direction, NodeFacts

SAME_START_S = 2.0
"""A server tells its uptime in whole seconds: two looks at one start differ by no more."""
FIRST_RETRY_S, LAST_RETRY_S = 1.0, 60.0


@dataclass(frozen=True, slots=True)
class ReturnedNode:
    """A node of the lost side that answers, since a failover that said it is to be fenced.

    `begins` is the place in its own log behind which stands what it wrote since it returned; None where not known.
    `is_open` None: it does not say what a fence has to know.
    """

    facts: NodeFacts
    started_at_s: float | None
    begins: str | None
    is_open: bool | None
    applies: bool

    @property
    def needs_fence(self) -> bool:
        """Whether it takes writes, or applies what the survivor writes."""
        return self.is_open is True or (self.is_open is not None and self.applies)


@dataclass(frozen=True, slots=True)
class FenceRecord:
    """What was done about a node before, all Unix times: of which start, tried how often and when, whether closed."""

    started_at_s: float | None
    is_closed: bool = False
    attempts: int = 0
    tried_at_s: float | None = None

    def is_of_this_start(self, started_at_s: float | None) -> bool:
        """Whether the server runs on since; a start that is not known is taken for the recorded one."""
        if started_at_s is None or self.started_at_s is None:
            return True
        return abs(started_at_s - self.started_at_s) <= SAME_START_S


def returned_nodes(link: LinkFacts) -> tuple[ReturnedNode, ...]:
    """Every node of an invalidated side that answers; () unless the failover's plan said that they are fenced."""
    divergence = link.divergence
    if divergence is None or not is_to_be_fenced(link):
        return ()
    applying = {h.replica.node.id for h in link.holders(Direction.FORWARD) if h.channel.is_running}
    return tuple(_returned(node, divergence, applying) for node in link.standby.nodes if node.is_up)


def is_to_be_fenced(link: LinkFacts) -> bool:
    """Whether the link's standby side is the one that a failover invalidated, is not reconciled, and was said to be."""
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
    """Those that need a fence, were not fenced in this start, and are not being waited for before another try."""
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
    """A server opens a log of its own as it starts; one that ran on all the time is counted from this look on."""
    if node.binlog is None:
        return None
    if started_at_s is not None and started_at_s > divergence.at_s - SAME_START_S:
        return f"{node.binlog.file}:{FIRST_EVENT_OFFSET}"
    return str(node.binlog.end)
