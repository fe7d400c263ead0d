"""Watches a fenced side's log for its own transactions, from when it held all that its cluster committed.

The watch of a switchover goes on while the ends of both streams are compared: it takes none of the write pause.
"""

from __future__ import annotations

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import foreign_to
from backend.core.binlog.window import read_window
from backend.core.locate.search_inputs import SYNC_SQL
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.steps.base import FenceWatch, StepContext
from backend.core.topology import ClusterFacts, NodeFacts

QUIET_S = 0.15


def begin_watch(ctx: StepContext, cluster: ClusterFacts, witness: NodeFacts) -> FenceWatch | None:
    """A watch from the log's end of now; None where it is unknown whether that holds all that was committed."""
    try:
        ctx.gateway.reader(witness.node.id).query(SYNC_SQL)
    except NodeError:
        return None
    begin = log_end(ctx, witness)
    return None if begin is None else FenceWatch(witness, cluster.server_ids, begin, ctx.clock.monotonic_s())


def own_groups_at_end(ctx: StepContext, watch: FenceWatch) -> int:
    """How many transactions of its own the side logged since the watch began, which lasts `QUIET_S` at least."""
    ctx.clock.sleep(max(0.0, watch.since_s + QUIET_S - ctx.clock.monotonic_s()))
    return own_groups(ctx, watch)


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
