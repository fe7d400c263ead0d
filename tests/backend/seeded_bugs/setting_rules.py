"""Rules of the settings at start, and of what a caller may say of his address."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

SETTING_CHECKS, ON_SETTINGS = "backend.config.setting_checks", "tests.backend.config.test_settings_at_start"

SETTING_RULES = (
    OuterRule(
        "the_published_key_seals_nothing_outside_the_demo",
        SETTING_CHECKS,
        "if content in [base64.urlsafe_b64decode(published) for published in (DEMO_CREDENTIALS_KEY, DEMO_AUDIT_KEY)]:",
        "if False:",
        f"{ON_SETTINGS}::test_read__published_key_in_any_place__refused_and_counted",
        "stored database passwords are opened with a key that every user has",
    ),
    OuterRule(
        "each_key_of_the_list_is_checked",
        SETTING_CHECKS,
        "for number, key in enumerate(keys, start=1):\n        fault = ",
        "for number, key in enumerate(keys[:1], start=1):\n        fault = ",
        f"{ON_SETTINGS}::test_read__each_key_of_the_list__checked_on_its_own",
        "a key that cannot be used is found out in an incident",
    ),
    OuterRule(
        "a_secret_key_is_long",
        SETTING_CHECKS,
        "if len(text) < SHORTEST_SECRET:",
        "if False:",
        f"{ON_SETTINGS}::test_read__short_secret_key__refused",
        "sessions are signed with a key that can be guessed",
    ),
    OuterRule(
        "a_secret_key_is_random",
        SETTING_CHECKS,
        "if len(set(text)) < FEWEST_DIFFERENT:",
        "if False:",
        f"{ON_SETTINGS}::test_read__secret_key_of_one_character__refused",
        "sessions are signed with a key that can be guessed",
    ),
    OuterRule(
        "all_wrong_settings_are_said_at_once",
        "backend.config.env",
        '            faults.append(f"{setting.name}: {error}.")',
        '            faults = [f"{setting.name}: {error}."]',
        f"{ON_SETTINGS}::test_read__several_wrong__all_said_at_once",
        "each start names one more mistake",
    ),
    OuterRule(
        "a_password_inside_an_address_is_masked",
        "backend.config.setting_report",
        "return _URL_PASSWORD.sub(lambda match: f\"{match[1] or match[3]}{MASK}{match[2] or ''}\", reading.text)",
        "return reading.text",
        "tests.backend.config.test_settings_command::test_in_force__secrets_and_passwords_inside_addresses__masked",
        "the command that shows settings shows passwords",
    ),
    OuterRule(
        "a_forwarded_address_counts_only_behind_a_declared_proxy",
        "backend.common.rest.middleware",
        "if settings.HAWSER_BEHIND_PROXY:",
        "if True:",
        "tests.backend.common.test_source_ip::test_source_ip__no_proxy_declared__is_the_peer",
        "a caller chooses the address in the audit record",
    ),
    OuterRule(
        "a_key_of_the_console_lies_where_no_user_can_name_it",
        "backend.config.own_secrets",
        'if any(path == one or path.startswith(f"{one}/") for one in allowed):',
        "if False:",
        "tests.backend.config.test_own_secrets::test_key__where_users_may_name_references__refused",
        "a user registers a cluster by a reference to a key, and its server is sent the key",
    ),
    OuterRule(
        "forwarded_headers_count_with_the_proxys_proof_alone",
        "backend.common.rest.middleware",
        "return hmac.compare_digest(proof.encode(), secret.encode())",
        "return True",
        "tests.backend.common.test_source_ip::test_forwarded_headers__of_who_cannot_prove_to_be_the_proxy__dropped",
        "who reaches the port of web chooses the address in the audit record",
    ),
    OuterRule(
        "without_a_secret_no_proxy_is_believed",
        "backend.common.rest.middleware",
        "return bool(settings.HAWSER_PROXY_UNPROVED)",
        "return True",
        "tests.backend.common.test_source_ip::test_forwarded_headers__without_a_secret__believed_in_demo_and_debug_alone",
        "who reaches the port of web chooses the address in the audit record",
    ),
    OuterRule(
        "only_the_last_forwarded_address_is_the_proxys",
        "backend.common.rest.middleware",
        'last = forwarded.rsplit(",", maxsplit=1)[-1].strip()',
        'last = forwarded.split(",", maxsplit=1)[0].strip()',
        "tests.backend.common.test_source_ip::test_source_ip__behind_a_proxy__is_what_the_proxy_added",
        "a caller chooses the address in the audit record",
    ),
    OuterRule(
        "a_process_does_not_start_without_its_secrets",
        "backend.config.env",
        'process in ("", *setting.required_by)',
        'process == ""',
        f"{ON_SETTINGS}::test_read__secrets__required_of_the_processes_that_need_them",
        "a worker that can open no password is found out in an incident",
    ),
)
