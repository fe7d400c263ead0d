"""V3 Sessions."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met, not_applicable

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V3.1.1",
        "no session token in an address",
        "Sessions are cookies, tokens headers; a token in the query is not taken.",
        "tests/api/test_tokens_users.py::test_token__in_query_or_cookie__is_not_taken",
    ),
    met(
        "V3.2.1",
        "a new session token at sign-in",
        "Each sign-in has a new session.",
        "tests/api/test_session.py::test_sign_in__right_password__me_and_new_session_id",
        "tests/api/test_session.py::test_sign_in__over_a_living_session_of_the_same_user__another_session_id",
    ),
    met(
        "V3.2.2",
        "64 bits of entropy or more",
        "Django's session key has 32 random characters, about 165 bits.",
        "tests/api/test_answer_headers.py::test_session__key__has_32_random_characters",
    ),
    met(
        "V3.2.3",
        "session tokens only in secure storage of the browser",
        "Only in a cookie that scripts cannot read.",
        "tests/backend/config/test_production_settings.py::test_cookies__of_production__carry_prefix_and_attributes",
    ),
    met(
        "V3.2.4",
        "session tokens from approved algorithms",
        "The key comes from the system's random generator and is stored as a hash.",
        "tests/backend/threats/test_stolen_backup.py::test_session__what_is_stored_of_it__opens_nothing",
        "tests/api/test_answer_headers.py::test_session__key__has_32_random_characters",
    ),
    met(
        "V3.3.1",
        "sign-out and end invalidate the session",
        "The session ends on the server, with its streams.",
        "tests/api/test_session.py::test_sign_out__old_cookie__is_dead",
        "tests/backend/threats/test_streams.py::test_stream__of_a_session_that_works_no_more__ends",
    ),
    met(
        "V3.3.2",
        "re-authentication after 12 hours or 30 minutes idle",
        "12 hours at most, and an hour unused by default.",
        "tests/api/test_tokens_users.py::test_session__left_alone__ends_where_the_page_alone_asked",
        "tests/backend/config/test_production_settings.py::test_cookies__of_production__carry_prefix_and_attributes",
    ),
    met(
        "V3.3.3",
        "a changed password ends other sessions",
        "All other sessions and all tokens end.",
        "tests/api/test_tokens_users.py::test_password__own__changed_with_the_present_one_and_ends_all_else",
        "tests/api/test_session.py::test_session__password_changed__other_sessions_die",
    ),
    met(
        "V3.3.4",
        "users see and end their sessions",
        "The account page lists sessions and ends any of them after a recent proof; a changed password ends "
        "all others.",
        "tests/api/test_tokens_users.py::test_session__of_somebody_else__seen_and_ended_by_administrators",
        "tests/api/test_step_up.py::test_routes__with_a_step_up__are_those_reviewed",
    ),
    met(
        "V3.4.1",
        "cookie attribute Secure",
        "Set outside the demo.",
        "tests/backend/config/test_production_settings.py::test_cookies__of_production__carry_prefix_and_attributes",
    ),
    met(
        "V3.4.2",
        "cookie attribute HttpOnly",
        "Set.",
        "tests/backend/config/test_production_settings.py::test_cookies__of_production__carry_prefix_and_attributes",
    ),
    met(
        "V3.4.3",
        "cookie attribute SameSite",
        "Strict.",
        "tests/backend/config/test_production_settings.py::test_cookies__of_production__carry_prefix_and_attributes",
    ),
    met(
        "V3.4.4",
        "cookie prefix __Host-",
        "Set outside the demo.",
        "tests/backend/config/test_production_settings.py::test_cookies__of_production__carry_prefix_and_attributes",
    ),
    not_applicable(
        "V3.4.5",
        "the most precise path where a name is shared",
        "The prefix demands the path / and the console needs a name of its own.",
        "tests/backend/config/test_production_settings.py::test_cookies__of_production__carry_prefix_and_attributes",
    ),
    not_applicable(
        "V3.5.1",
        "users can revoke OAuth tokens",
        "The console gives no application an OAuth token. Its own API tokens are revoked by their user.",
        "tests/api/test_tokens_users.py::test_token__expired_or_revoked__401",
        "tests/backend/single_sign_on/test_logout.py::test_sign_out__here__ends_session_and_leads_to_the_provider",
    ),
    met(
        "V3.5.2",
        "session tokens instead of static keys",
        "Pages use sessions. Programs use tokens, which all end, can be limited, and are rotated.",
        "tests/api/test_tokens_users.py::test_token__without_a_lifetime__ends_all_the_same",
        "tests/api/test_access.py::test_token__rotated__both_valid_until_the_overlap_ends",
        "tests/api/test_tokens_users.py::test_token__in_query_or_cookie__is_not_taken",
    ),
    met(
        "V3.5.3",
        "stateless tokens are protected",
        "The console issues none. Of a provider's, signature, key, algorithm, issuer, audience, times and nonce "
        "are checked, and each logout token counts once.",
        "tests/backend/single_sign_on/test_tokens.py"
        "::test_id_token__without_signature_or_with_the_shared_secret__refused",
        "tests/backend/single_sign_on/test_tokens.py::test_id_token__one_claim_wrong__refused",
        "tests/backend/single_sign_on/test_tokens.py::test_id_token__signed_by_another_key__refused",
        "tests/backend/single_sign_on/test_logout.py::test_logout_token__sent_again__refused",
    ),
    met(
        "V3.7.1",
        "re-authentication before sensitive changes",
        "Runs, approvals, tokens, users, roles, teams, environments and ended sessions ask for a recent "
        "proof; second factors always do.",
        "tests/api/test_step_up.py::test_routes__with_a_step_up__are_those_reviewed",
        "tests/api/test_step_up.py::test_step_up__every_route__refused_to_an_old_session",
        "tests/api/test_step_up.py::test_adding_a_factor__old_proof__refused_whatever_the_setting",
    ),
)
