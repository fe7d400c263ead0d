"""V4 Access control."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V4.1.1",
        "access rules on a trusted layer",
        "The API decides each call.",
        "tests/api/test_matrix.py::test_cell__route_verb_caller__is_what_the_role_table_says",
        "tests/api/test_access_matrix.py::test_matrix__every_caller_call_and_object__as_declared",
    ),
    met(
        "V4.1.2",
        "users cannot change what access depends on",
        "Roles, teams, environments and the state of an account are changed by administrators, and the second "
        "person is protected from one of them.",
        "tests/api/test_access_matrix.py::test_matrix__every_caller_call_and_object__as_declared",
        "tests/backend/threats/test_operator.py::test_operator__switches_the_rule_off_or_makes_an_approver__403",
        "tests/api/test_access.py::test_assigned_role__of_an_approver__counts_after_the_waiting_time",
        "tests/api/test_access.py::test_environment__moved_into__makes_its_approvers_wait",
    ),
    met(
        "V4.1.3",
        "least privilege",
        "Each role has the permissions of its table, for its scope alone; tokens have at most those of their owner.",
        "tests/api/test_access_matrix.py::test_matrix__every_caller_call_and_object__as_declared",
        "tests/api/test_access.py::test_role_of_a_scope__never_includes_what_concerns_the_console",
        "tests/api/test_access.py::test_token__with_limits__may_only_that",
    ),
    met(
        "V4.1.5",
        "access control fails closed",
        "A method without a stated permission is refused, and a check that fails with an exception is no permission.",
        "tests/api/test_roles.py::test_url_map__every_route__states_what_its_methods_need",
        "tests/api/test_roles.py::test_call__its_check_fails_with_an_exception__is_not_carried_out",
    ),
    met(
        "V4.2.1",
        "no access to objects of others by number",
        "What is outside of a user's scope, and tokens, sessions and browsers of others, are answered like what "
        "does not exist.",
        "tests/api/test_access_matrix.py::test_matrix__every_caller_call_and_object__as_declared",
        "tests/api/test_access.py::test_link__of_another_team__is_answered_like_an_unknown_one",
        "tests/api/test_tokens_users.py::test_token__of_somebody_else__404_but_for_administrators_by_name",
        "tests/api/test_push.py::test_browser__of_another_user__neither_seen_nor_removed_nor_tested",
    ),
    met(
        "V4.2.2",
        "protection from cross-site requests",
        "Unsafe calls with a cookie need the header, sign-in too, and a provider's answer counts in the browser "
        "that began. Calls without a sign-in are limited by address.",
        "tests/api/test_session.py::test_unsafe_call__session_without_csrf__403",
        "tests/api/test_session.py::test_sign_in__missing_or_forged_csrf__403_with_remedy",
        "tests/backend/single_sign_on/test_oidc.py::test_callback__in_a_browser_that_did_not_begin__refused",
        "tests/api/test_call_rate.py::test_calls__with_wrong_tokens__count_for_the_address",
    ),
    met(
        "V4.3.1",
        "administration needs a second factor",
        "Administrators need one in every session unless `HAWSER_SECOND_FACTOR_ROLES` says otherwise, which the check "
        "`hawser.W005` names. Their tokens are made with a factor, and are accepted from named addresses alone.",
        "tests/backend/config/test_production_settings.py"
        "::test_second_factors__of_production__needed_by_administrators",
        "tests/backend/config/test_production_settings.py::test_check__no_role_needs_a_second_factor__named",
        "tests/api/test_step_up.py::test_required_factor__session_without_one__can_only_add_one",
        "tests/api/test_step_up.py::test_required_factor__token_of_that_role__needs_ranges_of_addresses",
    ),
    met(
        "V4.3.2",
        "no directory listing, no metadata files",
        "Only files of the build are served by name; any other address is the page.",
        "tests/api/test_service.py::test_page__any_other_address__index_with_a_fresh_nonce",
        "tests/api/test_answer_headers.py::test_static__dot_files_and_folders__not_served",
    ),
    met(
        "V4.3.3",
        "further authorisation or separation of duties",
        "The two-person rule: another person confirms the very plan.",
        "tests/backend/two_persons/test_approvals.py::test_approve__own_run_or_wrong_digest__refused",
        "tests/backend/threats/test_one_administrator.py"
        "::test_approve__run_asked_for_by_an_account_in_ones_own_hands__refused",
    ),
)
