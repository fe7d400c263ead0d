"""What is told of a channel's error, and the ways on: their statements make the transaction pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from backend.core.channel_errors.assess import assess, begin_report, mend_nodes, why_not_the_failed_one
from backend.core.channel_errors.error_text import RowErrorText, parse_row_error
from backend.core.channel_errors.model import (
    ChannelErrorReport,
    ErrorState,
    FailedTransaction,
    NodeStatement,
    SourceRow,
)
from backend.core.channel_errors.transaction_check import first_failing_row
from backend.core.channel_errors.ways_on import UNLOGGED, MendNodes, ways_on
from backend.core.link_facts import LinkFacts
from backend.core.orphans.model import RowChange
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.topology import Direction
from tests.core.builders.link_facts import down, link, with_channel
from tests.core.builders.orphan_worlds import KEYED, KEYLESS, delete, insert, row, stored, transaction, update
from tests.core.channel_errors.replica_rows import DEFINITIONS, NAMED, ReplicaRows
from tests.fakes.rows import FakeTables

NODES = MendNodes("a1", "b1", ("b1", "b2"))
DUPLICATE = (
    "Could not execute Write_rows_v1 event on table shop.keyed; Duplicate entry '1' for key 'PRIMARY', Error_code: "
    "1062; handler error HA_ERR_FOUND_DUPP_KEY; the event's master log binlog.000001, end_log_pos 150"
)
STOPPED = {"sql_running": "No", "sql_errno": 1062, "sql_error": DUPLICATE}


def stopped(**changes: object) -> LinkFacts:
    """The forward channel, on b1, stopped on a row."""
    return with_channel(link(), "b1", **(STOPPED | changes))


def assessed(*rows: RowChange, replica: ReplicaRows, source: SourceRow | None = None) -> ChannelErrorReport:
    """A transaction of these rows, tried against the replica's."""
    begun = ChannelErrorReport(Direction.FORWARD, ErrorState.UNKNOWN, "")
    return assess(
        begun, transaction(0, list(rows)), DEFINITIONS, replica, lambda _: source or SourceRow(row(1, b"now")), NODES
    )


def codes(report: ChannelErrorReport) -> list[str]:
    return [way.code for way in report.ways]


def test_parse__a_servers_text__its_parts() -> None:
    assert parse_row_error(DUPLICATE) == RowErrorText("shop.keyed", "PRIMARY", 150)
    assert parse_row_error("anything else") == RowErrorText(None, None, None)
    assert parse_row_error("the event's master log FIRST, end_log_pos 0").end_offset is None


def test_begin__running__nothing_to_tell() -> None:
    report, channel = begin_report(link(), Direction.FORWARD)
    assert (report.state, channel) == (ErrorState.NONE, None)


def test_begin__stopped_on_a_row__to_be_read() -> None:
    report, channel = begin_report(stopped(), Direction.FORWARD)
    assert channel is not None
    assert (report.errno, report.replica, report.source) == (1062, "b1", "a1")


@pytest.mark.parametrize(
    ("facts", "state", "says"),
    [
        (stopped(sql_errno=1146), ErrorState.OTHER_ERROR, "Error 1146"),
        (stopped(sql_errno=1205), ErrorState.NONE, "did not stop on a transaction"),
        (down(stopped(), "a1"), ErrorState.UNKNOWN, "a1, whose binary log has the transaction, is not responding"),
        (down(stopped(), "b1"), ErrorState.UNKNOWN, "The state of the channel is unknown"),
        (down(replace(stopped(), recorded=()), "b1"), ErrorState.NONE, "No forward channel of this link is known"),
    ],
    ids=["other", "passing", "source-down", "replica-down", "never-seen"],
)
def test_begin__not_to_be_read__says_why(facts: LinkFacts, state: ErrorState, says: str) -> None:
    report, channel = begin_report(facts, Direction.FORWARD)
    assert (report.state, channel) == (state, None)
    assert says in report.detail


def test_mend_nodes__every_node_of_the_side_that_receives() -> None:
    facts = stopped()
    _, channel = begin_report(facts, Direction.FORWARD)
    assert channel is not None
    assert mend_nodes(facts, channel) == MendNodes("a1", "b1", ("b1", "b2", "b3"))


@pytest.mark.parametrize(
    ("tables", "end", "says"),
    [
        (("shop.keyed",), 150, ""),
        (("shop.other",), 150, "names shop.keyed, which the transaction at"),
        (("shop.keyed",), 149, "ends at 150"),
    ],
)
def test_failed_transaction__error_speaks_of_another__not_taken(tables: tuple[str, ...], end: int, says: str) -> None:
    one = FailedTransaction(
        FilePosition("binlog.000001", 100), FilePosition("binlog.000001", end), 1, None, 0, tables, 1
    )
    why = why_not_the_failed_one(one, DUPLICATE)
    assert (why == "") is (says == "")
    assert says in why


def test_row_in_the_way__both_ways__and_what_the_source_has_now() -> None:
    report = assessed(insert(row(1, b"a")), replica=ReplicaRows().with_rows(KEYED, row(1, b"b")))
    assert (report.state, codes(report)) == (ErrorState.ROW_IN_THE_WAY, ["keep_source_row", "keep_replica_row"])
    assert report.source_row.image == row(1, b"now")


def test_row_in_the_way__source_row_not_read__not_written_over() -> None:
    report = assessed(
        insert(row(1, b"a")),
        replica=ReplicaRows().with_rows(KEYED, row(1, b"b")),
        source=SourceRow(unread="a1: refused"),
    )
    assert codes(report) == ["keep_source_row"]


def test_row_in_the_way_by_another_key__is_no_version_of_the_row() -> None:
    report = assessed(insert(row(1, b"a"), NAMED), replica=ReplicaRows().with_rows(NAMED, row(7, b"a")))
    assert codes(report) == ["keep_source_row"]
    assert "unique key (name)" in report.detail


def changes(statements: Sequence[NodeStatement]) -> list[NodeStatement]:
    """Those of b2 that change rows."""
    return [one for one in statements if one.node == "b2" and one.sql != UNLOGGED]


def test_two_rows_in_the_way__both_taken_away() -> None:
    report = assessed(insert(row(1, b"a"), NAMED), replica=ReplicaRows().with_rows(NAMED, row(1, b"b"), row(7, b"a")))
    (way,) = report.ways
    tables = FakeTables({NAMED.name: [stored(row(1, b"b")), stored(row(7, b"a"))]})
    assert [tables.change("b2", 0, one.sql) for one in changes(way.statements)] == [1, 1]
    assert [tables.change("b2", 0, one.sql) for one in changes(way.put_back)] == [1, 1]
    assert tables.rows[NAMED.name] == [stored(row(1, b"b")), stored(row(7, b"a"))]
    assert "unique key (id; name)" in report.detail


def test_replica_row_retained__the_source_gets_its_values() -> None:
    report = assessed(insert(row(1, b"a")), replica=ReplicaRows().with_rows(KEYED, row(1, b"b")))
    statements = next(way for way in report.ways if way.code == "keep_replica_row").statements
    tables = FakeTables({KEYED.name: [stored(row(1, b"now"))]})
    assert [one.node for one in statements[-2:]] == ["a1", "a1"]
    assert tables.change("a1", 0, statements[-1].sql) == 1
    assert tables.rows[KEYED.name] == [stored(row(1, b"b"))]


def test_children_follow_by_cascade__no_statement_that_takes_them_along() -> None:
    shape = replace(KEYED, refusals=("shop.keyed is referred to by shop.child with CASCADE",))
    replica = ReplicaRows().with_rows(KEYED, row(1, b"b"))
    failed = first_failing_row([insert(row(1, b"a"))], {KEYED.name: shape}, replica)
    assert failed is not None
    assert ways_on(ErrorState.ROW_IN_THE_WAY, failed, SourceRow(), NODES) == ()
    begun = ChannelErrorReport(Direction.FORWARD, ErrorState.UNKNOWN, "")
    orphan = transaction(0, [insert(row(1, b"a"))])
    report = assess(begun, orphan, {KEYED.name: shape}, replica, lambda _: SourceRow(), NODES)
    assert "would change more than this row: shop.keyed is referred to by shop.child" in report.detail


def test_each_mend__says_to_look_for_triggers() -> None:
    in_the_way = assessed(insert(row(1, b"a")), replica=ReplicaRows().with_rows(KEYED, row(1, b"b")))
    missing = assessed(update(row(1), row(1, b"x")), replica=ReplicaRows())
    assert all("no triggers" in way.sentence for way in (*in_the_way.ways, *missing.ways))


def test_row_missing__put_back() -> None:
    report = assessed(update(row(1), row(1, b"x")), replica=ReplicaRows())
    assert (report.state, codes(report)) == (ErrorState.ROW_MISSING, ["put_row_back"])


def test_applied_before__relocate_first() -> None:
    report = assessed(insert(row(1)), insert(row(2)), replica=ReplicaRows().with_rows(KEYED, row(1), row(2)))
    assert (report.state, codes(report)) == (ErrorState.ALREADY_APPLIED, ["relocate", "keep_source_row"])


def test_nothing_in_the_way_any_more__start() -> None:
    report = assessed(insert(row(1)), replica=ReplicaRows())
    assert (report.state, codes(report)) == (ErrorState.PASSES_NOW, ["start"])


def test_rows_not_readable__raised() -> None:
    with pytest.raises(NodeError):
        assessed(insert(row(1)), replica=ReplicaRows(fails=NodeError("b1", "denied", code=1142)))


@pytest.mark.parametrize("change", [insert(row(1, b"a")), update(row(2), row(1, b"a"))], ids=["insert", "update"])
def test_each_mend__on_every_node_of_the_cluster__neither_logged_nor_replicated(
    change: RowChange,
) -> None:
    replica = ReplicaRows().with_rows(KEYED, row(1, b"b"), row(2))
    for way in assessed(change, replica=replica).ways:
        unlogged = [one for one in way.statements if one.node != NODES.source]
        by_node = {node: [one.sql for one in unlogged if one.node == node] for node in NODES.cluster}
        assert by_node["b1"] == by_node["b2"]
        assert by_node["b1"][0] == UNLOGGED
        assert sum(map(len, by_node.values())) == len(unlogged)


_IMAGES = st.tuples(st.integers(1, 4), st.sampled_from([b"a", b"b", b"c"])).map(lambda one: row(*one))
_SHAPES = st.sampled_from([KEYED, KEYLESS, NAMED])


@given(_SHAPES, st.lists(_IMAGES, max_size=5), _IMAGES, _IMAGES, st.integers(0, 2))
def test_the_first_mend__carried_out__the_row_no_longer_fails(
    shape: object, there: Sequence[tuple[object, ...]], one: object, other: object, what: int
) -> None:
    change = [insert(one, shape), update(one, other, shape), delete(one, shape)][what]  # type: ignore[arg-type]
    replica = ReplicaRows()
    for image in there:
        replica.apply([insert(image, shape)])  # type: ignore[arg-type]
    failed = first_failing_row([change], DEFINITIONS, replica)
    assume(failed is not None)
    assert failed is not None
    state = ErrorState.ROW_IN_THE_WAY if failed.blockers else ErrorState.ROW_MISSING
    way = ways_on(state, failed, SourceRow(), NODES)[0]
    tables = FakeTables({name: [stored(row) for row in found] for name, found in replica.rows.items()})
    for statement in changes(way.statements):
        assert tables.change("b2", 0, statement.sql) == 1
    for image in failed.in_the_way:
        replica.rows[change.name].remove(image)
    if not failed.blockers and change.before is not None and replica.apply([insert(change.before, failed.shape)]):
        return  # the row put back has a value that another row has taken: the server refuses the fix
    current = first_failing_row([change], DEFINITIONS, replica)
    assert current is None or (current.blockers and not failed.blockers)
