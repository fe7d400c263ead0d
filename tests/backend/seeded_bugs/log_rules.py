"""Rules of the continuity of logs: what shows that a log is another one, and what is void then."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

WATCH = "tests.monitoring.test_log_watch"
SET_BACK = f"{WATCH}::test_site__set_back_while_the_monitor_was_down__told_in_its_first_look"

LOG_RULES = (
    OuterRule(
        "a_file_of_the_same_name_is_known_by_its_time_of_creation",
        "backend.core.facts.log_continuity",
        "if read.created_s != record.created_s:",
        "if False:",
        SET_BACK,
        "a site that was set back is protected: file, GTIDs, offset and number are the same",
    ),
    OuterRule(
        "a_monitor_that_starts_compares_with_what_was_stored_before",
        "backend.monitoring.recording.log_watch",
        "is_due = node_id not in self._compared or log_continuity.has_to_be_compared(record, facts)",
        "is_due = log_continuity.has_to_be_compared(record, facts) and node_id in self._compared",
        SET_BACK,
        "what happened while the console was down is never told",
    ),
    OuterRule(
        "a_file_that_was_purged_before_its_server_was_started_is_unknown",
        "backend.core.facts.log_continuity",
        "return is_same_history and is_same_start(record, node) and is_out_of_reach(record, node)",
        "return is_same_history and is_out_of_reach(record, node)",
        f"{WATCH}::test_log__purged_and_its_server_started_while_the_console_was_away__unknown",
        "a log that could not be compared is taken for the same one",
    ),
    OuterRule(
        "a_channel_that_was_reset_has_no_new_position",
        "backend.core.facts.log_continuity",
        "return is_elsewhere or (has_new_relay_log and now.exec_position is not None)",
        "return is_elsewhere or has_new_relay_log",
        f"{WATCH}::test_channel__reset_without_a_new_position__stays_broken",
        "RESET SLAVE, which a plan advises, lets the console forget that the sides may differ",
    ),
    OuterRule(
        "a_history_is_offered_once_the_log_of_the_source_was_compared",
        "backend.core.link_state.readiness",
        "    if any(history_in_doubt(link, one.side) for one in rebootstrapped):\n",
        "    if False:\n",
        "tests.core.plans.test_accept_state_uuid::"
        "test_link__bootstrapped_on_another_node_than_the_source__not_offered_and_no_folder_is_overwritten",
        "the page advises to accept the history of a side that was emptied",
    ),
    OuterRule(
        "samples_of_another_log_are_void",
        "backend.monitoring.recording.log_watch",
        "        void_samples([facts.node.id])\n",
        "        pass\n",
        f"{WATCH}::test_samples__of_the_log_before__void_for_every_search",
        "a position of the new log is taken for the seqno that ended there in the old one",
    ),
    OuterRule(
        "a_counter_that_fell_is_told",
        "backend.core.facts.log_continuity",
        "is_below = wsrep.last_committed < record.seqno and not is_same_start(record, node)",
        "is_below = False",
        f"{WATCH}::test_counter__fell__samples_of_the_whole_cluster_are_void",
        "numbers that were given out again are looked up as if they were the same transactions",
    ),
    OuterRule(
        "a_place_is_not_recorded_while_its_log_is_unknown",
        "backend.monitoring.recording.links",
        "    if row is not None and not _is_placed(seen, row, channel):\n        return\n",
        "",
        f"{WATCH}::test_log__cannot_be_read__known_as_before_for_a_moment_then_unknown_and_its_place_stays",
        "a place in the new log is taken for what was applied of the old one, and hides a gap",
    ),
    OuterRule(
        "a_channel_that_reads_from_another_server_is_told",
        "backend.monitoring.recording.other_sources",
        "    if other is None:\n        return False\n",
        "    return False\n",
        f"{WATCH}::test_channel__another_server_answers_at_its_address__told",
        "behind a proxy a channel reads another node's log at the former one's place, and rows are doubled",
    ),
    OuterRule(
        "what_was_left_out_behind_the_seam_refuses",
        "backend.core.locate.seam",
        "    if len(have) == len(sent) and are_same(have, sent) and is_same_first:\n",
        "    if True:\n",
        "tests.core.locate.test_seam::test_relocate__transactions_left_out__refused_not_hidden",
        "a relocate behind a gap is verified, and the gap stays for ever",
    ),
    OuterRule(
        "a_number_that_was_given_out_again_refuses",
        "backend.core.locate.seam",
        "    if written_s > seen_s + CLOCK_SLACK_S:\n",
        "    if False:\n",
        "tests.core.locate.test_seam::test_relocate__number_given_out_again_after_it_was_seen__refused",
        "a relocate onto a side that was set back is verified, and both sides hold other rows",
    ),
    OuterRule(
        "a_switchover_through_another_log_is_refused",
        "backend.core.facts.log_continuity",
        "_severity(recorded.log_break))\n    source = link",
        "_severity(recorded.log_break)) and None\n    source = link",
        "tests.core.locate.test_seam::test_switchover__through_a_channel_of_another_log__refused",
        "a side that lacks transactions is made the active one",
    ),
    OuterRule(
        "a_history_that_does_not_continue_is_not_accepted",
        "backend.core.checks.log_continuity",
        "            yield finding\n        elif not is_another_history(side):",
        "            pass\n        elif not is_another_history(side):",
        "tests.core.plans.test_accept_state_uuid::test_plan__side_emptied__refused_though_a_place_is_found",
        "an emptied side is accepted as the source, and the last copy of the data is overwritten",
    ),
)
