"""Rules of the account of a stream: what shows a transaction that does not stand on both sides, and what it stops."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

CORE, RECORDING = "backend.core.stream_account", "backend.monitoring.recording.stream_accounts"
PURE, STORED = "tests.core.test_stream_account", "tests.monitoring.test_stream_accounts"

STREAM_RULES = (
    OuterRule(
        "what_both_directions_carry_is_told",
        "backend.core.facts.stream_accounts",
        "    if ids:\n",
        "    if False:\n",
        "tests.core.facts.test_going_round::test_one_id_in_both_directions__degraded_told_and_no_switchover",
        "a row without a key is doubled hundreds of times a second, and the link is protected",
    ),
    OuterRule(
        "what_a_channel_passed_has_to_be_in_its_replicas_log",
        CORE,
        "    needed = (group for group in passed if span.optional_until < group.position)\n",
        "    needed = iter(())\n",
        f"{PURE}::test_account__skipped_by_hand__missing_with_its_place",
        "a skipped transaction is on one side alone, and the link is protected",
    ),
    OuterRule(
        "what_a_channel_passed_has_the_same_tables_in_its_replicas_log",
        CORE,
        "        if sent.tables - logged.tables:\n",
        "        if not logged.tables and sent.tables:\n",
        f"{PURE}::test_account__in_the_log_without_one_of_its_tables__missing_in_part",
        "rows of one table that a filter left out are on one side alone, and the link is protected",
    ),
    OuterRule(
        "a_transaction_is_missing_once_the_log_was_read_behind_its_passing",
        CORE,
        "_missing(span, before, now_s)",
        "_missing(span, passed, now_s)",
        f"{PURE}::test_account__the_log_was_read_just_before_the_place__nothing_is_missing",
        "every transaction that is applied during a poll is an alarm",
    ),
    OuterRule(
        "what_the_source_did_not_send_is_named",
        CORE,
        "    found = [group for group in late if group.gtid not in ahead]\n",
        "    found = []\n",
        f"{PURE}::test_account__written_there_under_a_server_id_of_the_source__extra",
        "rows that were replayed under an id of the other side stay on one side",
    ),
    OuterRule(
        "a_move_to_another_source_goes_on_with_the_account",
        CORE,
        "        if on_source is None or on_replica is None:\n",
        "        if on_source is None or on_replica is None or is_other_source:\n",
        f"{PURE}::test_account__moved_by_hand_behind_what_was_not_applied__missing",
        "a channel that is pointed by hand to another node of the site hides a gap",
    ),
    OuterRule(
        "a_move_to_another_replica_is_compared_by_order",
        CORE,
        "is_bridge = span.is_bridge or on_replica is not span.replica",
        "is_bridge = span.is_bridge",
        f"{PURE}::test_account__moved_to_another_replica_that_numbers_differently__goes_on_in_its_log",
        "what was applied around a move is an alarm where nodes number differently",
    ),
    OuterRule(
        "half_a_statement_is_not_the_whole_one",
        CORE,
        "        if group.is_half:\n            return\n",
        "",
        f"{PURE}::test_account__source_lost_within_an_alter_of_two_halves__the_neighbours_whole_one_is_awaited",
        "an ALTER that the new source sends whole is an alarm",
    ),
    OuterRule(
        "a_failover_states_what_the_standby_lacks_besides",
        "backend.core.link_state.site_readiness",
        "    if not lacked or found.estimate_s is None:\n",
        "    if True:\n",
        f"{STORED}::test_account__a_transaction_left_out__degraded_told_once_and_kept_by_the_next_monitor",
        "the page says no known data loss beside a standby that lacks transactions",
    ),
    OuterRule(
        "logs_that_may_be_others_are_not_compared",
        RECORDING,
        "        if not is_of_one_log or row.log_break",
        "        if row.log_break",
        f"{STORED}::test_account__logs_that_cannot_be_compared__nothing_is_named",
        "a log that was replaced is an alarm for each of its transactions",
    ),
    OuterRule(
        "what_a_failover_left_behind_is_told_as_its_loss",
        RECORDING,
        "            if seen.divergence is not None:\n",
        "            if False:\n",
        f"{STORED}::test_account__side_lost_in_a_failover__what_it_had_alone_is_named_as_lost_and_not_here",
        "what a reprotect replayed or undid is named once more, and no switchover is possible",
    ),
    OuterRule(
        "a_log_counts_as_read_once_this_poll_has_read_it",
        RECORDING,
        " and tail.read_at_s == facts.observed_at_s",
        "",
        f"{STORED}::test_account__facts_of_a_slow_poll_before_its_log_was_read__nothing_is_named",
        "what is applied during a slow poll is an alarm (seen on 11.8: a second's worth of transactions)",
    ),
    OuterRule(
        "a_poll_is_taken_once",
        RECORDING,
        "self._read.get(key) == read",
        "False",
        f"{STORED}::test_account__the_same_poll_seen_twice__proves_nothing_of_the_place_behind_it",
        "a transaction is missing although the log was read before it came",
    ),
    OuterRule(
        "a_link_with_a_transaction_on_one_side_is_not_protected",
        "backend.core.link_state.derive",
        "        and stream_trouble(link) is None\n",
        "",
        f"{STORED}::test_account__a_transaction_left_out__degraded_told_once_and_kept_by_the_next_monitor",
        "the page says protected beside rows that are lost",
    ),
    OuterRule(
        "only_what_is_named_is_settled",
        "backend.monitoring.unaccounted",
        "    if row is None or strange:\n",
        "    if row is None:\n",
        "tests.api.test_unaccounted::"
        "test_settle__what_is_not_in_the_list_or_without_a_reason__refused_and_nothing_is_settled",
        "a settlement of another transaction than the one that was looked at is recorded",
    ),
)
