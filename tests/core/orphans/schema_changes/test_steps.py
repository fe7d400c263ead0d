"""Changes of definitions in replay and undo as steps of a run: each sent exactly once, whatever fails or gets lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from backend.core.orphans.model import OrphanList, RowImage, TableShape, TransactionKind
from backend.core.orphans.schema_changes.parse import parse_schema_change
from backend.core.orphans.schema_changes.statements import replay_change, undo_change
from backend.core.orphans.undo import UndoJudge
from backend.core.ports import SchemaStatement
from backend.core.steps import orphans as orphan_steps
from tests.core.builders.orphan_runs import BOOK, assert_done, build, walk
from tests.core.builders.orphan_worlds import KEYED, SHAPES, insert, row, stored, transaction, update
from tests.fakes.driver import Memory
from tests.fakes.gateway import FakeGateway, Fault
from tests.fakes.world import FakeWorld

ADDED = parse_schema_change("ALTER TABLE other ADD COLUMN more INT", "shop")
CREATED = parse_schema_change("CREATE TABLE created (id INT PRIMARY KEY)", "shop")


def with_changes(*, is_void: bool = False) -> OrphanList:
    """The rows of the steps' tests with a definition changed before, between and after them."""
    rows = list(BOOK.transactions)
    changes = [
        transaction(0, [], kind=TransactionKind.DDL, change=change, is_void=is_void and change is CREATED)
        for change in (CREATED, ADDED)
    ]
    mixed = [changes[0], *rows[:2], changes[1], *rows[2:]]
    return OrphanList("c" * 64, tuple(replace(one, index=i) for i, one in enumerate(mixed)), dict(SHAPES))


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables with rows are the same on both sides."""
    monkeypatch.setattr(orphan_steps, "read_shapes", lambda _, __: dict(SHAPES))


def prepared(book: OrphanList, **params: object) -> tuple[FakeWorld, Memory]:
    """What the lost side added stands there."""
    world, plan = build(book)
    for one in book.changes:
        assert one.change is not None
        undo = undo_change(one.change)
        world.tables[world.a.id].definitions[undo.parts] = undo.before
    steps = tuple(replace(step, params={**step.params, **params}) for step in plan.steps)
    return world, Memory(replace(plan, steps=steps))


@dataclass
class Asking:
    """A side whose rows stand as every orphan left them; counts how often it is asked."""

    asked: list[int]
    node: str = "a1"

    def count(self, asked: Sequence[str]) -> Mapping[str, int]:
        self.asked.append(len(asked))
        return dict.fromkeys(asked, 1)

    def find(self, shape: TableShape, image: RowImage) -> RowImage | None:
        del shape
        return image

    def close(self) -> None:
        return


def sent(world: FakeWorld) -> tuple[list[str], list[str]]:
    return world.tables[world.b.id].sent_changes, world.tables[world.a.id].sent_changes


FORWARD = [replay_change(one).sql for one in (CREATED, ADDED)]
BACK = [undo_change(one).sql for one in (ADDED, CREATED)]


def test_steps__definitions_among_rows__replayed_in_order_and_taken_back_last_first() -> None:
    book = with_changes()
    world, memory = prepared(book)
    walk(world, memory, FakeGateway(world), book)
    assert_done(world, memory)
    assert sent(world) == (FORWARD, BACK)
    assert any(record.sql.endswith(FORWARD[1]) for record in memory.statements)


def test_steps__definition_in_the_middle_of_a_batch__has_an_intent_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orphan_steps, "BATCH", 200)
    book = with_changes()
    world, memory = prepared(book)
    walk(world, memory, FakeGateway(world), book)
    assert_done(world, memory)
    spans = [(record.before["transaction"], record.before["last"]) for record in memory.statements]
    assert spans == [(0, 0), (1, 2), (3, 3), (4, 5), (5, 4), (3, 3), (2, 1), (0, 0)]


@pytest.mark.parametrize("fault", [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LATE,
                                                     Fault.DIES_BEFORE, Fault.DIES_AFTER, Fault.DIES_LATE])  # fmt: skip
def test_steps__anything_lost_or_killed__each_definition_sent_once(fault: Fault) -> None:
    book = with_changes()
    for ordinal in range(1, 17):
        world, memory = prepared(book)
        gateway = FakeGateway(world, {ordinal: fault})
        walk(world, memory, gateway, book)
        if memory.end is None:
            walk(world, memory, gateway, book)
        assert_done(world, memory)
        assert sent(world) == (FORWARD, BACK), ordinal


def test_steps__definition_that_left_no_trace_or_is_settled__passed_over() -> None:
    book = with_changes(is_void=True)
    world, memory = prepared(book, settled_changes=[3])
    walk(world, memory, FakeGateway(world), book)
    assert_done(world, memory)
    assert sent(world) == ([], [])


def test_replay__table_ends_with_other_columns__not_called_done(monkeypatch: pytest.MonkeyPatch) -> None:
    keyed = next(iter(SHAPES.values()))
    change = parse_schema_change(f"CREATE TABLE {keyed.table} (id INT)", keyed.schema)
    one = transaction(0, [], kind=TransactionKind.DDL, change=change)
    book = OrphanList("c" * 64, (one,), dict(SHAPES))
    monkeypatch.setattr(orphan_steps, "read_shapes", lambda _, __: {keyed.name: replace(keyed, columns=())})
    world, memory = prepared(book)
    walk(world, memory, FakeGateway(world), book)
    assert memory.ended.state == "needs_operator"
    assert "has other columns there" in memory.failures[-1]


@pytest.mark.parametrize("change", [replay_change(ADDED), undo_change(ADDED), undo_change(CREATED)])
def test_statements__any_of_them__sent_to_the_whole_cluster(change: SchemaStatement) -> None:
    assert "wsrep_OSU_method='TOI'" in change.settings


def test_undo__rows_of_two_definitions__each_taken_back_whole_and_the_survivor_is_not_asked_of_what_it_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = replace(KEYED, columns=tuple(c for c in KEYED.columns if c.name != "at"), version=1)
    first = replace(insert(row(7)[:6] + row(7)[7:]), version=1)
    change = parse_schema_change("ALTER TABLE keyed ADD COLUMN at DATETIME(6)", "shop")
    parts = [[first], [], [update(row(7), row(7, b"x"))]]
    orphans = [transaction(i, rows) for i, rows in enumerate(parts)]
    orphans[1] = replace(orphans[1], kind=TransactionKind.DDL, change=change)
    book = OrphanList("c" * 64, tuple(orphans), {shape.definition: shape for shape in (KEYED, before)})
    monkeypatch.setattr(orphan_steps, "read_shapes", lambda _, __: {})
    world, memory = prepared(book, not_replayed=None)
    world.tables[world.a.id].rows[KEYED.name] = [stored(row(7, b"x"))]
    monkeypatch.setattr(world.tables[world.b.id], "count", lambda _: pytest.fail("asked of a table it lacks"))
    walk(world, Memory(replace(memory.plan, steps=memory.plan.steps[1:])), FakeGateway(world), book)
    assert world.tables[world.a.id].rows[KEYED.name] == []
    assert sent(world)[1] == [undo_change(change).sql]


def test_undo__next_rows_are_asked_for_once_the_definition_before_them_is_taken_back() -> None:
    """So that what they are asked under is what stands."""
    book = with_changes()
    own, survivor = Asking([]), Asking([])
    judge = UndoJudge(book, own, survivor, {}, is_live=True)
    asked_before = {part.transaction.index: len(own.asked) for part in judge.parts(book.descending(len(book) - 1))}
    assert asked_before == {5: 1, 4: 1, 3: 2, 2: 3, 1: 3, 0: 4}
