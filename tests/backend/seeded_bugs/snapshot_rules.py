"""Rules of what a comparison of tables reads, and of what it may have missed meanwhile."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

MODULE, TESTED = "backend.gateway.table_snapshots", "tests.gateway.test_table_snapshots"

SNAPSHOT_RULES = (
    OuterRule(
        "a_snapshot_begins_behind_what_its_cluster_committed",
        MODULE,
        "        self._session.run_causal_read(timeout_s=APPLIED_S)\n",
        "",
        f"{TESTED}::test_snapshots__begun__each_behind_a_causal_read_of_its_own",
        "a row that a node has yet to apply is called missing on it",
    ),
    OuterRule(
        "the_end_of_a_log_is_told_by_a_node_that_has_applied_all",
        MODULE,
        "    reader.query(CAUSAL_READ, timeout_s=APPLIED_S)\n",
        "",
        f"{TESTED}::test_ends_of_logs__read_behind_all_snapshots_and_a_causal_read",
        "a transaction that one snapshot has stands behind the end that was read, and its table counts as untouched",
    ),
    OuterRule(
        "the_end_of_a_log_is_read_behind_the_snapshots",
        MODULE,
        "    side_by_side(SnapshotReader.begin, readers)\n"
        "    ends = side_by_side(partial(_end_of_log, gateway, link), windows)\n",
        "    ends = side_by_side(partial(_end_of_log, gateway, link), windows)\n"
        "    side_by_side(SnapshotReader.begin, readers)\n",
        f"{TESTED}::test_transaction__committed_as_the_snapshots_begin__its_table_is_touched",
        "a transaction that only one snapshot has counts as a difference",
    ),
    OuterRule(
        "a_place_with_another_domain_behind_it_proves_nothing",
        MODULE,
        "    is_known = is_in_order and len(known) == len(touched)\n",
        "    is_known = len(known) == len(touched)\n",
        f"{TESTED}::test_other_domain__received_and_not_applied__anything_may_have_been_touched",
        "a transaction of another GTID domain that waits for its applier counts as a difference",
    ),
    OuterRule(
        "a_node_under_change_is_not_asked_for_its_channels",
        MODULE,
        "        return False  # it is not asked for its channels\n",
        "        pass\n",
        f"{TESTED}::test_channels__changed_by_a_run__anything_may_have_been_touched",
        "a server with MDEV-40298 stops answering while a run changes its channel",
    ),
    OuterRule(
        "a_lost_snapshot_is_not_read_on",
        MODULE,
        "        if self._session.connection_id != self._connection_id:\n",
        "        if False:\n",
        f"{TESTED}::test_snapshot__connection_lost_and_made_anew__refused",
        "rows of two moments are compared with each other",
    ),
)
