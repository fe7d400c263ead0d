"""Rules of sign-in by a provider or directory."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

HERE = "tests.backend.single_sign_on"
ON_OIDC, ON_TOKENS_OF_PROVIDER, ON_LOGOUT = f"{HERE}.test_oidc", f"{HERE}.test_tokens", f"{HERE}.test_logout"
ON_LDAP, ON_CONFIRMATION = f"{HERE}.test_ldap", f"{HERE}.test_confirmation"
ON_PERSONS, ON_LOCAL = f"{HERE}.test_second_person", f"{HERE}.test_local_sign_in"
FLOW, TOKENS = "backend.identity.single_sign_on.oidc.flow", "backend.identity.single_sign_on.oidc.tokens"
DIRECTORY, USERS = "backend.identity.single_sign_on.ldap.directory", "backend.identity.accounts.provider_users"

SIGN_IN_RULES = (
    OuterRule(
        "a_sign_in_is_finished_where_it_began",
        FLOW,
        'if not constant_time_compare(given["state"], held["state"]):',
        "if False:",
        f"{ON_OIDC}::test_callback__state_of_another_sign_in__refused",
        "a page elsewhere signs a user in as another user",
    ),
    OuterRule(
        "an_answer_is_of_the_provider_that_was_asked",
        FLOW,
        'if (given.get("iss") or needs_iss) and given.get("iss") != settings.HAWSER_OIDC_ISSUER:',
        "if False:",
        f"{ON_OIDC}::test_callback__of_another_issuer__refused",
        "another provider's code is taken for one of this provider",
    ),
    OuterRule(
        "an_id_token_is_of_this_sign_in",
        TOKENS,
        'params = {"nonce": nonce,',
        'params = {"nonce": None,',
        f"{ON_OIDC}::test_callback__nonce_of_another_sign_in__refused",
        "a stolen ID token opens a session",
    ),
    OuterRule(
        "a_logout_token_works_once",
        "backend.identity.single_sign_on.oidc.logout",
        '_use(str(claims["jti"]), claims.get("exp"))',
        "None",
        f"{ON_LOGOUT}::test_logout_token__sent_again__refused",
        "who recorded one logout ends later sessions with it",
    ),
    OuterRule(
        "an_id_token_is_no_logout_token",
        TOKENS,
        "if reason := _why_no_logout_token(token):",
        'if reason := "":',
        f"{ON_TOKENS_OF_PROVIDER}::test_logout_token__without_its_event__refused",
        "who holds an ID token ends sessions",
    ),
    OuterRule(
        "a_user_is_never_taken_over_by_name",
        USERS,
        "if taken is not None:",
        "if taken is not None and _bind(taken, person) is None:\n        return taken\n    if taken is not None:",
        f"{ON_OIDC}::test_sign_in__name_of_a_local_user__never_taken_over",
        "who gets the name of an administrator at the provider becomes that administrator",
    ),
    OuterRule(
        "no_group_no_sign_in",
        "backend.identity.single_sign_on.admission",
        "    if role is None:\n",
        "    role = role or __import__('backend.common.roles', fromlist=['Role']).Role.VIEWER\n    if role is None:\n",
        f"{ON_OIDC}::test_sign_in__without_a_group_of_the_mapping__refused_and_recorded",
        "every user of the company reads the console",
    ),
    OuterRule(
        "a_role_by_group_waits_like_any_other",
        USERS,
        "    if is_promotion and not settings.HAWSER_PROVIDER_ROLES_TRUSTED:",
        "    if False:",
        f"{ON_PERSONS}::test_promoted_by_group__waits_again",
        "one administrator of groups is both persons",
    ),
    OuterRule(
        "names_at_the_provider_are_remembered",
        USERS,
        "sorted({*identity.aliases, *looks(person)})",
        "looks(person)",
        f"{ON_PERSONS}::test_name_at_the_provider_changed__still_one_person",
        "a person becomes two by a change of an e-mail address",
    ),
    OuterRule(
        "what_the_provider_decides_is_not_changed_here",
        "backend.identity.accounts.services",
        "            refuse_if_of_provider(user, field, field)\n",
        "            pass\n",
        f"{ON_OIDC}::test_user_of_the_provider__role_and_password__not_changed_here",
        "a user whom the provider removed signs in with a local password",
    ),
    OuterRule(
        "an_empty_password_never_binds",
        DIRECTORY,
        "    if not password:\n        return None\n",
        "",
        f"{ON_LDAP}::test_sign_in__empty_password__never_binds",
        "a name alone opens a session",
    ),
    OuterRule(
        "a_name_is_no_filter",
        DIRECTORY,
        "HAWSER_LDAP_USER_FILTER.format(user=escape_filter_chars(username))",
        "HAWSER_LDAP_USER_FILTER.format(user=username)",
        f"{ON_LDAP}::test_sign_in__filter_in_the_name__finds_no_user",
        "a password is tried on many users at once",
    ),
    OuterRule(
        "the_directory_shows_its_certificate",
        DIRECTORY,
        "ldap.OPT_X_TLS_DEMAND",
        "ldap.OPT_X_TLS_NEVER",
        f"{ON_LDAP}::test_sign_in__certificate_of_another_authority__refused",
        "a host on the way reads passwords",
    ),
    OuterRule(
        "who_left_the_directory_is_out",
        "backend.identity.single_sign_on.confirmation",
        '            provider_user_lost(identity, "no longer in the directory")\n',
        "            pass\n",
        f"{ON_CONFIRMATION}::test_ldap__user_removed__session_and_tokens_end_and_sign_in_is_refused",
        "a person who left the company keeps session and tokens",
    ),
    OuterRule(
        "a_session_is_confirmed_in_time",
        "backend.identity.single_sign_on.confirmation",
        "    end_unconfirmed(now)\n",
        "",
        f"{ON_CONFIRMATION}::test_oidc__provider_down__session_lasts_until_it_was_unconfirmed_for_too_long",
        "who keeps the provider away keeps the session",
    ),
    OuterRule(
        "local_passwords_are_for_the_named",
        "backend.identity.accounts.services",
        "    local_sign_in.check(user)\n",
        "",
        f"{ON_LOCAL}::test_break_glass__other_local_user__refused_after_the_password_only",
        "a forgotten local user gets past the provider",
    ),
    OuterRule(
        "an_emergency_is_told",
        "backend.identity.accounts.services",
        "    local_sign_in.announce(user)\n",
        "",
        f"{ON_LOCAL}::test_break_glass__named_user__signed_in_with_warning_and_record",
        "no user learns that the provider was bypassed",
    ),
)
