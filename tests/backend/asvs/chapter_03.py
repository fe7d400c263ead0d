"""V3 Sessions."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met, not_applicable, pending

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
    pending(
        "V3.3.4",
        "users see and end their sessions",
        "The account page lists and ends them; step-up asks for the sign-in again.",
        "tests/api/test_tokens_users.py::test_session__of_somebody_else__seen_and_ended_by_administrators",
        waits_for="second factor",
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
    pending(
        "V3.5.1",
        "users can revoke OAuth tokens",
        "The console keeps no token of an identity provider that it could use later.",
        waits_for="sign-in",
    ),
    pending(
        "V3.5.2",
        "session tokens instead of static keys",
        "Pages use sessions; API tokens end.",
        "tests/api/test_tokens_users.py::test_token__without_a_lifetime__ends_all_the_same",
        waits_for="sign-in",
    ),
    pending(
        "V3.5.3",
        "stateless tokens are protected",
        "The console issues none; those of a provider are verified once.",
        waits_for="sign-in",
    ),
    pending(
        "V3.7.1",
        "re-authentication before sensitive changes",
        "Step-up before a confirm and an approval.",
        "tests/api/test_tokens_users.py::test_password__own__changed_with_the_present_one_and_ends_all_else",
        waits_for="second factor",
    ),
)
