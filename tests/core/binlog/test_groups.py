"""Groups: put together from events, equal in content on every node, nothing unknown skipped."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.binlog.content import is_same
from backend.core.binlog.events import Cursor, LogEvent
from backend.core.binlog.groups import Group, UnknownEventError, foreign_to, groups_from, read_groups
from backend.core.positions import FilePosition, MariadbGtid
from tests.core.builders.examples import examples
from tests.fakes.log import FakeLog
from tests.fakes.transactions import Dress, Txn

KINDS = st.sampled_from(["dml", "ddl", "other"])
TXNS = st.builds(
    Txn,
    uid=st.integers(1, 9999),
    server_id=st.sampled_from([11, 12, 21]),
    statement=st.sampled_from(["INSERT INTO t VALUES (1)", "UPDATE t SET a=1", "DELETE FROM t"]),
    kind=KINDS,
    table=st.sampled_from(["shop.orders", "shop.items"]),
    row_events=st.integers(1, 4),
    row_bytes=st.integers(30, 60),
)


def groups_of(log: FakeLog) -> list[Group]:
    """All groups of all retained files."""
    return list(read_groups(Cursor(log).events_from(log.start)))


def shape(txn: Txn) -> tuple[object, ...]:
    """What makes two transactions the same to a reader of binlogs."""
    if txn.kind == "ddl":
        return txn.server_id, txn.kind, txn.statement
    return txn.server_id, "rows", txn.statement, txn.table, txn.row_events, txn.row_bytes


@examples(100)
@given(st.lists(TXNS, max_size=25), st.sets(st.integers(0, 24)))
def test_read_groups__any_log__every_group_at_its_place(txns: list[Txn], rotations: set[int]) -> None:
    log = FakeLog()
    for n, txn in enumerate(txns):
        log.append(txn, 100 + n)
        if n in rotations:
            log.rotate()
    found = groups_of(log)
    assert [(g.begin_position, g.end_position, g.xid, g.gtid) for g in found] == [
        (p.start, p.end, p.xid, p.gtid) for p in log.placed
    ]
    assert [g.server_id for g in found] == [t.server_id for t in txns]
    assert [g.kind for g in found] == [t.kind for t in txns]


@examples(100)
@given(st.lists(TXNS, min_size=1, max_size=12))
def test_content__same_transactions_on_two_nodes__equal_and_nothing_else_is(txns: list[Txn]) -> None:
    one, other = FakeLog(dress=Dress(42, 92, 18)), FakeLog(number=91, dress=Dress(44, 108, 333))
    for n, txn in enumerate(txns):
        one.append(txn, 100 + n, MariadbGtid(0, 11, n + 1))
        other.append(txn, 7000 + n, MariadbGtid(0, 11, n + 900))
    left, there = groups_of(one), groups_of(other)
    assert [g.content for g in left] == [g.content for g in there]
    for i, mine in enumerate(txns):
        for j, theirs in enumerate(txns):
            assert (left[i].content == there[j].content) == (shape(mine) == shape(theirs))


def test_read_groups__incomplete_at_the_end__not_yielded() -> None:
    log = FakeLog()
    log.append(Txn(1, 11, "x"), 101)
    log.append(Txn(2, 11, "y"), 102)
    rows = [e for f in log.retained for e in f.events]
    assert len(list(read_groups(rows[:-1]))) == 1


@pytest.mark.parametrize("kind", ["XA_prepare", "Load_file", "Incident", "Partial_row", "Unknown", "xid"])
def test_read_groups__unknown_event__named_not_skipped(kind: str) -> None:
    log = FakeLog()
    log.append(Txn(1, 11, "x"), 101)
    log.put_event(kind)
    with pytest.raises(UnknownEventError, match=kind):
        groups_of(log)


@pytest.mark.parametrize("info", ["XA START X'61',X'',1 GTID 0-11-2", "nonsense", ""])
def test_read_groups__gtid_of_another_form__named(info: str) -> None:
    log = FakeLog()
    log.put_event("Gtid", info)
    with pytest.raises(UnknownEventError):
        groups_of(log)


def test_read_groups__row_event_outside_a_group__named_in_a_binlog_and_skipped_in_a_relay_log() -> None:
    log = FakeLog()
    log.put_event("Write_rows_v1", "table_id: 1")
    log.append(Txn(1, 11, "x"), 101)
    events = [e for f in log.retained for e in f.events]
    with pytest.raises(UnknownEventError):
        list(read_groups(events))
    assert len(list(read_groups(events, is_relay=True))) == 1


def test_group__offsets_past_4_gib__unwrapped() -> None:
    start = 2**32 - 50
    events = [
        LogEvent("mariadb-bin.000001", start, "Gtid", 11, start + 42, "BEGIN GTID 0-11-1"),
        LogEvent("mariadb-bin.000001", start + 42, "Xid", 11, (start + 73) % 2**32, "COMMIT /* xid=9 */"),
    ]
    (group,) = read_groups(events)
    assert group.end_position == FilePosition("mariadb-bin.000001", start + 73)


def test_group__for_people__tables_verbs_and_ddl_named() -> None:
    log = FakeLog()
    log.append(Txn(1, 11, "INSERT INTO orders VALUES (1)"), 101)
    log.append(Txn(2, 11, "ALTER TABLE orders ADD c INT", "ddl"), None)
    dml, ddl = groups_of(log)
    assert dml.summary == "insert orders"
    assert dml.tables == ("shop.orders",)
    assert ddl.summary == "DDL ALTER TABLE orders ADD c INT"
    assert dml.to_json()["seqno"] == 101
    assert ddl.to_json()["seqno"] is None


def test_group__many_held_at_once__without_their_events() -> None:
    """A replica minutes behind makes a search hold hundreds of thousands of them."""
    log = FakeLog()
    for n in range(300):
        log.append(Txn(n, 11, f"INSERT {n} {'x' * 20_000}", row_events=40), 100 + n)
    tracemalloc.start()
    try:
        found = groups_of(log)
        held_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert all(group.event_count > 40 for group in found)
    assert held_bytes / len(found) < 3_000


def test_group__taken_back_where_rows_stay__its_rollback_is_told() -> None:
    rows = [
        LogEvent("b.1", 100, "Gtid", 11, 142, "BEGIN GTID 0-11-5"),
        LogEvent("b.1", 142, "Table_map", 11, 180, "table_id: 3 (bank.notes)"),
        LogEvent("b.1", 180, "Write_rows_v1", 11, 220, "table_id: 3 flags: STMT_END_F"),
        LogEvent("b.1", 220, "Query", 11, 260, "ROLLBACK"),
    ]
    (group,) = read_groups(rows)
    assert group.kind == "other"
    assert group.texts == ("ROLLBACK",)
    assert group.statement is None


def test_foreign_to__own_ids__left_out() -> None:
    log = FakeLog()
    for server_id in (11, 21, 12, 22):
        log.append(Txn(server_id, server_id, "x"), server_id)
    assert [g.server_id for g in filter(foreign_to((21, 22, 23)), groups_of(log))] == [11, 12]


@examples(100)
@given(st.lists(TXNS, min_size=1, max_size=25))
def test_read_groups__of_one_stream__others_at_their_places_and_equal_to_none(txns: list[Txn]) -> None:
    """A summary that was not made must not be taken for one."""
    log = FakeLog()
    for n, txn in enumerate(txns):
        log.append(txn, 100 + n)
    in_stream = foreign_to((11, 12))
    whole, found = groups_of(log), list(groups_from(Cursor(log), log.start, in_stream=in_stream))
    assert [group for group in found if in_stream(group)] == [group for group in whole if in_stream(group)]
    unread = [group for group in found if not in_stream(group)]
    assert [(g.begin_position, g.end_position, g.xid, g.gtid, g.kind) for g in unread] == [
        (g.begin_position, g.end_position, g.xid, g.gtid, g.kind) for g in whole if not in_stream(g)
    ]
    contents = [group.content for group in (*whole, *found)]
    assert all(sum(is_same(group.content, content) for content in contents) == 1 for group in unread)
