"""Orphans of the model: each transaction of the lost side that did not get across is one row, by its uid."""

from __future__ import annotations

import hashlib

from backend.core.binlog.events import Cursor
from backend.core.binlog.logs import BinaryLog
from backend.core.dialects import dialect_for
from backend.core.link_facts import Divergence
from backend.core.orphans.model import OrphanList
from backend.core.orphans.report import OrphanReport
from backend.core.orphans.scan import UnknownDivergenceError, split_at_divergence
from backend.core.ports import NodeError
from tests.core.builders.orphan_worlds import KEYED, SHAPES, insert, row, stored, transaction
from tests.fakes.cluster import FakeCluster, FakeNode
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld

OWN_TABLE = "hawser.probe"


def scan(world: FakeWorld, divergence: Divergence, back: FakeNode) -> tuple[OrphanReport, OrphanList]:
    """Read the returned node's log behind the divergence with the core's own finder."""
    survivor = next(c for c in (world.a, world.b) if c.id == divergence.survivor_cluster_id)
    try:
        log = BinaryLog(FakeGateway(world, moves=False).reader(back.ref.id), dialect_for("mariadb", back.version))
        found = split_at_divergence(Cursor(log), divergence, survivor.server_ids, node_id=back.ref.id)
    except (UnknownDivergenceError, NodeError) as error:
        return OrphanReport("unknown", str(error)), OrphanList("", ())
    ends = {p.end: p.txn for p in back.log.placed}
    uids = [txn.uid for g in found.orphans if (txn := ends[g.end_position]).table != OWN_TABLE]
    book = book_of(uids)
    return (
        OrphanReport(
            "found" if uids else "none",
            f"{len(uids)} orphans",
            scan_id=book.digest[:12],
            digest=book.digest,
            marker_key=divergence.run_id,
            cluster_id=divergence.lost_cluster_id,
            node_id=back.ref.id,
            node=back.name,
            survivor_ids=survivor.server_ids,
            begins=found.begins,
            ends=found.ends,
            transactions=len(uids),
        ),
        book,
    )


def book_of(uids: list[int]) -> OrphanList:
    """One inserted row an orphan; its id is the uid."""
    digest = hashlib.sha256(repr(uids).encode()).hexdigest()
    orphans = (transaction(i, [insert(row(uid))]) for i, uid in enumerate(uids))
    return OrphanList(digest, tuple(orphans), dict(SHAPES))


def write_rows(world: FakeWorld, side: FakeCluster, uids: list[int]) -> None:
    """The lost side holds the orphans' rows from the moment they were written."""
    table = world.tables[side.id].rows.setdefault(KEYED.name, [])
    held = rows_of(world, side)
    table += [stored(row(uid)) for uid in uids if uid not in held]


def rows_of(world: FakeWorld, side: FakeCluster) -> list[int]:
    """Uids whose rows stand on that side as they were written; not one that was written over since."""
    found = world.tables[side.id].rows.get(KEYED.name, [])
    return [int(one["id"]) for one in found if one == stored(row(int(one["id"])))]
