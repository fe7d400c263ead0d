"""Which questions the locator has to be able to answer, looks from the whole truth and not from the core.

A question is *valid* where all of this holds:

1. both clusters are the incarnations that were recorded, no log that is read holds an event of a type that no dialect
   knows, none was reset, the journal holds no lie, and of a link by GTID no node's gtid_slave_pos was moved by a
   DDL that failed, nor was anything written under the other side's server_id;
2. the channel stands still, or its replica is down, and what arrived is the beginning of what was written,
   in order, none of it skipped by a person, with no node-local write of the source's side among the groups compared:
   there is a place that is right;
3. the last groups that arrived, eight or all, stand in what the receiving node retains and (with the place
   they end at) in what the new source retains;
   where some servers write checksums and some do not, each of them ends in a Xid, which tells the two apart;
4. their content, as far as both logs tell it, is unique: nowhere else in all the new source ever wrote do groups of
   the same content, in the same order, end;
5. a second family can speak: the old source's position of the channel was sampled exactly and that group is
   still retained on the new source, or GTIDs are numbered cluster-wide.
"""

from __future__ import annotations

from backend.core.binlog.events import RowImages
from backend.core.locate.requests import LocateRequest
from backend.core.topology import Direction
from tests.core.builders.worlds import Recipe
from tests.fakes.cluster import FakeNode
from tests.fakes.log import FakeLog, Placed
from tests.fakes.world import FakeWorld

COMPARED = 8
SPOILING = frozenset({"lie", "unknown", "reset", "uuid", "disorder"})


def is_valid(recipe: Recipe, world: FakeWorld, question: LocateRequest) -> bool:
    """Whether this question has an answer that must be found."""
    spoiling = SPOILING | ({"failed_ddl"} if recipe.has_gtid_channels else set())
    if any(op[0] in spoiling for op in recipe.ops + recipe.after) or question.is_moving:
        return False
    source, replica = world.node(question.new_source_id), world.node(question.new_replica_id)
    ids = world.source_cluster(question.direction).server_ids
    sent, got = _stream(source.log, ids), _stream(replica.log, ids)
    if not got or [p.txn.uid for p in sent[: len(got)]] != [p.txn.uid for p in got]:
        return False
    if any(p.txn.is_local for p in _all(replica.log, ids) + _all(source.log, ids)):
        return False
    if world.skipped & {p.txn.uid for p in sent} or (recipe.has_gtid_channels and _is_mixed(source.log, ids)):
        return False
    last = got[-COMPARED:]
    held = sent[len(got) - len(last) : len(got)]
    if not all(_is_retained(replica.log, p) for p in last) or not all(_is_retained(source.log, p) for p in held):
        return False
    if 0 < len(recipe.no_checksums) < len(world.nodes) and any(p.txn.kind == "other" for p in last):
        return False
    tells_sizes = all(
        not (node.log.dress.compresses or node.log.row_images is RowImages.PARTIAL) for node in (source, replica)
    )
    looks = [_looks(p, tells_sizes=tells_sizes, tells_text=last[0].by.has_text) for p in sent]
    return _is_unique(looks, len(got), len(last)) and _second_family(world, question, source, sent)


def needs_one_order(recipe: Recipe, world: FakeWorld, direction: Direction) -> bool:
    """Whether two that a node committed in the other order (repl.commit_order below 3) leave no place to tell.

    Where one alone arrived no place is right, and where few groups can be compared, or all are alike, no log shows
    it; a server asked by GTID sends a number out of order again. Locating rests on one commit order in a cluster.
    """
    got, swapped = set(world.received(direction)), world.source_cluster(direction).swapped
    return any(recipe.has_gtid_channels or len(got & set(pair)) == 1 for pair in swapped)


def _stream(log: FakeLog, ids: tuple[int, ...]) -> list[Placed]:
    return [p for p in log.placed if p.txn.server_id in ids and not p.txn.is_local]


def _all(log: FakeLog, ids: tuple[int, ...]) -> list[Placed]:
    return [p for p in log.placed if p.txn.server_id in ids]


def _is_mixed(log: FakeLog, ids: tuple[int, ...]) -> bool:
    """Whether what a server numbers in one domain came under ids of both sides: the receiver counts only its part."""
    own = {p.gtid.domain for p in _all(log, ids) if p.gtid}
    return any(p.gtid is not None and p.gtid.domain in own and p.txn.server_id not in ids for p in log.placed)


def _is_retained(log: FakeLog, placed: Placed) -> bool:
    return placed.start.file in {name for name, _ in log.files()}


def _looks(placed: Placed, *, tells_sizes: bool, tells_text: bool) -> tuple[object, ...]:
    """What a log shows of a transaction that the other log shows, too."""
    txn = placed.txn
    sizes = (txn.row_events, txn.row_bytes, txn.is_compressed) if tells_sizes else ()
    text = txn.statement if tells_text or txn.kind == "ddl" else ""
    return txn.server_id, text, txn.kind == "ddl", txn.table, txn.shape, *sizes


def _is_unique(looks: list[tuple[object, ...]], end: int, span: int) -> bool:
    wanted = looks[end - span : end]
    return sum(looks[i - span : i] == wanted for i in range(span, len(looks) + 1)) == 1


def _second_family(world: FakeWorld, question: LocateRequest, source: FakeNode, sent: list[Placed]) -> bool:
    cluster = world.source_cluster(question.direction)
    if cluster.has_gtid_mode:
        return True
    recorded = next((r for r in world.recorded if r.direction is question.direction), None)
    executed = recorded.channel.exec_position if recorded else None
    if recorded is None or executed is None:
        return False
    seqno = world.journal.seqno_at(recorded.source_node_id, cluster.uuid, executed)
    return seqno is not None and any(p.xid == seqno and _is_retained(source.log, p) for p in sent)
