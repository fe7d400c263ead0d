"""Rules of what starts automatically, of sides that return after a failover, and of their orphans."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

RETURNED, CONFIRMED = "backend.operations.automation.returned_sides", "backend.operations.runs.services.fence_returned"
ON_RETURNED = "tests.backend.test_returned_sides"

RETURNED_RULES = (
    OuterRule(
        "of_two_monitors_one_starts_a_channel",
        "backend.operations.automation.starts",
        "AutomaticStart.objects.filter(pk=row.pk, version=row.version, enabled=row.enabled)",
        "AutomaticStart.objects.filter(pk=row.pk, enabled=row.enabled)",
        "tests.backend.test_automatic_start::test_start__two_monitors_look_at_once__one_acts",
        "two monitors make two plans of one stop, and count one",
    ),
    OuterRule(
        "only_a_channel_that_still_reads_is_started_by_itself",
        "backend.operations.automation.observations",
        'channel["sql_running"] == "No" and channel["io_running"] != "No"',
        'channel["sql_running"] == "No"',
        "tests.backend.test_automatic_start::test_start__somebody_stopped_it__left_alone",
        "a channel that an operator stopped on purpose is started behind their back",
    ),
    OuterRule(
        "a_fence_waits_behind_a_run_that_waits_for_a_person",
        RETURNED,
        "    if holder is not None and not _is_left_behind(holder):",
        "    if False:",
        f"{ON_RETURNED}::test_returned_node__a_run_waits_for_a_person__held_and_said_once",
        "a run that a person is to resume is ended by a fence",
    ),
    OuterRule(
        "old_facts_fence_nobody",
        RETURNED,
        " if one.facts.observed_at_s >= oldest_s]",
        "]",
        f"{ON_RETURNED}::test_returned_node__facts_of_long_ago__decide_nothing",
        "a side is closed on what was so long ago",
    ),
    OuterRule(
        "a_fence_that_succeeded_is_not_made_again",
        RETURNED,
        "state=RunState.SUCCEEDED.value).exists()",
        'state="none").exists()',
        f"{ON_RETURNED}::test_returned_node__fenced_and_opened_again_by_a_person__left_alone_until_its_next_start",
        "a person who opens the side is fought over it for ever",
    ),
    OuterRule(
        "only_a_failover_that_said_so_covers_a_fence",
        CONFIRMED,
        's["params"].get("fences_on_return") is True',
        "True",
        f"{ON_RETURNED}::test_confirmation__anything_else__covers_nothing",
        "a run starts that no second user approved",
    ),
    OuterRule(
        "only_a_failover_that_was_carried_out_covers_a_fence",
        CONFIRMED,
        ", point_of_no_return_passed=True",
        "",
        f"{ON_RETURNED}::test_confirmation__anything_else__covers_nothing",
        "a failover that was not approved covers a fence",
    ),
    OuterRule(
        "a_definition_that_stands_is_not_sent_again",
        "backend.gateway.schema_writer",
        "    if stands == change.after:\n        return\n    if stands != change.before:",
        "    if stands not in (change.before, change.after):",
        "tests.backend.test_schema_writer::test_schema_writer__stands_already__not_sent_again",
        "a run that was cut off stops for ever on what it did itself",
    ),
    OuterRule(
        "a_table_with_a_row_left_is_not_dropped",
        "backend.gateway.schema_writer",
        "if _count(session, change.must_be_none):",
        "if False:",
        "tests.backend.test_schema_writer::test_schema_writer__created_table_still_holds_a_row__not_dropped",
        "rows that are no orphans go with the table",
    ),
    OuterRule(
        "a_scan_is_renewed_only_where_nobody_wrote",
        "backend.transactions.orphans.scanned_logs",
        "        if not is_of_the_console(group):\n            return None\n",
        "",
        "tests.backend.test_scanned_logs::test_unchanged__one_more_write__read_anew",
        "an orphan written after the scan is on no list, and is lost unsaid",
    ),
    OuterRule(
        "a_scan_is_renewed_only_in_the_same_log",
        "backend.transactions.orphans.scanned_logs",
        "if last is None or not is_same(last.content, stored.last_content):",
        "if last is None:",
        "tests.backend.test_scanned_logs::test_unchanged__another_log_of_the_same_names__read_anew",
        "a list of another log is replayed and undone",
    ),
    OuterRule(
        "a_scan_is_renewed_only_over_all_nodes_that_answer",
        "backend.transactions.orphans.scanned_logs",
        "if not stored or set(fit) != {log.node_id for log in stored}:",
        "if not stored:",
        "tests.backend.test_scanned_logs::test_unchanged__another_node_can_be_read_now_or_none_was_stored__read_anew",
        "what only the node holds that returned later is never seen",
    ),
)
