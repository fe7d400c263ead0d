"""Replay and undo of orphans as the steps of a run."""

from __future__ import annotations

from backend.core.orphans.model import OrphanList
from backend.core.plan import Plan, Step
from tests.core.builders.orphan_worlds import KEYED, Model, book_of, delete, insert, row, same_contents, update
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway
from tests.fakes.rows import FakeTables
from tests.fakes.world import FakeWorld

BOOK = book_of(
    [
        [insert(row(1)), insert(row(2))],
        [update(row(1), row(1, b"x"))],
        [delete(row(2)), update(row(9), row(9, b"late"))],
        [insert(row(2, b"again"))],
    ]
)


def contents(*, is_lost_side: bool) -> FakeTables:
    """Of a side that has what it should have."""
    model = Model()
    rows = [row(1, b"x"), row(9, b"late"), row(2, b"again")] if is_lost_side else [row(9)]
    model.rows[KEYED.name] += rows
    return model.tables()


def build(book: OrphanList = BOOK, *, skip: tuple[int, ...] = ()) -> tuple[FakeWorld, Plan]:
    """B is active and replays; A returned with orphans and is undone."""
    world = FakeWorld()
    world.tables = {world.a.id: contents(is_lost_side=True), world.b.id: contents(is_lost_side=False)}
    world.write_times(4, "a1")
    params = {
        "scan_id": "o_1",
        "digest": book.digest,
        "marker_key": "r_failover0001",
        "count": len(book.transactions),
        "scan_node_id": "n_a1",
        "scan_end": str(world.node("a1").log.end),
        "survivor_ids": list(world.b.server_ids),
        "settled_changes": [],
        "resolutions": [],
    }
    undo_params = {**params, "skip": [], "survivor_node_id": "n_b1", "not_replayed": list(skip), "kept_rows": []}
    steps = (
        Step(0, "replay", "Replay", "n_b1", "b1", point_of_no_return=True, params={**params, "skip": list(skip)}),
        Step(1, "undo_orphans", "Undo", "n_a1", "a1", params=undo_params),
    )
    plan = Plan("reprotect", "l_1", "link", world.clock.now_s(), "Reprotect", (), (), {}, steps, {}, {}, {})
    return world, plan


def walk(
    world: FakeWorld, memory: Memory, gateway: FakeGateway, book: OrphanList = BOOK, **options: int | bool
) -> None:
    """One worker's go."""
    Walker(world, gateway, memory, book=book, **options).run()  # type: ignore[arg-type]


def assert_done(world: FakeWorld, memory: Memory) -> None:
    """Both sides have what they should have, once."""
    assert memory.ended.state == "succeeded", memory.failures
    assert same_contents(world.tables[world.b.id], contents(is_lost_side=True))
    assert same_contents(world.tables[world.a.id], contents(is_lost_side=False))
