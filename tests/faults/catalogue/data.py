"""2c: positions, logs and data."""

from __future__ import annotations

from tests.faults.catalogue.model import CORE, FAULTS, GALERA, GATEWAY, MONITORING, Row

_MOVES = f"{GALERA}test_relocate_classic.py::test_relocate__under_load__every_write_exactly_once"
_ORPHANS = f"{GALERA}test_sites_classic.py::test_site__under_load__every_write_exactly_once"
_BAD_FACT = f"{CORE}checks/test_checks.py::test_check__fact_bad_or_unknown__refused_by_name"
_SCENARIOS = (
    "tests/scenarios/test_scenarios.py::test_scenario__plan__ready_or_refused_as_listed_and_refused_means_no_steps"
)
ROWS = (
    Row(
        "C1",
        "A number of one cluster's counter searched in the other's logs",
        "counters moved apart on real servers; drifted worlds",
        (
            f"{GALERA}test_refusals.py::test_lookup__receivers_own_counter__is_another_transaction_or_none",
            f"{CORE}locate/test_aligned_seqno.py::test_aligned__counters_drifted__hint_refused_by_name_and_the_place_proven_by_the_others",
        ),
    ),
    Row(
        "C2",
        "The same number stands twice after a new bootstrap",
        "generated logs with a restarted counter",
        (
            f"{CORE}locate/test_locator.py::test_locate__number_stands_twice__refused",
            f"{CORE}orphans/test_scan.py::test_part__same_number_in_another_history__content_decides",
            f"{GALERA}test_refusals.py::test_plan__state_uuid_changed__refused",
        ),
    ),
    Row(
        "C3",
        "DDL at the tail: a group without a number",
        "ALTER TABLE last, then the source is killed",
        (
            _MOVES,
            f"{CORE}locate/test_locator.py::test_locate__ddl_last__resumed_behind_it",
            f"{CORE}locate/test_locator.py::test_locate__ddl_waits_behind_the_last_applied__not_skipped",
        ),
    ),
    Row(
        "C4",
        "Groups that end with COMMIT or stand alone at the tail",
        "generated logs of every kind of group",
        (
            f"{CORE}binlog/test_groups.py::test_read_groups__any_log__every_group_at_its_place",
            f"{CORE}locate/test_locator.py::test_locate__node_local_writes_around__never_taken_for_seqnos",
            f"{CORE}locate/test_locator_worlds.py::test_locate__any_history_and_loss__right_or_refused",
        ),
    ),
    Row(
        "C5",
        "A large transaction under way: the relay log holds half of it",
        "37 MB in one group over a throttled channel, the source killed once a third of it is read",
        (
            f"{FAULTS}test_positions.py::test_big_transaction__source_dies_while_the_relay_log_holds_half__only_the_executed_end_counts",
            f"{CORE}binlog/test_groups.py::test_read_groups__incomplete_at_the_end__not_yielded",
            f"{CORE}locate/test_relay_log.py::test_seqno_from_relay__groups_read_but_not_executed__left_out",
        ),
    ),
    Row(
        "C6",
        "The relay log is not applied to its end",
        "SQL thread stopped for seconds, source killed",
        (
            _MOVES,
            f"{CORE}runner/test_server_faults.py::test_drain__source_down_and_relay_log_full__applied_to_its_end_before_the_stop",
        ),
    ),
    Row(
        "C7",
        "Parallel applier",
        "four threads, optimistic, source killed under load",
        (f"{FAULTS}test_positions.py::test_parallel_applier__source_dies__every_write_exactly_once",),
    ),
    Row(
        "C8",
        "A loop: old events return, or a channel points at its own site",
        "ids that cannot all be ignored",
        (
            f"{GALERA}test_refusals.py::test_plan__loop_guard_impossible__refused",
            f"{CORE}checks/test_checks.py::test_check_server_ids__dead_node_seen_before__its_id_still_guards",
        ),
    ),
    Row(
        "C9",
        "server_id equal on both sides",
        "SET GLOBAL server_id on a candidate",
        (f"{GALERA}test_refusals.py::test_plan__loop_guard_impossible__refused", _BAD_FACT),
    ),
    Row(
        "C10",
        "log_slave_updates, binary log or row format wrong on the new source",
        "restarted with the option off; every variable in the core",
        (f"{GALERA}test_refusals.py::test_plan__candidate_without_log_slave_updates__refused", _BAD_FACT),
    ),
    Row(
        "C11",
        "Replication filters differ",
        "SET GLOBAL replicate_ignore_table on the new replica",
        (f"{FAULTS}test_positions.py::test_filters__differ_on_the_new_replica__refused", _BAD_FACT),
    ),
    Row(
        "C12",
        "Writes on a side that no other node received",
        "clients write on the lost site once it is back; real servers",
        (_ORPHANS, f"{GATEWAY}test_orphan_reprotect.py::test_scan__orphans_on_a_returned_side__exactly_them"),
    ),
    Row(
        "C13",
        "GTID positions disagree",
        "gtid_slave_pos of a neighbour ahead of what anybody holds",
        (
            f"{GALERA}test_relocate_gtid.py::test_relocate__gtid_slave_pos_differs_on_a_neighbour__refused_by_name_then_mended",
            f"{CORE}locate/test_gtid_mode.py::test_check__current_pos__refused",
            f"{CORE}locate/test_gtid_mode.py::test_locate__neighbour_stands_past_what_anybody_holds__refused_by_name_with_a_remedy",
        ),
    ),
    Row(
        "C14",
        "Coordinates given while GTID mode is on",
        "the statement always states the mode; a warning fails its step",
        (
            "tests/core/dialects/test_mariadb_statements.py::test_change_source__all_parts__every_setting_is_stated",
            f"{CORE}runner/test_server_faults.py::test_statement__refused_or_warned__restored_before_the_point_of_no_return_and_stopped_after",
        ),
    ),
    Row(
        "C15",
        "CHANGE MASTER without a position",
        "the builder cannot make one",
        ("tests/core/dialects/test_mariadb_statements.py::test_change_source__part_of_wrong_shape__refused",),
    ),
    Row(
        "C16",
        "Options of the channel dropped by the move",
        "retry and heartbeat set to uncommon values, moved, compared",
        (
            f"{FAULTS}test_positions.py::test_options__set_to_uncommon_values__all_survive_the_move",
            f"{CORE}runner/test_server_faults.py::test_options__changed_by_a_person_before_the_end__not_called_verified",
        ),
    ),
    Row(
        "C17",
        "Encrypted binary logs",
        "a key file and encrypt_binlog, binary and relay logs; real servers",
        (
            "tests/gateway/test_encrypted_logs.py::test_logs__encrypted__nothing_to_read_on_disk_and_everything_through_the_server",
            "tests/gateway/test_encrypted_logs.py::test_orphans__in_an_encrypted_log__found_with_their_rows_and_undone",
        ),
    ),
    Row(
        "C18",
        "Compressed row events, checksums on or off",
        "compressed events on a real server; unknown events by name",
        (
            f"{GATEWAY}test_orphan_rows.py::test_read__compressed_row_events__told_as_well",
            f"{CORE}binlog/test_groups.py::test_read_groups__unknown_event__named_not_skipped",
            f"{CORE}locate/test_locator.py::test_locate__event_of_unknown_type__refused_by_its_name",
        ),
    ),
    Row(
        "C19",
        "A damaged event in the new source's log",
        "bytes flipped on disk while the worker sleeps",
        (
            f"{FAULTS}test_positions.py::test_binlog__a_byte_flipped_before_the_statement__damage_is_not_taken_for_the_end",
        ),
    ),
    Row(
        "C20",
        "Two places fit",
        "identical repeated transactions",
        (
            f"{CORE}locate/test_locator_repeats.py::test_locate__only_identical_statements_and_nodes_numbering_apart__refused",
            _SCENARIOS,
        ),
    ),
    Row(
        "C21",
        "A lag of 0 because nothing is received",
        "the channel's bytes vanish, both threads say Yes",
        (
            f"{FAULTS}test_network.py::test_channel__silent_while_its_threads_say_yes__shown_as_not_protected",
            f"{MONITORING}test_link_state.py::test_derive__source_frozen_while_threads_say_yes__broken",
        ),
    ),
    Row(
        "C22",
        "Applications write to the old side after a switch",
        "the load goes on at both sides through a switchover; accounts that write through a fence listed",
        (
            _ORPHANS,
            f"{CORE}runner/test_site_walks.py::test_switchover__a_write_gets_through_the_fence__undone_and_the_old_side_takes_writes_again",
            f"{CORE}checks/test_site_checks.py::test_switchover__accounts_write_through__listed_by_name_not_refused",
        ),
    ),
    Row(
        "C23",
        "The applier stops on a duplicate key",
        "a row written on the receiving side by hand",
        (f"{FAULTS}test_positions.py::test_applier__stops_on_a_conflict__broken_shown_and_no_skip_offered",),
    ),
    Row(
        "C24",
        "auto_increment numbers of both sides meet",
        "every pair of settings in the core",
        (
            f"{CORE}checks/test_checks.py::test_check_auto_increment__overlap__warned",
            f"{CORE}checks/test_checks.py::test_check_auto_increment__unknown__not_called_apart",
        ),
    ),
    Row(
        "C25",
        "Events and triggers active on the standby",
        "event scheduler on; tables with triggers",
        (
            f"{CORE}checks/test_site_checks.py::test_switchover__fact_in_the_way__refused_by_name",
            f"{GATEWAY}test_orphan_reprotect.py::test_plan__table_with_a_trigger_or_cascading_children__refused_by_name",
        ),
    ),
)
