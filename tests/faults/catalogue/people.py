"""2d: people, concurrency and hostile input."""

from __future__ import annotations

from tests.faults.catalogue.model import API, BACKEND, CORE, FAULTS, GALERA, GATEWAY, Row

ROWS = (
    Row(
        "D1",
        "Double click",
        "fifty parallel POSTs under one key",
        (
            f"{API}test_idempotency.py::test_key__fifty_parallel_posts__one_run",
            f"{FAULTS}test_people.py::test_confirm__client_disconnects_before_the_answer_then_repeated__one_run",
        ),
    ),
    Row(
        "D2",
        "Two operators start at once",
        "clients that wait for each other at a barrier; 3 rounds, 200 in the whole bench",
        (
            f"{FAULTS}test_people.py::test_two_operators__opposite_runs_at_once__exactly_one_wins_each_round",
            f"{BACKEND}execution/test_store.py::test_race__eight_operators_start_on_one_link__one_wins_the_rest_are_told_who",
        ),
    ),
    Row(
        "D3",
        "The topology changed between plan and confirmation",
        "a node stops in between; every fact in the core",
        (
            f"{GALERA}test_refusals.py::test_run__facts_changed_since_the_plan__409_with_the_difference",
            f"{CORE}runner/test_server_faults.py::test_recheck__any_fact_changed__nothing_is_sent",
        ),
    ),
    Row(
        "D4",
        "A DBA changes the channel by hand in the middle",
        "a second client while the worker sleeps at a boundary",
        (
            f"{FAULTS}test_people.py::test_dba__changes_the_channel_in_the_middle__stops_by_name",
            f"{FAULTS}test_people.py::test_dba__starts_the_stopped_channel_before_the_wall__not_pointed_at_the_stale_place",
            f"{CORE}runner/test_server_faults.py::test_new_channel__moved_by_a_person_before_its_start__not_started",
        ),
    ),
    Row(
        "D5",
        "The approver is the requester, or lost the role",
        "roles changed between request and approval",
        (
            f"{API}test_runs.py::test_approval__needed__a_second_person_decides",
            f"{API}test_runs.py::test_approval__requester_lost_the_role__409",
        ),
    ),
    Row(
        "D6",
        "Abort at the point of no return",
        "fired while the worker sleeps at each boundary",
        (
            f"{FAULTS}test_people.py::test_abort__pressed_at_a_boundary__granted_and_restored_or_refused_and_finished",
            f"{BACKEND}execution/test_store.py::test_race__abort_against_the_point_of_no_return__exactly_one_wins",
            f"{CORE}runner/test_abort.py::test_abort__asked_at_any_transition__restored_or_carried_to_the_end",
        ),
    ),
    Row(
        "D7",
        "The operator is disabled in the middle",
        "account switched off while the worker sleeps",
        (
            f"{FAULTS}test_people.py::test_operator__disabled_in_the_middle__approved_steps_end_and_no_new_run",
            f"{BACKEND}execution/test_store.py::test_claim__requester_disabled_before_anything_was_sent__ends_the_run",
        ),
    ),
    Row(
        "D8",
        "A recorded call is replayed the next day",
        "expired plan, used plan, used key",
        (
            f"{GALERA}test_refusals.py::test_run__plan_expired__410",
            f"{API}test_runs.py::test_run__same_plan_after_its_run_ended__409",
        ),
    ),
    Row(
        "D9",
        "Forged cross-site POST; token in the address",
        "HTTP without a browser",
        (
            f"{API}test_session.py::test_unsafe_call__session_without_csrf__403",
            f"{API}test_tokens_users.py::test_token__in_query_or_cookie__is_not_taken",
        ),
    ),
    Row(
        "D10",
        "A database password was rotated",
        "SET PASSWORD on one node",
        (
            f"{FAULTS}test_people.py::test_password__rotated_on_one_node__one_account_named_others_unaffected",
            f"{GATEWAY}test_reader_and_tls.py::test_reader__wrong_password__refused_with_the_user_not_the_password",
        ),
    ),
    Row(
        "D11",
        "Addresses that no database server has",
        "loopback, link-local, metadata, mapped and rebinding names",
        (
            f"{BACKEND}common/test_security.py::test_address__never_a_server__is_refused_even_in_the_demo",
            f"{BACKEND}common/test_security.py::test_address__mapped_loopback__follows_the_policy",
            f"{BACKEND}hooks/test_http_client.py::test_post__name_leads_to_a_refused_address_by_now__is_not_called",
        ),
    ),
    Row(
        "D12",
        "Hostile text in any field",
        "generated calls; tables of bad values",
        (
            f"{API}test_fuzz.py::test_api__generated_calls__never_fail_and_answer_as_described",
            f"{API}test_clusters.py::test_cluster__bad_value__400_names_the_field",
        ),
    ),
    Row(
        "D13",
        "A rogue database server, or TLS stripped on the way",
        "a server that asks for files and passwords; proxy that takes TLS out of the greeting",
        (
            f"{FAULTS}test_network.py::test_tls__stripped_on_the_way__refused_before_a_password_leaves",
            f"{GATEWAY}test_rogue_server.py::test_session__server_asks_for_a_local_file__nothing_is_sent",
            f"{GATEWAY}test_rogue_server.py::test_session__server_asks_for_another_login__password_stays_here",
        ),
    ),
    Row(
        "D14",
        "A user reads what the role does not allow",
        "every endpoint by every role",
        (f"{API}test_access_matrix.py::test_matrix__every_caller_call_and_object__as_declared",),
        "Links belong to every user who signs in: there are no teams whose links could be kept apart.",
    ),
    Row(
        "D15",
        "The audit record is edited or cut",
        "rows changed and removed by the database's own root",
        (
            f"{BACKEND}test_audit.py::test_chain__tampered_with__names_the_first_bad_record",
            f"{BACKEND}test_audit.py::test_chain__rewritten_from_the_middle__head_gives_it_away",
        ),
    ),
    Row(
        "D16",
        "Emergency with everything but the database gone",
        "Redis, worker and monitor killed, the command-line way taken",
        (f"{FAULTS}test_people.py::test_breakglass__web_worker_monitor_and_redis_down__same_checks_and_same_record",),
    ),
)
