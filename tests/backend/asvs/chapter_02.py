"""V2 Authentication."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met, not_applicable

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V2.1.1",
        "passwords of at least 12 characters",
        "A shorter one is refused by name.",
        "tests/api/test_tokens_users.py::test_user__short_password__400_names_the_field",
    ),
    met(
        "V2.1.2",
        "64 characters allowed, over 128 refused",
        "128 characters are taken, 129 refused by name.",
        "tests/backend/accounts/test_passwords.py::test_password__of_128_characters__taken_and_longer__400",
    ),
    met(
        "V2.1.3",
        "no truncation",
        "The whole password is hashed; one that differs in its last character does not open.",
        "tests/backend/accounts/test_passwords.py::test_password__of_128_characters__taken_and_longer__400",
    ),
    met(
        "V2.1.4",
        "any printable character",
        "Spaces, emoji and every script are taken; only control characters are refused.",
        "tests/backend/accounts/test_passwords.py::test_password__of_any_printable_characters__taken",
    ),
    met(
        "V2.1.5",
        "users can change their password",
        "On the account page.",
        "tests/api/test_tokens_users.py::test_password__own__changed_with_the_present_one_and_ends_all_else",
    ),
    met(
        "V2.1.6",
        "change asks for the present and the new one",
        "The present one is asked for, and guesses at it are slowed down.",
        "tests/api/test_tokens_users.py::test_password__own__changed_with_the_present_one_and_ends_all_else",
        "tests/api/test_tokens_users.py::test_password__guessed_at_in_a_stolen_session__slowed_like_a_sign_in",
    ),
    met(
        "V2.1.7",
        "known passwords are refused",
        "Lists of known passwords, words and patterns are compared with each new password. A sign-in does not "
        "compare, since no password gets in that was not compared.",
        "tests/api/test_tokens_users.py::test_user__password_that_everybody_tries_first__400",
        "tests/api/test_tokens_users.py::test_password__guessable__refused_by_name",
    ),
    met(
        "V2.1.8",
        "strength meter",
        "Each field for a new password shows what is missing and how strong it is.",
        "tests/ui/account.spec.ts",
    ),
    met(
        "V2.1.9",
        "no rules of composition",
        "Length and guessability count, no kind of character is demanded.",
        "tests/backend/accounts/test_passwords.py::test_password__of_any_printable_characters__taken",
    ),
    met(
        "V2.1.10",
        "no periodic change, no history",
        "A password has no end and no earlier ones are kept.",
        "tests/backend/accounts/test_passwords.py::test_password__of_any_printable_characters__taken",
    ),
    met(
        "V2.1.11",
        "paste and password managers work",
        "The fields are ordinary ones with autocomplete names, and pasting is tried.",
        "tests/ui/account.spec.ts",
    ),
    met(
        "V2.1.12",
        "a password can be shown while typed",
        "Each password field has a button that shows it, the sign-in too.",
        "tests/ui/account.spec.ts",
    ),
    met(
        "V2.2.1",
        "brute force is slowed",
        "Failures are counted by name, address and known browser; guesses from many addresses are answered later "
        "and later.",
        "tests/api/test_session.py::test_sign_in__too_many_failures__429_even_with_the_right_password",
        "tests/backend/accounts/test_throttle.py"
        "::test_sign_in__guesses_from_many_addresses__answered_later_and_later_never_refused",
        "tests/backend/accounts/test_throttle.py"
        "::test_sign_in__a_stranger_guesses__the_owner_gets_in_from_another_address",
    ),
    met(
        "V2.2.2",
        "weak authenticators only as an addition",
        "There is no sign-in by SMS or e-mail.",
        "tests/api/test_matrix.py::test_cell__route_verb_caller__is_what_the_role_table_says",
    ),
    met(
        "V2.2.3",
        "users are told of changed authentication data",
        "A changed password, role or state of an account is an event of the console, told to destinations and "
        "browsers at once with the name of the account and who did it.",
        "tests/backend/accounts/test_account_notices.py::test_password__changed__told_as_an_event_without_the_password",
        "tests/backend/accounts/test_account_notices.py::test_user__role_password_or_state_changed__told_as_an_event",
    ),
    met(
        "V2.3.1",
        "initial passwords are random, short-lived, not kept",
        "What an administrator sets opens a session for 72 hours, in which nothing can be done but to replace it by "
        "another password. It approves nothing at the shell.",
        "tests/api/test_first_steps.py::test_initial_password__first_session__can_only_replace_it_by_another",
        "tests/api/test_first_steps.py::test_initial_password__after_its_time__opens_nothing",
        "tests/api/test_first_steps.py::test_initial_password__set_again_by_an_administrator__must_be_replaced_again",
        "tests/api/test_tokens_users.py::test_user__short_password__400_names_the_field",
    ),
    met(
        "V2.3.2",
        "security keys can be enrolled",
        "Passkeys of computers, phones and security keys are enrolled on the account page and used at sign-in.",
        "tests/api/test_second_factors.py::test_passkey__added__second_factor_and_sign_in_without_password",
        "tests/api/test_step_up.py::test_proof__passkey__accepted",
    ),
    met(
        "V2.3.3",
        "word in time before an authenticator ends",
        "14 days before a token ends its user is told on every page, with what to do, and an event goes to "
        "destinations.",
        "tests/api/test_first_steps.py::test_token__that_ends_soon__told_once_as_an_event_and_to_its_user",
        "tests/api/test_tokens_users.py::test_token__without_a_lifetime__ends_all_the_same",
    ),
    met(
        "V2.4.1",
        "passwords are hashed against offline attacks",
        "Argon2id with OWASP's parameters.",
        "tests/backend/accounts/test_password_hashing.py::test_make_password__new_hash__takes_between_19_and_46_mib",
    ),
    met(
        "V2.4.2",
        "a salt of its own of 32 bits or more",
        "Django makes 128 random bits for each hash.",
        "tests/backend/accounts/test_passwords.py::test_make_password__same_password_twice__another_salt_of_128_bits",
    ),
    not_applicable(
        "V2.4.3",
        "rounds of PBKDF2",
        "PBKDF2 only reads old hashes, which are made again at the next sign-in.",
        "tests/backend/accounts/test_password_hashing.py::test_sign_in__old_hash__accepted_and_made_anew",
    ),
    not_applicable(
        "V2.4.4",
        "work factor of bcrypt",
        "bcrypt is not used.",
        "tests/backend/accounts/test_password_hashing.py::test_make_password__new_hash__takes_between_19_and_46_mib",
    ),
    met(
        "V2.4.5",
        "a second hash with a secret salt",
        "A MAC of the password under a key that is not in the database comes before Argon2id; the key rotates.",
        "tests/backend/accounts/test_password_hashing.py"
        "::test_hash__copied_with_the_database__is_not_opened_without_the_key",
        "tests/backend/accounts/test_password_hashing.py::test_make_password__new_hash__takes_between_19_and_46_mib",
    ),
    not_applicable(
        "V2.5.1",
        "recovery secrets are not sent in clear",
        "The console makes and sends none; an administrator sets a new password.",
        "tests/api/test_tokens_users.py::test_user__changed__tokens_and_sessions_end",
    ),
    met(
        "V2.5.2",
        "no hints or secret questions",
        "There is no such field or call.",
        "tests/api/test_service.py::test_schema__served__is_openapi_3_1_and_the_committed_file",
    ),
    met(
        "V2.5.3",
        "recovery does not show the present password",
        "No answer has a password; a reset only sets a new one.",
        "tests/backend/common/test_secrets_canary.py"
        "::test_canary__registered_and_used__appears_in_no_answer_log_row_or_audit",
    ),
    met(
        "V2.5.4",
        "no shared or default accounts",
        "A new console has no user, and published keys are refused.",
        "tests/backend/config/test_settings_at_start.py::test_read__published_key_in_any_place__refused_and_counted",
        "tests/api/test_tokens_users.py::test_user__name_the_console_acts_under__400",
    ),
    met(
        "V2.5.5",
        "users are told of a replaced factor",
        "A changed factor, new recovery codes and a new password are told to the user in person, on every page, until "
        "the sign-in after next; added and removed factors are an event for destinations besides.",
        "tests/api/test_first_steps.py"
        "::test_notifications__factor_and_codes_changed__told_to_the_user_alone_until_the_sign_in_after_next",
        "tests/api/test_second_factors.py::test_app__added__sealed_with_ten_codes_and_told",
        "tests/api/test_step_up.py::test_factors_removed__by_an_administrator__held_back_told_and_access_ends",
    ),
    met(
        "V2.5.6",
        "recovery by a secure way",
        "Recovery codes for a lost device. For a forgotten password there is no way but an administrator, who "
        "cannot be the second person by that, and a second factor is asked for all the same.",
        "tests/api/test_second_factors.py::test_recovery_code__given_twice__refused_the_second_time",
        "tests/backend/two_persons/test_protected_changes.py"
        "::test_second_person__made_by_one_administrator__counts_when_another_agrees",
        "tests/api/test_second_factors.py::test_sign_in__with_an_app__password_alone_opens_nothing",
    ),
    met(
        "V2.5.7",
        "a lost factor is proved like at enrolment",
        "An administrator who removes the factors ends the password with them: the person gets a new initial password "
        "as at enrolment, and is no second person until another administrator confirms. Who comes from a provider "
        "signs in there.",
        "tests/api/test_first_steps.py"
        "::test_lost_factor__removed_by_an_administrator__new_initial_password_proves_who_asks",
        "tests/api/test_step_up.py::test_factors_removed__by_an_administrator__held_back_told_and_access_ends",
        "tests/api/test_step_up.py::test_adding_a_factor__old_proof__refused_whatever_the_setting",
    ),
    met(
        "V2.6.1",
        "recovery codes work once",
        "A recovery code signs in once, and new codes end the earlier ones.",
        "tests/api/test_second_factors.py::test_recovery_code__given_twice__refused_the_second_time",
        "tests/api/test_second_factors.py::test_recovery_codes__renewed__earlier_ones_end",
    ),
    met(
        "V2.6.2",
        "recovery codes are random enough",
        "A recovery code has 120 random bits; its SHA-256 hash is stored with the number of its user.",
        "tests/api/test_second_factors.py::test_recovery_code__given_twice__refused_the_second_time",
        "tests/api/test_second_factors.py::test_app__added__sealed_with_ten_codes_and_told",
    ),
    met(
        "V2.6.3",
        "recovery codes resist offline guesses",
        "Codes are random and stored as hashes; 80 bits are beyond guessing.",
        "tests/api/test_second_factors.py::test_app__added__sealed_with_ten_codes_and_told",
    ),
    not_applicable(
        "V2.7.1",
        "no clear text out-of-band codes by default",
        "No code is sent by SMS, phone or mail; the ways are passkey, app and recovery code.",
        "tests/api/test_second_factors.py::test_sign_in__with_an_app__password_alone_opens_nothing",
        "tests/api/test_step_up.py::test_routes__open_without_a_factor__are_those_reviewed",
    ),
    not_applicable(
        "V2.7.2",
        "out-of-band codes end after ten minutes",
        "No code is sent out of band.",
        "tests/api/test_second_factors.py::test_sign_in__with_an_app__password_alone_opens_nothing",
        "tests/api/test_step_up.py::test_routes__open_without_a_factor__are_those_reviewed",
    ),
    not_applicable(
        "V2.7.3",
        "out-of-band codes work once",
        "No code is sent out of band.",
        "tests/api/test_second_factors.py::test_sign_in__with_an_app__password_alone_opens_nothing",
        "tests/api/test_step_up.py::test_routes__open_without_a_factor__are_those_reviewed",
    ),
    not_applicable(
        "V2.7.4",
        "out-of-band over a channel of its own",
        "No code is sent out of band.",
        "tests/api/test_second_factors.py::test_sign_in__with_an_app__password_alone_opens_nothing",
        "tests/api/test_step_up.py::test_routes__open_without_a_factor__are_those_reviewed",
    ),
    not_applicable(
        "V2.7.5",
        "out-of-band codes are kept as hashes",
        "No code is sent out of band.",
        "tests/api/test_second_factors.py::test_sign_in__with_an_app__password_alone_opens_nothing",
        "tests/api/test_step_up.py::test_routes__open_without_a_factor__are_those_reviewed",
    ),
    not_applicable(
        "V2.7.6",
        "out-of-band codes are random",
        "No code is sent out of band.",
        "tests/api/test_second_factors.py::test_sign_in__with_an_app__password_alone_opens_nothing",
        "tests/api/test_step_up.py::test_routes__open_without_a_factor__are_those_reviewed",
    ),
    met(
        "V2.8.1",
        "one-time passwords have a lifetime",
        "A code counts for its 30 seconds and one step before and after.",
        "tests/api/test_second_factors.py::test_code__of_another_time__one_step_is_accepted",
    ),
    met(
        "V2.8.2",
        "keys of one-time passwords are protected",
        "The secret of an app is sealed for its user. The key that opens it comes out of a vault, or sealed by the "
        "security module of the host.",
        "tests/api/test_second_factors.py::test_app__added__sealed_with_ten_codes_and_told",
        "tests/backend/config/test_own_secrets.py::test_key__by_reference__is_what_the_vault_holds_and_never_shown",
    ),
    met(
        "V2.8.3",
        "approved algorithms for one-time passwords",
        "HMAC-SHA-1 as in RFC 6238, with 160 bits of the system's random generator.",
        "tests/api/test_second_factors.py::test_code__of_the_standards_example__accepted_and_secrets_have_160_bits",
    ),
    met(
        "V2.8.4",
        "a one-time password works once",
        "The time step of the last code is stored, and no code up to it counts again.",
        "tests/api/test_second_factors.py::test_code__given_twice__refused_the_second_time",
    ),
    met(
        "V2.8.5",
        "reuse is recorded and told",
        "A used code that is given again is refused, recorded as such, and told as an event of severity warning.",
        "tests/api/test_second_factors.py::test_code__given_twice__refused_the_second_time",
        "tests/api/test_second_factors.py::test_recovery_code__given_twice__refused_the_second_time",
    ),
    met(
        "V2.8.6",
        "a lost generator can be revoked",
        "Removed, an app opens nothing from then on; removed by an administrator, all sessions and tokens of the "
        "user end too.",
        "tests/api/test_step_up.py::test_factors_removed__by_an_administrator__held_back_told_and_access_ends",
        "tests/api/test_second_factors.py::test_removed__last_factor__password_is_enough_again",
    ),
    not_applicable(
        "V2.8.7",
        "biometrics only as a second factor",
        "The console takes no biometrics. A device may check them before it uses a passkey, which its user must "
        "have besides.",
        "tests/api/test_second_factors.py::test_passkey__stored__its_public_key_alone",
        "tests/api/test_second_factors.py::test_passkey__without_user_verification__refused",
    ),
    met(
        "V2.9.1",
        "keys of verification are protected",
        "Public keys alone are stored; the private ones stay in the devices.",
        "tests/api/test_second_factors.py::test_passkey__stored__its_public_key_alone",
    ),
    met(
        "V2.9.2",
        "challenges of 64 bits or more",
        "256 random bits, for one purpose and one answer.",
        "tests/api/test_second_factors.py::test_passkey__challenges__have_256_bits_and_are_never_the_same",
        "tests/api/test_second_factors.py::test_passkey__answer_sent_again__challenge_is_used_up",
    ),
    met(
        "V2.9.3",
        "approved algorithms of verification",
        "ES256, EdDSA and RS256 are offered, and a key of any other algorithm is refused.",
        "tests/api/test_second_factors.py::test_passkey__key_of_an_algorithm_that_was_not_offered__refused",
        "tests/api/test_second_factors.py::test_passkey__added__second_factor_and_sign_in_without_password",
    ),
    met(
        "V2.10.1",
        "services do not rely on unchanging passwords",
        "A timer gives the console's own database and Redis new passwords each month. Tokens end and can be rotated, "
        "a vault can make the monitor's accounts, and a plan replaces passwords of managed servers.",
        "tests/deploy/test_password_rotation.py::test_host__rotated__accounts_files_and_redis_have_one_new_password_each",
        "tests/deploy/test_password_rotation.py::test_compose__rotated__all_passwords_are_new_or_none_is",
        "tests/deploy/test_password_rotation.py::test_timer__of_the_units__is_valid_and_starts_the_script_each_month",
        "tests/api/test_tokens_users.py::test_token__without_a_lifetime__ends_all_the_same",
        "tests/backend/secret_stores/test_cache.py::test_account__lease_not_prolonged_or_refused__a_new_one",
        "tests/galera/test_rotate_passwords.py::test_rotate__under_load__every_node_has_the_new_passwords_only",
    ),
    met(
        "V2.10.2",
        "no default service accounts",
        "Every password of the deployment is made at installation, and published keys are refused.",
        "tests/deploy/test_compose.py::test_make_secrets__in_an_empty_folder__makes_every_secret_file",
        "tests/backend/config/test_settings_at_start.py::test_read__published_key_in_any_place__refused_and_counted",
    ),
    met(
        "V2.10.3",
        "service passwords are stored protected",
        "Passwords of managed servers are sealed in the database or kept in a store. Those of the console's database "
        "and Redis, and the key that seals, come out of a vault, or sealed by the security module of the host.",
        "tests/backend/config/test_own_secrets.py::test_key__by_reference__is_what_the_vault_holds_and_never_shown",
        "tests/deploy/test_compose.py::test_make_secrets__each_file__is_read_by_its_containers_account_alone",
        "tests/backend/common/test_security.py::test_seal__rows_swapped_in_the_database__are_refused",
    ),
    met(
        "V2.10.4",
        "secrets are not in the source",
        "Secrets come from files of the service manager and stores; the archive and compose file have none. A "
        "reference never reads the console's own.",
        "tests/deploy/test_release_contents.py::test_archive__secrets__are_not_in_it",
        "tests/deploy/test_compose.py::test_service__environment__holds_no_secret",
        "tests/backend/secret_stores/test_references.py::test_file__of_the_consoles_own_keys__refused",
    ),
)
