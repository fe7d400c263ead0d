"""The safety rules of a channel that stopped on a row: which row is shown, and where it is fixed."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule

CHECK, ASSESS, WAYS = (f"channel_errors.{name}" for name in ("transaction_check", "assess", "ways_on"))


def _tests(core: Copy) -> Any:
    return core["tests.core.channel_errors.test_assess"]


def _mended_on_each_node(core: Copy) -> bool:
    """As nothing is replicated."""
    tests = _tests(core)
    replica = tests.ReplicaRows().with_rows(tests.KEYED, tests.row(1, b"b"))
    (first, *_) = tests.assessed(tests.insert(tests.row(1)), replica=replica).ways
    return {one.node for one in first.statements} == set(tests.NODES.cluster)


def _another_transaction(core: Copy) -> bool:
    tests = _tests(core)
    begin, end = (tests.FilePosition("binlog.000001", offset) for offset in (200, 300))
    one = tests.FailedTransaction(begin, end, 1, None, 0, ("shop.keyed",), 1)
    return bool(tests.why_not_the_failed_one(one, tests.DUPLICATE))


def _applied_before(core: Copy) -> bool:
    """One of two rows stands as it was left: that is no transaction which was applied."""
    tests = _tests(core)
    replica = tests.ReplicaRows().with_rows(tests.KEYED, tests.row(1))
    report = tests.assessed(tests.insert(tests.row(1)), tests.insert(tests.row(2)), replica=replica)
    return bool(report.state is tests.ErrorState.ROW_IN_THE_WAY)


def _unlogged(core: Copy) -> bool:
    tests = _tests(core)
    replica = tests.ReplicaRows().with_rows(tests.KEYED, tests.row(1, b"b"))
    (first, *_) = tests.assessed(tests.insert(tests.row(1)), replica=replica).ways
    return "wsrep_on=OFF, sql_log_bin=0" in first.statements[0].sql


def _unread_source(core: Copy) -> bool:
    tests = _tests(core)
    replica = tests.ReplicaRows().with_rows(tests.KEYED, tests.row(1, b"b"))
    unread = tests.SourceRow(unread="refused")
    return tests.codes(tests.assessed(tests.insert(tests.row(1)), replica=replica, source=unread)) == [
        "keep_source_row"
    ]


def _children_follow(core: Copy) -> bool:
    tests = _tests(core)
    shape = tests.replace(tests.KEYED, refusals=("referred to with CASCADE",))
    replica = tests.ReplicaRows().with_rows(tests.KEYED, tests.row(1, b"b"))
    failed = tests.first_failing_row([tests.insert(tests.row(1))], {shape.name: shape}, replica)
    return tests.ways_on(tests.ErrorState.ROW_IN_THE_WAY, failed, tests.SourceRow(), tests.NODES) == ()


RULES = (
    Rule(
        "a_mend_changes_no_more_than_the_row",
        ((WAYS, "if row is None or row.shape.refusals:", "if row is None:"),),
        _children_follow,
    ),
    Rule(
        "a_row_is_mended_on_each_node",
        ((WAYS, "for node in nodes.cluster for sql in", "for node in nodes.cluster[:1] for sql in"),),
        _mended_on_each_node,
    ),
    Rule(
        "a_row_is_mended_in_no_log",
        ((WAYS, '"SET SESSION wsrep_on=OFF, sql_log_bin=0, time_zone', '"SET SESSION sql_log_bin=0, time_zone'),),
        _unlogged,
    ),
    Rule(
        "the_transaction_shown_is_the_one_the_error_names",
        (
            (
                ASSESS,
                "if end is not None and not transaction.begin.offset < end <= transaction.end.offset:",
                "if False:",
            ),
        ),
        _another_transaction,
    ),
    Rule(
        "applied_before_needs_every_row",
        ((CHECK, "bool(last) and all(", "bool(last) and any("),),
        _applied_before,
    ),
    Rule(
        "what_the_source_has_is_not_written_over_unread",
        ((WAYS, "if source_row.unread or len(row.in_the_way) != 1", "if len(row.in_the_way) != 1"),),
        _unread_source,
    ),
)

PREVENTS = {
    "a_mend_changes_no_more_than_the_row": "children of the deleted row follow it on the replica and are missing there",
    "a_row_is_mended_on_each_node": "the other nodes of the cluster cannot apply the transaction, and leave it",
    "a_row_is_mended_in_no_log": "the fix travels back after the next move and takes the other side's row away",
    "the_transaction_shown_is_the_one_the_error_names": "a row that has nothing to do with the error is deleted",
    "applied_before_needs_every_row": "a transaction that is missing in part is called applied",
    "what_the_source_has_is_not_written_over_unread": "a row that may not be there any more is inserted on the source",
}
