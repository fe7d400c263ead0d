"""A comparison goes on where it was, ends with what it found, and one table that fails keeps no other from it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.core.orphans.model import TableShape
from backend.core.ports import NodeError
from backend.core.table_comparison.definitions import Definition, ListedTable
from backend.monitoring.models import UnsafePeriod
from backend.transactions.table_comparison import execution
from backend.transactions.table_comparison.execution import Slice, summary
from backend.transactions.table_comparison.models import (
    ComparedTable,
    RowDifference,
    State,
    TableComparison,
    TableState,
)
from tests.support.table_snapshots import KEYLESS, SHAPE, FakeSnapshots, node, put

ROWS = [(number, 10 * number) for number in range(1, 501)]
SHAPES = {"orders": SHAPE, "notes": KEYLESS}


class Reader:
    """A session that is never used: what it would be asked is replaced."""

    def query(self, _sql: str) -> list[Any]:
        """Nothing."""
        return []

    def close(self) -> None:
        """Nothing to end."""


class Access:
    """A node's registration."""

    def __init__(self, node_id: str) -> None:
        self.ref = type("Ref", (), {"id": node_id, "name": node_id})


class Gateway:
    """Of two nodes."""

    def access(self, node_id: str) -> Access:
        """The node's."""
        return Access(node_id)

    def reader(self, _node_id: str) -> Reader:
        """A session."""
        return Reader()

    def close(self) -> None:
        """Nothing to end."""


@pytest.fixture
def snapshots(monkeypatch: pytest.MonkeyPatch) -> FakeSnapshots:
    """Two nodes with equal rows; no rest between chunks, and of every chunk 100 rows."""
    servers = {"milan": node(), "frankfurt": node()}
    for server in servers.values():
        put(server, "orders", ROWS)
        put(server, "notes", [(1, 1)])
    found = FakeSnapshots(servers)
    listed = {f"shop.{name}": ListedTable("shop", name, "InnoDB", 5) for name in SHAPES}
    monkeypatch.setattr(execution, "open_snapshots", lambda *_: found)
    monkeypatch.setattr(execution, "SnapshotReader", lambda *_, **__: Reader())
    monkeypatch.setattr(execution, "tables_of", lambda _: listed)
    monkeypatch.setattr(
        execution, "definition", lambda _reader, _schema, table: Definition(SHAPES[table], "InnoDB", {})
    )
    monkeypatch.setattr(execution, "FIRST", 100)
    monkeypatch.setattr(execution, "MOST", 100)
    monkeypatch.setattr(execution.time, "sleep", lambda _: None)
    return found


@pytest.fixture
def comparison(link: Link, snapshots: FakeSnapshots) -> TableComparison:
    """One that begins."""
    return TableComparison.objects.create(
        link=link,
        unfinished_link=link,
        actor="olaf",
        node_ids=list(snapshots.servers),
        rows_per_s=1_000_000,
        busy_percent=90,
        started_at=timezone.now(),
    )


def go_on(comparison: TableComparison, goes_on: Callable[[], bool] = lambda: True) -> None:
    """One slice."""
    one = Slice(comparison, Gateway(), float("inf"))  # type: ignore[arg-type]
    one._goes_on = goes_on  # type: ignore[method-assign]
    one.run()


def table(name: str) -> ComparedTable:
    """As it is stored."""
    return ComparedTable.objects.get(name=name)


def test_slice__equal_tables__finished_with_its_sums(comparison: TableComparison) -> None:
    go_on(comparison)
    comparison.refresh_from_db()
    assert (comparison.state, comparison.unfinished_link) == (State.FINISHED, None)
    assert comparison.sentence == "2 tables and 501 rows compared, 2 equal."
    assert {row.name: (row.state, row.rows) for row in comparison.tables.all()} == {
        "shop.orders": (TableState.EQUAL, 500),
        "shop.notes": (TableState.EQUAL, 1),
    }
    event = Event.objects.get(data__kind="tables.compared")
    assert (event.data["severity"], event.data["message"]) == ("ok", comparison.sentence)


def test_slice__no_table_is_seen__is_not_told_as_equal(comparison: TableComparison) -> None:
    TableComparison.objects.update(is_listed=True)
    comparison.refresh_from_db()
    go_on(comparison)
    event = Event.objects.get(data__kind="tables.compared")
    assert event.data["severity"] == "warning"
    assert event.data["message"].startswith("No table was compared: ")


def test_go_on__each_time__the_time_of_its_work_is_added(
    comparison: TableComparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "gateway_for_link", lambda _: Gateway())
    clock = itertools.count(100.0)
    monkeypatch.setattr(execution.time, "monotonic", lambda: next(clock))
    TableComparison.objects.update(worked_ms=1_000)
    assert execution.go_on(comparison)
    taken = next(clock)
    comparison.refresh_from_db()
    assert comparison.worked_ms == 1_000 + 1000 * (taken - 101)


def test_slice__cut_off_after_each_chunk__every_row_is_compared_once(
    comparison: TableComparison, snapshots: FakeSnapshots
) -> None:
    put(snapshots.servers["frankfurt"], "orders", [(250, -1)])
    for _ in range(30):
        looks = iter((True, True, False))
        go_on(comparison, lambda looks=looks: next(looks, False))  # type: ignore[misc]
    comparison.refresh_from_db()
    assert comparison.state == State.FINISHED
    assert (table("shop.orders").rows, table("shop.orders").different) == (500, 1)
    [found] = RowDifference.objects.all()
    assert (found.node, found.apart, found.key) == ("frankfurt", "different", [250])
    assert (found.reference, found.held, found.is_confirmed) == ([250, 2500], [250, -1], True)


def test_slice__rows_differ__told_once_for_the_table(comparison: TableComparison, snapshots: FakeSnapshots) -> None:
    put(snapshots.servers["frankfurt"], "orders", [(3, -1), (900, 1)])
    go_on(comparison)
    comparison.refresh_from_db()
    event = Event.objects.get(data__kind="tables.differ")
    assert (event.data["severity"], event.data["message"]) == ("blocker", "2 rows of shop.orders differ on frankfurt.")
    assert table("shop.orders").state == TableState.DIFFERENT
    period = UnsafePeriod.objects.get()
    assert (period.node_id, period.variable, period.value) == ("frankfurt", "compared", "None: shop.orders")
    assert comparison.sentence == "2 tables and 501 rows compared, 1 equal, 1 different."
    assert Event.objects.get(data__kind="tables.compared").data["severity"] == "warning"


def test_slice__a_node_does_not_answer__nothing_is_lost(
    comparison: TableComparison, snapshots: FakeSnapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise NodeError("frankfurt", "connection lost", code=2013)

    with monkeypatch.context() as broken:
        broken.setattr(execution, "open_snapshots", fails)
        with pytest.raises(NodeError):
            go_on(comparison)
    assert table("shop.orders").state == TableState.COMPARING
    go_on(comparison)
    comparison.refresh_from_db()
    assert comparison.state == State.FINISHED


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (NodeError("frankfurt", "error 1142: denied", code=1142), "Grant the operator account SELECT"),
        (ValueError("odd value"), "The console could not compare it: odd value."),
    ],
)
def test_slice__one_table_cannot_be_read__the_other_is_compared(
    comparison: TableComparison, monkeypatch: pytest.MonkeyPatch, error: Exception, sentence: str
) -> None:
    real = execution.step

    def step(shape: TableShape, *rest: Any) -> Any:
        if shape is not None and shape.table == "orders":
            raise error
        return real(shape, *rest)

    monkeypatch.setattr(execution, "step", step)
    go_on(comparison)
    assert table("shop.orders").state == TableState.NOT_COMPARED
    assert sentence in table("shop.orders").sentence
    assert table("shop.notes").state == TableState.EQUAL
    assert "1 not, or not whole, compared" in summary(comparison)


def test_slice__the_definition_changed__the_table_is_begun_anew(
    comparison: TableComparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = iter([NodeError("milan", "error 1412: changed", code=1412)])
    real = execution.step

    def step(*asked: Any) -> Any:
        error = next(errors, None)
        if error is not None:
            raise error
        return real(*asked)

    monkeypatch.setattr(execution, "step", step)
    go_on(comparison)
    assert (table("shop.orders").state, table("shop.orders").rows) == (TableState.EQUAL, 500)


def test_slice__only_some_tables__the_others_are_not_listed(comparison: TableComparison) -> None:
    comparison.only = ["shop.notes"]
    comparison.save()
    go_on(comparison)
    assert [row.name for row in comparison.tables.all()] == ["shop.notes"]
