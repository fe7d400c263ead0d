"""What becomes of a node that an operator stops and starts: observed from its cluster, poll by poll.

No SQL tells how a node was brought up to date. The exact rule of IST and SST does, where what was seen of the node and
of its donors leaves no other answer, and the node's binary logs do not contradict it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from backend.core.adviser.node_absence.return_verdict import Logs, Result, Seen, judged
from backend.core.adviser.node_absence.summary import is_synced
from backend.core.topology import NodeFacts


class Stage(StrEnum):
    """Where a maintenance stands. `CLOSING`: its result is known, and the donor is not unfrozen yet."""

    PREPARING = "preparing"
    WAITING_STOP = "waiting_stop"
    AWAY = "away"
    CLOSING = "closing"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Watch:
    """What is remembered between two polls. Times are Unix times.

    `members` is the size of the cluster with the node; `last_seqno` the node's own, `limit_seqno` the newest of its
    cluster once it had left: the node applied at least the one and at most the other. `downto` by donor.
    """

    node_id: str
    members: int
    allowed_at_s: float
    until_s: float
    stage: Stage = Stage.WAITING_STOP
    last_seqno: int | None = None
    limit_seqno: int | None = None
    logs: Logs = ()
    downto: Mapping[str, int | None] = field(default_factory=dict)
    left_at_s: float | None = None
    returned_at_s: float | None = None
    result: Result | None = None
    sentence: str = ""


def advanced(watch: Watch, nodes: Sequence[NodeFacts], now_s: float) -> Watch:
    """The watch after one more poll of the cluster's nodes."""
    node = next((one for one in nodes if one.node.id == watch.node_id), None)
    if node is None or watch.stage not in (Stage.WAITING_STOP, Stage.AWAY):
        return watch
    peers = [one for one in nodes if one.node.id != watch.node_id and is_synced(one)]
    if watch.stage is Stage.WAITING_STOP:
        watch = _before_stop(watch, node, peers)
    if watch.stage is Stage.AWAY:
        watch = _away(watch, node, peers)
    return _overdue(watch, node, now_s) if watch.stage is not Stage.CLOSING and now_s > watch.until_s else watch


def _before_stop(watch: Watch, node: NodeFacts, peers: Sequence[NodeFacts]) -> Watch:
    if is_synced(node) and not _was_restarted(watch, node):
        return _seen_as_member(watch, node)
    if _has_left(watch, node, peers) or (is_synced(node) and _was_restarted(watch, node)):
        newest = max((one.wsrep.last_committed for one in peers if one.wsrep), default=None)
        left_at_s = max((one.observed_at_s for one in peers), default=node.observed_at_s)
        return replace(watch, stage=Stage.AWAY, limit_seqno=newest, left_at_s=left_at_s)
    return watch


def _seen_as_member(watch: Watch, node: NodeFacts) -> Watch:
    logs = node.binlog.files if node.binlog else watch.logs
    seen = node.wsrep.last_committed if node.wsrep else 0
    return replace(watch, last_seqno=max(watch.last_seqno or 0, seen), logs=logs)


def _has_left(watch: Watch, node: NodeFacts, peers: Sequence[NodeFacts]) -> bool:
    """It does not answer, and every member that was read counts one member less: all of them, in one view."""
    views = {(one.wsrep.conf_id, one.wsrep.cluster_size) for one in peers if one.wsrep}
    return not node.is_up and len(views) == 1 and all(size < watch.members for _, size in views)


def _was_restarted(watch: Watch, node: NodeFacts) -> bool:
    """Its server is younger than the permission to stop it: it was away between two polls."""
    return node.uptime_s is not None and node.observed_at_s - node.uptime_s > watch.allowed_at_s + 1


def _away(watch: Watch, node: NodeFacts, peers: Sequence[NodeFacts]) -> Watch:
    now = {one.node.id: one.wsrep.cached_downto if one.wsrep else None for one in peers}
    if not is_synced(node):
        return replace(watch, downto={**watch.downto, **now})
    seen = Seen(watch.last_seqno, watch.limit_seqno, watch.downto, now, watch.logs)
    result, sentence = judged(seen, node, peers)
    return replace(
        watch, stage=Stage.CLOSING, returned_at_s=node.observed_at_s, downto=now, result=result, sentence=sentence
    )


def _overdue(watch: Watch, node: NodeFacts, now_s: float) -> Watch:
    """The time that the operator chose is over: a freeze must not fill the donor's disk."""
    name = node.node.name
    if watch.stage is Stage.AWAY:
        result, sentence = Result.NOT_RETURNED, f"{name} did not return in the time of this maintenance."
    else:
        result, sentence = Result.NOT_STOPPED, f"{name} was not stopped in the time of this maintenance."
    return replace(watch, stage=Stage.CLOSING, result=result, sentence=sentence)
