"""Rules of the monitor: what it records, and what it says of what it did not see."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

ON_LEFT = "tests.monitoring.test_stray_channels"

MONITOR_RULES = (
    OuterRule(
        "the_monitor_does_not_read_a_huge_group",
        "backend.gateway.polling.binlog_tail",
        "return sizes.get(known.file.encode(), 0) - known.offset > TOO_FAR_BYTES",
        "return False",
        "tests.monitoring.test_binlog_tail::test_tail__a_closed_file_goes_far__not_read_through",
        "behind a transaction of gigabytes the monitor blocks every commit of the node, again and again",
    ),
    OuterRule(
        "a_loss_is_counted_at_the_place_where_the_channel_stopped",
        "backend.monitoring.loss",
        'if len(forward) != 1 or forward[0].get("executed") != str(executed):',
        "if len(forward) != 1:",
        "tests.monitoring.test_loss::test_unapplied_behind__the_place_of_the_last_look__counted_there_and_nowhere_else",
        "a count from before the drain is recorded as what was lost after it",
    ),
    OuterRule(
        "one_monitor_writes",
        "backend.monitoring.lease",
        "MonitorLease.objects.filter(Q(holder=holder) | Q(until__lt=Now()), pk=_ROW)",
        "MonitorLease.objects.filter(pk=_ROW)",
        "tests.monitoring.test_recording::test_hold__two_monitors__one_writes_until_its_lease_lapses",
        "two monitors write one record",
    ),
    OuterRule(
        "an_old_picture_claims_nothing",
        "backend.monitoring.selectors",
        "return shown if age <= STALE_AFTER_S else shown | _stale(shown, age)",
        "return shown",
        "tests.monitoring.test_recording::test_link_view__monitor_silent__nothing_is_claimed",
        "a link that is not monitored is called protected",
    ),
    OuterRule(
        "a_log_that_was_not_read_on_counts_nothing_on_a_node_that_answers",
        "backend.gateway.polling.node_poller",
        "        return self.tail.is_current or not self.facts.is_up",
        "        return True",
        "tests.monitoring.test_loss::test_gap__a_node_answers_but_its_log_was_not_read_on__it_may_have_written_more",
        "a node that was not asked for its log is told to owe nothing",
    ),
    OuterRule(
        "a_loss_is_as_old_as_the_last_whole_look",
        "backend.monitoring.recording.nodes",
        "    if is_whole and seen.is_up and is_in_step:",
        "    if seen.is_up and is_in_step:",
        "tests.monitoring.test_loss::test_read_at__log_not_read_on_in_a_look__the_look_before_counts",
        "a loss is stated as of a moment at which the log was not read",
    ),
    OuterRule(
        "a_seqno_holds_within_its_state_uuid",
        "backend.monitoring.journal",
        "node_id=node_id, state_uuid=state_uuid, file=position.file, offset=position.offset, exact=True",
        "node_id=node_id, file=position.file, offset=position.offset, exact=True",
        "tests.monitoring.test_journal::test_seqno_at__sampled_under_another_state_uuid__unknown",
        "a number of a history that is over names a transaction of the new one",
    ),
    OuterRule(
        "a_place_of_a_log_that_began_anew_names_no_group",
        "backend.monitoring.journal",
        "        return None if _is_reset_since(newest) else newest.seqno",
        "        return newest.seqno",
        "tests.monitoring.test_journal::test_seqno_at__log_reset_since__unknown_until_seen_there_again",
        "the journal takes a group of the new log for the one that ended at the same place of the old",
    ),
    OuterRule(
        "a_channel_that_began_by_itself_is_not_one_that_was_moved",
        "backend.monitoring.recording.links",
        "    if stray_channels.update_due(link, seen, rows.strays):",
        "    if False:",
        f"{ON_LEFT}::test_stray_channel__its_server_came_up_since_and_it_runs__is_to_be_cleaned_and_not_taken_for_moved",
        "a node that a stopped run left pointed returns, passes for the channel, and a clean takes the run's",
    ),
    OuterRule(
        "a_channel_beside_the_one_on_record_is_remembered",
        "backend.monitoring.recording.links",
        "    stray_channels.update_strays(link, replace(seen, recorded=rows.recorded), rows.strays)\n",
        "",
        f"{ON_LEFT}::test_second_channel__begins_by_itself_as_the_holder_dies__is_to_be_cleaned_and_not_taken_for_moved",
        "a second channel starts automatically as the holder fails, and passes for the one that counts",
    ),
    OuterRule(
        "a_holder_gone_while_its_channel_moved_is_remembered",
        "backend.monitoring.recording.links",
        "        _mark_left(link, seen, row, channel.replica_node_id)\n",
        "",
        f"{ON_LEFT}::test_holder__down_when_the_channel_was_moved_by_hand__is_to_be_cleaned_once_it_is_back",
        "a dead holder returns with its channel, passes for the one moved by hand, and a clean takes the newer",
    ),
    OuterRule(
        "a_channel_whose_source_log_began_anew_is_not_protected",
        "backend.monitoring.recording.binlog_reset",
        "        if not before and recorded.exec_position is not None and _began_anew(row, polled):",
        "        if False:",
        "tests.monitoring.test_binlog_reset::test_log__reset_under_a_connected_channel__broken_and_the_loss_not_known",
        "a link is told to protect while what is written after RESET MASTER never reaches the other side",
    ),
    OuterRule(
        "a_channel_pointed_since_its_source_log_began_anew_is_well_again",
        "backend.monitoring.recording.binlog_reset",
        "        if row.waits_for_position and _has_gone_elsewhere(row, recorded, seen):",
        "        if False:",
        "tests.monitoring.test_binlog_reset::test_log__reset_and_a_channel_was_pointed_again_in_that_moment__protected",
        "an operator fixes the link and is told for ever that it is broken",
    ),
    OuterRule(
        "a_question_still_open_is_not_sent_with_others",
        "backend.gateway.polling.poll",
        " or self.session.left_behind is not None:",
        ":",
        "tests.backend.test_abandoned_query::"
        "test_poll__query_of_an_earlier_one_may_still_run__not_sent_again_with_the_others",
        "each poll of a node with a full relay disk leaves one more query behind",
    ),
    OuterRule(
        "a_question_still_open_is_not_asked_again",
        "backend.gateway.polling.poll",
        "        if self._waits_still(sql):",
        "        if False:",
        "tests.backend.test_poll_status_timeout::test_poll__status_never_answered__asked_once_and_again_when_it_came_back",
        "a node with a full relay disk is asked until it has no connection left for anybody",
    ),
    OuterRule(
        "a_page_of_long_events_is_short",
        "backend.core.binlog.events",
        "rows_wanted = _rows_like(rows, most)",
        "rows_wanted = most",
        "tests.core.binlog.test_search::test_events__long_ones__a_page_has_few_of_them",
        "a search holds up every commit of the node it reads",
    ),
)
