"""Rules that end what waits once who asked for it may not, or it is not what was read."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

CHANGES, WITHDRAWN = (
    "backend.identity.accounts.protected_changes",
    "backend.identity.accounts.withdrawn_changes",
)
SERVICES = "backend.identity.accounts.services"
AUTOMATION = "backend.operations.automation.withdrawal"
ON_STOLEN = "tests.backend.threats.test_stolen_token"
ON_LOST = "tests.backend.threats.test_requester_lost"

FALLEN_RULES = (
    OuterRule(
        "a_change_of_who_lost_the_right_is_not_applied",
        CHANGES,
        "        if (problem := why_fallen(change)) is not None:\n",
        "        if (problem := None) is not None:\n",
        f"{ON_LOST}::test_change__requester_lost_the_right_and_it_is_due__not_applied",
        "an administrator asks for the end of the rule, is found out and disabled, and it ends all the same",
    ),
    OuterRule(
        "a_change_of_who_lost_the_right_is_not_confirmed",
        CHANGES,
        "why_not_confirm(change, user) or why_fallen(change)",
        "why_not_confirm(change, user)",
        f"{ON_LOST}::test_change__requester_lost_the_right__confirmed_by_nobody",
        "what a disabled administrator asked for is confirmed by somebody who knows nothing of that",
    ),
    OuterRule(
        "a_change_of_who_lost_the_right_is_withdrawn_before_its_time",
        WITHDRAWN,
        "    why = {pk: problem.detail for pk, problem in found.items() if problem is not None}\n",
        "    why = {}\n",
        f"{ON_LOST}::test_account__made_by_who_lost_the_right__disabled_before_it_counts",
        "the second account of a disabled administrator approves as soon as its time has come",
    ),
    OuterRule(
        "a_change_whose_target_is_called_otherwise_is_not_confirmed",
        CHANGES,
        '    if change.target_name in ("", name):\n',
        "    if True:\n",
        f"{ON_LOST}::test_change__names_of_two_links_swapped__confirmed_by_nobody",
        "two links swap their names, and another administrator confirms the end of the wrong rule",
    ),
    OuterRule(
        "who_ends_the_token_of_the_request_shuts_no_objector_out_by_that",
        CHANGES,
        'return _reject(change, change.requested_by, why, decided_by="")',
        'return _reject(change, "", why, decided_by="")',
        f"{ON_LOST}::test_objector__to_another_change_of_who_ended_the_token_himself__stays",
        "he removes factors by a token, asks for the end of the rule, and ends the token: the objector is disabled",
    ),
    OuterRule(
        "a_change_that_falls_disables_no_last_administrator",
        SERVICES,
        "    if [one.username for one in administrators] == [username]:\n",
        "    if False:\n",
        f"{ON_LOST}::test_last_administrator__whose_password_the_other_one_set__stays",
        "the last administrator disables the one who set his password, and is disabled himself",
    ),
    OuterRule(
        "what_a_fallen_change_mapped_is_unmapped_also_after_its_time",
        SERVICES,
        "if datetime.fromisoformat(since) < at}",
        "if datetime.fromisoformat(since) <= timezone.now()}",
        f"{ON_LOST}::test_account_of_the_host__mapped_by_who_lost_the_right__mapped_no_more",
        "the monitor is down for a moment, and a host account stays mapped by who may not map it",
    ),
    OuterRule(
        "an_account_that_a_stolen_token_made_is_listed",
        SERVICES,
        "        user.made_with_token = token_of_request()\n",
        "        pass\n",
        f"{ON_STOLEN}::test_account__that_waits_for_nobody__listed",
        "a thief made himself a viewer, and goes on reading when his token has ended",
    ),
    OuterRule(
        "automatic_relocate_of_a_stolen_token_is_switched_off",
        AUTOMATION,
        "    relocates.update(mode=Mode.OFF.value)\n",
        "",
        f"{ON_STOLEN}::test_automation__set_with_the_token__off_and_what_it_started_ends",
        "a thief has the console relocate by itself, and it does when his token has ended",
    ),
    OuterRule(
        "automatic_start_of_a_stolen_token_is_switched_off",
        AUTOMATION,
        "    starts.update(enabled=False)\n",
        "",
        f"{ON_STOLEN}::test_automation__set_with_the_token__off_and_what_it_started_ends",
        "a thief has the console start channels by itself, and it does when his token has ended",
    ),
)
