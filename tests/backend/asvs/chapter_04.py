"""V4 Access control."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met, pending

ROWS: Final[tuple[Row, ...]] = (
    pending(
        "V4.1.1",
        "access rules on a trusted layer",
        "The API decides each call.",
        "tests/api/test_matrix.py::test_cell__route_verb_caller__is_what_the_role_table_says",
        waits_for="privileges",
    ),
    pending(
        "V4.1.2",
        "users cannot change what access depends on",
        "Role and state of an account are changed by administrators, and the second person is protected from one "
        "of them.",
        "tests/backend/threats/test_operator.py::test_operator__switches_the_rule_off_or_makes_an_approver__403",
        waits_for="privileges",
    ),
    pending(
        "V4.1.3",
        "least privilege",
        "Each role has the permissions of its table and no other.",
        "tests/api/test_roles.py::test_endpoint__each_role__gets_what_the_table_says",
        waits_for="privileges",
    ),
    pending(
        "V4.1.5",
        "access control fails closed",
        "A method without a stated permission is refused, and a failing check is no permission.",
        "tests/api/test_roles.py::test_url_map__every_route__states_what_its_methods_need",
        waits_for="privileges",
    ),
    pending(
        "V4.2.1",
        "no access to objects of others by number",
        "Tokens, sessions and browsers of others do not exist for a user.",
        "tests/api/test_tokens_users.py::test_token__of_somebody_else__404_but_for_administrators_by_name",
        "tests/api/test_push.py::test_browser__of_another_user__neither_seen_nor_removed_nor_tested",
        waits_for="privileges",
    ),
    pending(
        "V4.2.2",
        "protection from cross-site requests",
        "Unsafe calls with a cookie need the header, and the cookie is not sent along from elsewhere.",
        "tests/api/test_session.py::test_unsafe_call__session_without_csrf__403",
        "tests/api/test_session.py::test_sign_in__missing_or_forged_csrf__403_with_remedy",
        waits_for="privileges",
    ),
    pending(
        "V4.3.1",
        "administration needs a second factor",
        "Enforced by role.",
        waits_for="second factor",
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
