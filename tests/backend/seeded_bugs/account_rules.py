"""Rules of passwords, of what is told when an account changes, and of the headers of answers."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

NOTICES, HEADERS = "backend.identity.accounts.account_notices", "backend.common.rest.answer_headers"
ON_NOTICES, ON_HEADERS = "tests.backend.accounts.test_account_notices", "tests.api.test_answer_headers"

ON_STEPS, STEPS = "tests.api.test_first_steps", "backend.identity.accounts.first_steps"
ACCOUNT_RULES = (
    OuterRule(
        "a_password_that_an_administrator_set_is_replaced",
        "backend.identity.accounts.proof_permission",
        "            first_steps.check(user)\n",
        "",
        f"{ON_STEPS}::test_initial_password__first_session__can_only_replace_it_by_another",
        "an administrator knows the password of another user for ever",
    ),
    OuterRule(
        "an_initial_password_is_not_kept",
        "backend.identity.accounts.services",
        "if first_steps.must_change_password(user) and new_password == current_password:",
        "if False:",
        f"{ON_STEPS}::test_initial_password__first_session__can_only_replace_it_by_another",
        "an administrator knows the password of another user for ever",
    ),
    OuterRule(
        "an_initial_password_ends",
        STEPS,
        "if user.initial_password_until is None or timezone.now() <= user.initial_password_until:",
        "if True:",
        f"{ON_STEPS}::test_initial_password__after_its_time__opens_nothing",
        "a password on a note in a drawer opens an account that was never used",
    ),
    OuterRule(
        "a_password_that_another_set_approves_nothing_at_the_shell",
        "backend.identity.accounts.authentication",
        "return user if isinstance(user, User) and not first_steps.must_change_password(user) else None",
        "return user if isinstance(user, User) else None",
        f"{ON_STEPS}::test_initial_password__first_session__can_only_replace_it_by_another",
        "an administrator approves the own run by the password that was set for another user",
    ),
    OuterRule(
        "a_lost_factor_is_no_way_in_for_who_has_the_password",
        "backend.identity.accounts.services",
        "if first_steps.initial_until() is not None and identity_of(user) is None:",
        "if False:",
        f"{ON_STEPS}::test_lost_factor__removed_by_an_administrator__new_initial_password_proves_who_asks",
        "who stole a password asks an administrator to remove the factor, and is in",
    ),
    OuterRule(
        "nobody_is_recorded_who_did_not_agree",
        STEPS,
        "return bool(settings.HAWSER_PRIVACY_NOTICE) and user.notice_accepted_at is None",
        "return False",
        f"{ON_STEPS}::test_notice__not_agreed_to__nothing_else_until_then_and_after_it_is_withdrawn",
        "what a person does is kept without the person having been told",
    ),
    OuterRule(
        "a_copy_of_the_database_is_not_enough_to_guess_passwords",
        "backend.identity.accounts.password_hashing",
        "return hmac.new(key.encode(), password.encode(), hashlib.sha256).hexdigest()",
        "return password",
        "tests.backend.accounts.test_password_hashing"
        "::test_hash__copied_with_the_database__is_not_opened_without_the_key",
        "who has a copy of the database guesses passwords with Argon2id alone in the way",
    ),
    OuterRule(
        "a_password_has_an_upper_length",
        "backend.identity.accounts.passwords",
        "if len(password) > MAX_LENGTH:",
        "if False:",
        "tests.backend.accounts.test_passwords::test_password__of_128_characters__taken_and_longer__400",
        "a password longer than what the standard and the page say is taken",
    ),
    OuterRule(
        "a_changed_password_is_told",
        NOTICES,
        '    events.raised(link_id="", kind="account.password_changed", severity="warning", message=message, actor=actor)',
        "    return",
        f"{ON_NOTICES}::test_password__changed__told_as_an_event_without_the_password",
        "an administrator or a thief sets a password and its user is not told",
    ),
    OuterRule(
        "a_changed_role_is_told",
        NOTICES,
        'if before["role"] != after["role"]:',
        "if False:",
        f"{ON_NOTICES}::test_user__role_password_or_state_changed__told_as_an_event",
        "a user gets more privileges and no event says so",
    ),
    OuterRule(
        "json_is_no_page",
        HEADERS,
        'answer.headers.setdefault("Content-Disposition", API_FILE)',
        "pass",
        f"{ON_HEADERS}::test_api__each_answer__is_a_download_with_a_fixed_name_and_a_charset",
        "a browser shows an answer with the words of an attacker as a page",
    ),
    OuterRule(
        "an_empty_list_of_networks_is_named",
        "backend.config.system_checks",
        "        if not listed",
        "        if False",
        "tests.backend.config.test_production_settings::test_check__networks_without_a_list__named",
        "the console may connect anywhere without a warning",
    ),
    OuterRule(
        "a_session_survives_a_new_secret_key",
        "backend.identity.accounts.session_hash",
        "user = _stored_user(request) if held and settings.SECRET_KEY_FALLBACKS else None",
        "user = None",
        "tests.api.test_secret_key::test_session__in_processes_with_either_order_of_both_keys__stays_the_same",
        "everyone is signed out while the secret key is replaced",
    ),
    OuterRule(
        "a_fallback_key_opens_no_session_of_another_password",
        "backend.identity.accounts.session_hash",
        "if user is not None and any(constant_time_compare(held, one) for one in user.get_session_auth_fallback_hash()):",
        "if user is not None:",
        "tests.api.test_secret_key::test_session__under_a_fallback_key_with_a_new_password_or_a_disabled_user__ended",
        "a session goes on after its password was changed while two keys are listed",
    ),
)
