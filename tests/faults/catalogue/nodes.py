"""2b: database nodes and network."""

from __future__ import annotations

from tests.faults.catalogue.model import BACKEND, CORE, FAULTS, GALERA, GATEWAY, Row

_MOVES = f"{GALERA}test_relocate_classic.py::test_relocate__under_load__every_write_exactly_once"
ROWS = (
    Row(
        "B1",
        "Receiving node killed",
        "kill -9 under load",
        (
            f"{FAULTS}test_nodes.py::test_source_and_replica__killed__moved_with_proof_and_cleaned_on_return",
            f"{FAULTS}test_soak.py::test_soak__switch_after_switch_under_load_and_faults__nothing_lost_nothing_doubled",
            _MOVES,
        ),
    ),
    Row(
        "B2",
        "Source node killed",
        "kill -9 under load",
        (f"{FAULTS}test_nodes.py::test_source_and_replica__killed__moved_with_proof_and_cleaned_on_return", _MOVES),
    ),
    Row(
        "B3",
        "A node hangs: its port is open, nothing answers",
        "SIGSTOP; proxy that holds back every byte",
        (
            f"{FAULTS}test_nodes.py::test_replica__hangs_then_wakes_after_the_move__double_channel_is_told_and_cleaned",
            f"{FAULTS}test_network.py::test_node__half_open__hung_not_down_and_nobody_else_is_late",
            f"{FAULTS}test_network.py::test_bystander__silent_for_one_look__run_looks_again_and_goes_on",
            f"{GATEWAY}test_poll.py::test_observe_all__frozen_node__hung_within_the_deadline",
            _MOVES,
        ),
    ),
    Row(
        "B4",
        "A hung node wakes after the channel was moved",
        "SIGSTOP, relocate, SIGCONT",
        (
            f"{FAULTS}test_nodes.py::test_replica__hangs_then_wakes_after_the_move__double_channel_is_told_and_cleaned",
            f"{FAULTS}test_nodes.py::test_replica__back_for_a_moment_before_the_new_channel_starts__not_started_behind_what_it_applied",
            f"{CORE}checks/test_checks.py::test_check_unseen__component_sizes_disagree__refused",
        ),
    ),
    Row(
        "B5",
        "The console is cut from the active site only",
        "proxy before that site's nodes stalls the console's connections alone",
        (f"{FAULTS}test_network.py::test_console__cut_from_the_active_site_only__says_so_and_promotes_nobody",),
    ),
    Row(
        "B6",
        "The sites are cut from each other, the console sees both",
        "packet filter between the sites; proxy that loses the channels' bytes",
        (
            f"{GALERA}test_refusals.py::test_plan__sites_cut_from_each_other__refused_and_shown",
            f"{FAULTS}test_network.py::test_channel__silent_while_its_threads_say_yes__shown_as_not_protected",
            f"{CORE}checks/test_site_checks.py::test_failover__sites_parted__told_apart_from_a_lost_site_and_only_overridden_by_name",
        ),
    ),
    Row(
        "B7",
        "Packets are lost one way",
        "proxy loses answers only, five seconds in ten, with the link allowed to move automatically",
        (f"{FAULTS}test_network.py::test_one_way_loss__toggled__no_act_and_no_harm",),
    ),
    Row(
        "B8",
        "A cut of 43 seconds",
        "proxy stalls both channels and the console's way to one site, with the link allowed to move automatically",
        (f"{FAULTS}test_network.py::test_cut_of_43_seconds__between_the_sites_and_to_one__no_switch_at_all",),
    ),
    Row(
        "B9",
        "200 ms of latency and loss between the sites",
        "proxy delays and throttles",
        (
            f"{FAULTS}test_network.py::test_latency_of_200_ms_between_the_sites__relocate__succeeds",
            f"{FAULTS}test_network.py::test_channel__throttled__relocate_waits_for_what_is_under_way",
        ),
        "Single lost packets cannot be made here (the kernel has no netem): TCP shows them as delay, which is made.",
    ),
    Row(
        "B10",
        "The target is in a non-Primary component",
        "gmcast.isolate on the node, before the plan and in the middle of the run",
        (
            f"{GALERA}test_refusals.py::test_plan__candidate_not_primary__refused",
            f"{FAULTS}test_nodes.py::test_target__leaves_its_cluster_between_plan_and_statement__nothing_irreversible",
        ),
    ),
    Row(
        "B11",
        "The target is donor, desynced or joining",
        "wsrep_desync; every state in the core",
        (
            f"{GALERA}test_refusals.py::test_plan__candidate_desynced__refused",
            f"{CORE}checks/test_checks.py::test_check__fact_bad_or_unknown__refused_by_name",
        ),
    ),
    Row(
        "B12",
        "A node returned by a full state transfer: no history in its logs",
        "binlogs and Galera state removed, node joins as new",
        (f"{FAULTS}test_nodes.py::test_target__came_back_with_fresh_binlogs__refused_or_proven_never_guessed",),
    ),
    Row(
        "B13",
        "A state transfer overwrote the GTID position",
        "gtid_slave_pos of a neighbour set to another value",
        (
            f"{GALERA}test_relocate_gtid.py::test_relocate__gtid_slave_pos_differs_on_a_neighbour__refused_by_name_then_mended",
            f"{CORE}locate/test_gtid_mode.py::test_locate__all_nodes_stand_past_the_content__refused",
        ),
    ),
    Row(
        "B14",
        "Binary logs purged on the new source before the statement",
        "PURGE BINARY LOGS while the worker sleeps before the wall",
        (
            f"{FAULTS}test_positions.py::test_binlog__purged_before_the_statement__refused_and_the_way_on_is_named",
            f"{GALERA}test_refusals.py::test_plan__binlogs_purged_past_the_position__refused",
        ),
    ),
    Row(
        "B15",
        "Binary logs rotated between proof and statement",
        "FLUSH BINARY LOGS while the worker sleeps before the wall",
        (f"{FAULTS}test_positions.py::test_binlog__rotated_before_the_statement__still_the_same_place",),
    ),
    Row(
        "B16",
        "RESET MASTER on the new source",
        "RESET MASTER is refused by a member of a cluster; its logs removed and written again, under a sleeping worker",
        (f"{FAULTS}test_positions.py::test_binlog__reset_before_the_statement__same_name_other_content_refused",),
    ),
    Row(
        "B17",
        "The source crashed with loose flushing; the receiver is ahead of it",
        "a log that lost its tail, in the core",
        (
            f"{CORE}orphans/test_scan.py::test_part__log_lost_its_tail__unknown",
            f"{CORE}locate/test_locator.py::test_locate__content_differs_on_the_new_source__refused",
        ),
        "kill -9 keeps what the kernel holds: an unflushed log is lost only with the machine.",
    ),
    Row(
        "B18",
        "Receiver killed without GTID: its position file is behind its data",
        "kill -9 and a relay-log.info of a second before; replica killed under load",
        (
            f"{FAULTS}test_nodes.py::test_replica__killed_and_back_behind_its_data__channels_resume_behind_what_it_had_applied",
            f"{CORE}plans/test_already_applied.py::test_relocate__stopped_on_what_was_applied_before__ready_and_resumes_behind_it",
            _MOVES,
            f"{CORE}locate/test_locator.py::test_locate__replica_stalled_before_it_died__its_sample_is_not_believed_over_content",
        ),
    ),
    Row(
        "B19",
        "Disk full on the receiver: the threads say Yes and nothing advances",
        "relay logs on a tmpfs of their own, filled; proxy loses the channel's bytes while both threads say Yes",
        (
            f"{FAULTS}test_disk.py::test_replica__no_room_for_its_relay_log__not_known_then_waited_for_or_left",
            f"{FAULTS}test_network.py::test_channel__silent_while_its_threads_say_yes__shown_as_not_protected",
            f"{BACKEND}test_poll_status_timeout.py::test_poll__status_never_answered__asked_once_and_again_when_it_came_back",
        ),
    ),
    Row(
        "B20",
        "SHOW SLAVE STATUS blocks behind STOP SLAVE",
        "a client holds a lock that the applier waits for",
        (
            f"{FAULTS}test_nodes.py::test_stop__waits_behind_a_blocked_applier__bounded_others_fresh_and_taken_back_or_done",
            f"{BACKEND}test_poll_status_timeout.py::test_poll__status_never_answered__asked_once_and_again_when_it_came_back",
        ),
    ),
    Row(
        "B21",
        "STOP SLAVE waits for a long group",
        "the same",
        (
            f"{FAULTS}test_nodes.py::test_stop__waits_behind_a_blocked_applier__bounded_others_fresh_and_taken_back_or_done",
        ),
    ),
    Row(
        "B22",
        "A node's address leads to another server",
        "proxy's back ends swapped while the worker sleeps",
        (
            f"{FAULTS}test_network.py::test_address__leads_to_another_server_by_now__nothing_is_sent_there",
            f"{CORE}runner/test_server_faults.py::test_session__reaches_another_server_behind_the_same_address__nothing_is_sent",
            f"{CORE}facts/test_server_identity.py::test_session__reaches_a_neighbour_with_the_same_server_id__nothing_is_sent",
        ),
    ),
    Row(
        "B23",
        "A node's version is not that of the inventory",
        "proxy rewrites the version in the greeting; a move is planned and run on that node",
        (
            f"{FAULTS}test_network.py::test_server__greets_as_another_product__its_own_variables_count_and_nothing_is_sent",
            "tests/core/dialects/test_mariadb_statements.py::test_dialect_for__unknown_server__refused_by_name",
            f"{CORE}checks/test_checks.py::test_check__fact_bad_or_unknown__refused_by_name",
        ),
    ),
    Row(
        "B24",
        "The connection is cut while a statement runs",
        "proxy resets both ends once the statement's bytes arrived",
        (
            f"{FAULTS}test_network.py::test_statement__connection_reset_once_its_bytes_arrived__observed_never_sent_again",
            f"{FAULTS}test_soak.py::test_soak__switch_after_switch_under_load_and_faults__nothing_lost_nothing_doubled",
            f"{CORE}runner/test_walks.py::test_walk__outcome_unknown__session_ended_and_looked_at_before_sending_again",
        ),
    ),
    Row(
        "B25",
        "A node is out of connections",
        "max_connections lowered, filled by clients, and the console's own connections taken from it",
        (f"{FAULTS}test_nodes.py::test_node__out_of_connections__named_and_the_console_holds_few",),
    ),
    Row(
        "B26",
        "A whole site is lost in the middle of a switch",
        "kill -9 of its three nodes while the worker sleeps behind the fence or behind a drawn statement; in the "
        "simulation, of either side at every transition and tick of a switchover and a failback",
        (
            f"{FAULTS}test_nodes.py::test_switchover__the_old_active_site_dies_in_the_middle__named_and_the_survivor_is_safe",
            f"{FAULTS}test_lost_site.py::test_switchover__the_old_active_side_dies_at_a_drawn_boundary__named_and_the_survivor_takes_writes",
            f"{FAULTS}test_nodes.py::test_failover__site_dead_under_load__loss_named_then_reprotected",
            "tests/sim/test_lost_site.py::test_site__lost_at_any_transition__named_and_the_survivor_takes_writes",
            "tests/sim/test_lost_site.py::test_site__lost_in_the_middle_of_any_step__named_and_the_survivor_takes_writes",
            f"{BACKEND}test_documents.py::test_lost_site__in_the_middle_of_a_switch__report_and_runbooks_hold_every_statement",
        ),
    ),
)
