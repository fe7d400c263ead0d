"""The survivor's applied point in the lost side's stream, read from its channel, its relay log and its own binlog."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import Group, foreign_to
from backend.core.binlog.logs import log_of
from backend.core.facts.origins import outside_stream
from backend.core.link_facts import LinkFacts
from backend.core.locate.evidence import SeqnoClue
from backend.core.locate.last_applied import read_last_applied
from backend.core.locate.model import CONTENT_GROUPS
from backend.core.locate.requests import LocateRequest
from backend.core.locate.search_inputs import SYNC_SQL, seqno_clue, tail_starts
from backend.core.ports import Gateway, Journal
from backend.core.topology import ChannelFacts, Direction


@dataclass(frozen=True, slots=True)
class AppliedPoint:
    """The survivor's last groups of the lost side's stream, oldest first, and the last one's Xid on the lost side."""

    groups: tuple[Group, ...]
    xid: int | None
    trailing: int
    channel: ChannelFacts | None
    source_node_id: str | None
    detail: str


def applied_point(
    link: LinkFacts, replica_id: str, holder_id: str | None, gateway: Gateway, journal: Journal
) -> AppliedPoint:
    """Read it on `replica_id`, a working node of the survivor; `holder_id` is the channel's holder, if reachable.

    Waits until that node has all that its cluster committed. Raises NodeError, UnknownEventError, EventBudgetError.
    """
    recorded = link.recorded_channel(Direction.FORWARD)
    source_id = recorded.source_node_id if recorded else None
    question = LocateRequest(Direction.FORWARD, source_id or "", replica_id, holder_id, source_id, is_moving=False)
    clue = seqno_clue(question, link, gateway, journal, link.active.recorded_state_uuid or "")
    groups = last_applied(link, replica_id, gateway, journal)
    channel = _channel(link, holder_id) if holder_id else None
    if isinstance(clue, SeqnoClue):
        return AppliedPoint(groups, clue.xid, clue.trailing, channel, source_id, clue.detail)
    return AppliedPoint(groups, None, 0, channel, source_id, clue)


def last_applied(link: LinkFacts, replica_id: str, gateway: Gateway, journal: Journal) -> tuple[Group, ...]:
    """The last groups of the other side in the node's log, oldest first; waits for all that its cluster committed."""
    replica = link.node(replica_id)
    direction = Direction.REVERSE if link.active.id == replica.node.cluster_id else Direction.FORWARD
    gateway.reader(replica_id).query(SYNC_SQL)
    log = log_of(gateway.reader(replica_id), replica)
    tail = tail_starts(journal, replica)
    return read_last_applied(
        Cursor(log), tail, foreign_to(outside_stream(link, direction)), wanted=CONTENT_GROUPS, enough_since_s=None
    ).groups


def _channel(link: LinkFacts, holder_id: str) -> ChannelFacts | None:
    return next((h.channel for h in link.holders(Direction.FORWARD) if h.replica.node.id == holder_id), None)
