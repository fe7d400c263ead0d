"""Rules that bound what an attacker can do who has no password, or only one user's."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

HASHING, THROTTLE = "backend.identity.accounts.password_hashing", "backend.identity.accounts.throttle"
ON_HASHING, ON_THROTTLE = "tests.backend.accounts.test_password_hashing", "tests.backend.accounts.test_throttle"
ON_BODY = "tests.api.test_request_body"
ON_LIMITS = "tests.api.test_limits"
ON_NETWORK = "tests.api.test_network"
ON_REFUSED = "tests.backend.accounts.test_refused_access"

STRANGER_RULES = (
    OuterRule(
        "so_many_passwords_are_hashed_at_once",
        HASHING,
        "future = hash_threads(settings.HAWSER_PASSWORD_HASHES).submit(",
        "future = hash_threads(64).submit(",
        f"{ON_HASHING}::test_hashes__many_at_once__no_more_than_the_setting_run",
        "forty strangers take all memory and all cores",
    ),
    OuterRule(
        "few_wait_for_a_hash",
        HASHING,
        "if self._pending >= settings.HAWSER_PASSWORD_HASHES * (1 + WAITING_FOR_EACH):",
        "if False:",
        f"{ON_HASHING}::test_hashes__too_many_wait_already__refused_at_once",
        "strangers who wait for a hash hold every thread",
    ),
    OuterRule(
        "a_name_as_such_is_never_refused",
        THROTTLE,
        "name_key: None}",
        "name_key: limit}",
        f"{ON_THROTTLE}::test_sign_in__a_stranger_guesses__the_owner_gets_in_from_another_address",
        "a stranger locks an approver out in the incident",
    ),
    OuterRule(
        "a_known_browser_is_counted_by_itself",
        THROTTLE,
        "if browser_id is None:",
        "if True:",
        f"{ON_THROTTLE}::test_sign_in__a_stranger_at_the_same_address__a_browser_known_to_the_user_gets_in",
        "a stranger behind the same proxy locks an approver out",
    ),
    OuterRule(
        "a_new_password_ends_what_a_browser_is_known_by",
        "backend.identity.accounts.known_browser",
        "not any(constant_time_compare(known, _digest(one)) for one in session_hashes(user))",
        'str(user.pk) not in held["users"]',
        f"{ON_THROTTLE}::test_known_browser__another_name_or_a_new_password_or_forged__is_not_known",
        "a thief of a browser's cookie keeps a counter of his own after the password was changed",
    ),
    OuterRule(
        "a_success_forgets_no_failure_of_its_address",
        THROTTLE,
        "_take_back(self.other_keys)",
        "LoginCounter.objects.filter(key__in=self.other_keys).delete()",
        f"{ON_THROTTLE}::test_sign_in__success__does_not_forget_the_failures_of_its_address",
        "a user with any account guesses at all names from one address without a limit",
    ),
    OuterRule(
        "guesses_from_many_addresses_are_slowed",
        THROTTLE,
        "    if beyond_limit <= 0:\n        return 0.0\n",
        "    return 0.0\n",
        f"{ON_THROTTLE}::test_sign_in__guesses_from_many_addresses__answered_later_and_later_never_refused",
        "a name is guessed at from many addresses at full speed",
    ),
    OuterRule(
        "a_stranger_never_names_an_actor",
        "backend.identity.accounts.services",
        'actor=ANONYMOUS, action="session:user:sign_in_failed"',
        'actor=username, action="session:user:sign_in_failed"',
        f"{ON_REFUSED}::test_sign_in__reserved_name__the_actor_is_anonymous",
        "the record says that the automation did what a stranger typed",
    ),
    OuterRule(
        "refused_access_is_recorded",
        "backend.identity.accounts.refused_access",
        "if is_refused and isinstance(answer, HttpResponse):",
        "if False:",
        f"{ON_REFUSED}::test_api__revoked_token__recorded_with_its_id",
        "no operator learns that a revoked token is still in use",
    ),
    OuterRule(
        "refusals_are_bounded_in_the_record",
        "backend.audit.aggregation",
        "if kind not in self._counted and len(self._counted) >= MAX_KEYS:",
        "if False:",
        f"{ON_REFUSED}::test_aggregator__more_kinds_than_it_keeps__counted_by_actor",
        "a stranger fills the disk with records that no operator may delete",
    ),
    OuterRule(
        "a_body_is_cut_while_it_is_read",
        "backend.config.request_body",
        "if body.tell() > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:",
        "if False:",
        f"{ON_BODY}::test_read_body__parts_above_the_limit__413_although_more_would_come",
        "a stranger's body of any size is kept before anybody asks who he is",
    ),
    OuterRule(
        "a_body_has_its_time",
        "backend.config.request_body",
        "async with asyncio.timeout(settings.HAWSER_BODY_LIMIT_S):",
        "async with asyncio.timeout(None):",
        f"{ON_BODY}::test_read_body__nothing_more_comes__408",
        "half-sent requests stay open for ever",
    ),
    OuterRule(
        "liveness_needs_no_thread",
        "backend.config.asgi",
        'elif scope["type"] == "http" and asks_for_liveness(scope):',
        "elif False:",
        "tests.api.test_liveness::test_healthz__every_thread_busy__answered_by_none_of_them",
        "an orchestrator ends the process that carries the incident",
    ),
    OuterRule(
        "a_caller_holds_so_many_threads",
        "backend.common.rest.limits",
        "if self._held[caller] >= getattr(settings, self._per_caller):",
        "if False:",
        f"{ON_LIMITS}::test_slow_call__too_many_of_the_caller__429_and_others_go_on",
        "one token's slow calls take every thread",
    ),
    OuterRule(
        "a_call_refused_as_one_too_many_gives_its_key_back",
        "backend.common.rest.idempotency",
        "if response.status_code < 500 and response.status_code != 429:",
        "if response.status_code < 500:",
        f"{ON_LIMITS}::test_slow_call__refused_under_a_key__the_key_works_again",
        "a tool that repeats its call is refused for a day",
    ),
    OuterRule(
        "a_caller_follows_so_many_streams",
        "backend.api.views.streams",
        "        streams.acquire(caller)\n",
        "        streams._held[caller] += 1\n",
        f"{ON_LIMITS}::test_streams__as_many_open_as_allowed__429",
        "one viewer's streams take a core and every open file",
    ),
    OuterRule(
        "a_body_has_so_many_members",
        "backend.common.rest.parsers",
        "if members > MAX_MEMBERS:",
        "if False:",
        f"{ON_LIMITS}::test_sign_in__80_000_unknown_fields__refused_quickly_and_shortly",
        "a stranger's JSON takes a core for seconds",
    ),
    OuterRule(
        "an_answer_names_few_unknown_fields",
        "backend.common.rest.serializers",
        "for name in names[:NAMES_REPORTED]}",
        "for name in names}",
        f"{ON_LIMITS}::test_sign_in__4_000_long_unknown_fields__names_ten_and_counts_the_others",
        "an answer grows with what a stranger sends",
    ),
    OuterRule(
        "a_name_stands_once_in_an_object",
        "backend.common.rest.parsers",
        "if len(made) < len(members):",
        "if False:",
        f"{ON_LIMITS}::test_body__name_twice_in_one_object__refused_by_name",
        "what a person read in a body is not what the console took",
    ),
    OuterRule(
        "a_network_result_is_signed_with_its_token",
        "backend.adviser.network.services",
        "    if not is_signed_with(result, secret):",
        "    if False:",
        f"{ON_NETWORK}::test_result__forged__names_its_signature_and_keeps_the_token",
        "figures that were changed on their way are shown as signed",
    ),
    OuterRule(
        "a_probe_token_works_once",
        "backend.adviser.network.tokens",
        ".filter(used_at=None, expires_at__gt=timezone.now())",
        ".filter(expires_at__gt=timezone.now())",
        f"{ON_NETWORK}::test_token__sent_with_a_signed_result__stored_once_and_recorded",
        "who reads a used token on a host stores figures of their choice as signed",
    ),
)
