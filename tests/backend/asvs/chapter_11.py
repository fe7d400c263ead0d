"""V11 Business logic."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V11.1.1",
        "steps in order",
        "A run does the steps of its plan in order, each recorded before it is sent; a plan is used once.",
        "tests/backend/execution/test_simulated_runs.py"
        "::test_model_of_runs__any_order_of_events__answers_as_the_console",
        "tests/backend/incidents/test_sequence.py::test_start__facts_changed_meanwhile__needs_a_new_plan_and_stops",
    ),
    met(
        "V11.1.2",
        "steps in human time",
        "A confirm asks for the name of the link and the digest of the plan, an approval for a comment besides.",
        "tests/backend/incidents/test_sequence.py::test_confirm__wrong_digest_or_name__refused",
        "tests/backend/two_persons/test_approvals.py::test_approve__own_run_or_wrong_digest__refused",
    ),
    met(
        "V11.1.3",
        "limits of business actions by user",
        "One run a link, slow calls, streams, tokens and browsers by caller.",
        "tests/backend/execution/test_store.py"
        "::test_race__eight_operators_start_on_one_link__one_wins_the_rest_are_told_who",
        "tests/api/test_limits.py::test_slow_call__too_many_of_the_caller__429_and_others_go_on",
        "tests/api/test_tokens_users.py::test_token__more_than_can_be_kept_in_view__409",
    ),
    met(
        "V11.1.4",
        "protection from mass calls",
        "Calls a minute are bounded by user and by address, slow calls and streams by caller and in all.",
        "tests/api/test_call_rate.py"
        "::test_calls__beyond_the_rate_of_a_user__429_until_the_minute_is_over_and_others_go_on",
        "tests/api/test_limits.py::test_slow_call__too_many_in_all__429",
        "tests/api/test_call_rate.py::test_calls__with_wrong_tokens__count_for_the_address",
    ),
    met(
        "V11.1.5",
        "limits against likely business risks",
        "Each row of the threat model has its limit and its test.",
        "tests/backend/test_security_page.py::test_holders__all_of_them__have_a_row_each",
        "tests/backend/test_security_page.py::test_attacks__of_the_review__are_all_there_once",
    ),
    met(
        "V11.1.6",
        "no races between check and use",
        "Facts are compared again when a run begins and is approved, and each write names its epoch.",
        "tests/backend/two_persons/test_approvals.py::test_approve__facts_changed_since__refused_and_still_waiting",
        "tests/backend/execution/test_store.py::test_stale_epoch__every_write__raises_and_changes_nothing",
        "tests/backend/execution/test_store.py::test_race__abort_against_the_point_of_no_return__exactly_one_wins",
    ),
    met(
        "V11.1.7",
        "unusual events are watched",
        "Refusals, forged releases, break-glass and changes of persons are events and counters.",
        "tests/backend/two_persons/test_authorization.py::test_claim__set_to_queued_by_hand__refused",
        "tests/api/test_metrics.py::test_access__failed_sign_in_and_break_glass__counted_from_the_audit_log",
    ),
    met(
        "V11.1.8",
        "alerts can be configured",
        "Rules for Prometheus, and destinations with severities and kinds.",
        "tests/deploy/test_alert_rules.py",
        "tests/backend/hooks/test_notifications.py::test_notice__grave_enough_and_asked_for__told_once",
    ),
)
