"""Watches a fenced side's log for its own transactions, from when it held all that its cluster committed.

The watch of a switchover goes on while the fences are read back and the ends of both streams are compared. It begins
once every server accepted its fence: `SET GLOBAL read_only=ON` waits for what is committing, so that a causal read
afterwards finds nearly all that was committed before. It begins again where the fence's own check finds more.
"""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import foreign_to
from backend.core.binlog.window import read_window
from backend.core.locate.search_inputs import SYNC_SQL
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.steps.base import FenceWatch, StepContext, WatchStart
from backend.core.topology import ClusterFacts, NodeFacts

QUIET_S = 0.15


def watch_start(ctx: StepContext, node_id: str) -> WatchStart | None:
    """The log's end of now; None where it is unknown whether that holds all that was committed.

    The node's facts are left in `ctx.polled`.
    """
    try:
        ctx.gateway.reader(node_id).query(SYNC_SQL)
    except NodeError:
        return None
    facts = ctx.polled[node_id] = ctx.gateway.observe_node(node_id)
    return WatchStart(node_id, facts.binlog.end, ctx.clock.monotonic_s()) if facts.binlog else None


def begin_watch(ctx: StepContext, cluster: ClusterFacts, alive: Sequence[NodeFacts]) -> FenceWatch | None:
    """A watch from the start that the fences left, or from now on; None where none of these nodes can be watched."""
    start = ctx.watch_starts.get(cluster.id)
    witness = next((node for node in alive if start and node.node.id == start.node_id and can_commit(node)), None)
    if start is None or witness is None:
        witness = next(filter(can_commit, alive), None)
        start = None if witness is None else watch_start(ctx, witness.node.id)
    if start is None or witness is None:
        return None
    return FenceWatch(witness, cluster.server_ids, start.end, start.read_s)


def begin_watch_again(ctx: StepContext, cluster: ClusterFacts, alive: Sequence[NodeFacts]) -> FenceWatch | None:
    """A watch from now on, where the first one met commits that had passed the check for `read_only` before the fence.

    A Galera node of MariaDB checks `read_only` before it replicates a commit, and holds no lock in between
    (`ha_commit_trans`): on a busy node such a commit was logged after `SET GLOBAL read_only=ON` had returned on every
    member, once in 1,000 fences (10.11.19). It is a transaction of before the fence, and the end of the stream is
    read later.
    """
    ctx.watch_starts.pop(cluster.id, None)
    return begin_watch(ctx, cluster, alive)


def can_commit(node: NodeFacts) -> bool:
    """Whether the node could write for its cluster, but for its fence."""
    return node.wsrep is not None and node.wsrep.cluster_status == "Primary" and node.wsrep.ready


def own_groups_at_end(ctx: StepContext, watch: FenceWatch) -> int:
    """How many transactions of its own the side logged since the watch began, which lasts `QUIET_S` at least."""
    ctx.clock.sleep(max(0.0, left_s(ctx, watch)))
    return own_groups(ctx, watch)


def left_s(ctx: StepContext, watch: FenceWatch) -> float:
    """For how much longer it has to last."""
    return watch.since_s + QUIET_S - ctx.clock.monotonic_s()


def own_groups(ctx: StepContext, watch: FenceWatch) -> int:
    """How many it logged until now."""
    is_foreign = foreign_to(watch.server_ids)
    log = Cursor(ctx.log_of(watch.witness))
    window = read_window(log, watch.begin, lambda group: not is_foreign(group), lambda _: False, following=0)
    return len(window.stream)


def log_end(ctx: StepContext, node: NodeFacts) -> FilePosition | None:
    """The end of the node's log now."""
    binlog = ctx.gateway.observe_node(node.node.id).binlog
    return binlog.end if binlog else None
