"""Rules that keep one person from being two."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

ON_ONE = "tests.backend.threats.test_one_administrator"

PERSON_RULES = (
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
    OuterRule(
        "a_session_is_stored_under_a_hash",
        "backend.accounts.session_store",
        'return hashlib.sha256(session_key.encode()).hexdigest()[:_LENGTH] if session_key else ""',
        'return session_key or ""',
        "tests.backend.threats.test_stolen_backup::test_session__what_is_stored_of_it__opens_nothing",
        "who reads a backup acts in every session that worked when it was made",
    ),
)
