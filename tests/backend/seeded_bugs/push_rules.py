"""Rules that keep Web Push to its user, and to push services."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

ON_MESSAGES = "tests.backend.web_push.test_messages"
ON_PUSH = "tests.api.test_push"

PUSH_RULES = (
    OuterRule(
        "a_browser_is_shown_and_removed_by_its_user_alone",
        "backend.notifications.web_push.selectors",
        ".filter(user=user, pk=subscription_id)",
        ".filter(pk=subscription_id)",
        f"{ON_PUSH}::test_browser__of_another_user__neither_seen_nor_removed_nor_tested",
        "a user turns off the notifications of another one",
    ),
    OuterRule(
        "a_token_adds_no_browser",
        "backend.notifications.web_push.views",
        "if user.token_in_use is not None:",
        "if False:",
        f"{ON_PUSH}::test_browser__by_a_token__refused",
        "a leaked token keeps getting messages after it was revoked",
    ),
    OuterRule(
        "a_browser_belongs_to_the_user_who_turned_it_on_last",
        "backend.notifications.web_push.services",
        "known.user_id != user.pk",
        "False",
        f"{ON_PUSH}::test_browser__turned_on_by_the_next_user__belongs_to_that_one_alone",
        "a shared browser shows messages under the account of its former user",
    ),
    OuterRule(
        "the_end_of_access_ends_web_push",
        "backend.identity.accounts.access",
        "{fact: end(user) for fact, end in _MORE.items()}",
        "{'push_subscriptions_removed': 1}",
        f"{ON_MESSAGES}::test_access__of_all_ended_after_a_restore__all_browsers_are_removed",
        "a disabled user goes on reading incidents",
    ),
    OuterRule(
        "a_push_service_has_no_private_address",
        "backend.notifications.web_push.address",
        'check_url(address.endpoint, "endpoint", allowed=PUSH_SERVICES)',
        "__import__('backend.common.outgoing.url_policy', fromlist=['parse']).parse(address.endpoint)",
        f"{ON_PUSH}::test_endpoint__on_this_machine_in_production_or_a_part_of_hawser__refused",
        "any user lets the console call services of its own network",
    ),
)
