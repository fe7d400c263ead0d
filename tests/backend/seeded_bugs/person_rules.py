"""Rules that keep two persons two, and that end what somebody was let in with."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

AUTHORIZATION, APPROVAL, CHANGES = (
    "backend.runs.execution.authorization",
    "backend.runs.services.approval",
    "backend.accounts.protected_changes",
)
SERVICES, TOKENS, LOOK = (
    "backend.accounts.services",
    "backend.accounts.token_services",
    "backend.accounts.authentication",
)
HERE = "tests.backend.two_persons"
ON_CLAIM, ON_APPROVALS = f"{HERE}.test_authorization", f"{HERE}.test_approvals"
ON_CHANGES, ON_SHELL = f"{HERE}.test_protected_changes", f"{HERE}.test_shell"
ON_TOKENS, ON_STREAMS = "tests.api.test_tokens_users", "tests.api.test_sse"

ON_ONE = "tests.backend.threats.test_one_administrator"

PERSON_RULES = (
    OuterRule(
        "a_worker_carries_what_the_console_released",
        AUTHORIZATION,
        'if not is_mac_of(run.authorization, "run", *_run_parts(run, run.epoch)):',
        "if False:",
        f"{ON_CLAIM}::test_claim__set_to_queued_and_said_to_need_nobody__refused",
        "whoever writes to the console's database starts runs without anybody's approval",
    ),
    OuterRule(
        "a_worker_asks_for_the_approval",
        AUTHORIZATION,
        "return _why_not_approved(run) if run.needs_approval else None",
        "return None",
        f"{ON_CLAIM}::test_claim__approval_taken_away_again__refused",
        "a run that needs a second person is carried without one",
    ),
    OuterRule(
        "an_approval_is_of_one_round",
        AUTHORIZATION,
        "found = Approval.objects.filter(run=run, round=run.approval_round).first()",
        "found = Approval.objects.filter(run=run).first()",
        f"{ON_APPROVALS}::test_approval__of_an_earlier_round__is_none_of_this_one",
        "a run is resumed days later under an approval that is long forgotten",
    ),
    OuterRule(
        "a_stopped_run_is_released_by_nobody",
        "backend.runs.execution.store",
        '            "authorization": "",\n',
        "",
        f"{ON_CLAIM}::test_claim__stopped_run_set_to_queued_by_hand__stays_with_the_operator",
        "a run that stopped for a person goes on without one",
    ),
    OuterRule(
        "an_exception_ends",
        AUTHORIZATION,
        "approval.expires_at <= timezone.now()",
        "False",
        f"{ON_APPROVALS}::test_exception__not_used_in_time__refused",
        "an exception made in an incident starts a run the day after",
    ),
    OuterRule(
        "a_look_alike_name_is_the_same_person",
        "backend.accounts.persons",
        "if skeleton(one) == skeleton(other):\n        return True",
        "if one == other:\n        return True\n    return False",
        f"{ON_APPROVALS}::test_approve__name_that_looks_the_same__own_run",
        "one person approves under two spellings of a name",
    ),
    OuterRule(
        "a_name_is_not_mistaken_for_another",
        SERVICES,
        "if alike is not None and alike.username != username:",
        "if False:",
        "tests.backend.two_persons.test_names::test_user__name_that_looks_like_another__refused_by_name",
        "an account is made that reads like another person's",
    ),
    OuterRule(
        "an_approver_is_older_than_the_request",
        "backend.accounts.second_person",
        "if user.second_person_from > since:",
        "if False:",
        f"{ON_APPROVALS}::test_approve__account_younger_than_the_request__refused",
        "an administrator adds the second person that his run waits for",
    ),
    OuterRule(
        "a_new_approver_waits",
        "backend.accounts.second_person",
        "if begins > timezone.now():",
        "if False:",
        f"{ON_APPROVALS}::test_approve__account_that_does_not_count_yet__refused_with_the_time",
        "an administrator is both persons",
    ),
    OuterRule(
        "the_approval_rule_ends_by_two_administrators",
        "backend.clusters.services",
        "if not link.requires_approval or at <= timezone.now():",
        "if True:",
        f"{ON_CHANGES}::test_rule__switched_off_by_one_administrator__stays_on_until_another_agrees",
        "one administrator switches the rule off, runs, and switches it on",
    ),
    OuterRule(
        "who_asked_for_a_change_does_not_confirm_it",
        CHANGES,
        "if are_one_person(change.requested_by, user.username):",
        "if False:",
        f"{ON_CHANGES}::test_rule__switched_off_by_one_administrator__stays_on_until_another_agrees",
        "one administrator confirms his own change",
    ),
    OuterRule(
        "who_does_not_count_yet_confirms_nothing",
        CHANGES,
        " or why_not_second_person(user, since=change.requested_at)",
        "",
        f"{ON_CHANGES}::test_second_person__who_does_not_count_yet__confirms_nothing",
        "an administrator adds another one who confirms all he asks for",
    ),
    OuterRule(
        "two_changes_of_an_account_are_confirmed_each",
        SERVICES,
        "latest = max((change.effective_at for change in still_waiting), default=timezone.now())",
        "latest = timezone.now()",
        f"{ON_CHANGES}::test_second_person__two_changes_wait__counts_only_when_both_are_confirmed",
        "a harmless change that is confirmed covers a password reset",
    ),
    OuterRule(
        "the_kernel_says_who_is_at_the_shell",
        "backend.accounts.os_user",
        "uid = os.getuid()",
        'return os.environ.get("LOGNAME", "")\n    uid = os.getuid()',
        "tests.backend.two_persons.test_names::test_os_user__environment_says_another__kernel_is_believed",
        "an environment variable makes the requester another person",
    ),
    OuterRule(
        "an_unknown_shell_user_has_no_second_person",
        APPROVAL,
        "if is_unknown(asker):",
        "if False:",
        "tests.backend.two_persons.test_names::test_run_asked_for_by_an_unknown_shell_user__approved_by_nobody",
        "who asked at the shell approves in the browser",
    ),
    OuterRule(
        "a_token_makes_no_token",
        TOKENS,
        "if owner.token_in_use is not None:",
        "if False:",
        f"{ON_TOKENS}::test_token__asks_for_a_token__403",
        "a leaked token makes itself a successor without end",
    ),
    OuterRule(
        "a_token_lives_so_long_at_most",
        TOKENS,
        "if expires_days and expires_days > settings.HAWSER_TOKEN_MAX_DAYS:",
        "if False:",
        f"{ON_TOKENS}::test_token__without_a_lifetime__ends_all_the_same",
        "a token outlives whoever made it",
    ),
    OuterRule(
        "an_unused_session_ends",
        "backend.accounts.sign_ins",
        ", last_active_at__gt=idle",
        "",
        f"{ON_TOKENS}::test_session__left_alone__ends_where_the_page_alone_asked",
        "a page left open in a meeting room acts for its owner all day",
    ),
    OuterRule(
        "what_was_ended_hears_nothing",
        LOOK,
        "return role == user.role and rows.filter(pk=auth.pk).exists()",
        "return True",
        "tests.backend.two_persons.test_names::test_still_authenticated__ended_in_any_way__no",
        "an event stream goes on for a quarter of an hour after the user was disabled",
    ),
    OuterRule(
        "a_restore_ends_all_access",
        "backend.accounts.restores",
        "if now >= known:",
        "if True:",
        f"{HERE}.test_restores::test_check__record_went_back_under_the_monitor__all_access_ends_and_is_reported",
        "tokens that were revoked work again after a restore, and nobody is told",
    ),
    OuterRule(
        "who_made_an_account_does_not_approve_what_it_asks_for",
        "backend.runs.services.approval",
        "        if (problem := why_own_account(user, asker)) is not None:\n",
        "        if False:\n",
        f"{ON_ONE}::test_approve__run_asked_for_by_an_account_just_made__refused",
        "one administrator makes an operator, starts a run as that one and approves it as himself",
    ),
    OuterRule(
        "who_made_the_maker_of_an_account_does_not_approve_either",
        "backend.accounts.second_person",
        "    while names:\n",
        "    for _ in range(1):\n",
        f"{ON_ONE}::test_approve__run_asked_for_by_an_account_that_ones_own_account_made__refused",
        "one administrator does the same by way of a second account",
    ),
    OuterRule(
        "who_made_an_administrator_does_not_confirm_what_it_asks_for",
        "backend.accounts.protected_changes",
        "return why_own_account(user, change.requested_by) or why_not_second_person(",
        "return why_not_second_person(",
        f"{ON_ONE}::test_confirm__change_asked_for_by_an_administrator_in_ones_own_hands__refused",
        "one administrator makes another, lets that one switch the rule off, and confirms it as himself",
    ),
    OuterRule(
        "an_operator_made_by_somebody_is_held_back",
        "backend.accounts.services",
        '_hold_back(user, actor, "added", "was added") if may(user.role, Permission.RUN) else None',
        '_hold_back(user, actor, "added", "was added") if may(user.role, Permission.APPROVE) else None',
        f"{ON_ONE}::test_approve__run_asked_for_by_an_account_just_made__refused",
        "nobody is told that an administrator holds the password of an account that asks for runs",
    ),
)
