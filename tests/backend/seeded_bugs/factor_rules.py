"""Rules of second factors and of the proof that the user of a session is present."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

ON_FACTORS, ON_STEP_UP = "tests.api.test_second_factors", "tests.api.test_step_up"
SIGN_IN, PERMISSION = "backend.accounts.second_factor", "backend.accounts.proof_permission"
CEREMONY, PASSKEYS = "backend.second_factors.ceremony", "backend.second_factors.passkeys"
VERIFICATION = "backend.second_factors.verification"

FACTOR_RULES = (
    OuterRule(
        "a_password_alone_opens_no_session_with_a_factor",
        "backend.accounts.services",
        "if not factor and method != ProviderKind.OIDC and (ways := second_factor.factors().ways_of(user)):",
        "if (ways := ()):",
        f"{ON_FACTORS}::test_sign_in__with_an_app__password_alone_opens_nothing",
        "a stolen password is enough to sign in",
    ),
    OuterRule(
        "a_factor_is_added_with_the_factor_that_is_there",
        "backend.accounts.proof_permission",
        "(proof.is_recent(max_age_s) and (proof.factor or not factors().ways_of(user)))",
        "proof.is_recent(max_age_s)",
        "tests.backend.single_sign_on.test_factors::test_sign_in__password_of_the_provider_alone__adds_no_other_factor",
        "a stolen password of the provider adds a factor of the thief",
    ),
    OuterRule(
        "a_waiting_sign_in_ends_with_the_password",
        SIGN_IN,
        'if user is None or not constant_time_compare(held["hash"], user.get_session_auth_hash()):',
        "if user is None:",
        f"{ON_FACTORS}::test_second_factor__password_changed_meanwhile__sign_in_ends",
        "a sign-in that began with a stolen password is finished after the password was changed",
    ),
    OuterRule(
        "a_code_of_an_app_is_accepted_once",
        VERIFICATION,
        "if step is None or step <= row.last_step:",
        "if step is None:",
        f"{ON_FACTORS}::test_code__given_twice__refused_the_second_time",
        "who looks over a shoulder signs in with the same code",
    ),
    OuterRule(
        "a_recovery_code_is_accepted_once",
        "backend.second_factors.recovery_codes",
        "found = user.recovery_codes.filter(digest=_digest(user, code), used_at=None)",
        "found = user.recovery_codes.filter(digest=_digest(user, code))",
        f"{ON_FACTORS}::test_recovery_code__given_twice__refused_the_second_time",
        "a code on a used sheet of paper signs in",
    ),
    OuterRule(
        "codes_are_counted_from_everywhere",
        VERIFICATION,
        "    attempt = counted_attempt(user)\n",
        '    attempt = throttle.Attempt("", (), 0.0)\n',
        f"{ON_FACTORS}::test_codes__guessed_from_many_addresses__throttled_until_unlocked",
        "a million codes are tried from many addresses",
    ),
    OuterRule(
        "a_passkey_verifies_its_user",
        CEREMONY,
        "None if allowed is None else list(allowed), user_verification=_VERIFIED",
        "None if allowed is None else list(allowed), user_verification=None",
        f"{ON_FACTORS}::test_passkey__without_user_verification__refused",
        "a thief of a security key signs in with it alone",
    ),
    OuterRule(
        "a_passkey_is_of_this_consoles_origin",
        CEREMONY,
        "verify_origin=lambda origin: origin in _origins(request)",
        "verify_origin=lambda origin: True",
        f"{ON_FACTORS}::test_passkey__of_another_origin__refused",
        "a page of a stranger passes an answer on",
    ),
    OuterRule(
        "a_challenge_is_used_once",
        CEREMONY,
        "held = request.session.pop(_KEY, None) or {}",
        "held = request.session.get(_KEY) or {}",
        f"{ON_FACTORS}::test_passkey__second_answer_to_one_challenge__refused",
        "a recorded answer is sent again",
    ),
    OuterRule(
        "a_challenge_has_one_purpose",
        CEREMONY,
        'if held.get("purpose") != purpose or time.time()',
        "if not held or time.time()",
        f"{ON_FACTORS}::test_passkey__challenge_of_a_proof__opens_no_session",
        "an answer for one purpose is taken for another",
    ),
    OuterRule(
        "a_copied_passkey_is_refused",
        PASSKEYS,
        "Passkey.objects.filter(pk=row.pk, sign_count__lt=counter)",
        "Passkey.objects.filter(pk=row.pk)",
        f"{ON_FACTORS}::test_passkey__counter_did_not_rise__refused_as_a_copy",
        "a copy of a passkey goes unnoticed",
    ),
    OuterRule(
        "a_second_factor_is_of_the_same_user",
        PASSKEYS,
        ".filter(Q(user=user) if user else Q())",
        "",
        f"{ON_FACTORS}::test_passkey__of_another_user__is_no_second_factor",
        "a user finishes the sign-in of another one",
    ),
    OuterRule(
        "an_old_proof_is_asked_for_again",
        PERMISSION,
        "    if not max_age_s or (proof.is_recent(max_age_s) and (proof.factor or not factors().ways_of(user))):\n",
        "    if max_age_s is not None:\n",
        f"{ON_STEP_UP}::test_step_up__every_route__refused_to_an_old_session",
        "a page that was left open starts a run or approves one",
    ),
    OuterRule(
        "a_factor_is_added_by_who_was_there_just_now",
        PERMISSION,
        "return configured if needed is RecentProof.CONFIGURED else configured or DEFAULT_MAX_AGE_S",
        "return configured",
        f"{ON_STEP_UP}::test_adding_a_factor__old_proof__refused_whatever_the_setting",
        "a stolen session adds a passkey of the thief",
    ),
    OuterRule(
        "a_password_is_no_proof_beside_a_factor",
        "backend.second_factors.services",
        'if "password" not in ways_to_prove(user):',
        "if False:",
        f"{ON_STEP_UP}::test_proof__user_with_a_factor__password_is_not_enough",
        "a stolen session and password are enough for an approval",
    ),
    OuterRule(
        "a_required_factor_comes_first",
        PERMISSION,
        "    if not session_proof.lacks_factor(request, user):\n",
        "    if True:\n",
        f"{ON_STEP_UP}::test_required_factor__session_without_one__can_only_add_one",
        "an approver without a second factor approves",
    ),
    OuterRule(
        "removed_factors_are_held_back",
        "backend.accounts.services",
        "    if may(user.role, Permission.RUN) and not are_one_person(actor, user.username):\n        hold_back(",
        "    if False:\n        hold_back(",
        f"{ON_STEP_UP}::test_factors_removed__by_an_administrator__held_back_told_and_access_ends",
        "an administrator takes over an approver's account and approves the own run",
    ),
)
