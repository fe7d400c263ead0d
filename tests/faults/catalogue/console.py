"""2a: the console's own parts."""

from __future__ import annotations

from tests.faults.catalogue.model import API, BACKEND, CORE, FAULTS, GALERA, GATEWAY, MONITORING, Row

ROWS = (
    Row(
        "A1",
        "Worker killed after the intent is stored, before the statement is sent",
        "boundary hook, kill -9, real servers under load; every transition in the core",
        (
            f"{FAULTS}test_worker.py::test_worker__killed_around_a_statement__another_looks_and_goes_on",
            f"{FAULTS}test_worker.py::test_worker__dies_three_times_at_drawn_places__ends_as_unbroken",
            "tests/ha/test_takeover.py::test_run__its_worker_struck_on_another_host__taken_over_within_20_s",
            f"{FAULTS}test_takeover.py::test_worker__dies_under_the_lease_of_production__the_product_itself_goes_on_within_45_s",
            f"{FAULTS}test_soak.py::test_soak__switch_after_switch_under_load_and_faults__nothing_lost_nothing_doubled",
            f"{GALERA}test_worker_death.py::test_run__worker_killed_at_boundary__ends_as_unbroken",
            f"{CORE}runner/test_walks.py::test_walk__dies_at_any_transition__successor_reaches_the_same_end",
        ),
    ),
    Row(
        "A2",
        "Worker killed after CHANGE MASTER was executed, before the outcome is stored",
        "boundary hook, kill -9",
        (
            f"{FAULTS}test_worker.py::test_worker__killed_around_a_statement__another_looks_and_goes_on",
            f"{GALERA}test_worker_death.py::test_run__worker_killed_at_boundary__ends_as_unbroken",
            f"{CORE}runner/test_walks.py::test_walk__dies_while_a_statement_runs__successor_looks_first",
        ),
    ),
    Row(
        "A3",
        "Worker killed between STOP and CHANGE",
        "boundary hook, kill -9",
        (
            f"{FAULTS}test_worker.py::test_worker__killed_around_a_statement__another_looks_and_goes_on",
            f"{FAULTS}test_worker.py::test_worker__dies_once_the_new_channels_run__they_are_the_ones_that_count",
            f"{FAULTS}test_worker.py::test_worker__starts_a_channel_whose_source_has_just_died__it_counts_all_the_same",
            f"{GALERA}test_worker_death.py::test_run__worker_killed_at_boundary__ends_as_unbroken",
            f"{GALERA}test_worker_death.py::test_run__celery_worker_killed_whole__another_takes_over",
        ),
    ),
    Row(
        "A4",
        "Worker stopped past its lease, then woken",
        "boundary hook, SIGSTOP and SIGCONT; the servers' logs show nothing of its epoch",
        (
            f"{FAULTS}test_worker.py::test_worker__sleeps_past_its_lease_and_wakes__nothing_of_its_epoch_arrives",
            f"{FAULTS}test_soak.py::test_soak__switch_after_switch_under_load_and_faults__nothing_lost_nothing_doubled",
            f"{GALERA}test_worker_death.py::test_run__worker_sleeps_past_its_lease__its_statement_is_refused",
            f"{BACKEND}execution/test_store.py::test_stale_epoch__every_write__raises_and_changes_nothing",
        ),
    ),
    Row(
        "A5",
        "Redis killed in the middle of a run and lost with all data",
        "kill -9 (nothing of it is on disk), FLUSHALL, SIGSTOP",
        (
            f"{FAULTS}test_broker.py::test_redis__killed_with_all_data_while_a_run_is_under_way__the_run_does_not_notice",
            f"{FAULTS}test_broker.py::test_redis__dead_before_and_during_a_run__stored_shown_and_picked_up_once",
            f"{FAULTS}test_broker.py::test_redis__emptied_and_asleep__queued_run_is_found_again",
            f"{FAULTS}test_soak.py::test_soak__switch_after_switch_under_load_and_faults__nothing_lost_nothing_doubled",
        ),
    ),
    Row(
        "A6",
        "Redis down when the operator confirms",
        "kill -9 before the POST",
        (
            f"{FAULTS}test_broker.py::test_redis__dead_before_and_during_a_run__stored_shown_and_picked_up_once",
            f"{BACKEND}execution/test_redis_down.py::test_redis_down__run_is_stored_and_queued_quickly_and_dispatching_again_is_no_fault",
        ),
    ),
    Row(
        "A7",
        "A long step is delivered a second time",
        "further workers take the run while the first holds it",
        (
            f"{FAULTS}test_broker.py::test_message__delivered_again_while_a_step_hangs__second_worker_leaves_it_alone",
            f"{FAULTS}test_soak.py::test_soak__switch_after_switch_under_load_and_faults__nothing_lost_nothing_doubled",
            f"{BACKEND}execution/test_dispatch.py::test_drive__run_held_by_another__is_left_alone",
            f"{BACKEND}execution/test_store.py::test_race__eight_workers_claim_one_run__one_gets_it",
        ),
    ),
    Row(
        "A8",
        "The same message replayed a hundred times",
        "published before, during and after the run",
        (f"{FAULTS}test_broker.py::test_message__a_hundred_times_and_replayed_afterwards__one_effect",),
    ),
    Row(
        "A9",
        "Worker alive but no longer taking messages after a reconnect",
        "connections of Redis killed twice a second for 30 s; answers lost on standing ones; consuming cancelled",
        (
            f"{FAULTS}test_broker.py::test_worker__its_connections_to_redis_killed_over_and_over__still_takes_messages",
            f"{FAULTS}test_broker.py::test_worker__answers_of_redis_lost_on_its_standing_connection__gives_up_waiting_and_takes_messages",
            f"{FAULTS}test_broker.py::test_worker__lives_and_takes_no_message__told_then_ends_itself_and_the_next_one_serves",
            f"{BACKEND}execution/test_broker_watchdog.py::test_is_unresponsive__messages_wait_for_an_idle_worker__once_every_look_for_a_minute_found_it",
            f"{BACKEND}execution/test_dispatch.py::test_worker_probe__executed__is_a_sign_of_life",
            f"{API}test_service.py::test_readyz__parts_missing__degraded_and_named",
        ),
    ),
    Row(
        "A10",
        "The console's database stops in the middle of a run",
        "kill -9 of its MariaDB while the worker sleeps at a boundary; KILL of every connection during a run",
        (
            f"{FAULTS}test_database.py::test_database__down_after_the_statement__outcome_is_observed_once_it_is_back",
            f"{FAULTS}test_database.py::test_database__down_at_any_boundary__nothing_without_an_intent",
            f"{FAULTS}test_database.py::test_database__ends_every_connection_over_and_over__run_succeeds_and_nobody_is_asked",
            f"{MONITORING}test_monitor_process.py::test_monitor__no_usable_database_then_one__goes_on_and_ends_when_told",
        ),
    ),
    Row(
        "A11",
        "The console's database accepts and never answers",
        "proxy holds back every byte, while 24 calls and the signs of life are asked at once",
        (f"{FAULTS}test_database.py::test_database__accepts_and_never_answers__503_in_bounded_time_and_threads_free",),
    ),
    Row(
        "A12",
        "The console's database is restored from an old copy",
        "dump before or in the middle of a run, loaded after its end; the probes on the servers are the epoch outside",
        (
            f"{FAULTS}test_database.py::test_database__restored_from_before_the_newest_run__every_plan_refused_until_a_person_attests",
            f"{FAULTS}test_database.py::test_database__restored_from_before_a_run__old_plan_and_old_run_send_nothing",
            f"{FAULTS}test_database.py::test_database__restored_from_the_middle_of_a_run__looks_and_sends_nothing_again",
            f"{FAULTS}test_database.py::test_console__another_one_has_registered_the_same_clusters__refused_until_a_person_attests",
            "tests/core/checks/test_unknown_runs.py::test_run__servers_know_a_run_that_the_record_lacks__sends_nothing",
        ),
    ),
    Row(
        "A13",
        "Disk full on the console's host",
        "the file system of its MariaDB is a small tmpfs, filled in the middle of a run until no record fits; that of "
        "logs and temporary files has no room, or no inode, while every process is started again",
        (
            f"{FAULTS}test_disk.py::test_disk__full_under_the_consoles_database__no_statement_without_an_intent",
            "tests/ha/test_disks.py::test_host__disk_full__a_move_is_verified_by_parts_that_were_started_meanwhile",
            f"{GATEWAY}test_host_limits.py::test_poll__host_without_room__tells_of_the_node_what_it_is",
            f"{GATEWAY}test_host_limits.py::test_pollers__no_descriptor_left_for_a_while__unknown_then_known_again",
        ),
    ),
    Row(
        "A14",
        "Two schedulers run",
        "a second monitor process beside the stack's own, which is killed in the end",
        (
            f"{FAULTS}test_monitors.py::test_monitor__a_second_one_beside_it__one_polls_runs_go_once_and_it_takes_over",
            "tests/ha/test_takeover.py::test_monitor__struck_while_it_writes__the_other_writes_within_its_lease_and_a_tick",
            f"{MONITORING}test_recording.py::test_hold__two_monitors__one_writes_until_its_lease_lapses",
            f"{BACKEND}execution/test_dispatch.py::test_due__several_callers__one_per_interval",
            f"{BACKEND}execution/test_dispatch.py::test_reannounce__queued_or_lapsed__rung_once_per_interval",
        ),
    ),
    Row(
        "A15",
        "Deploy while a run is under way: an older worker meets a newer plan, or the other way round",
        "stored plans of another version of the steps",
        (
            f"{BACKEND}execution/test_plan_versions.py::test_drive__run_of_another_version__handed_over_with_nothing_sent",
            f"{BACKEND}execution/test_plan_versions.py::test_start__plan_of_another_version__409",
        ),
        "Two releases to deploy one over the other: there is one so far.",
    ),
    Row(
        "A16",
        "Worker out of memory while it reads a huge binary log",
        "a process that may take less memory than a page of its log; kill -9 at one step over and over; endless rows",
        (
            f"{FAULTS}test_worker.py::test_worker__dies_of_the_same_step_again_and_again__a_person_is_asked_and_resume_goes_on",
            f"{GATEWAY}test_long_statements.py::test_log__of_long_statements__read_within_little_memory",
            f"{GATEWAY}test_long_statements.py::test_page__its_reader_stopped_reading__commits_of_the_node_wait_for_seconds_not_for_a_minute",
            f"{BACKEND}execution/test_lost_workers.py::test_workers__die_one_after_the_other__a_person_is_told_where_and_what_to_look_for",
            f"{CORE}binlog/test_search.py::test_events__long_ones__a_page_has_few_of_them",
            f"{CORE}binlog/test_search.py::test_cursor__budget_used_up__stops",
            f"{CORE}binlog/test_search.py::test_find_xid__long_logs__found_in_skips_of_at_most_20_000",
            f"{GATEWAY}test_binlog_dump.py::test_dump__longer_than_its_limit__ended_by_name",
        ),
    ),
    Row(
        "A17",
        "SIGTERM during a step",
        "the real worker is told to end in the middle, at each boundary of a statement, and while its run takes long",
        (
            f"{FAULTS}test_worker.py::test_worker__sigterm_in_the_middle__the_run_ends_and_a_new_worker_serves",
            f"{FAULTS}test_worker.py::test_worker__sigterm_at_each_boundary_of_a_statement__ends_the_run_and_itself_in_time",
            f"{FAULTS}test_worker.py::test_worker__sigterm_and_a_long_step__lets_go_at_the_next_boundary_and_another_goes_on_at_once",
            f"{BACKEND}execution/test_worker_shutdown.py::test_drive__told_to_end_long_ago__lets_go_at_a_boundary_and_another_ends_it",
        ),
    ),
    Row(
        "A18",
        "The clock of a host is an hour off",
        "faketime around a worker, both ways",
        (
            f"{FAULTS}test_worker.py::test_worker__clock_an_hour_off__acts_once_or_not_at_all",
            f"{FAULTS}test_worker.py::test_worker__a_fast_clock_meets_a_live_lease__does_not_take_the_run",
            f"{CORE}checks/test_checks.py::test_check_clock__skewed_or_unread__warned_never_refused",
        ),
    ),
    Row(
        "A19",
        "The poller is blocked by one hung node",
        "SIGSTOP of a node, half-open connections",
        (
            f"{FAULTS}test_network.py::test_node__half_open__hung_not_down_and_nobody_else_is_late",
            f"{FAULTS}test_load.py::test_api__a_node_hangs_and_a_run_is_under_way__no_5xx_and_every_read_answered",
            f"{GATEWAY}test_poll.py::test_poll_set__frozen_node__delays_nobody_and_is_called_hung",
        ),
    ),
    Row(
        "A20",
        "The browser loses the event stream",
        "proxy between browser and console: half-open, then cut; old facts; a confirmation after the facts changed",
        (
            "tests/e2e/7-silence.spec.ts::test_stream__half_open__nothing_claimed_said_so_and_back_without_a_reload",
            "tests/e2e/7-silence.spec.ts::test_stream__cut__said_at_once_and_back_without_a_reload",
            "frontend/src/api/event-stream.test.ts::test_live__no_beat_for_long__lost_and_opened_again",
            "frontend/src/domain/freshness.test.ts::test_aged__nodes_that_were_eligible__cannot_be_chosen_and_say_their_age",
            "frontend/src/domain/readiness.test.ts::test_answer__old_facts__unknown_whatever_they_said",
            f"{MONITORING}test_recording.py::test_link_view__monitor_silent__nothing_is_claimed",
            f"{API}test_sse.py::test_stream__last_event_id__replays_what_was_missed_once",
            f"{GALERA}test_refusals.py::test_run__facts_changed_since_the_plan__409_with_the_difference",
        ),
    ),
    Row(
        "A21",
        "A POST is repeated after the client gave up",
        "the socket is dropped after the send, then eight repeat at once",
        (
            f"{FAULTS}test_people.py::test_confirm__client_disconnects_before_the_answer_then_repeated__one_run",
            f"{API}test_runs.py::test_run__key_kept_only_with_the_run__still_one_run",
        ),
    ),
    Row(
        "A22",
        "A receiver of webhooks is down or slow",
        "receivers that refuse, drip or never answer",
        (
            f"{BACKEND}hooks/test_http_client.py::test_post__answer_too_late_or_dripping__ends_with_the_time",
            f"{BACKEND}hooks/test_notifications.py::test_notice__receiver_down__waits_longer_each_time_holds_back_its_others_and_is_given_up_in_the_end",
        ),
    ),
)
